//! Decisions of a person about a prepared emission: approval or refusal, once, under the lock of its row, with an entry
//! in the trail.

use serde_json::json;
use uuid::Uuid;

use super::{Confirmation, ceiling, is_bounded};
use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, params};
use crate::tx::{StoreOperation, Tx};
use crate::visibility::Visibility;
use crate::words::word_table;
use crate::{Error, Store};

/// Approval or refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decisao {
    /// The emission may be issued.
    Aprovada,
    /// The emission may not be issued; its token is void.
    Recusada,
}

word_table!(pub(crate) Decisao {
    Aprovada => "aprovada",
    Recusada => "recusada",
});

/// A recorded decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub decisao: Decisao,
    /// User who decided.
    pub por: Uuid,
    /// E-mail of the user, while the user exists.
    pub email: Option<String>,
    /// Seconds since 1970.
    pub em: i64,
    /// Reason of a refusal.
    pub motivo: Option<String>,
}

/// A decision to record.
#[derive(Debug, Clone)]
pub struct NewDecision {
    pub decisao: Decisao,
    /// User who decides.
    pub por: Uuid,
    /// Reason of a refusal.
    pub motivo: Option<String>,
}

/// Result of recording a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionResult {
    /// Recorded.
    Recorded,
    /// An earlier decision stands.
    AlreadyDecided(Decision),
    /// The token was used before, for this job.
    Used(Uuid),
    /// The token has expired.
    Expired,
    /// The value exceeds the account's ceiling, in hundredths; no approval is recorded.
    AboveCeiling(i64),
}

impl Store {
    /// Records a decision and its entry in the trail, in one transaction. Of several concurrent decisions one counts.
    pub async fn decide(
        &self,
        visibility: Visibility,
        id: Uuid,
        new: NewDecision,
        by: &Actor,
        now: i64,
    ) -> Result<DecisionResult, Error> {
        self.write(RecordDecision { sight: visibility, id, new, by: by.clone(), now }).await
    }
}

/// Reads the last columns of a row: decision, user, instant and reason.
pub(super) fn read(row: &mut Row) -> Result<Option<Decision>, Error> {
    let decisao: Option<String> = row.read()?;
    let (por, email, em, motivo) = (row.read::<Option<Uuid>>()?, row.read()?, row.read::<Option<i64>>()?, row.read()?);
    let Some(decisao) = decisao else { return Ok(None) };
    let decisao = Decisao::read(&decisao)?;
    Ok(Some(Decision { decisao, por: por.unwrap_or_default(), email, em: em.unwrap_or_default(), motivo }))
}

struct RecordDecision {
    sight: Visibility,
    id: Uuid,
    new: NewDecision,
    by: Actor,
    now: i64,
}

impl StoreOperation for RecordDecision {
    type Output = DecisionResult;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<DecisionResult, Error> {
        let RecordDecision { sight, id, new, by, now } = self;
        let tenant = sight.tenant();
        let lock = tx.dialect().for_update();
        // A concurrent decision waits here and then sees the first one.
        let sql = format!("SELECT 1 FROM confirmations WHERE tenant_id = $1 AND id = $2 {lock}");
        tx.query(&sql, &params![tenant, *id]).await?;
        let found = super::list::visible_confirmation(tx, *sight, *id).await?;
        if let Some(job) = found.job_id {
            return Ok(DecisionResult::Used(job));
        }
        if let Some(decision) = found.decision {
            return Ok(DecisionResult::AlreadyDecided(decision));
        }
        if found.expira_em <= *now {
            return Ok(DecisionResult::Expired);
        }
        let yes = new.decisao == Decisao::Aprovada;
        if let Some(teto) =
            ceiling(tx, tenant).await?.filter(|teto| yes && is_bounded(found.operacao) && found.valor > *teto)
        {
            return Ok(DecisionResult::AboveCeiling(teto));
        }
        // A refused emission is never issued, so its payload is deleted.
        let kept = if yes { "payload" } else { "''" };
        let sql = format!(
            "UPDATE confirmations SET decisao = $3, decidido_por = $4, decidido_em = $5, motivo = $6, payload = {kept}
             WHERE tenant_id = $1 AND id = $2"
        );
        let (decisao, motivo) = (new.decisao.word(), new.motivo.as_ref());
        tx.execute(&sql, &params![tenant, *id, decisao, new.por, *now, motivo]).await?;
        let act = match (is_bounded(found.operacao), yes) {
            (true, true) => AuditAct::EmissaoAprovada,
            (true, false) => AuditAct::EmissaoRecusada,
            (false, true) => AuditAct::AtoAprovado,
            (false, false) => AuditAct::AtoRecusado,
        };
        audit::append(tx, tenant, by, act, &id.to_string(), decision_detail(&found, new.motivo.as_deref()), *now)
            .await?;
        Ok(DecisionResult::Recorded)
    }
}

/// Details of the decision for the trail.
pub(super) fn decision_detail(found: &Confirmation, motivo: Option<&str>) -> serde_json::Value {
    json!({
        "operacao": found.operacao.word(),
        "documento": found.tipo.word(),
        "emitente": found.emitente,
        "destinatario": found.destinatario,
        "valor_centavos": found.valor,
        "ambiente": found.destino.word(),
        "motivo": motivo,
    })
}

crate::dyn_operation::erasable!(RecordDecision);
