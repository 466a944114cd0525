//! The steps of a claimed job before its end. Each checks the lease first and fails with `LeaseLost` when it was lost.

use super::record::{DOCUMENT, read_document};
use super::{Contingencia, Document, Lease, LogLine, Prepared, Receipt, Reserve, contingency, log, reroute, words};
use crate::numbers::ledger::Wanted;
use crate::numbers::{Sequence, ledger};
use crate::row::{Row, params};
use crate::tx::{Lane, Operation, Step, Tx};
use crate::webhooks::{EventBody, Evento};
use crate::{Error, Store};
use fiscal::lifecycle::State;
use fiscal::value::Chave;
use uuid::Uuid;

impl Store {
    /// Prolongs a lease; `LeaseLost` when it was lost.
    pub async fn renew(&self, lease: Lease, until: i64) -> Result<(), Error> {
        self.write(Renew { lease, until }).await
    }
    /// Gives a job a number (the asked one, a released one, or the next) and creates its document in `Accepted`. The second
    /// call for the same job gives the first one's result, unless that document was given up: then it begins anew. Nothing is
    /// written to the history: the step that follows does it.
    pub async fn reserve(&self, lease: Lease, reserve: Reserve, now: i64) -> Result<Document, Error> {
        self.write(ReserveNumber { lease, reserve, now }).await
    }
    /// Stores the signed document and enters `Sending`: after this commit, and never before, bytes may leave. A document that
    /// may already have left keeps what it is asked by: another one is refused with `Conflict`.
    pub async fn begin_sending(
        &self,
        lease: Lease,
        prepared: Prepared,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        let told = self.write(BeginSending { event_body: self.event_body(), lease, prepared, now, log }).await?;
        if told {
            self.announce_deliveries();
        }
        Ok(())
    }
    /// Moves the document to another non-final state (`Sending` ↔ `InDoubt`).
    pub async fn mark(&self, lease: Lease, state: State, now: i64, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(Mark { lease, state, now, log }).await
    }
    /// Keeps the receipt of a document that the authority took, or forgets it, with the document's state. The number of its lot stays.
    pub async fn mark_receipt(
        &self,
        lease: Lease,
        state: State,
        receipt: Option<Receipt>,
        now: i64,
        log: Vec<LogLine>,
    ) -> Result<(), Error> {
        self.write(MarkReceipt { lease, state, receipt, now, log }).await
    }
}

/// What a worker gets whose job was taken over, or has ended.
pub(super) const LOST: Error = Error::LeaseLost;

/// Keeps the lease from being taken over until the commit. The steps after it go along in the same round trip, and come to
/// nothing when the lease was lost.
pub(super) async fn hold<T: Tx>(tx: &mut T, lease: &Lease, after: Vec<Step<'_>>) -> Result<Vec<Vec<Row>>, Error> {
    let lock = tx.dialect().for_update();
    let sql = format!("SELECT 1 FROM queue WHERE tenant_id = $1 AND job_id = $2 AND token = $3 {lock}");
    let mut steps = vec![Step { sql: &sql, params: params![lease.tenant_id, lease.job_id, lease.token] }];
    steps.extend(after);
    let mut rows = tx.query_all(&steps).await?;
    match rows.remove(0).is_empty() {
        true => Err(LOST),
        false => Ok(rows),
    }
}

/// Notes on the job when it last changed, and in its history how.
pub(super) fn touch(lease: &Lease, now: i64, lines: &[LogLine]) -> Result<Vec<Step<'static>>, Error> {
    let sql = "UPDATE jobs SET atualizado_em = $3 WHERE tenant_id = $1 AND id = $2";
    let mut steps = vec![Step { sql, params: params![lease.tenant_id, lease.job_id, now] }];
    steps.extend(log::append(lease.tenant_id, lease.job_id, lines)?);
    Ok(steps)
}

/// Keeps a file of the job, in place of an older one of its kind.
pub(super) fn keep_file(tenant: Uuid, job: Uuid, kind: &str, content: &str) -> Step<'static> {
    let sql = "INSERT INTO files (tenant_id, job_id, kind, content) VALUES ($1, $2, $3, $4)
               ON CONFLICT (tenant_id, job_id, kind) DO UPDATE SET content = excluded.content";
    Step { sql, params: params![tenant, job, kind, content] }
}

struct Renew {
    lease: Lease,
    until: i64,
}

impl Operation for Renew {
    type Output = ();
    const LANE: Lane = Lane::Urgent;
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = "UPDATE queue SET ready_at = $4 WHERE tenant_id = $1 AND job_id = $2 AND token = $3";
        let Lease { tenant_id, job_id, token } = self.lease;
        match tx.execute(sql, &params![tenant_id, job_id, token, self.until]).await? {
            0 => Err(LOST),
            _ => Ok(()),
        }
    }
}

struct ReserveNumber {
    lease: Lease,
    reserve: Reserve,
    now: i64,
}

impl Operation for ReserveNumber {
    type Output = Document;
    const LANE: Lane = Lane::Urgent;
    // the number is worth nothing before `begin_sending`, whose commit carries this one
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Document, Error> {
        let ReserveNumber { lease, reserve, now } = self;
        let sql = document_sql();
        let mut rows =
            hold(tx, lease, vec![Step { sql: &sql, params: params![lease.tenant_id, lease.job_id] }]).await?;
        let document = rows.pop().and_then(|rows| rows.into_iter().next()).map_or(Ok(None), read_document)?;
        match document {
            Some(document) if goes_otherwise(&document, reserve) => {
                return reroute::otherwise(tx, lease, reserve, document).await;
            }
            Some(document) if document.state != State::Failed => return Ok(document),
            Some(_) => forget(tx, lease).await?,
            None => {}
        }
        let sequence = Sequence { tenant: lease.tenant_id, series: reserve.series };
        let wanted = match reserve.asked_numero {
            Some(asked) => Wanted::Asked(asked),
            None if reserve.fresh => Wanted::Fresh,
            None => Wanted::Lowest,
        };
        let choice = ledger::choose(tx, &sequence, wanted).await?;
        let keeper = match wanted {
            Wanted::Asked(asked) => ledger::keeper(tx, &sequence, asked).await?,
            Wanted::Lowest | Wanted::Fresh => None,
        };
        let reserve = match keeper {
            Some(keeper) => contingency::in_place_of(tx, lease, reserve, keeper, *now).await?,
            None => reserve.clone(),
        };
        let steps = vec![insert_document(lease, &reserve, choice.numero)?];
        ledger::reserve(tx, &sequence, &choice, lease.job_id, steps).await?;
        Ok(accepted(&reserve, choice.numero))
    }
}

/// A document that is only numbered takes the way that is right now, unless it has the key of another that was given out.
fn goes_otherwise(document: &Document, reserve: &Reserve) -> bool {
    let keeps_a_key = document.contingencia.as_ref().is_some_and(|it| it.no_lugar_de.is_some());
    document.state == State::Accepted && document.tipo_emissao != reserve.tipo_emissao && !keeps_a_key
}

fn document_sql() -> String {
    format!("{DOCUMENT} WHERE tenant_id = $1 AND job_id = $2")
}

/// A document that was given up never left us, and its number is another's now: the retry makes a new one.
async fn forget<T: Tx>(tx: &mut T, lease: &Lease) -> Result<(), Error> {
    let job = params![lease.tenant_id, lease.job_id];
    tx.execute("DELETE FROM files WHERE tenant_id = $1 AND job_id = $2 AND kind = 'signed'", &job).await?;
    tx.execute("DELETE FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state = 'failed'", &job).await.map(drop)
}

fn insert_document(lease: &Lease, reserve: &Reserve, numero: u64) -> Result<Step<'static>, Error> {
    let sql = "INSERT INTO documents (tenant_id, job_id, cpf_cnpj, ambiente, state, counted, serie, numero, codigo_aleatorio, tipo_emissao, dhEmi, valor, contingencia, tipo)
               VALUES ($1, $2, $3, $4, 'accepted', $5, $6, $7, $8, $9, $10, '', $11,
                   (SELECT tipo FROM jobs WHERE tenant_id = $1 AND id = $2))";
    let series = reserve.series;
    let params = params![
        lease.tenant_id,
        lease.job_id,
        series.cpf_cnpj.as_str(),
        words::ambiente(series.ambiente),
        series.counted.word(),
        series.serie.as_str(),
        numero,
        reserve.codigo_aleatorio,
        reserve.tipo_emissao,
        &reserve.dhEmi,
        reserve.contingencia.as_ref().map(words::json).transpose()?,
    ];
    Ok(Step { sql, params })
}

/// The document as a query would show it now.
fn accepted(reserve: &Reserve, numero: u64) -> Document {
    Document {
        state: State::Accepted,
        counted: reserve.series.counted,
        serie: reserve.series.serie,
        numero,
        codigo_aleatorio: reserve.codigo_aleatorio,
        asked_by: None,
        chave: None,
        tipo_emissao: reserve.tipo_emissao,
        dhEmi: reserve.dhEmi.clone(),
        valor: String::new(),
        destinatario: None,
        digest: None,
        nProt: None,
        dhRecbto: None,
        codigo: None,
        xMotivo: None,
        campo: None,
        contingencia: reserve.contingencia.clone(),
        nRec: None,
        qrCode: None,
        numero_nota: None,
        valor_liquido: None,
        rejeicoes: Vec::new(),
        substituida_por: None,
        analise_fiscal: None,
        codigo_verificacao: None,
        numero_lote: None,
    }
}

struct BeginSending {
    event_body: EventBody,
    lease: Lease,
    prepared: Prepared,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for BeginSending {
    type Output = bool;
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let BeginSending { event_body, lease, prepared, now, log } = self;
        let document = Step {
            sql: "UPDATE documents SET state = $9, chave = $3, digest = $4, valor = $5, dhEmi = $6, destinatario = $7,
                  qrCode = $8, asked_by = $10
                  WHERE tenant_id = $1 AND job_id = $2
                  AND (state = 'accepted' OR (state IN ('issued', 'sending', 'in_doubt') AND asked_by = $10 AND digest = $4))
                  RETURNING contingencia",
            params: params![
                lease.tenant_id,
                lease.job_id,
                prepared.chave.as_ref().map(Chave::as_str),
                &prepared.digest,
                &prepared.valor,
                &prepared.dhEmi,
                prepared.destinatario.as_ref(),
                prepared.qrCode.as_ref(),
                words::state(prepared.state),
                &prepared.asked_by,
            ],
        };
        let mut steps = vec![document, keep_file(lease.tenant_id, lease.job_id, "signed", &prepared.xml)];
        steps.extend(touch(lease, *now, log)?);
        let updated = hold(tx, lease, steps).await?.into_iter().next().and_then(|rows| rows.into_iter().next());
        let mut updated = updated.ok_or(Error::Conflict("o documento já pode ter sido enviado com outra chave"))?;
        let contingencia = updated.take::<Option<String>>()?.map(words::read_json::<Contingencia>).transpose()?;
        match contingencia {
            // of an EPEC there is nothing to give out before it is registered
            Some(it) if it.tipo != "epec" => contingency::tell(tx, event_body, lease, Evento::Contingencia, *now).await,
            _ => Ok(false),
        }
    }
}

struct Mark {
    lease: Lease,
    state: State,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for Mark {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Mark { lease, state, now, log } = self;
        let sql = "UPDATE documents SET state = $3 WHERE tenant_id = $1 AND job_id = $2 RETURNING numero";
        let mut steps = vec![Step { sql, params: params![lease.tenant_id, lease.job_id, words::state(*state)] }];
        steps.extend(touch(lease, *now, log)?);
        match hold(tx, lease, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(Error::NotFound),
        }
    }
}

struct MarkReceipt {
    lease: Lease,
    state: State,
    receipt: Option<Receipt>,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for MarkReceipt {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let MarkReceipt { lease, state, receipt, now, log } = self;
        let (nRec, numero_lote) = (receipt.as_ref().map(|it| &it.nRec), receipt.as_ref().and_then(|it| it.numero_lote));
        let sql = "UPDATE documents SET state = $3, nRec = $4, numero_lote = COALESCE($5, numero_lote) WHERE tenant_id = $1 AND job_id = $2 RETURNING numero";
        let params = params![lease.tenant_id, lease.job_id, words::state(*state), nRec, numero_lote];
        let mut steps = vec![Step { sql, params }];
        steps.extend(touch(lease, *now, log)?);
        match hold(tx, lease, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(Error::NotFound),
        }
    }
}
