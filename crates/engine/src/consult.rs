//! Questions to a state's authority that concern no document of ours: the status of its service, its register of taxpayers.
//!
//! Law: MOC 7.0, visão geral, 5.5 (NFeStatusServico4: at most once in three minutes) and 5.6 (CadConsultaCadastro4);
//! `reference/nfe.md` §4.7 (40 calls of a service an hour). Must not know: how the answers are written.

use crate::Engine;
use crate::bridge::Way;
use crate::certificates::Unusable;
use authority::answer::{Registered, ServiceStatus};
use authority::sefaz::{self, Call, Search, Unreadable};
use authority::table::{Endpoint, Role, Service};
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::accounts::Caller;

/// A person waits for the answer.
const PATIENCE: Duration = Duration::from_secs(25);
/// The authorities' own advice for the status service.
const STATUS_EVERY_S: i64 = 180;
const HOUR: i64 = 3_600;
/// Authorities block above 40.
const PER_HOUR: usize = 35;
const UNDUE_USE: u16 = 656;
/// Beyond this the memory starts afresh.
const MOST: usize = 10_000;

/// Whom to ask, as whom.
#[derive(Debug, Clone, Copy)]
pub struct Asking {
    /// The state.
    pub uf: Uf,
    /// Environment.
    pub ambiente: TpAmb,
    /// The company whose certificate is shown; any of the account's when none is named.
    pub cpf_cnpj: Option<CnpjCpf>,
}

/// What a status service said, and when it was asked.
#[derive(Debug, Clone)]
pub struct Said {
    /// Who answers for the state.
    pub authority: String,
    /// Its answer.
    pub status: ServiceStatus,
    /// Seconds since 1970.
    pub asked_at: i64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ConsultError {
    /// The state does not offer the service.
    #[error("a UF não oferece o serviço")]
    NotOffered,
    /// No such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No certificate to show; says what to do.
    #[error("{0}")]
    Certificate(String),
    /// Asking again would be undue use; seconds to wait.
    #[error("limite de consultas por hora")]
    TooOften(i64),
    /// The authority did not answer; Portuguese.
    #[error("{0}")]
    NoAnswer(String),
    /// Store.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<Unusable> for ConsultError {
    fn from(why: Unusable) -> ConsultError {
        match why {
            Unusable::Store(error) => ConsultError::Store(error),
            unusable => ConsultError::Certificate(unusable.to_string()),
        }
    }
}

/// What this process asked lately.
#[derive(Default)]
pub(crate) struct Memory {
    /// By authority and environment.
    status: Mutex<HashMap<(String, &'static str), Said>>,
    /// By transmitter, authority and service: when it was asked, and until when it must not be.
    calls: Mutex<HashMap<(String, String, &'static str), Calls>>,
}

#[derive(Default)]
struct Calls {
    at: VecDeque<i64>,
    blocked_until: i64,
}

impl Memory {
    fn kept(&self, key: &(String, &'static str), now: i64) -> Option<Said> {
        let kept = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|said| now - said.asked_at < STATUS_EVERY_S).cloned()
    }

    fn keep(&self, key: (String, &'static str), said: Said) {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).insert(key, said);
    }

    /// Counts a call; the seconds to wait when it must not be made.
    fn spend(&self, key: (String, String, &'static str), now: i64) -> Option<i64> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.len() >= MOST {
            calls.clear();
        }
        let calls = calls.entry(key).or_default();
        if calls.blocked_until > now {
            return Some(calls.blocked_until - now);
        }
        while calls.at.front().is_some_and(|at| *at <= now - HOUR) {
            calls.at.pop_front();
        }
        match calls.at.front() {
            Some(oldest) if calls.at.len() >= PER_HOUR => Some(oldest + HOUR - now),
            _ => {
                calls.at.push_back(now);
                None
            }
        }
    }

    fn block(&self, key: (String, String, &'static str), now: i64) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.entry(key).or_default().blocked_until = now + HOUR;
    }
}

impl Engine {
    /// The status of the service that answers for a state, asked at most once in three minutes.
    pub async fn service_status(&self, caller: &Caller, asking: Asking) -> Result<Said, ConsultError> {
        let endpoint = self.consulted(asking, Service::StatusServico)?;
        let (key, now) = ((endpoint.authority.clone(), asking.ambiente.word()), self.now_s());
        if let Some(said) = self.inner.consulted.kept(&key, now) {
            return Ok(said);
        }
        let way = self.shown(caller, asking).await?;
        let call = sefaz::status(&endpoint, asking.ambiente, asking.uf);
        let status = self.consult(&call, &way, sefaz::read_status).await?;
        self.inner.bridge.told(&endpoint.authority, asking.ambiente, status.cStat, &status.xMotivo);
        let said = Said { authority: endpoint.authority, status, asked_at: now };
        self.inner.consulted.keep(key, said.clone());
        Ok(said)
    }

    /// What a state's register knows of a taxpayer.
    pub async fn taxpayer(&self, caller: &Caller, asking: Asking, search: &Search) -> Result<Registered, ConsultError> {
        let endpoint = self.consulted(asking, Service::ConsultaCadastro)?;
        let way = self.shown(caller, asking).await?;
        let call = sefaz::cadastro(&endpoint, asking.uf, search);
        let found = self.consult(&call, &way, sefaz::read_cadastro).await?;
        if found.cStat == UNDUE_USE {
            self.inner.consulted.block(subject(&call, &way), self.now_s());
            return Err(ConsultError::TooOften(HOUR));
        }
        Ok(found)
    }

    fn consulted(&self, asking: Asking, service: Service) -> Result<Endpoint, ConsultError> {
        let found = self.inner.table.endpoint(asking.uf, MODELO, asking.ambiente, service, Role::Normal);
        found.map_err(|_| ConsultError::NotOffered)
    }

    /// As whom to ask: authorities answer nobody without a certificate.
    async fn shown(&self, caller: &Caller, asking: Asking) -> Result<Way, ConsultError> {
        let company = match asking.cpf_cnpj {
            Some(company) => company,
            None => self.somebody(caller).await?,
        };
        match self.store().company(caller.tenant_id, company).await {
            Ok(_) => {}
            Err(store::Error::NotFound) => return Err(ConsultError::UnknownCompany),
            Err(error) => return Err(error.into()),
        }
        let certificate = self.certificate(caller.tenant_id, company).await?;
        Ok(Way { uf: asking.uf, modelo: MODELO, ambiente: asking.ambiente, certificate })
    }

    /// A company of the account with a valid certificate.
    async fn somebody(&self, caller: &Caller) -> Result<CnpjCpf, ConsultError> {
        let (holders, now) = (self.store().list_certificates(caller.tenant_id).await?, self.now_s());
        let valid =
            holders.into_iter().find(|holder| holder.certificado.as_ref().is_some_and(|one| one.valido_ate >= now));
        let absent = "Nenhuma empresa da conta tem certificado A1 válido, e a autoridade não responde sem um. Envie um em \
                      PUT /v1/empresas/{cpf_cnpj}/certificado.";
        valid.map(|holder| holder.cpf_cnpj).ok_or_else(|| ConsultError::Certificate(absent.to_owned()))
    }

    async fn consult<T>(
        &self,
        call: &Call,
        way: &Way,
        read: fn(&[u8]) -> Result<T, Unreadable>,
    ) -> Result<T, ConsultError> {
        if let Some(wait) = self.inner.consulted.spend(subject(call, way), self.now_s()) {
            return Err(ConsultError::TooOften(wait));
        }
        let late = || format!("{} não respondeu em {} s", call.authority, PATIENCE.as_secs());
        match tokio::time::timeout(PATIENCE, self.call(call, way, read)).await {
            Ok(answer) => answer.map_err(|no_answer| ConsultError::NoAnswer(no_answer.to_string())),
            Err(_elapsed) => Err(ConsultError::NoAnswer(late())),
        }
    }
}

fn subject(call: &Call, way: &Way) -> (String, String, &'static str) {
    let holder = way.certificate.holder();
    let number = holder.cnpj.clone().or_else(|| holder.cpf.clone()).unwrap_or_default();
    (number, call.authority.clone(), call.service)
}

/// Registers and status are asked for as an issuer of NF-e.
const MODELO: u8 = 55;

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> (String, String, &'static str) {
        ("11222333000181".to_owned(), "SP".to_owned(), "CadConsultaCadastro4")
    }

    #[test]
    fn thirty_five_questions_an_hour_and_none_in_a_block() {
        let memory = Memory::default();
        assert!((0..35).all(|second| memory.spend(key(), second).is_none()));
        assert_eq!(memory.spend(key(), 40), Some(3_560));
        assert_eq!(memory.spend(key(), 3_600), None);
        memory.block(key(), 3_700);
        assert_eq!(memory.spend(key(), 3_800), Some(3_500));
        assert_eq!(memory.spend(key(), 7_300), None);
    }
}
