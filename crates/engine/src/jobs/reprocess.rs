//! Retry of a failed job: at once when nothing of it left us, otherwise only after the authority has answered about its
//! document.
//!
//! Law: `docs/contract.md`, "Jobs" (failed → pending, refused while the outcome is not known); MOC 7.0, visão geral
//! (query after a timeout). A requeued job with a document in doubt begins with its own query (`steps::ask`): this
//! module only makes sure that an answer exists.

use crate::authorities::health::Channel;
use crate::authorities::hosts::{NoHost, is_unregistered};
use crate::authorities::{budget, undue_use};
use crate::family::marks;
use crate::family::{self, WireProtocol};
use crate::process::origin;
use crate::{Engine, steps};
use authority::answer::{DocumentSituation, Protocol};
use authority::table::{AuthorityService, Endpoint};
use fiscal::evidence::{AnsweredMessage, MarkMatch};
use fiscal::lifecycle::DocumentState;
use fiscal::value::Chave;
use std::time::Duration;
use store::Visibility;
use store::jobs::{Job, JobDocument, JobStatus, LogLine};
use uuid::Uuid;

/// Reason why a job was not retried.
#[derive(Debug, thiserror::Error)]
pub enum ReprocessError {
    /// The tenant has no such job.
    #[error("job não encontrado")]
    UnknownJob,
    /// Only a failed job is retried.
    #[error("o job não está em falha")]
    NotFailed(JobStatus),
    /// The authority holds other bytes under the document's key.
    #[error("a autoridade tem outro conteúdo sob a chave")]
    OtherContent {
        /// Key of the document.
        chave: Chave,
    },
    /// The outcome of the document could not be found out now; the reason in Portuguese.
    #[error("a situação na autoridade não é conhecida: {0}")]
    InDoubt(String),
    #[error(transparent)]
    Store(store::Error),
}

/// Longest wait of a caller for the authority's answer.
const ASK_WITHIN: Duration = Duration::from_secs(20);

impl Engine {
    /// Requeues a failed job; returns it in its new state.
    pub async fn reprocess(&self, sight: Visibility, id: Uuid) -> Result<Job, ReprocessError> {
        let job = self.store().job(sight, id).await.map_err(refusal)?;
        if job.status != JobStatus::Failed {
            return Err(ReprocessError::NotFailed(job.status));
        }
        let mut seen = job.document.as_ref().map(|document| document.state);
        if let Some(document) = job.document.as_ref().filter(|document| may_have_left(document.state)) {
            let found = self.resolve(&job, document).await?;
            let is_uncertain = job.erro.as_ref().is_some_and(|erro| erro.codigo == steps::UNCERTAIN);
            if found == AuthorityHolding::AnotherDocument && is_uncertain {
                let line = self.line("A conta responde por esta venda: a nota é emitida com outro número.".to_owned());
                self.store().give_up_number(job.tenant_id, id, vec![line]).await.map_err(refusal)?;
                seen = Some(DocumentState::Failed);
            }
        }
        let lines = vec![self.line("Reprocessamento pedido pela conta.".to_owned())];
        match self.store().requeue(sight.tenant(), id, seen, self.now_s(), lines, origin::author()).await {
            Err(store::Error::Conflict(_)) => {
                let now = self.store().job(sight, id).await.map_err(refusal)?;
                return Err(ReprocessError::NotFailed(now.status));
            }
            requeued => requeued.map_err(refusal)?,
        }
        tracing::info!(job.id = %id, "put back");
        self.store().job(sight, id).await.map_err(refusal)
    }

    fn line(&self, text: String) -> LogLine {
        LogLine { at_ms: self.now().as_millisecond(), text }
    }

    /// Queries the document by its key; `Ok` when the answer lets the worker end the doubt.
    async fn resolve(&self, job: &Job, document: &JobDocument) -> Result<AuthorityHolding, ReprocessError> {
        let situation = match tokio::time::timeout(ASK_WITHIN, self.situation(job, document)).await {
            Ok(situation) => situation?,
            Err(_) => return Err(unknown("a autoridade não respondeu a tempo")),
        };
        let (verdict, told) = retry_decision(document, situation);
        let lines = vec![self.line(told)];
        self.store().append_log(job.tenant_id, job.id, lines).await.map_err(refusal)?;
        verdict
    }

    async fn situation(&self, job: &Job, document: &JobDocument) -> Result<DocumentSituation, ReprocessError> {
        let no_identity = || unknown("o documento não tem pelo que ser consultado");
        let (asked_by, uf) =
            (document.asked_by.as_deref().ok_or_else(no_identity)?, document.uf().ok_or_else(no_identity)?);
        let certificate =
            self.certificate(job.tenant_id, job.cpf_cnpj).await.map_err(|error| unknown(&error.to_string()))?;
        let family = family::of(document.counted).ok_or_else(|| unknown("o documento não tem família"))?;
        let host = self.host_named(job.tenant_id, job.cpf_cnpj, job.ambiente, &job.authority).await;
        let host = host.map_err(|none| match none {
            NoHost::Store(error) => refusal(error),
            none => unknown(&none.to_string()),
        })?;
        let city_hall = self.municipal_provider_named(job.tenant_id, job.cpf_cnpj, job.ambiente, &job.authority).await;
        let city_hall = city_hall.map_err(NoHost::from).map_err(|none| match none {
            NoHost::Store(error) => refusal(error),
            none => unknown(&none.to_string()),
        })?;
        let (ambiente, unregistered) = (job.ambiente, is_unregistered(&job.authority));
        let channel = Channel { uf, civil: uf.into(), family, ambiente, certificate, host, unregistered, city_hall };
        let role = family.role(document.tipo_emissao);
        let endpoint = self.endpoint(&channel, AuthorityService::ConsultaProtocolo, role);
        let endpoint = endpoint.map_err(|none| unknown(&none.to_string()))?;
        self.authority_overview().await.map_err(refusal)?;
        let transmitter = undue_use::transmitter_of(job.cpf_cnpj);
        if let Some(left) = self.inner.undue_use.wait(&transmitter, &endpoint.authority, self.now_s()) {
            return Err(unknown(&format!(
                "a autoridade bloqueou a empresa por consumo indevido por mais {} s",
                left.as_secs()
            )));
        }
        self.count_key_query(job, &endpoint, asked_by).await?;
        let wire = family.wire;
        let call = self.rps_query(&channel, &endpoint, asked_by).ok_or_else(no_identity)?;
        let request = self.line(steps::request_line(&call, true));
        let exchange = self.exchange(&call, &channel, move |reply| wire.read_query(reply)).await;
        let lines = vec![request, self.line(steps::reply_line(&call, &exchange, true))];
        self.store().append_log(job.tenant_id, job.id, lines).await.map_err(refusal)?;
        let situation = exchange.answer.map_err(|silence| unknown(&silence.to_string()))?;
        self.record_block(job, &endpoint.authority, wire, &situation).await?;
        Ok(situation)
    }

    /// Counts the query in the bucket of its key, where the worker's queries are counted too.
    async fn count_key_query(&self, job: &Job, endpoint: &Endpoint, asked_by: &str) -> Result<(), ReprocessError> {
        let transmitter = undue_use::transmitter_of(job.cpf_cnpj);
        let spent = self.count_call(budget::QUERY_BY_KEY_ASIDE, &transmitter, endpoint, asked_by).await;
        if let Some(wait) = spent.map_err(refusal)? {
            let seconds = wait.as_secs() + 1;
            let why = format!("o limite de consultas desta chave por hora foi atingido; espere {seconds} s");
            return Err(unknown(&why));
        }
        let lines = vec![self.line(steps::asking_by_key(endpoint))];
        self.store().append_log(job.tenant_id, job.id, lines).await.map_err(refusal)
    }

    /// Records a 656 to this query as a block, like any other.
    async fn record_block(
        &self,
        job: &Job,
        authority: &str,
        wire: WireProtocol,
        situation: &DocumentSituation,
    ) -> Result<(), ReprocessError> {
        if let DocumentSituation::Unavailable(said) = situation
            && wire.is_undue_use(&said.codigo)
        {
            let transmitter = undue_use::transmitter_of(job.cpf_cnpj);
            self.inner.undue_use.block(&transmitter, authority, self.now_s());
            self.store_blocks().await.map_err(refusal)?;
        }
        Ok(())
    }
}

fn may_have_left(state: DocumentState) -> bool {
    !matches!(state, DocumentState::Accepted | DocumentState::Failed)
}

/// The document that the authority has, as far as its answer shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AuthorityHolding {
    /// Ours, or none.
    OwnOrNone,
    /// A document under the number that may not be ours: the worker adopts it only if it is.
    AnotherDocument,
}

/// Returns the decision about a retry by the answer, and a line for the job log.
fn retry_decision(
    document: &JobDocument,
    situation: DocumentSituation,
) -> (Result<AuthorityHolding, ReprocessError>, String) {
    match situation {
        DocumentSituation::NeverSeen(said) => (
            Ok(AuthorityHolding::OwnOrNone),
            format!("A autoridade não conhece a chave: {} {}.", said.codigo, said.xMotivo),
        ),
        DocumentSituation::OtherKey(said) => (
            Ok(AuthorityHolding::AnotherDocument),
            format!("O número está sob outra chave: {} {}.", said.codigo, said.xMotivo),
        ),
        DocumentSituation::Named(chave) => {
            (Ok(AuthorityHolding::AnotherDocument), format!("A autoridade tem o documento, sob a chave {chave}."))
        }
        DocumentSituation::Authorized(protocol) | DocumentSituation::Denied(protocol) => compare(document, &protocol),
        DocumentSituation::Cancelled { protocol: Some(protocol), .. } => compare(document, &protocol),
        DocumentSituation::Cancelled { protocol: None, .. } => {
            let why = "a autoridade informa a nota como cancelada, sem o protocolo";
            (Err(unknown(why)), format!("Consulta: {why}."))
        }
        DocumentSituation::Refused(said) | DocumentSituation::Unavailable(said) => {
            let why = format!("a autoridade respondeu {} {}", said.codigo, said.xMotivo);
            (Err(unknown(&why)), format!("Consulta: {why}."))
        }
    }
}

fn compare(document: &JobDocument, protocol: &Protocol) -> (Result<AuthorityHolding, ReprocessError>, String) {
    if document.chave.is_none() {
        return (
            Ok(AuthorityHolding::AnotherDocument),
            "A autoridade tem um documento com esta identificação.".to_owned(),
        );
    }
    let marks = marks::by_digest(document, protocol, "", AnsweredMessage::Identity);
    if (marks.key, marks.content) == (MarkMatch::Ours, MarkMatch::Ours) {
        return (Ok(AuthorityHolding::OwnOrNone), "A autoridade tem exatamente o documento enviado.".to_owned());
    }
    let (held, nProt) =
        (protocol.digVal.as_deref().unwrap_or("ausente"), protocol.nProt.as_deref().unwrap_or("ausente"));
    let told = format!("A autoridade ainda tem outro conteúdo sob a chave (digVal {held}, protocolo {nProt}).");
    let absent = unknown("o documento não tem chave de acesso");
    (Err(document.chave.map_or(absent, |chave| ReprocessError::OtherContent { chave })), told)
}

fn unknown(why: &str) -> ReprocessError {
    ReprocessError::InDoubt(why.to_owned())
}

fn refusal(error: store::Error) -> ReprocessError {
    match error {
        store::Error::NotFound => ReprocessError::UnknownJob,
        error => ReprocessError::Store(error),
    }
}
