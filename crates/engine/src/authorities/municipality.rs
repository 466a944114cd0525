//! Parameters of a município, read from the national system at most once a day and environment. The wait is short, and
//! an emission does not depend on the answer.
//!
//! Law: `docs/contract.md`, "NFS-e" (24 h, per environment); OpenAPI of the municipal parameters of the national NFS-e.
//! The store holds the answers, shared by all tenants.

use crate::authorities::health::Channel;
use crate::family::UnreadableReply;
use crate::{Engine, family};
use authority::call::{AuthorityCall, AuthorityReply};
use authority::nfse_nacional::{
    benefit, convention, rate, read_benefit, read_convention, read_rate, read_regimes, read_withholding, regimes,
    withholding,
};
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use fiscal::nfse::convention::Convention;
use fiscal::nfse::due_municipality::{MunicipalParameters, MunicipalQuery};
use fiscal::value::{CnpjCpf, TpAmb, Uf, municipio};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::lookups::CachedLookup;
use uuid::Uuid;

/// Validity of an answer.
const FRESH_S: i64 = 24 * 3_600;
/// Longest wait for an answer; a caller waits to issue.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Time without further queries after a missing answer.
const RETRY_PAUSE_S: i64 = 300;

/// Municípios whose query got no answer, with the end of the pause: at most every município there is, in each
/// environment.
#[derive(Default)]
pub(crate) struct UnansweredUntil {
    until: Mutex<HashMap<(TpAmb, u32), i64>>,
}

impl UnansweredUntil {
    fn cached_only(&self, about: (TpAmb, u32), now: i64) -> bool {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.get(&about).is_some_and(|until| *until > now)
    }

    fn record_unanswered(&self, about: (TpAmb, u32), now: i64) {
        self.until.lock().unwrap_or_else(PoisonError::into_inner).insert(about, now + RETRY_PAUSE_S);
    }
}

/// A declaration whose parameters are needed, and its company.
struct DeclarationQuery<'a> {
    tenant: Uuid,
    company: CnpjCpf,
    ambiente: TpAmb,
    due: &'a MunicipalQuery,
}

/// A query of one parameter, by the certificate of a company.
struct ParameterQuery {
    tenant: Uuid,
    company: CnpjCpf,
    ambiente: TpAmb,
    municipio: u32,
    /// Key under which the answer is stored.
    key: String,
}

impl Engine {
    /// Returns the convênio of a município if it was read within a day.
    pub(crate) async fn cached_convention(
        &self,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Option<Convention>, store::Error> {
        self.cached_parameter(&of_convention(ambiente, codigo)).await
    }

    /// Returns the convênio of a município, queried by the certificate of a company when it is not stored; `None`: it
    /// cannot be read now.
    pub(crate) async fn convention(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Option<Convention>, store::Error> {
        let key = of_convention(ambiente, codigo);
        let question = ParameterQuery { tenant, company, ambiente, municipio: codigo, key };
        self.parameter(question, |endpoint| convention(endpoint, codigo), read_convention).await
    }

    /// Returns the rules of the município for a declaration, read within a day or queried now. `None`: its convênio or
    /// its rate cannot be read now.
    pub(crate) async fn municipal_rules(
        &self,
        (tenant, company, ambiente): (Uuid, CnpjCpf, TpAmb),
        due: &MunicipalQuery,
    ) -> Result<Option<MunicipalParameters>, store::Error> {
        let municipio = due.municipio;
        let Some(convention) = self.convention(tenant, company, ambiente, municipio).await? else { return Ok(None) };
        let asking = DeclarationQuery { tenant, company, ambiente, due };
        let MunicipalQuery { cTribNac, dCompet, .. } = due;
        let ask_rate = |endpoint: &Endpoint| rate(endpoint, municipio, cTribNac, dCompet);
        let Some(rate) = self.municipal_rule(&asking, &format!("aliquota {cTribNac}"), ask_rate, read_rate).await?
        else {
            return Ok(None);
        };
        let benefit = match &due.nBM {
            Some(nBM) => {
                let ask = |endpoint: &Endpoint| benefit(endpoint, municipio, nBM, dCompet);
                self.municipal_rule(&asking, &format!("beneficio {nBM}"), ask, read_benefit).await?
            }
            None => None,
        };
        let regimes = match due.is_special {
            true => {
                let ask = |endpoint: &Endpoint| regimes(endpoint, municipio, cTribNac, dCompet);
                self.municipal_rule(&asking, &format!("regimes {cTribNac}"), ask, read_regimes).await?
            }
            false => None,
        };
        let withheld = match due.is_unwithheld {
            true => {
                let ask = |endpoint: &Endpoint| withholding(endpoint, municipio, dCompet);
                self.municipal_rule(&asking, "retencoes", ask, read_withholding).await?
            }
            false => None,
        };
        let (regimes, withheld) = (regimes.unwrap_or_default(), withheld.unwrap_or_default());
        Ok(Some(MunicipalParameters { convention, rate, benefit, regimes, withheld }))
    }

    /// Returns one rule, stored or queried now.
    async fn municipal_rule<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        asking: &DeclarationQuery<'_>,
        what: &str,
        call: impl FnOnce(&Endpoint) -> AuthorityCall,
        read: fn(&AuthorityReply) -> Result<T, UnreadableReply>,
    ) -> Result<Option<T>, store::Error> {
        let DeclarationQuery { tenant, company, ambiente, due } = *asking;
        let key = of_choice(ambiente, due, what);
        let municipio = due.municipio;
        let question = ParameterQuery { tenant, company, ambiente, municipio, key };
        self.parameter(question, call, read).await
    }

    async fn cached_parameter<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, store::Error> {
        let Some(kept) = self.store().municipal(key).await? else { return Ok(None) };
        let is_fresh = self.now_s().saturating_sub(kept.fetched_at) < FRESH_S;
        Ok(kept.body.filter(|_| is_fresh).and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// Returns the stored answer, or a new one if it arrives within the wait.
    async fn parameter<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        question: ParameterQuery,
        call: impl FnOnce(&Endpoint) -> AuthorityCall,
        read: fn(&AuthorityReply) -> Result<T, UnreadableReply>,
    ) -> Result<Option<T>, store::Error> {
        let known = self.cached_parameter(&question.key).await?;
        let (about, now) = ((question.ambiente, question.municipio), self.now_s());
        let nobody = municipio::find(question.municipio).is_none();
        if known.is_some() || nobody || self.inner.unanswered.cached_only(about, now) {
            return Ok(known);
        }
        let found = match tokio::time::timeout(MAX_WAIT, self.ask_parameter(&question, call, read)).await {
            Ok(found) => found,
            Err(_elapsed) => Err("não houve resposta a tempo".to_owned()),
        };
        match found {
            Ok(found) => {
                let body = serde_json::to_string(&found).ok();
                let answer = CachedLookup { source: "adn".to_owned(), body, fetched_at: now };
                self.store().cache_municipal(&question.key, answer).await?;
                Ok(Some(found))
            }
            Err(why) => {
                tracing::warn!(error.cause = %why, "a parameter of a município could not be read");
                self.inner.unanswered.record_unanswered(about, now);
                Ok(None)
            }
        }
    }

    async fn ask_parameter<T: Send + 'static>(
        &self,
        question: &ParameterQuery,
        call: impl FnOnce(&Endpoint) -> AuthorityCall,
        read: fn(&AuthorityReply) -> Result<T, UnreadableReply>,
    ) -> Result<T, String> {
        let ParameterQuery { tenant, company, ambiente, municipio, .. } = question;
        let certificate = self.certificate(*tenant, *company).await.map_err(|error| error.to_string())?;
        let uf = municipio::uf(*municipio).unwrap_or(Uf::DF);
        let channel = Channel::to_state(uf, &family::DPS, *ambiente, certificate);
        let modelo = channel.family.modelo;
        let found = self.inner.table.endpoint(
            uf,
            modelo,
            *ambiente,
            AuthorityService::ConsultaCadastro,
            AuthorityRole::National,
        );
        let endpoint = found.map_err(|error| error.to_string())?;
        self.call(&call(&endpoint), &channel, read).await.map_err(|no_answer| no_answer.to_string())
    }
}

fn of_convention(ambiente: TpAmb, codigo: u32) -> String {
    format!("{} {codigo:07} convenio", ambiente.word())
}

/// Key of a rule, by the month: rules of a município begin with one.
fn of_choice(ambiente: TpAmb, due: &MunicipalQuery, what: &str) -> String {
    let MunicipalQuery { municipio, dCompet, .. } = due;
    format!("{} {municipio:07} {what} {}", ambiente.word(), dCompet.get(..7).unwrap_or_default())
}
