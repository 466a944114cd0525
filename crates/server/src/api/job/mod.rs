//! The view of a job: one body for queries, replays and webhooks.
//!
//! Law: `docs/contract.md`, "Jobs".

mod message;
pub(crate) mod nota;
pub(super) mod status_code;
pub(crate) mod view;
mod voided;

use engine::jobs::print::has_form;
use engine::jobs::query::{has_own_file, is_given_out};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use std::collections::HashSet;
use store::companies::Company;
use store::jobs::{Job, JobAct, JobDocument, JobFailure, JobStatus, Operacao};
use store::numbers::NumberedKind;
use store::webhooks::WebhookFacts;
use store::{Store, Visibility};
use uuid::Uuid;

use super::error::ApiError;
use super::instant::CivilTime;
use super::view::{DeferredMember, Maybe};
use super::words::Word;
pub(super) use nota::total;
use status_code::StatusCode;
use view::{
    AcceptedView, EventoView, FailureView, FilesView, JobView, ListedNotaView, NotaView, NotificationView,
    OperationView,
};

/// Records from which the view of a job is made.
pub(crate) struct JobFacts {
    job: Job,
    /// The document: the job's own, or that of the job it cancels.
    document: Option<JobDocument>,
    pub(crate) company: Option<Company>,
    pub(crate) time: CivilTime,
}

impl JobFacts {
    /// Reads the job's company and the target of a cancellation.
    pub(crate) async fn read(store: &Store, job: Job) -> Result<JobFacts, ApiError> {
        let company = company_if_any(store, job.tenant_id, job.cpf_cnpj).await?;
        let document = match (&job.document, job.alvo) {
            (None, Some(alvo)) => store.job(Visibility::whole(job.tenant_id), alvo).await?.document,
            (document, _) => document.clone(),
        };
        Ok(JobFacts::of(job, document, company))
    }

    /// Combines records that are already read.
    fn of(job: Job, document: Option<JobDocument>, company: Option<Company>) -> JobFacts {
        JobFacts { job, document, time: CivilTime::of(company.as_ref()), company }
    }

    /// A job of a list, with its document.
    fn of_listed(job: Job, time: CivilTime) -> JobFacts {
        JobFacts { document: job.document.clone(), job, company: None, time }
    }

    /// Environment of a new document of the job's company and type with a key of this environment.
    pub(crate) fn would_go_to(&self, key: TpAmb) -> TpAmb {
        would_go_to(self.company.as_ref(), self.job.tipo, key)
    }

    /// Body of the job query.
    pub(crate) fn view(&self) -> JobView {
        JobView { operation: self.operation(), payload_divergente: Maybe(None) }
    }

    /// First job of a reference that is used again (`docs/contract.md`, "Emission"). A homologação credential sees of a
    /// production job only that the reference is taken and in which environment.
    pub(crate) fn replayed(&self, credential: TpAmb, divergent: bool) -> JobView {
        let shown = store::may_see(credential, self.job.ambiente);
        let operation = if shown { self.operation() } else { self.reference_taken() };
        JobView {
            operation: OperationView { idempotente: true, ..operation },
            payload_divergente: Maybe(Some(divergent)),
        }
    }

    /// Entry of a list of documents: the document and its job.
    pub(crate) fn note(&self) -> ListedNotaView {
        let job = &self.job;
        ListedNotaView {
            nota: self.nota().unwrap_or_default(),
            job_id: job.id,
            job_status: Word(self.status()),
            referencia_externa: job.referencia.clone(),
            tipo: Word(job.tipo),
            cpf_cnpj: job.cpf_cnpj,
            emitente: job.cpf_cnpj,
            ambiente: Word(job.ambiente),
            consulta: consulta(job),
            criado_em: self.time.at(job.criado_em),
            atualizado_em: self.time.at(job.atualizado_em),
            arquivos: self.arquivos(),
        }
    }

    fn operation(&self) -> OperationView {
        let job = &self.job;
        OperationView {
            nota: self.nota(),
            substitui_job_id: job.act.as_ref().and_then(JobAct::replaces),
            substituida_por_job_id: job.act.as_ref().and_then(JobAct::replaced_by),
            evento_fiscal: self.evento(),
            arquivos: self.arquivos(),
            avisos: job.notices.clone(),
            erro: job.erro.as_ref().map(|failure| failure.mensagem.clone()),
            erro_detalhe: job.erro.as_ref().map(|failure| self.erro_detalhe(failure)),
            ..self.without_document(self.mensagem())
        }
    }

    /// An operation in production as a credential of the other environment sees it.
    fn reference_taken(&self) -> OperationView {
        let mensagem = "A referência é de uma operação em produção: consulte-a com uma credencial de produção.";
        self.without_document(mensagem.to_owned())
    }

    /// The operation without any member of its document. Each member is listed, so that a new one is shown to the other
    /// environment by decision.
    fn without_document(&self, mensagem: String) -> OperationView {
        let job = &self.job;
        OperationView {
            job_id: job.id,
            referencia_externa: job.referencia.clone(),
            tipo: Word(job.tipo),
            operacao: Word(job.operacao),
            cpf_cnpj: job.cpf_cnpj,
            ambiente: Word(job.ambiente),
            status: Word(self.status()),
            mensagem,
            tentativas: job.tentativas,
            idempotente: false,
            webhook: job.webhook_url.is_some(),
            consulta: consulta(job),
            criado_em: self.time.at(job.criado_em),
            atualizado_em: self.time.at(job.atualizado_em),
            concluido_em: job.concluido_em.map(|at| self.time.at(at)),
            nota: None,
            substitui_job_id: None,
            substituida_por_job_id: None,
            evento_fiscal: None,
            arquivos: FilesView::default(),
            avisos: Vec::new(),
            erro: None,
            erro_detalhe: None,
        }
    }

    /// The document, or the voided range of numbers.
    fn nota(&self) -> Option<NotaView> {
        let document = self.document.as_ref().map(|document| nota::nota(document, self.job.ambiente, self.time));
        document.or_else(|| voided::nota(&self.job))
    }

    /// A document issued in contingency stays in processing until its authority has judged it, even while no worker has
    /// the job.
    fn status(&self) -> JobStatus {
        match self.job.status {
            JobStatus::Pending if is_given_out(&self.job) || self.in_doubt() => JobStatus::Processing,
            status => status,
        }
    }

    fn in_doubt(&self) -> bool {
        let state = self.job.document.as_ref().map(|document| document.state);
        matches!(state, Some(DocumentState::Sending | DocumentState::InDoubt))
    }

    /// True when the authority may have the document: not after a call that was never sent, or that was refused unread
    /// (108, 109).
    fn may_be_there(&self) -> bool {
        let state = self.job.document.as_ref().map(|document| document.state);
        let turned_away = |codigo: &str| matches!(codigo, "autoridade_indisponivel" | "falha_de_conexao");
        match state {
            Some(DocumentState::InDoubt) => true,
            Some(DocumentState::Sending) => !self.job.erro.as_ref().is_some_and(|erro| turned_away(&erro.codigo)),
            _ => false,
        }
    }

    /// The event of a job that acts on a document.
    fn evento(&self) -> Option<EventoView> {
        let result = self.job.event_result.as_ref();
        let event = self.job.act.as_ref().and_then(JobAct::event);
        let acts_on_document = self.job.alvo.is_some() || event.is_some();
        if !acts_on_document || (result.is_none() && event.is_none()) {
            return None;
        }
        Some(EventoView {
            tipo: Word(self.job.operacao),
            chave: event.and_then(|event| event.chave.public()),
            codigo: event.map(|event| event.tpEvento.clone()),
            sequencia: event.map(|event| event.nSeqEvento),
            protocolo: event.and_then(|event| event.nProt.clone()),
            data_registro: event.and_then(|event| event.dhRegEvento.clone()),
            codigo_status: result.map(|(codigo, _)| StatusCode::of(self.job.tipo, codigo.clone())),
            motivo_status: result.map(|(_, xMotivo)| xMotivo.clone()),
        })
    }

    /// True when the authority registered the job's event or voided its numbers, and its answer was complete.
    fn is_file_complete(&self) -> bool {
        match &self.job.act {
            Some(JobAct::Event(event)) => event.nProt.is_some() && event.dhRegEvento.is_some(),
            Some(JobAct::Void(range)) => range.voided && range.nProt.is_some(),
            Some(JobAct::Replaces(_) | JobAct::ReplacedBy(_)) | None => false,
        }
    }

    fn arquivos(&self) -> FilesView {
        let job = &self.job;
        let path = |file: &str| format!("/v1/{}/{}/file/{file}", job.tipo, job.id);
        let state = self.document.as_ref().map(|document| document.state);
        let authorised =
            matches!(state, Some(DocumentState::Authorized | DocumentState::Cancelled)) || is_given_out(job);
        let cancelled = state == Some(DocumentState::Cancelled) && self.document.as_ref().is_some_and(has_event);
        let cancels = job.operacao == Operacao::Cancelamento;
        let made = if has_own_file(job) { self.is_file_complete() } else { authorised };
        // a refused document is printed too, marked as without fiscal value
        let refused =
            job.operacao == Operacao::Emissao && matches!(state, Some(DocumentState::Rejected | DocumentState::Denied));
        let printable = (made || refused) && job.operacao != Operacao::Inutilizacao && has_form(job);
        FilesView {
            xml: if cancels { cancelled } else { made }.then(|| path("xml")),
            pdf: printable.then(|| path("pdf")),
            log: Some(path("log")),
            xml_cancelamento: cancelled.then(|| path("xml_cancelamento")),
        }
    }

    fn erro_detalhe(&self, failure: &JobFailure) -> FailureView {
        FailureView {
            codigo: failure.codigo.clone(),
            etapa: failure.etapa.clone(),
            repetivel: failure.repetivel,
            proxima_tentativa_em: failure.proxima_tentativa_em.map(|at| self.time.at(at)),
        }
    }
}

/// Environment of a new document of this company and type with a key of this environment (`docs/contract.md`,
/// "Environments").
pub(crate) fn would_go_to(company: Option<&Company>, tipo: Tipo, key: TpAmb) -> TpAmb {
    let configuration = company.and_then(|company| company.configuracoes.get(tipo.word()));
    let live = configuration.is_some_and(|configuration| configuration["ambiente"] == 1);
    if live { key } else { TpAmb::Homologacao }
}

/// A company of the tenant; `None` for an absent one.
pub(crate) async fn company_if_any(
    store: &Store,
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
) -> Result<Option<Company>, ApiError> {
    match store.company(tenant, cpf_cnpj).await {
        Ok(company) => Ok(Some(company)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// True when the cancellation of a document has an event: a municipal NFS-e replaced by another one has none.
fn has_event(document: &JobDocument) -> bool {
    document.counted != NumberedKind::Rps || document.substituida_por.is_none()
}

/// 202 body of an accepted job.
pub(crate) fn accepted(job: &Job, mensagem: &'static str) -> AcceptedView {
    AcceptedView {
        job_id: job.id,
        job_id_emissao: Maybe(None),
        referencia_externa: job.referencia.clone(),
        operacao: Maybe(None),
        status: Word(job.status),
        mensagem,
        consulta: consulta(job),
        webhook: job.webhook_url.is_some(),
        ambiente: Word(job.ambiente),
        idempotente: false,
        avisos: job.notices.clone(),
    }
}

/// Webhook body of a job whose state has just changed.
pub(crate) fn notification(told: &WebhookFacts<'_>) -> NotificationView {
    let facts = JobFacts::of(told.job.clone(), told.document.cloned(), told.company.cloned());
    NotificationView {
        id: told.id,
        evento: told.evento.to_owned(),
        timestamp: facts.time.at(told.at),
        operation: facts.operation(),
        tentativa: DeferredMember::default(),
    }
}

/// The views of a list of jobs.
pub(crate) async fn listed(store: &Store, tenant: Uuid, jobs: Vec<Job>) -> Result<Vec<JobView>, ApiError> {
    Ok(facts(store, tenant, jobs).await?.iter().map(JobFacts::view).collect())
}

/// The entries of a list of notes.
pub(crate) async fn listed_notes(store: &Store, tenant: Uuid, jobs: Vec<Job>) -> Result<Vec<ListedNotaView>, ApiError> {
    Ok(facts(store, tenant, jobs).await?.iter().map(JobFacts::note).collect())
}

/// Reads the record of each company once for all its jobs.
async fn facts(store: &Store, tenant: Uuid, jobs: Vec<Job>) -> Result<Vec<JobFacts>, ApiError> {
    let companies: HashSet<CnpjCpf> = jobs.iter().map(|job| job.cpf_cnpj).collect();
    let records = store.company_records(tenant, companies.into_iter().collect()).await?;
    let time = |job: &Job| CivilTime::of_record(records.get(&job.cpf_cnpj));
    let facts = |job: Job| {
        let time = time(&job);
        JobFacts::of_listed(job, time)
    };
    Ok(jobs.into_iter().map(facts).collect())
}

/// `/v1/<type>/consultar/<job_id>`
pub(crate) fn consulta(job: &Job) -> String {
    format!("/v1/{}/consultar/{}", job.tipo, job.id)
}
