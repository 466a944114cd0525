//! Parameters of a município, read from the national system at most once a day and environment. The wait is short, and
//! an emission does not depend on the answer.
//!
//! Law: `docs/contract.md`, "NFS-e" (24 h, per environment); OpenAPI of the municipal parameters of the national NFS-e.
//! The store holds the answers, shared by all tenants.

use crate::authorities::bridge::Channel;
use crate::family::Unreadable;
use crate::{Engine, family};
use authority::call::{Call, Reply};
use authority::nfse_nacional::{
    benefit, convention, rate, read_benefit, read_convention, read_rate, read_regimes, read_withholding, regimes,
    withholding,
};
use authority::table::{Endpoint, Role, Service};
use fiscal::nfse::convention::Convention;
use fiscal::nfse::due::{Answered, Due};
use fiscal::value::{CnpjCpf, TpAmb, Uf, municipio};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::lookups::Cached;
use uuid::Uuid;

/// Validity of an answer.
const FRESH_S: i64 = 24 * 3_600;
/// Longest wait for an answer; a caller waits to issue.
const PATIENCE: Duration = Duration::from_secs(2);
/// Time without further queries after a missing answer.
const QUIET_S: i64 = 300;

/// Municípios whose query got no answer, with the end of the pause: at most every município there is, in each
/// environment.
#[derive(Default)]
pub(crate) struct Silences {
    until: Mutex<HashMap<(TpAmb, u32), i64>>,
}

impl Silences {
    fn is_quiet(&self, about: (TpAmb, u32), now: i64) -> bool {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.get(&about).is_some_and(|until| *until > now)
    }

    fn keep(&self, about: (TpAmb, u32), now: i64) {
        self.until.lock().unwrap_or_else(PoisonError::into_inner).insert(about, now + QUIET_S);
    }
}

/// A declaration whose parameters are needed, and its company.
struct Asking<'a> {
    tenant: Uuid,
    company: CnpjCpf,
    ambiente: TpAmb,
    due: &'a Due,
}

/// A query of one parameter, by the certificate of a company.
struct Question {
    tenant: Uuid,
    company: CnpjCpf,
    ambiente: TpAmb,
    municipio: u32,
    /// Key under which the answer is stored.
    key: String,
}

impl Engine {
    /// Returns the convênio of a município if it was read within a day.
    pub(crate) async fn known_convention(
        &self,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Option<Convention>, store::Error> {
        self.kept_parameter(&of_convention(ambiente, codigo)).await
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
        let question = Question { tenant, company, ambiente, municipio: codigo, key };
        self.parameter(question, |endpoint| convention(endpoint, codigo), read_convention).await
    }

    /// Returns the rules of the município for a declaration, read within a day or queried now. `None`: its convênio or
    /// its rate cannot be read now.
    pub(crate) async fn decided(
        &self,
        (tenant, company, ambiente): (Uuid, CnpjCpf, TpAmb),
        due: &Due,
    ) -> Result<Option<Answered>, store::Error> {
        let municipio = due.municipio;
        let Some(convention) = self.convention(tenant, company, ambiente, municipio).await? else { return Ok(None) };
        let asking = Asking { tenant, company, ambiente, due };
        let Due { cTribNac, dCompet, .. } = due;
        let ask_rate = |endpoint: &Endpoint| rate(endpoint, municipio, cTribNac, dCompet);
        let Some(rate) = self.choice(&asking, &format!("aliquota {cTribNac}"), ask_rate, read_rate).await? else {
            return Ok(None);
        };
        let benefit = match &due.nBM {
            Some(nBM) => {
                let ask = |endpoint: &Endpoint| benefit(endpoint, municipio, nBM, dCompet);
                self.choice(&asking, &format!("beneficio {nBM}"), ask, read_benefit).await?
            }
            None => None,
        };
        let regimes = match due.is_special {
            true => {
                let ask = |endpoint: &Endpoint| regimes(endpoint, municipio, cTribNac, dCompet);
                self.choice(&asking, &format!("regimes {cTribNac}"), ask, read_regimes).await?
            }
            false => None,
        };
        let withheld = match due.is_unwithheld {
            true => {
                let ask = |endpoint: &Endpoint| withholding(endpoint, municipio, dCompet);
                self.choice(&asking, "retencoes", ask, read_withholding).await?
            }
            false => None,
        };
        let (regimes, withheld) = (regimes.unwrap_or_default(), withheld.unwrap_or_default());
        Ok(Some(Answered { convention, rate, benefit, regimes, withheld }))
    }

    /// Returns one rule, stored or queried now.
    async fn choice<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        asking: &Asking<'_>,
        what: &str,
        call: impl FnOnce(&Endpoint) -> Call,
        read: fn(&Reply) -> Result<T, Unreadable>,
    ) -> Result<Option<T>, store::Error> {
        let Asking { tenant, company, ambiente, due } = *asking;
        let key = of_choice(ambiente, due, what);
        let municipio = due.municipio;
        let question = Question { tenant, company, ambiente, municipio, key };
        self.parameter(question, call, read).await
    }

    async fn kept_parameter<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, store::Error> {
        let Some(kept) = self.store().municipal(key).await? else { return Ok(None) };
        let is_fresh = self.now_s().saturating_sub(kept.fetched_at) < FRESH_S;
        Ok(kept.body.filter(|_| is_fresh).and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// Returns the stored answer, or a new one if it arrives within the wait.
    async fn parameter<T: Serialize + DeserializeOwned + Send + 'static>(
        &self,
        question: Question,
        call: impl FnOnce(&Endpoint) -> Call,
        read: fn(&Reply) -> Result<T, Unreadable>,
    ) -> Result<Option<T>, store::Error> {
        let known = self.kept_parameter(&question.key).await?;
        let (about, now) = ((question.ambiente, question.municipio), self.now_s());
        let nobody = municipio::find(question.municipio).is_none();
        if known.is_some() || nobody || self.inner.silences.is_quiet(about, now) {
            return Ok(known);
        }
        let found = match tokio::time::timeout(PATIENCE, self.ask_parameter(&question, call, read)).await {
            Ok(found) => found,
            Err(_elapsed) => Err("não houve resposta a tempo".to_owned()),
        };
        match found {
            Ok(found) => {
                let body = serde_json::to_string(&found).ok();
                let answer = Cached { source: "adn".to_owned(), body, fetched_at: now };
                self.store().keep_municipal(&question.key, answer).await?;
                Ok(Some(found))
            }
            Err(why) => {
                tracing::warn!(error.cause = %why, "a parameter of a município could not be read");
                self.inner.silences.keep(about, now);
                Ok(None)
            }
        }
    }

    async fn ask_parameter<T: Send + 'static>(
        &self,
        question: &Question,
        call: impl FnOnce(&Endpoint) -> Call,
        read: fn(&Reply) -> Result<T, Unreadable>,
    ) -> Result<T, String> {
        let Question { tenant, company, ambiente, municipio, .. } = question;
        let certificate = self.certificate(*tenant, *company).await.map_err(|error| error.to_string())?;
        let uf = municipio::uf(*municipio).unwrap_or(Uf::DF);
        let channel = Channel::to_state(uf, &family::DPS, *ambiente, certificate);
        let modelo = channel.family.modelo;
        let found = self.inner.table.endpoint(uf, modelo, *ambiente, Service::ConsultaCadastro, Role::National);
        let endpoint = found.map_err(|error| error.to_string())?;
        self.call(&call(&endpoint), &channel, read).await.map_err(|no_answer| no_answer.to_string())
    }
}

fn of_convention(ambiente: TpAmb, codigo: u32) -> String {
    format!("{} {codigo:07} convenio", ambiente.word())
}

/// Key of a rule, by the month: rules of a município begin with one.
fn of_choice(ambiente: TpAmb, due: &Due, what: &str) -> String {
    let Due { municipio, dCompet, .. } = due;
    format!("{} {municipio:07} {what} {}", ambiente.word(), dCompet.get(..7).unwrap_or_default())
}
