//! Files of a job for download.
//!
//! Law: `docs/contract.md`, "Documents" (files, `log`).

use crate::Engine;
use crate::family;
use crate::process::local_time;
use fiscal::lifecycle::DocumentState;
use fiscal::value::{Chave, CivilOffset, Uf};
use store::Visibility;
use store::jobs::{Job, JobDocument, LogLine, Operacao, StoredFile};
use uuid::Uuid;

/// `tipo` of the file route, for files stored as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// procNFe; of an event other than a cancellation its procEventoNFe, of voided numbers the ProcInutNFe.
    Xml,
    /// Readable log of the job.
    Log,
    /// procEventoNFe of the cancellation.
    XmlCancelamento,
    /// procEvento of the event that was registered last.
    XmlEvento,
    /// The signed request, where its authority writes the document itself: the DPS.
    XmlEnviado,
}

/// Reason why there is nothing to download.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The tenant has no such job.
    #[error("job não encontrado")]
    UnknownJob,
    /// The job exists, the file does not (yet).
    #[error("o arquivo ainda não foi produzido")]
    NotProduced,
    /// Only the authority has it, and it could not be queried now; Portuguese.
    #[error("{0}")]
    NotFetched(String),
    #[error(transparent)]
    Store(store::Error),
}

/// A file and the job it belongs to.
#[derive(Debug, Clone)]
pub struct JobDownload {
    /// The job, for the name of the file.
    pub job: Job,
    pub text: String,
}

impl Engine {
    /// Returns a file of a job, or its log.
    pub async fn download(&self, sight: Visibility, job: Uuid, arquivo: FileKind) -> Result<JobDownload, FileError> {
        let job = self.store().job(sight, job).await.map_err(or(FileError::UnknownJob))?;
        let text = match arquivo {
            FileKind::Xml if has_own_file(&job) => self.own_file(&job, StoredFile::Event).await?,
            FileKind::Xml if is_given_out(&job) => self.own_file(&job, StoredFile::Signed).await?,
            FileKind::Xml => self.target_file(&job, StoredFile::Authorized).await?,
            FileKind::XmlCancelamento => self.cancellation(&job).await?,
            FileKind::XmlEvento => self.last_event(&job).await?,
            FileKind::XmlEnviado => self.target_file(&job, StoredFile::Signed).await?,
            FileKind::Log => {
                let lines = self.store().log(job.tenant_id, job.id).await.map_err(FileError::Store)?;
                log_text(&job, lines, self.civil_of(&job).await.map_err(FileError::Store)?)
            }
        };
        Ok(JobDownload { job, text })
    }

    /// Civil time of a job's log: that of its company.
    async fn civil_of(&self, job: &Job) -> Result<CivilOffset, store::Error> {
        let records = self.store().company_records(job.tenant_id, vec![job.cpf_cnpj]).await?;
        let of_key = job.document.as_ref().and_then(|document| Some(document.acesso()?.parts().uf)).unwrap_or(Uf::DF);
        Ok(records.get(&job.cpf_cnpj).map_or(of_key.into(), |dados| local_time::civil_of_record(dados, of_key)))
    }

    async fn own_file(&self, job: &Job, file: StoredFile) -> Result<String, FileError> {
        self.store().file(job.tenant_id, job.id, file).await.map_err(or(FileError::NotProduced))
    }

    /// Returns the last event of a document, by any author.
    async fn last_event(&self, job: &Job) -> Result<String, FileError> {
        let chave = job.document.as_ref().and_then(|document| document.chave).ok_or(FileError::NotProduced)?;
        let events = self.store().events(job.tenant_id, chave.as_str()).await.map_err(FileError::Store)?;
        let registered = events.into_iter().filter(|event| event.registered);
        let last = registered.max_by(|a, b| a.dhRegEvento.cmp(&b.dhRegEvento)).ok_or(FileError::NotProduced)?;
        // an event of another author is stored with the document
        let holder = last.job_id.unwrap_or(job.alvo.unwrap_or(job.id));
        match self.store().file(job.tenant_id, holder, StoredFile::Event).await {
            // a cancellation is stored with its document
            Err(store::Error::NotFound) => self.target_file(job, StoredFile::Cancelled).await,
            found => found.map_err(FileError::Store),
        }
    }

    /// Returns the event that cancelled a document. The authority writes that of a substituted NFS-e and delivers it to
    /// no party: it is queried once, and stored.
    async fn cancellation(&self, job: &Job) -> Result<String, FileError> {
        let document = match self.target_file(job, StoredFile::Cancelled).await {
            Err(FileError::NotProduced) => job.document.as_ref().ok_or(FileError::NotProduced)?,
            found => return found,
        };
        let Some(Chave::Nfse(chave)) = document.chave.filter(|_| document.state == DocumentState::Cancelled) else {
            return Err(FileError::NotProduced);
        };
        self.fetch_events(job, chave).await.map_err(FileError::Store)?.map_err(FileError::NotFetched)?;
        self.target_file(job, StoredFile::Cancelled).await
    }

    /// Returns a file of the job's document: files of a cancellation are stored with its target.
    async fn target_file(&self, job: &Job, file: StoredFile) -> Result<String, FileError> {
        let holder = job.alvo.unwrap_or(job.id);
        self.store().file(job.tenant_id, holder, file).await.map_err(or(FileError::NotProduced))
    }
}

/// `true` if the job has a file of its own: an event that leaves its document as it is, or voided numbers.
pub fn has_own_file(job: &Job) -> bool {
    matches!(
        job.operacao,
        Operacao::CartaCorrecao
            | Operacao::AtorInteressado
            | Operacao::Manifestacao
            | Operacao::Evento
            | Operacao::AnaliseFiscal
            | Operacao::Inutilizacao
    )
}

/// `true` for a document of contingency that the buyer may have and its authority has not judged: its signed XML is its
/// file.
pub fn is_given_out(job: &Job) -> bool {
    job.operacao == Operacao::Emissao && job.document.as_ref().is_some_and(document_is_given_out)
}

/// `true` for such a document.
pub fn document_is_given_out(document: &JobDocument) -> bool {
    let unjudged = matches!(document.state, DocumentState::Issued | DocumentState::Sending | DocumentState::InDoubt);
    let announced = || document.contingencia.as_ref().is_some_and(|it| it.protocolo.is_some());
    let asks_nobody =
        || family::of(document.counted).is_some_and(|family| family.is_given_out_at_once(document.tipo_emissao));
    unjudged && was_given_out(document) && (asks_nobody() || announced())
}

/// `true` if a document is transmitted after it was given out.
pub fn was_given_out(document: &JobDocument) -> bool {
    family::of(document.counted).is_some_and(|family| family.is_given_out(document.tipo_emissao))
}

fn or(absent: FileError) -> impl FnOnce(store::Error) -> FileError {
    move |error| match error {
        store::Error::NotFound => absent,
        error => FileError::Store(error),
    }
}

/// Renders the log, one line per entry, in the civil time of the company's state.
fn log_text(job: &Job, mut lines: Vec<LogLine>, civil: CivilOffset) -> String {
    // a warning may be written before an earlier line
    lines.sort_by_key(|line| line.at_ms);
    let mut text = format!("Histórico do job {}\n", job.id);
    if let Some(referencia) = &job.referencia {
        text.push_str(&format!("Referência externa: {referencia}\n"));
    }
    if let Some(request_id) = &job.request_id {
        text.push_str(&format!("Requisição: {request_id}\n"));
    }
    if let Some(document) = &job.document {
        let chave = document.chave.as_ref().map_or("", Chave::as_str);
        text.push_str(&format!("Chave de acesso: {chave}\n"));
    }
    text.push('\n');
    for line in lines {
        text.push_str(&format!("{}  {}\n", local_time::written_ms(line.at_ms, civil), line.text));
    }
    text
}
