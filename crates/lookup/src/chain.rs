//! Outside sources in their order: a cached answer that is still good, else one request under way per key, whose answer
//! is cached.
//!
//! The first source that answers decides, also when it answers "there is none". Only a failed source passes on to the
//! next.

use crate::source::{RETRY_AFTER, Reply, Silence, Source};
use crate::{Down, Error, Found, Lookup, UNKNOWN_AGE_S};
use serde_json::Value;
use store::lookups::{Cached, Register};

impl Lookup {
    /// Asks the sources about a key that is safe in a URL. At least one source must be configured.
    pub(crate) async fn outside(&self, register: Register, key: &str, now: i64) -> Result<Found<Value>, Error> {
        if let Some(kept) = self.kept(register, key, now).await? {
            return Ok(kept);
        }
        let flight = format!("{}:{key}", register.word());
        let ask = async {
            // A request that ended meanwhile may have filled the cache.
            match self.kept(register, key, now).await {
                Ok(Some(kept)) => Ok(kept),
                Ok(None) | Err(_) => self.ask_in_order(register, key, now).await,
            }
        };
        Ok(self.shared.flights.join(flight, ask).await?)
    }

    /// Returns a cached answer that is not too old.
    pub(crate) async fn kept(&self, register: Register, key: &str, now: i64) -> Result<Option<Found<Value>>, Error> {
        let Some(cached) = self.shared.store.cached_lookup(register, key).await? else { return Ok(None) };
        let age = now - cached.fetched_at;
        let known_age = match register {
            Register::Cnpj => self.shared.options.cnpj_age_s,
            Register::Cep | Register::Ncm => self.shared.options.cep_age_s,
        };
        Ok(match cached.body {
            Some(body) if age < known_age => serde_json::from_str(&body).ok().map(Found::Yes),
            None if age < UNKNOWN_AGE_S.min(known_age) => Some(Found::No(cached.source)),
            _ => None,
        })
    }

    /// Caches an answer. A failed write is logged only: it costs another request, not this answer.
    pub(crate) async fn keep(&self, register: Register, key: &str, source: &str, body: Option<&Value>, now: i64) {
        let answer = Cached { source: source.to_owned(), body: body.map(Value::to_string), fetched_at: now };
        if let Err(error) = self.shared.store.cache_lookup(register, key, answer).await {
            tracing::warn!(error.cause = %error, "the answer of a source could not be kept");
        }
    }

    pub(crate) fn sources(&self, register: Register) -> &[Source] {
        match register {
            Register::Cep => &self.shared.cep,
            Register::Cnpj => &self.shared.cnpj,
            Register::Ncm => &[],
        }
    }

    async fn ask_in_order(&self, register: Register, key: &str, now: i64) -> Result<Found<Value>, Down> {
        let mut silences = Vec::new();
        for source in self.sources(register) {
            match source.ask(&self.shared.outside, key).await {
                Ok(Reply::Known(body)) => {
                    self.keep(register, key, &source.spec.name, Some(&body), now).await;
                    return Ok(Found::Yes(body));
                }
                Ok(Reply::Unknown) => {
                    self.keep(register, key, &source.spec.name, None, now).await;
                    return Ok(Found::No(source.spec.name.clone()));
                }
                Err(silence) => silences.push(silence),
            }
        }
        Err(down(&silences))
    }
}

/// The error when every source failed: all reasons, and the shortest of their pauses.
pub(crate) fn down(silences: &[Silence]) -> Down {
    let reasons: Vec<&str> = silences.iter().map(|silence| silence.why.as_str()).collect();
    let soonest = silences.iter().map(|silence| silence.retry_after).min().unwrap_or(RETRY_AFTER);
    let reason = format!("Nenhuma fonte de consulta respondeu ({}). Repita mais tarde.", reasons.join("; "));
    Down { reason, retry_after_s: soonest.as_secs().max(1) }
}
