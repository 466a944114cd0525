//! Queries of a state's authority that concern no document of ours: the status of its service, its register of
//! taxpayers.
//!
//! Law: MOC 7.0, visão geral, 5.5 (NFeStatusServico4: at most once in three minutes) and 5.6 (CadConsultaCadastro4),
//! and the limit of 40 calls of a service an hour. The store holds claims, counts and blocks.
//! Must not know: the form of the answers at the edge.

use crate::authorities::budget::{self, HourlyBudget};
use crate::authorities::call::NoAnswer;
use crate::authorities::certificates::CertificateUnusable;
use crate::authorities::health::Channel;
use crate::authorities::undue_use;
use crate::contingency::NO_ANSWER_CODE;
use crate::{Engine, family};
use authority::answer::{RegisterAnswer, ServiceStatus};
use authority::sefaz::{self, NFE, STATUS_EVERY_S, TaxpayerQuery};
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use fiscal::value::{CnpjCpf, TpAmb, Uf};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::accounts::Caller;
use store::authorities::CircuitKey;

/// Longest wait for an answer; a person waits for it.
const MAX_WAIT: Duration = Duration::from_secs(25);
const HOUR: i64 = 3_600;

/// State, environment and company of a query.
#[derive(Debug, Clone, Copy)]
pub struct StateQuery {
    pub uf: Uf,
    pub ambiente: TpAmb,
    /// Company whose certificate is used; any of the account's when none is named.
    pub cpf_cnpj: Option<CnpjCpf>,
}

/// Answer of a status service, and the instant of the query.
#[derive(Debug, Clone)]
pub struct StatusAnswer {
    /// Authority that answers for the state.
    pub authority: String,
    pub status: ServiceStatus,
    /// Seconds since 1970.
    pub asked_at: i64,
}

/// Reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ConsultError {
    /// The state does not offer the service.
    #[error("a UF não oferece o serviço")]
    NotOffered,
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No usable certificate; the text names the remedy.
    #[error("{0}")]
    Certificate(String),
    /// A further query would be undue use; seconds to wait.
    #[error("limite de consultas por hora")]
    TooOften(i64),
    /// The authority did not answer; Portuguese.
    #[error("{0}")]
    NoAnswer(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<CertificateUnusable> for ConsultError {
    fn from(why: CertificateUnusable) -> ConsultError {
        match why {
            CertificateUnusable::Store(error) => ConsultError::Store(error),
            unusable => ConsultError::Certificate(unusable.to_string()),
        }
    }
}

/// Last full answer of each status service that this process queried, by authority and environment; the store holds the
/// short form.
#[derive(Default)]
pub(crate) struct StatusAnswerCache {
    status: Mutex<HashMap<(String, &'static str), StatusAnswer>>,
}

impl StatusAnswerCache {
    fn cached(&self, key: &(String, &'static str), now: i64) -> Option<StatusAnswer> {
        let kept = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|said| now - said.asked_at < STATUS_EVERY_S).cloned()
    }

    fn insert(&self, key: (String, &'static str), said: StatusAnswer) {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).insert(key, said);
    }
}

impl Engine {
    /// Returns the status of the service that answers for a state, queried at most once in three minutes.
    pub async fn service_status(&self, caller: &Caller, asking: StateQuery) -> Result<StatusAnswer, ConsultError> {
        let endpoint = self.query_endpoint(asking, AuthorityService::StatusServico)?;
        let (key, now) = ((endpoint.authority.clone(), asking.ambiente.word()), self.now_s());
        if let Some(said) = self.inner.status_answers.cached(&key, now) {
            return Ok(said);
        }
        let channel = self.query_channel(caller, asking).await?;
        let circuit = self.circuit_key(&channel, AuthorityRole::Normal).ok_or(ConsultError::NotOffered)?;
        // one query serves all callers, those of other processes and of contingency included
        if !self.store().claim_poll(circuit.clone(), now, STATUS_EVERY_S).await? {
            return self.recent_status(endpoint.authority, &circuit, now).await;
        }
        self.count_or_refuse(budget::STATUS, &endpoint, &endpoint.authority, &channel).await?;
        let asked = self.ask_status(&channel, AuthorityRole::Normal, &circuit, &endpoint);
        let status = within_max_wait(&endpoint.authority, asked).await?;
        let said = StatusAnswer { authority: endpoint.authority, status, asked_at: now };
        self.inner.status_answers.insert(key, said.clone());
        Ok(said)
    }

    /// Answer that another process got from a status service, as far as the store holds it.
    async fn recent_status(&self, authority: String, key: &CircuitKey, now: i64) -> Result<StatusAnswer, ConsultError> {
        let circuit = self.circuit_now(key).await?;
        let recent = circuit.status_answered_at.filter(|at| (now - at).abs() < STATUS_EVERY_S);
        match (circuit.status_answer, recent) {
            (Some((cStat, xMotivo)), Some(asked_at)) if cStat != NO_ANSWER_CODE => {
                let status = ServiceStatus { cStat, xMotivo, tMed: None, dhRetorno: None, xObs: None };
                Ok(StatusAnswer { authority, status, asked_at })
            }
            _ => {
                let wait = (circuit.polled_at + STATUS_EVERY_S - now).clamp(1, 2 * STATUS_EVERY_S);
                let cause = format!("já foi perguntada há menos de três minutos e não respondeu; pergunte em {wait} s");
                Err(ConsultError::NoAnswer(cause))
            }
        }
    }

    /// Returns a state's registration of a taxpayer.
    pub async fn taxpayer(
        &self,
        caller: &Caller,
        asking: StateQuery,
        search: &TaxpayerQuery,
    ) -> Result<RegisterAnswer, ConsultError> {
        let endpoint = self.query_endpoint(asking, AuthorityService::ConsultaCadastro)?;
        let channel = self.query_channel(caller, asking).await?;
        // this service has a block of its own, which must not stop the company's documents
        let blocked = format!("{} {}", endpoint.authority, endpoint.name);
        self.count_or_refuse(budget::CADASTRO, &endpoint, &blocked, &channel).await?;
        let call = sefaz::cadastro(&endpoint, asking.uf, search);
        let found = within_max_wait(&call.authority, self.call(&call, &channel, sefaz::read_cadastro)).await?;
        if NFE.is_undue_use(&found.cStat.into()) {
            self.inner.undue_use.block(&undue_use::transmitter(&channel.certificate), &blocked, self.now_s());
            self.store_blocks().await?;
            return Err(ConsultError::TooOften(HOUR));
        }
        Ok(found)
    }

    /// Counts a call about to be made; refuses it while the company is blocked under the name `blocked` or its hour is
    /// used up.
    async fn count_or_refuse(
        &self,
        budget: HourlyBudget,
        endpoint: &Endpoint,
        blocked: &str,
        channel: &Channel,
    ) -> Result<(), ConsultError> {
        // blocks by 656 count whichever process received them
        self.authority_overview().await?;
        let transmitter = undue_use::transmitter(&channel.certificate);
        let wait = match self.inner.undue_use.wait(&transmitter, blocked, self.now_s()) {
            None => self.count_call(budget, &transmitter, endpoint, "").await?,
            wait => wait,
        };
        let seconds = |wait: Duration| i64::try_from(wait.as_secs()).unwrap_or(HOUR) + 1;
        wait.map_or(Ok(()), |wait| Err(ConsultError::TooOften(seconds(wait))))
    }

    fn query_endpoint(&self, asking: StateQuery, service: AuthorityService) -> Result<Endpoint, ConsultError> {
        let found =
            self.inner.table.endpoint(asking.uf, family::NFE.modelo, asking.ambiente, service, AuthorityRole::Normal);
        found.map_err(|_| ConsultError::NotOffered)
    }

    /// Channel of the query: authorities require a client certificate.
    async fn query_channel(&self, caller: &Caller, asking: StateQuery) -> Result<Channel, ConsultError> {
        let company = match asking.cpf_cnpj {
            Some(company) => company,
            None => self.any_certificate_holder(caller).await?,
        };
        self.store().require_reach(store::Visibility::of(caller), company).await.map_err(|error| match error {
            store::Error::NotFound => ConsultError::UnknownCompany,
            other => other.into(),
        })?;
        match self.store().company(caller.tenant_id, company).await {
            Ok(_) => {}
            Err(store::Error::NotFound) => return Err(ConsultError::UnknownCompany),
            Err(error) => return Err(error.into()),
        }
        let certificate = self.certificate(caller.tenant_id, company).await?;
        Ok(Channel::to_state(asking.uf, &family::NFE, asking.ambiente, certificate))
    }

    /// A company of the account with a valid certificate.
    async fn any_certificate_holder(&self, caller: &Caller) -> Result<CnpjCpf, ConsultError> {
        let (holders, now) = (self.store().list_certificates(store::Visibility::of(caller)).await?, self.now_s());
        let valid =
            holders.into_iter().find(|holder| holder.certificado.as_ref().is_some_and(|one| one.valido_ate >= now));
        let absent = "Nenhuma empresa da conta tem certificado A1 válido, e a autoridade não responde sem um. Envie um em \
                      PUT /v1/empresas/{cpf_cnpj}/certificado.";
        valid.map(|holder| holder.cpf_cnpj).ok_or_else(|| ConsultError::Certificate(absent.to_owned()))
    }
}

/// Returns the answer, or the reason why there is none within the longest wait.
async fn within_max_wait<T>(
    authority: &str,
    asked: impl Future<Output = Result<T, NoAnswer>>,
) -> Result<T, ConsultError> {
    match tokio::time::timeout(MAX_WAIT, asked).await {
        Ok(answer) => answer.map_err(|no_answer| ConsultError::NoAnswer(no_answer.to_string())),
        Err(_elapsed) => Err(ConsultError::NoAnswer(format!("{authority} não respondeu em {} s", MAX_WAIT.as_secs()))),
    }
}
