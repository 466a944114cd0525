//! The word of a person about a prepared emission: yes or no, once, under the lock of its row, with its entry in the
//! trail.

use serde_json::json;
use uuid::Uuid;

use super::{Confirmation, ceiling, is_bounded};
use crate::audit::{self, Act, Actor};
use crate::jobs::words;
use crate::row::{Row, params};
use crate::sight::Sight;
use crate::tx::{Operation, Tx};
use crate::{Error, Store};

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decisao {
    /// It may be issued.
    Aprovada,
    /// It may not: its token is dead.
    Recusada,
}

/// What a person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Yes or no.
    pub decisao: Decisao,
    /// The user.
    pub por: Uuid,
    /// E-mail of the user, while there is one.
    pub email: Option<String>,
    /// Seconds since 1970.
    pub em: i64,
    /// Why not.
    pub motivo: Option<String>,
}

/// A word to write down.
#[derive(Debug, Clone)]
pub struct NewDecision {
    /// Yes or no.
    pub decisao: Decisao,
    /// The user.
    pub por: Uuid,
    /// Why not.
    pub motivo: Option<String>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It is written down.
    Now,
    /// Somebody had decided before.
    Before(Decision),
    /// It was issued before.
    Used(Uuid),
    /// Too late.
    Expired,
    /// Worth more than the account may confirm, in hundredths: no yes is taken.
    AboveCeiling(i64),
}

impl Store {
    /// One transaction: the decision and its entry in the trail. Of any number at the same moment one counts.
    pub async fn decide(
        &self,
        sight: Sight,
        id: Uuid,
        new: NewDecision,
        by: &Actor,
        now: i64,
    ) -> Result<Decided, Error> {
        self.write(Decide { sight, id, new, by: by.clone(), now }).await
    }
}

/// The last columns of a row: what was decided, by whom, when and why.
pub(super) fn read(row: &mut Row) -> Result<Option<Decision>, Error> {
    let decisao: Option<String> = row.take()?;
    let (por, email, em, motivo) = (row.take::<Option<Uuid>>()?, row.take()?, row.take::<Option<i64>>()?, row.take()?);
    let Some(decisao) = decisao else { return Ok(None) };
    let decisao = words::read_decisao(&decisao)?;
    Ok(Some(Decision { decisao, por: por.unwrap_or_default(), email, em: em.unwrap_or_default(), motivo }))
}

struct Decide {
    sight: Sight,
    id: Uuid,
    new: NewDecision,
    by: Actor,
    now: i64,
}

impl Operation for Decide {
    type Output = Decided;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Decided, Error> {
        let Decide { sight, id, new, by, now } = self;
        let tenant = sight.tenant();
        let lock = tx.dialect().for_update();
        // whoever comes second waits here, and then sees what the first one said
        let sql = format!("SELECT 1 FROM confirmations WHERE tenant_id = $1 AND id = $2 {lock}");
        tx.query(&sql, &params![tenant, *id]).await?;
        let found = super::list::by_id(tx, *sight, *id).await?;
        if let Some(job) = found.job_id {
            return Ok(Decided::Used(job));
        }
        if let Some(decision) = found.decision {
            return Ok(Decided::Before(decision));
        }
        if found.expira_em <= *now {
            return Ok(Decided::Expired);
        }
        let yes = new.decisao == Decisao::Aprovada;
        if let Some(teto) =
            ceiling(tx, tenant).await?.filter(|teto| yes && is_bounded(found.operacao) && found.valor > *teto)
        {
            return Ok(Decided::AboveCeiling(teto));
        }
        // what nobody will issue need not be kept
        let kept = if yes { "payload" } else { "''" };
        let sql = format!(
            "UPDATE confirmations SET decisao = $3, decidido_por = $4, decidido_em = $5, motivo = $6, payload = {kept}
             WHERE tenant_id = $1 AND id = $2"
        );
        let (decisao, motivo) = (words::decisao(new.decisao), new.motivo.as_ref());
        tx.execute(&sql, &params![tenant, *id, decisao, new.por, *now, motivo]).await?;
        let act = match (is_bounded(found.operacao), yes) {
            (true, true) => Act::EmissaoAprovada,
            (true, false) => Act::EmissaoRecusada,
            (false, true) => Act::AtoAprovado,
            (false, false) => Act::AtoRecusado,
        };
        audit::append(tx, tenant, by, act, &id.to_string(), detail(&found, new.motivo.as_deref()), *now).await?;
        Ok(Decided::Now)
    }
}

/// What the trail keeps of it.
pub(super) fn detail(found: &Confirmation, motivo: Option<&str>) -> serde_json::Value {
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

crate::erased::erasable!(Decide);
