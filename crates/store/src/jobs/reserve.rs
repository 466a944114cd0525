//! Reservation of a number for a claimed job, with its document.

use super::document::JobDocument;
use super::job::Lease;
use super::lease::LOST;
use super::number_request::NumberRequest;
use super::record::{DOCUMENT_COLUMNS, read_document};
use super::{contingency, emission_mode};
use crate::dialect::{PerDialect, SqlDialect};
use crate::numbers::ledger::{self, WantedNumber};
use crate::numbers::sequence::{Sequence, Series};
use crate::row::params;
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;

impl Store {
    /// Gives a job a number (the requested one, a released one, or the next) and creates its document in `Accepted`. A
    /// second call for the same job returns the first result, unless that document failed: then a new one is made.
    /// Writes no history; the following step does.
    pub async fn reserve(&self, lease: Lease, reserve: NumberRequest, now: i64) -> Result<JobDocument, Error> {
        self.write(ReserveNumber { lease, reserve, now }).await
    }
}

struct ReserveNumber {
    lease: Lease,
    reserve: NumberRequest,
    now: i64,
}

impl StoreOperation for ReserveNumber {
    type Output = JobDocument;
    const LANE: Lane = Lane::Urgent;
    // The number is worth nothing before `begin_sending`, whose commit makes this one durable too.
    const DURABLE: bool = false;

    fn lock_order(&self) -> Option<String> {
        let Series { cpf_cnpj, counted, serie, ambiente } = self.reserve.series;
        let name = || {
            format!(
                "{}/{}/{}/{}/{}",
                self.lease.tenant_id,
                cpf_cnpj.as_str(),
                counted.word(),
                serie.as_str(),
                ambiente.word()
            )
        };
        (self.wanted() == WantedNumber::Lowest).then(name)
    }

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<JobDocument, Error> {
        let ReserveNumber { lease, reserve, .. } = self;
        let sequence = Sequence { tenant: lease.tenant_id, series: reserve.series };
        static HELD: PerDialect<String> = PerDialect::new();
        let sql = HELD.of(tx.dialect(), held_document_sql);
        let taking = match self.wanted() {
            WantedNumber::Lowest => Vec::from(ledger::reserve_steps(tx, &sequence, lease.job_id)),
            WantedNumber::Asked(_) | WantedNumber::Fresh => Vec::new(),
        };
        let mut steps = vec![SqlStep::per_row(sql, params![lease.tenant_id, lease.job_id, lease.token])];
        steps.extend(taking);
        let mut rows = tx.query_all(&steps).await?;
        let document = read_document(rows.remove(0).into_iter().next().ok_or(LOST)?)?;
        match (document, ledger::reserved_number(rows)?) {
            (None, Some(numero)) => {
                let document = reserve.document(numero)?;
                tx.query_all(&[insert_document(lease, reserve, &document)?]).await?;
                Ok(document)
            }
            (document, _) => self.choose(tx, &sequence, document).await,
        }
    }
}

impl ReserveNumber {
    fn wanted(&self) -> WantedNumber {
        match self.reserve.asked_numero {
            Some(asked) => WantedNumber::Asked(asked),
            None if self.reserve.fresh => WantedNumber::Fresh,
            None => WantedNumber::Lowest,
        }
    }

    /// The longer path: there is a document, or the number is not simply the next.
    async fn choose<T: Tx>(
        &self,
        tx: &mut T,
        sequence: &Sequence,
        document: Option<JobDocument>,
    ) -> Result<JobDocument, Error> {
        let ReserveNumber { lease, reserve, now } = self;
        match document {
            Some(document) if needs_mode_change(&document, reserve) => {
                return emission_mode::set_present_mode(tx, lease, reserve, document).await;
            }
            Some(document) if document.state != DocumentState::Failed => return Ok(document),
            Some(_) => delete_failed(tx, lease).await?,
            None => {}
        }
        let wanted = self.wanted();
        let choice = ledger::choose(tx, sequence, wanted).await?;
        let keeper = match wanted {
            WantedNumber::Asked(asked) => ledger::find_number_holder(tx, sequence, asked).await?,
            WantedNumber::Lowest | WantedNumber::Fresh => None,
        };
        let reserve = match keeper {
            Some(keeper) => contingency::take_rejected_key(tx, lease, reserve, keeper, *now).await?,
            None => reserve.clone(),
        };
        let document = reserve.document(choice.numero)?;
        let steps = vec![insert_document(lease, &reserve, &document)?];
        ledger::reserve(tx, sequence, &choice, lease.job_id, steps).await?;
        Ok(document)
    }
}

/// `true` if a document that has only a number must take the present emission mode. One with the key of a note that was
/// given out keeps its mode.
fn needs_mode_change(document: &JobDocument, reserve: &NumberRequest) -> bool {
    let keeps_a_key = document.contingencia.as_ref().is_some_and(|it| it.no_lugar_de.is_some());
    document.state == DocumentState::Accepted && document.tipo_emissao != reserve.tipo_emissao && !keeps_a_key
}

/// Selects a job's document and locks its lease until the commit; no row when the lease is lost.
fn held_document_sql(dialect: SqlDialect) -> String {
    format!(
        "SELECT {DOCUMENT_COLUMNS} FROM queue q LEFT JOIN documents d ON d.tenant_id = q.tenant_id AND d.job_id = q.job_id
         WHERE q.tenant_id = $1 AND q.job_id = $2 AND q.token = $3 {}",
        dialect.for_update_of("q")
    )
}

/// Deletes a failed document: it was never sent, and its number may belong to another. The retry makes a new one.
async fn delete_failed<T: Tx>(tx: &mut T, lease: &Lease) -> Result<(), Error> {
    let job = params![lease.tenant_id, lease.job_id];
    tx.execute("DELETE FROM files WHERE tenant_id = $1 AND job_id = $2 AND kind = 'signed'", &job).await?;
    tx.execute("DELETE FROM documents WHERE tenant_id = $1 AND job_id = $2 AND state = 'failed'", &job).await.map(drop)
}

fn insert_document(lease: &Lease, reserve: &NumberRequest, document: &JobDocument) -> Result<SqlStep<'static>, Error> {
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
        document.numero,
        document.codigo_aleatorio,
        reserve.tipo_emissao,
        &reserve.dhEmi,
        reserve.contingencia.as_ref().map(words::json).transpose()?,
    ];
    Ok(SqlStep::per_row(sql, params))
}

impl NumberRequest {
    /// The document of a number as a query would return it before it is signed.
    pub fn document(&self, numero: u64) -> Result<JobDocument, Error> {
        Ok(JobDocument {
            state: DocumentState::Accepted,
            counted: self.series.counted,
            serie: self.series.serie,
            numero,
            codigo_aleatorio: self.codigo_aleatorio.of(numero)?,
            asked_by: None,
            chave: None,
            tipo_emissao: self.tipo_emissao,
            dhEmi: self.dhEmi.clone(),
            valor: String::new(),
            destinatario: None,
            digest: None,
            nProt: None,
            dhRecbto: None,
            codigo: None,
            xMotivo: None,
            campo: None,
            contingencia: self.contingencia.clone(),
            nRec: None,
            qrCode: None,
            numero_nota: None,
            valor_liquido: None,
            rejeicoes: Vec::new(),
            substituida_por: None,
            analise_fiscal: None,
            codigo_verificacao: None,
            numero_lote: None,
            last_sent_at: None,
            refusal: None,
        })
    }
}

crate::dyn_operation::erasable!(ReserveNumber);
