//! Export for accounting: one ZIP of the documents of a company and a period, with events, printed forms, sums and
//! the numbers that no document has.
//!
//! Law: docs/contract.md, "Exports". The archive is a stream: documents are read page by page, and of each one only the
//! row in the archive's directory and the sums stay in memory.
//! Must not know: HTTP.

mod archive;
mod csv;
mod exporter;
mod gaps;
mod joined;
mod names;
mod readme;
mod writer;

pub use exporter::ExportWorker;

use crate::Engine;
use crate::jobs::print::{FormChoices, FormOutput, PrintError};
use crate::jobs::query::FileError;
use archive::ArchiveError;
use fiscal::tipo::Tipo;
use joined::FormBatches;
use std::time::Duration;
use store::Visibility;
use store::exports::{ExportDocument, ExportForms, ExportScope};
use uuid::Uuid;
use writer::ExportWriter;

/// Documents of a page.
const PAGE: u32 = 32;
/// Tries to draw a form while the account draws others, and the pause between them.
const DRAWS: u32 = 50;
const DRAW_AGAIN: Duration = Duration::from_millis(200);

/// Contents of an export.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    pub scope: ExportScope,
    pub forms: ExportForms,
}

/// Documents written so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportCount {
    pub feitas: u64,
    /// Documents of the period when the export began.
    pub total: u64,
}

/// Destination of the archive's bytes.
pub trait ExportSink: Send {
    /// Takes the next bytes; they may be empty, when only the count has changed.
    fn append(&mut self, bytes: Vec<u8>, count: ExportCount) -> impl Future<Output = Result<(), ExportError>> + Send;
}

/// Reason why an export ended without its file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The destination failed.
    #[error("o arquivo não pôde ser escrito: {0}")]
    Sink(#[from] std::io::Error),
    /// The file exceeds the bound of its destination.
    #[error("o arquivo passaria de {} GB; peça um período menor, ou sem PDFs", .most >> 30)]
    TooLarge {
        /// The bound, in bytes.
        most: u64,
    },
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The period is no period: our bug, its dates were checked.
    #[error("período inválido")]
    Period,
    /// A bug of ours.
    #[error("a escrita do arquivo quebrou")]
    Broken,
}

impl Engine {
    /// Writes the archive of a request.
    pub async fn export(
        &self,
        request: &ExportRequest,
        sink: &mut impl ExportSink,
    ) -> Result<ExportCount, ExportError> {
        let mut writer = ExportWriter::new(request, self.now_s());
        let mut count = ExportCount { feitas: 0, total: self.store().export_total(&request.scope).await? };
        let (mut after, mut batches) = (None, FormBatches::default());
        loop {
            let page = self.store().export_page(&request.scope, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.cursor());
            let (mut forms, mut joined) = (Vec::new(), Vec::new());
            match request.forms {
                ExportForms::Absent => {}
                ExportForms::Separate => forms = self.forms(&request.scope, &page).await?,
                ExportForms::Joined => joined = batches.add(self, request.scope.tenant, &page).await?,
            }
            count.feitas += page.len() as u64;
            writer = off_thread(writer, move |writer| {
                writer.add_page(&page, &forms)?;
                joined.iter().try_for_each(|form| writer.add_joined(form))
            })
            .await?;
            sink.append(writer.take(), count).await?;
        }
        for tipo in Tipo::ALL {
            if let Some(form) = batches.rest(self, request.scope.tenant, tipo).await? {
                writer = off_thread(writer, move |writer| writer.add_joined(&form)).await?;
                sink.append(writer.take(), count).await?;
            }
        }
        let gaps = gaps::found(self.store(), &request.scope, writer.series()).await?;
        sink.append(Vec::new(), count).await?;
        let voids = gaps::voided(self.store(), &request.scope).await?;
        writer = off_thread(writer, move |writer| writer.add_tables(&gaps, &voids)).await?;
        sink.append(writer.take(), count).await?;
        sink.append(writer.finish()?, count).await?;
        Ok(count)
    }

    /// Draws the forms of a page's documents that have one.
    async fn forms(
        &self,
        scope: &ExportScope,
        page: &[ExportDocument],
    ) -> Result<Vec<(Uuid, Option<Vec<u8>>)>, ExportError> {
        let mut forms = Vec::new();
        for document in page {
            forms.push((document.job_id, self.form(scope.tenant, document.job_id).await?));
        }
        Ok(forms)
    }

    async fn form(&self, tenant: Uuid, job: Uuid) -> Result<Option<Vec<u8>>, ExportError> {
        let draw = || self.print_form(Visibility::whole(tenant), job, FormOutput::Pdf, FormChoices::default());
        Ok(drawn(draw).await?.map(|form| form.bytes))
    }
}

/// Draws, again while the account draws others; `None` when there is nothing to draw.
async fn drawn<T, F>(mut draw: impl FnMut() -> F) -> Result<Option<T>, ExportError>
where
    F: Future<Output = Result<T, PrintError>>,
{
    for _ in 0..DRAWS {
        match draw().await {
            Ok(drawn) => return Ok(Some(drawn)),
            Err(PrintError::NotDone(_)) => tokio::time::sleep(DRAW_AGAIN).await,
            Err(PrintError::File(FileError::Store(error))) => return Err(error.into()),
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

/// Runs a step of the writer outside the async threads.
async fn off_thread(
    mut writer: ExportWriter,
    step: impl FnOnce(&mut ExportWriter) -> Result<(), ExportError> + Send + 'static,
) -> Result<ExportWriter, ExportError> {
    let done = tokio::task::spawn_blocking(move || step(&mut writer).map(|()| writer)).await;
    done.unwrap_or(Err(ExportError::Broken))
}
