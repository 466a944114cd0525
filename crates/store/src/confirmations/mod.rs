//! Prepared emissions that wait for a person's approval: a token for each, used once, and the value ceiling of an
//! account.
//!
//! Law: docs/contract.md, "Checking and preparing". Only the hash of a token is stored. Single use is guaranteed by the
//! database: the row is marked under its lock, in the transaction that registers the job. A person's decision is part
//! of the same row (`decide`).
//! Must not know: the content of an emission.

mod decide;
mod list;

pub use decide::{Decisao, Decision, DecisionResult, NewDecision};
pub use list::ConfirmationList;

use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

use crate::accounts::Permissao;
use crate::audit::{self, Actor, AuditAct};
use crate::jobs::new_job::{NewJob, RegistrationResult};
use crate::jobs::operation::Operacao;
use crate::jobs::{order, register};
use crate::row::{Row, first, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::visibility::Visibility;
use crate::{Error, Store, words};

/// An emission to store until it is confirmed.
#[derive(Debug, Clone)]
pub struct NewConfirmation {
    /// Public name.
    pub id: Uuid,
    pub tenant_id: Uuid,
    /// Operation of the order.
    pub operacao: Operacao,
    /// Document type.
    pub tipo: Tipo,
    /// Key that prepares it.
    pub api_key_id: Uuid,
    /// Permission of that key.
    pub permissao: Permissao,
    /// SHA-256 of the token.
    pub token_hash: [u8; 32],
    /// Environment of the credential that prepares it.
    pub ambiente: TpAmb,
    /// Environment of the document.
    pub destino: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The request (JSON text).
    pub payload: String,
    /// SHA-256 of the payload.
    pub payload_hash: [u8; 32],
    /// CNPJ or CPF of the issuer, for lists.
    pub emitente: String,
    /// Name of the addressee, for lists.
    pub destinatario: Option<String>,
    /// Value that the document moves, in hundredths.
    pub valor: i64,
    /// Expiry, seconds since 1970.
    pub expira_em: i64,
}

/// A prepared emission.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// Public name.
    pub id: Uuid,
    /// Operation of the order.
    pub operacao: Operacao,
    /// Document type.
    pub tipo: Tipo,
    /// Key that prepared it.
    pub api_key_id: Uuid,
    /// Name of that key.
    pub preparada_por: Option<String>,
    /// Permission of that key at the time.
    pub permissao: Permissao,
    /// Environment of the credential that prepared it.
    pub ambiente: TpAmb,
    /// Environment of the document.
    pub destino: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The request; empty once used or refused, and in lists.
    pub payload: String,
    /// SHA-256 of the payload.
    pub payload_hash: Vec<u8>,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// Name of the addressee.
    pub destinatario: Option<String>,
    /// Value that the document moves, in hundredths.
    pub valor: i64,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// Decision of a person.
    pub decision: Option<Decision>,
    /// Job registered from it.
    pub job_id: Option<Uuid>,
}

/// Result of preparing an emission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preparation {
    /// Stored.
    Stored,
    /// The key has as many open emissions as it may; nothing was stored.
    TooManyOpen {
        /// The bound.
        most: u32,
        /// Seconds until the oldest of them expires.
        wait_s: i64,
    },
}

/// Approval by which a prepared emission is issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalSource {
    /// The token of the program is enough.
    Program,
    /// A person's decision recorded in the row.
    Person,
    /// A person's answer in a form of the program, reported by it; recorded in the trail.
    Form(Actor),
}

/// Result of confirming a prepared emission.
#[derive(Debug, Clone)]
pub enum ConfirmationResult {
    /// The job, new or the first of its reference; the token is used.
    Registered(RegistrationResult),
    /// The token was used before, for this job.
    Used(Uuid),
    /// A person refused it; the token is void.
    Refused(Decision),
    /// A person's approval is missing.
    Pending,
    /// The token has expired.
    Expired,
    /// The value exceeds the account's ceiling, in hundredths; the token stays usable.
    AboveCeiling(i64),
}

impl Store {
    /// Stores an emission until its token is used, unless its key has `most_open` open ones; deletes the tenant's
    /// undecided emissions that expired a day ago, and decided ones that expired 90 days ago.
    pub async fn prepare(&self, new: NewConfirmation, most_open: Option<u32>, now: i64) -> Result<Preparation, Error> {
        self.write(PrepareEmission { new, most_open, now }).await
    }

    /// Finds a prepared emission by the hash of its token.
    pub async fn confirmation(&self, tenant: Uuid, token_hash: [u8; 32]) -> Result<Confirmation, Error> {
        self.read(FindConfirmation { tenant, token_hash }).await
    }

    /// Finds a prepared emission by its public name, if it is visible.
    pub async fn confirmation_by_id(&self, sight: Visibility, id: Uuid) -> Result<Confirmation, Error> {
        self.read(list::ConfirmationById { visibility: sight, id }).await
    }

    /// Uses the token, registers the job and debits the quota in one transaction. Of any number of calls with one token
    /// exactly one registers. `valor` is the value that the document moves, in hundredths; `word` states the required
    /// approval.
    pub async fn confirm(
        &self,
        token_hash: [u8; 32],
        job: NewJob,
        valor: i64,
        approval: ApprovalSource,
        now: i64,
    ) -> Result<ConfirmationResult, Error> {
        let payload = job.payload.clone();
        let confirmed = self.write(ConfirmEmission { token_hash, job, valor, word: approval, now }).await?;
        if matches!(confirmed, ConfirmationResult::Registered(RegistrationResult::New(_))) {
            self.announce_work();
        }
        Ok(match confirmed {
            ConfirmationResult::Registered(registered) => {
                ConfirmationResult::Registered(order::with_divergence(registered, &payload))
            }
            confirmed => confirmed,
        })
    }

    /// Largest value that an account may confirm in one document, in hundredths; `None` for any value.
    pub async fn ceiling(&self, tenant: Uuid) -> Result<Option<i64>, Error> {
        self.read(ReadCeiling(tenant)).await
    }

    /// Sets the ceiling from now on; `None` removes it.
    pub async fn set_ceiling(&self, tenant: Uuid, teto: Option<i64>, by: &Actor, now: i64) -> Result<(), Error> {
        self.write(SetCeiling { tenant, teto, by: by.clone(), now }).await
    }

    /// `true` if an answer in a program's own form counts as a person's approval in production.
    pub async fn form_approval_allowed(&self, tenant: Uuid) -> Result<bool, Error> {
        self.read(ReadFormApproval(tenant)).await
    }

    /// Sets whether such an answer counts, from now on.
    pub async fn allow_form_approval(&self, tenant: Uuid, allowed: bool, by: &Actor, now: i64) -> Result<(), Error> {
        self.write(SetFormApproval { tenant, allowed, by: by.clone(), now }).await
    }
}

struct PrepareEmission {
    new: NewConfirmation,
    most_open: Option<u32>,
    now: i64,
}

impl PrepareEmission {
    /// Returns the refusal when the key has no slot for another open emission. Open: not confirmed, not refused, not
    /// expired.
    async fn open_bound_reached<T: Tx>(&self, tx: &mut T) -> Result<Option<Preparation>, Error> {
        let PrepareEmission { new, most_open, now } = self;
        let Some(most) = *most_open else { return Ok(None) };
        if let Some(alone) = tx.dialect().exclusive_lock() {
            // Without this lock two concurrent counts would both see the last slot as free.
            tx.query(alone, &params![format!("prepare {}", new.api_key_id)]).await?;
        }
        let sql = "SELECT COUNT(*), MIN(expira_em) FROM confirmations WHERE tenant_id = $1 AND api_key_id = $2
                       AND job_id IS NULL AND expira_em > $3 AND (decisao IS NULL OR decisao = $4)";
        let params = params![new.tenant_id, new.api_key_id, *now, Decisao::Aprovada.word()];
        let mut row = only(tx.query(sql, &params).await?)?;
        let (open, ends): (i64, Option<i64>) = (row.read()?, row.read()?);
        let wait_s = ends.map_or(1, |ends| (ends - now).max(1));
        Ok((open >= i64::from(most)).then_some(Preparation::TooManyOpen { most, wait_s }))
    }
}

impl StoreOperation for PrepareEmission {
    type Output = Preparation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Preparation, Error> {
        if let Some(refused) = self.open_bound_reached(tx).await? {
            return Ok(refused);
        }
        let PrepareEmission { new, now, .. } = self;
        let forget = SqlStep::new(
            "DELETE FROM confirmations WHERE tenant_id = $1
                  AND (expira_em <= $2 AND decisao IS NULL OR expira_em <= $3)",
            params![new.tenant_id, now - TOKEN_RETENTION_S, now - DECISION_RETENTION_S],
        );
        let sql = "INSERT INTO confirmations (tenant_id, token_hash, ambiente, destino, referencia, payload, payload_hash, criado_em,
                      expira_em, id, api_key_id, permissao, emitente, destinatario, valor, operacao, tipo)
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
        let params = params![
            new.tenant_id,
            &new.token_hash,
            words::ambiente(new.ambiente),
            words::ambiente(new.destino),
            new.referencia.as_ref(),
            &new.payload,
            &new.payload_hash,
            *now,
            new.expira_em,
            new.id,
            new.api_key_id,
            new.permissao.word(),
            &new.emitente,
            new.destinatario.as_ref(),
            new.valor,
            new.operacao.word(),
            new.tipo.word(),
        ];
        let keep = SqlStep::new(sql, params);
        tx.query_all(&[forget, keep]).await?;
        Ok(Preparation::Stored)
    }
}

struct FindConfirmation {
    tenant: Uuid,
    token_hash: [u8; 32],
}

impl StoreOperation for FindConfirmation {
    type Output = Confirmation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Confirmation, Error> {
        let sql = format!("{} WHERE c.tenant_id = $1 AND c.token_hash = $2", select("c.payload"));
        read(only(tx.query(&sql, &params![self.tenant, &self.token_hash]).await?)?)
    }
}

/// Selects a whole row, with its payload or the expression in its place.
fn select(payload: &str) -> String {
    format!(
        "SELECT c.id, c.operacao, c.tipo, c.api_key_id, k.nome, c.permissao, c.ambiente, c.destino, c.referencia, {payload}, c.payload_hash, c.emitente,
             c.destinatario, c.valor, c.criado_em, c.expira_em, c.job_id, c.decisao, c.decidido_por, u.email, c.decidido_em, c.motivo
         FROM confirmations c
         LEFT JOIN api_keys k ON k.tenant_id = c.tenant_id AND k.id = c.api_key_id
         LEFT JOIN users u ON u.tenant_id = c.tenant_id AND u.id = c.decidido_por"
    )
}

fn read(mut row: Row) -> Result<Confirmation, Error> {
    Ok(Confirmation {
        // Rows prepared by the previous version have no public name.
        id: row.read::<Option<Uuid>>()?.unwrap_or_default(),
        operacao: Operacao::read(&row.read::<String>()?)?,
        tipo: words::read_tipo(&row.read::<String>()?)?,
        api_key_id: row.read::<Option<Uuid>>()?.unwrap_or_default(),
        preparada_por: row.read()?,
        permissao: Permissao::read(&row.read::<String>()?)?,
        ambiente: words::read_ambiente(row.read()?)?,
        destino: words::read_ambiente(row.read()?)?,
        referencia: row.read()?,
        payload: row.read()?,
        payload_hash: row.read()?,
        emitente: row.read::<Option<String>>()?.unwrap_or_default(),
        destinatario: row.read()?,
        valor: row.read::<Option<i64>>()?.unwrap_or_default(),
        criado_em: row.read()?,
        expira_em: row.read()?,
        job_id: row.read()?,
        decision: decide::read(&mut row)?,
    })
}

struct ConfirmEmission {
    token_hash: [u8; 32],
    job: NewJob,
    valor: i64,
    word: ApprovalSource,
    now: i64,
}

impl StoreOperation for ConfirmEmission {
    type Output = ConfirmationResult;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<ConfirmationResult, Error> {
        let ConfirmEmission { token_hash, job, valor, word, now } = self;
        let lock = tx.dialect().for_update();
        // A concurrent confirmation waits here and then sees the token used.
        let sql = format!(
            "SELECT expira_em, job_id, decisao, decidido_por, NULL, decidido_em, motivo FROM confirmations WHERE tenant_id = $1 AND token_hash = $2 {lock}"
        );
        let mut row = only(tx.query(&sql, &params![job.tenant_id, token_hash]).await?)?;
        let (expira_em, used): (i64, Option<Uuid>) = (row.read()?, row.read()?);
        if let Some(job_id) = used {
            return Ok(ConfirmationResult::Used(job_id));
        }
        let decision = decide::read(&mut row)?;
        let decided = decision.as_ref().map(|decision| decision.decisao);
        if let Some(decision) = decision.filter(|decision| decision.decisao == Decisao::Recusada) {
            return Ok(ConfirmationResult::Refused(decision));
        }
        if expira_em <= *now {
            return Ok(ConfirmationResult::Expired);
        }
        if *word == ApprovalSource::Person && decided != Some(Decisao::Aprovada) {
            return Ok(ConfirmationResult::Pending);
        }
        if let Some(teto) = ceiling(tx, job.tenant_id).await?.filter(|teto| is_bounded(job.operacao) && valor > teto) {
            return Ok(ConfirmationResult::AboveCeiling(teto));
        }
        let registered = register::register(tx, job, *now).await?;
        let job_id = match &registered {
            RegistrationResult::New(job) | RegistrationResult::Replay { job, .. } => job.id,
        };
        if let ApprovalSource::Form(by) = word {
            let found = FindConfirmation { tenant: job.tenant_id, token_hash: *token_hash }.run(tx).await?;
            let act =
                if is_bounded(found.operacao) { AuditAct::EmissaoPorFormulario } else { AuditAct::AtoPorFormulario };
            let detail = decide::decision_detail(&found, None);
            audit::append(tx, job.tenant_id, by, act, &found.id.to_string(), detail, *now).await?;
        }
        let sql = "UPDATE confirmations SET job_id = $3, payload = '' WHERE tenant_id = $1 AND token_hash = $2";
        tx.execute(sql, &params![job.tenant_id, token_hash, job_id]).await?;
        Ok(ConfirmationResult::Registered(registered))
    }
}

/// The ceiling bounds emissions only: cancelling, correcting and voiding issue nothing.
const fn is_bounded(operacao: Operacao) -> bool {
    matches!(operacao, Operacao::Emissao)
}

struct ReadCeiling(Uuid);

impl StoreOperation for ReadCeiling {
    type Output = Option<i64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<i64>, Error> {
        ceiling(tx, self.0).await
    }
}

async fn ceiling<T: Tx>(tx: &mut T, tenant: Uuid) -> Result<Option<i64>, Error> {
    let teto: Option<Option<i64>> = first(tx.query("SELECT teto FROM tenants WHERE id = $1", &params![tenant]).await?)?;
    Ok(teto.flatten())
}

struct ReadFormApproval(Uuid);

impl StoreOperation for ReadFormApproval {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let allowed: Option<i64> =
            first(tx.query("SELECT formulario_mcp FROM tenants WHERE id = $1", &params![self.0]).await?)?;
        Ok(allowed == Some(1))
    }
}

struct SetFormApproval {
    tenant: Uuid,
    allowed: bool,
    by: Actor,
    now: i64,
}

impl StoreOperation for SetFormApproval {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SetFormApproval { tenant, allowed, by, now } = self;
        let sql = "UPDATE tenants SET formulario_mcp = $2 WHERE id = $1";
        if tx.execute(sql, &params![*tenant, i64::from(*allowed)]).await? == 0 {
            return Err(Error::NotFound);
        }
        let detail = json!({ "permitido": allowed });
        audit::append(tx, *tenant, by, AuditAct::FormularioMcpAlterado, "emissao_assistida", detail, *now).await
    }
}

struct SetCeiling {
    tenant: Uuid,
    teto: Option<i64>,
    by: Actor,
    now: i64,
}

impl StoreOperation for SetCeiling {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SetCeiling { tenant, teto, by, now } = self;
        if tx.execute("UPDATE tenants SET teto = $2 WHERE id = $1", &params![*tenant, *teto]).await? == 0 {
            return Err(Error::NotFound);
        }
        let detail = json!({ "teto_centavos": teto });
        audit::append(tx, *tenant, by, AuditAct::TetoAlterado, "emissao_assistida", detail, *now).await
    }
}

/// Retention of an undecided emission after its expiry, so that a late caller gets "expired" and not "not found".
const TOKEN_RETENTION_S: i64 = 86_400;
/// Retention of a decided emission after its expiry, for lists.
const DECISION_RETENTION_S: i64 = 90 * 86_400;

crate::dyn_operation::erasable!(
    PrepareEmission,
    FindConfirmation,
    ConfirmEmission,
    ReadCeiling,
    ReadFormApproval,
    SetFormApproval,
    SetCeiling
);
