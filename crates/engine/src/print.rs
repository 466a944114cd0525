//! The printed form of what a job made: from the stored file alone, drawn when it is asked for.
//!
//! Law: `spec/not-shown.md` §4 (`pdf`); `design.md` §4 (a PDF is never the only copy of anything).

use crate::Engine;
use crate::query::{FileError, keeps_its_own};
use fiscal::lifecycle::State;
use render::form::{self, Unreadable};
use store::jobs::{File, Job, Operacao};
use uuid::Uuid;

/// A form and the job it belongs to.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The job, for the name of the file.
    pub job: Job,
    /// The PDF.
    pub pdf: Vec<u8>,
}

/// Why there is no form.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// No file to draw it from.
    #[error(transparent)]
    File(#[from] FileError),
    /// The stored file is none that a form can be drawn from: our bug.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// What is drawn.
enum Subject {
    Note { xml: String, cancelled: bool },
    Event { xml: String },
}

impl Engine {
    /// DANFE or receipt of a document, or the form of an event. A document that is not authorised is a preview without fiscal value.
    pub async fn printed(&self, tenant: Uuid, job: Uuid) -> Result<Printed, PrintError> {
        let job = self.store().job(tenant, job).await.map_err(|error| match error {
            store::Error::NotFound => FileError::UnknownJob,
            error => FileError::Store(error),
        })?;
        let subject = self.subject(&job).await?;
        // thousands of items take milliseconds of one core: not those of the requests
        let drawn = tokio::task::spawn_blocking(move || subject.draw()).await;
        let pdf =
            drawn.map_err(|_| FileError::Store(store::Error::Conflict("o formulário não pôde ser desenhado")))??;
        Ok(Printed { job, pdf })
    }

    async fn subject(&self, job: &Job) -> Result<Subject, FileError> {
        if job.operacao == Operacao::Inutilizacao {
            // the law has no form for numbers
            return Err(FileError::NotProduced);
        }
        if keeps_its_own(job) {
            return Ok(Subject::Event { xml: self.file(job.tenant_id, job.id, File::Event).await? });
        }
        if let (Operacao::Cancelamento, Some(alvo)) = (job.operacao, job.alvo) {
            return Ok(Subject::Event { xml: self.file(job.tenant_id, alvo, File::Cancelled).await? });
        }
        let cancelled = job.document.as_ref().is_some_and(|document| document.state == State::Cancelled);
        let xml = match self.file(job.tenant_id, job.id, File::Authorized).await {
            Err(FileError::NotProduced) => self.file(job.tenant_id, job.id, File::Signed).await?,
            found => found?,
        };
        Ok(Subject::Note { xml, cancelled })
    }

    async fn file(&self, tenant: Uuid, job: Uuid, file: File) -> Result<String, FileError> {
        self.store().file(tenant, job, file).await.map_err(|error| match error {
            store::Error::NotFound => FileError::NotProduced,
            error => FileError::Store(error),
        })
    }
}

impl Subject {
    fn draw(self) -> Result<Vec<u8>, Unreadable> {
        match self {
            Subject::Note { xml, cancelled } => {
                form::pdf(xml.as_bytes(), &form::danfe::Options { cancelled, ..Default::default() })
            }
            Subject::Event { xml } => form::event::pdf(xml.as_bytes()),
        }
    }
}
