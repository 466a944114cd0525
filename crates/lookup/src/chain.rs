//! Outside sources in their order: a cached answer that is still good, else one request under way per key, whose answer
//! is cached.
//!
//! The first source that answers decides, also when it answers "there is none". Only a failed source passes on to the
//! next.

use crate::source::{LookupSource, RETRY_AFTER, SourceFailure, SourceReply};
use crate::{Lookup, LookupAnswer, LookupError, SourcesUnavailable, UNKNOWN_AGE_S};
use serde_json::Value;
use store::lookups::{CachedLookup, PublicRegister};

impl Lookup {
    /// Asks the sources about a key that is safe in a URL. At least one source must be configured.
    pub(crate) async fn ask_sources(
        &self,
        register: PublicRegister,
        key: &str,
        now: i64,
    ) -> Result<LookupAnswer<Value>, LookupError> {
        if let Some(kept) = self.cached_answer(register, key, now).await? {
            return Ok(kept);
        }
        let flight = format!("{}:{key}", register.word());
        let ask = async {
            // A request that ended meanwhile may have filled the cache.
            match self.cached_answer(register, key, now).await {
                Ok(Some(kept)) => Ok(kept),
                Ok(None) | Err(_) => self.ask_in_order(register, key, now).await,
            }
        };
        Ok(self.shared.shared_requests.join(flight, ask).await?)
    }

    /// Returns a cached answer that is not too old.
    pub(crate) async fn cached_answer(
        &self,
        register: PublicRegister,
        key: &str,
        now: i64,
    ) -> Result<Option<LookupAnswer<Value>>, LookupError> {
        let Some(cached) = self.shared.store.cached_lookup(register, key).await? else { return Ok(None) };
        let age = now - cached.fetched_at;
        let known_age = match register {
            PublicRegister::Cnpj => self.shared.options.cnpj_age_s,
            PublicRegister::Cep | PublicRegister::Ncm => self.shared.options.cep_age_s,
        };
        Ok(match cached.body {
            Some(body) if age < known_age => serde_json::from_str(&body).ok().map(LookupAnswer::Yes),
            None if age < UNKNOWN_AGE_S.min(known_age) => Some(LookupAnswer::No(cached.source)),
            _ => None,
        })
    }

    /// Caches an answer. A failed write is logged only: it costs another request, not this answer.
    pub(crate) async fn cache_answer(
        &self,
        register: PublicRegister,
        key: &str,
        source: &str,
        body: Option<&Value>,
        now: i64,
    ) {
        let answer = CachedLookup { source: source.to_owned(), body: body.map(Value::to_string), fetched_at: now };
        if let Err(error) = self.shared.store.cache_lookup(register, key, answer).await {
            tracing::warn!(error.cause = %error, "the answer of a source could not be kept");
        }
    }

    pub(crate) fn sources(&self, register: PublicRegister) -> &[LookupSource] {
        match register {
            PublicRegister::Cep => &self.shared.cep,
            PublicRegister::Cnpj => &self.shared.cnpj,
            PublicRegister::Ncm => &[],
        }
    }

    async fn ask_in_order(
        &self,
        register: PublicRegister,
        key: &str,
        now: i64,
    ) -> Result<LookupAnswer<Value>, SourcesUnavailable> {
        let mut silences = Vec::new();
        for source in self.sources(register) {
            match source.ask(&self.shared.outside, key).await {
                Ok(SourceReply::Known(body)) => {
                    self.cache_answer(register, key, &source.spec.name, Some(&body), now).await;
                    return Ok(LookupAnswer::Yes(body));
                }
                Ok(SourceReply::Unknown) => {
                    self.cache_answer(register, key, &source.spec.name, None, now).await;
                    return Ok(LookupAnswer::No(source.spec.name.clone()));
                }
                Err(silence) => silences.push(silence),
            }
        }
        Err(sources_unavailable(&silences))
    }
}

/// The error when every source failed: all reasons, and the shortest of their pauses.
pub(crate) fn sources_unavailable(silences: &[SourceFailure]) -> SourcesUnavailable {
    let reasons: Vec<&str> = silences.iter().map(|silence| silence.why.as_str()).collect();
    let soonest = silences.iter().map(|silence| silence.retry_after).min().unwrap_or(RETRY_AFTER);
    let reason = format!("Nenhuma fonte de consulta respondeu ({}). Repita mais tarde.", reasons.join("; "));
    SourcesUnavailable { reason, retry_after_s: soonest.as_secs().max(1) }
}
