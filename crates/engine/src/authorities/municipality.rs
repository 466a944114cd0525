//! What a município has chosen, asked of the national system at most once a day and environment, and never waited for long: whoever issues does not depend
//! on it.
//!
//! Law: `spec/not-shown.md` 11.2 (24 h, per environment); `reference/nfse.md` 2. The answers are the store's, the same for every tenant.

use crate::authorities::bridge::Channel;
use crate::{Engine, family};
use authority::nfse_nacional::{convention, read_convention};
use authority::table::{Role, Service};
use fiscal::nfse::convention::Convention;
use fiscal::value::{CnpjCpf, TpAmb, Uf, municipio};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::lookups::Cached;
use uuid::Uuid;

/// An answer is good for a day.
const FRESH_S: i64 = 24 * 3_600;
/// Somebody waits to issue.
const PATIENCE: Duration = Duration::from_secs(2);
/// After a silence nobody is kept waiting for so long.
const QUIET_S: i64 = 300;

/// Who was asked in vain, and until when nobody asks again: at most every município there is, in each environment.
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

impl Engine {
    /// The convênio of a município as it was read within a day.
    pub(crate) async fn known_convention(
        &self,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Option<Convention>, store::Error> {
        let Some(kept) = self.store().municipal(&key(ambiente, codigo)).await? else { return Ok(None) };
        let is_fresh = self.now_s().saturating_sub(kept.fetched_at) < FRESH_S;
        Ok(kept.body.filter(|_| is_fresh).and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// The same, asked for by the certificate of a company when nobody knows it; `None`: it cannot be read now.
    pub(crate) async fn convention(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Option<Convention>, store::Error> {
        let known = self.known_convention(ambiente, codigo).await?;
        let (about, now) = ((ambiente, codigo), self.now_s());
        if known.is_some() || municipio::find(codigo).is_none() || self.inner.silences.is_quiet(about, now) {
            return Ok(known);
        }
        let asked = tokio::time::timeout(PATIENCE, self.ask_convention(tenant, company, ambiente, codigo)).await;
        match asked {
            Ok(Ok(found)) => {
                let body = serde_json::to_string(&found).ok();
                let answer = Cached { source: "adn".to_owned(), body, fetched_at: now };
                self.store().keep_municipal(&key(ambiente, codigo), answer).await?;
                Ok(Some(found))
            }
            Ok(Err(why)) => {
                tracing::warn!(error.cause = %why, "the convênio of a município could not be read");
                self.inner.silences.keep(about, now);
                Ok(None)
            }
            Err(_elapsed) => {
                self.inner.silences.keep(about, now);
                Ok(None)
            }
        }
    }

    async fn ask_convention(
        &self,
        tenant: Uuid,
        company: CnpjCpf,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Convention, String> {
        let certificate = self.certificate(tenant, company).await.map_err(|error| error.to_string())?;
        let uf = municipio::uf(codigo).unwrap_or(Uf::DF);
        let channel = Channel { uf, family: &family::DPS, ambiente, certificate };
        let modelo = channel.family.modelo;
        let found = self.inner.table.endpoint(uf, modelo, ambiente, Service::ConsultaCadastro, Role::National);
        let endpoint = found.map_err(|error| error.to_string())?;
        let answer = self.call(&convention(&endpoint, codigo), &channel, read_convention).await;
        answer.map_err(|no_answer| no_answer.to_string())
    }
}

fn key(ambiente: TpAmb, codigo: u32) -> String {
    format!("{} {codigo:07} convenio", ambiente.word())
}
