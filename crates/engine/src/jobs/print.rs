//! Printed form of a job's document, or of a payload's: from the document alone, drawn on request.
//!
//! Law: `docs/contract.md`, "Documents" (`pdf`). A PDF is never the only copy of anything.

use crate::Engine;
use crate::acceptance::issue::IssueError;
use crate::family::{self, Family};
use crate::jobs::query::{FileError, document_is_given_out, has_own_file};
use crate::order::emission::IssueRequest;
use crate::process::work_pool::NotDone;
use fiscal::lifecycle::DocumentState;
use fiscal::value::{CnpjCpf, TpAmb};
use render::form::{self, EpecRegistration, FormError, PrintOptions, PrintedStatus};
pub use render::form::{DanfeLayout, ReceiptPaper};
use store::Visibility;
use store::accounts::Caller;
use store::jobs::{Job, JobAct, Operacao, StoredFile};
use store::received::{ReceivedDocument, Situacao};
use uuid::Uuid;

/// Choices for a form; an open choice follows the company's setting or the document.
#[derive(Debug, Clone, Copy, Default)]
pub struct FormChoices {
    /// Layout of A4.
    pub layout: Option<DanfeLayout>,
    /// Landscape or portrait.
    pub landscape: Option<bool>,
    /// Width of a receipt.
    pub paper: ReceiptPaper,
    /// A receipt without its items.
    pub summary: bool,
}

/// A form and the job it belongs to.
#[derive(Debug, Clone)]
pub struct PrintedForm {
    /// The job, for the name of the file.
    pub job: Job,
    /// A PDF, or the bytes for a receipt printer.
    pub bytes: Vec<u8>,
}

/// Format of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormOutput {
    /// A PDF.
    Pdf,
    /// ESC/POS.
    Printer,
}

/// Reason why there is no form.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// There is no file to draw it from.
    #[error(transparent)]
    File(#[from] FileError),
    /// A receipt printer prints receipts, and this document's form is none.
    #[error("o formulário não é um cupom")]
    NoReceipt,
    /// The stored file has no form: our bug.
    #[error(transparent)]
    Unreadable(#[from] FormError),
    /// Documents of this kind have no printed form here.
    #[error("não há formulário deste documento")]
    NoForm,
    /// Not drawn: the account has too much under way, or our bug.
    #[error(transparent)]
    NotDone(#[from] NotDone),
}

/// Reason why there is no preview.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// Refusal of an emission.
    #[error(transparent)]
    Issue(#[from] IssueError),
    /// The built document has no form: our bug.
    #[error(transparent)]
    Print(#[from] PrintError),
}

impl PreviewError {
    /// `true` if there is nothing to draw, rather than a failure.
    pub fn is_unknown(&self) -> bool {
        matches!(self, PreviewError::Issue(IssueError::Store(store::Error::NotFound)))
    }
}

/// Document or event to draw.
enum FormSubject {
    Note { xml: String, options: Box<PrintOptions> },
    Event { xml: String, note: Option<String> },
}

/// `true` if the job's document, present or future, has a printed form here.
pub fn has_form(job: &Job) -> bool {
    let is_drawn = |family: &Family| form::has_form(family.builder.root);
    match job.document.as_ref().and_then(|document| family::of(document.counted)) {
        Some(family) => is_drawn(family),
        None => family::all().any(|family| family.tipo == job.tipo && is_drawn(family)),
    }
}

impl Engine {
    /// Draws the DANFE or receipt of a document, or the form of an event. A document that is not authorised gives a
    /// preview without fiscal value.
    pub async fn print_form(
        &self,
        sight: Visibility,
        job: Uuid,
        output: FormOutput,
        choices: FormChoices,
    ) -> Result<PrintedForm, PrintError> {
        let job = self.store().job(sight, job).await.map_err(|error| match error {
            store::Error::NotFound => FileError::UnknownJob,
            error => FileError::Store(error),
        })?;
        if !has_form(&job) {
            return Err(PrintError::NoForm);
        }
        let subject = self.subject(&job, choices).await?;
        let bytes = self.draw_form(sight.tenant(), subject, output).await?;
        Ok(PrintedForm { job, bytes })
    }

    /// Draws the forms of several documents of one company as one PDF; returns the number of those without a form too.
    pub async fn print_joined(
        &self,
        tenant: Uuid,
        jobs: &[Uuid],
        title: String,
    ) -> Result<(Vec<u8>, usize), PrintError> {
        let (mut documents, mut without) = (Vec::new(), 0);
        for job in jobs {
            let job = self.store().job(Visibility::whole(tenant), *job).await.map_err(FileError::Store)?;
            let subject = if has_form(&job) {
                self.subject(&job, FormChoices::default()).await
            } else {
                Err(FileError::NotProduced)
            };
            match subject {
                Ok(FormSubject::Note { xml, options }) => documents.push((xml, *options)),
                Err(FileError::Store(error)) => return Err(FileError::Store(error).into()),
                Ok(FormSubject::Event { .. }) | Err(_) => without += 1,
            }
        }
        let (bytes, unreadable) = self.inner.drawing.run(tenant, move || form::joined_pdf(&title, &documents)).await?;
        Ok((bytes, without + unreadable))
    }

    /// Draws the form of a received document, without a logo: that of its issuer is not known. `None` while only the
    /// summary is stored.
    pub async fn received_form(
        &self,
        sight: Visibility,
        document: &ReceivedDocument,
    ) -> Result<Option<Vec<u8>>, PrintError> {
        let facts = &document.facts;
        let (tipo, of) = (facts.type_facts.tipo(), Some(document.cpf_cnpj));
        let found = self.store().received_xml(sight, tipo, facts.chave.clone(), of).await;
        let (xml, whole) = found.map_err(FileError::Store)?;
        if !whole {
            return Ok(None);
        }
        let status = match facts.situacao {
            Situacao::Cancelada => PrintedStatus::Cancelled { protocol: String::new() },
            Situacao::Autorizada | Situacao::Denegada => PrintedStatus::Stored,
        };
        let options = Box::new(PrintOptions {
            layout: None,
            landscape: None,
            status,
            epec: None,
            logo: None,
            paper: ReceiptPaper::default(),
            homologacao: document.ambiente == TpAmb::Homologacao,
            summary: false,
        });
        self.draw_form(sight.tenant(), FormSubject::Note { xml, options }, FormOutput::Pdf).await.map(Some)
    }

    /// Draws the form of a prepared order, marked as without value; `None` when it is past its retention.
    pub async fn prepared_form(&self, caller: &Caller, id: Uuid) -> Result<Option<Vec<u8>>, PreviewError> {
        match self.prepared_request(caller, id).await.map_err(IssueError::from)? {
            Some((preparer, request)) => self.preview(&preparer, request, FormChoices::default()).await.map(Some),
            None => Ok(None),
        }
    }

    /// Draws the form of a payload. Everything is checked as for an emission; nothing is issued, no number taken, no
    /// quota used.
    pub async fn preview(
        &self,
        caller: &Caller,
        request: IssueRequest,
        choices: FormChoices,
    ) -> Result<Vec<u8>, PreviewError> {
        let family = request.family()?;
        let issuer = self.issuer(Visibility::of(caller), request.cpf_cnpj, family).await.map_err(IssueError::from)?;
        let taken = self.provider_target(caller, &issuer, family, &request.nota).await?;
        let dry_run = self.dry_run(caller, &request, &issuer, taken.city_hall.as_deref())?;
        let numbered = (dry_run.family.builder.numbering)(&request.nota).numero.is_some();
        let options = self.options(caller.tenant_id, request.cpf_cnpj, choices).await.map_err(IssueError::Store)?;
        let homologacao = dry_run.ambiente == TpAmb::Homologacao;
        let options = Box::new(PrintOptions { status: PrintedStatus::Preview { numbered }, homologacao, ..options });
        Ok(self.draw_form(caller.tenant_id, FormSubject::Note { xml: dry_run.xml, options }, FormOutput::Pdf).await?)
    }

    /// Draws off the request threads: thousands of items take milliseconds of one core.
    async fn draw_form(&self, tenant: Uuid, subject: FormSubject, output: FormOutput) -> Result<Vec<u8>, PrintError> {
        self.inner.drawing.run(tenant, move || subject.draw(output)).await?
    }

    async fn subject(&self, job: &Job, choices: FormChoices) -> Result<FormSubject, FileError> {
        if job.operacao == Operacao::Inutilizacao {
            // the law has no form for numbers
            return Err(FileError::NotProduced);
        }
        if has_own_file(job) {
            let xml = self.file(job.tenant_id, job.id, StoredFile::Event).await?;
            return Ok(FormSubject::Event { xml, note: self.note_of(job).await? });
        }
        if let (Operacao::Cancelamento, Some(alvo)) = (job.operacao, job.alvo) {
            let xml = self.file(job.tenant_id, alvo, StoredFile::Cancelled).await?;
            return Ok(FormSubject::Event { xml, note: self.note_of(job).await? });
        }
        let xml = self.newest_xml(job.tenant_id, job.id).await?.ok_or(FileError::NotProduced)?;
        let options = self.options(job.tenant_id, job.cpf_cnpj, choices).await.map_err(FileError::Store)?;
        let contingencia = job.document.as_ref().and_then(|document| document.contingencia.as_ref());
        let epec = contingencia.and_then(|it| {
            let moment = it.registrado_em.clone().unwrap_or_default();
            Some(EpecRegistration { number: it.protocolo.clone()?, moment })
        });
        let standing = self.standing(job).await?;
        let homologacao = job.ambiente == TpAmb::Homologacao;
        Ok(FormSubject::Note {
            xml,
            options: Box::new(PrintOptions { status: standing, epec, homologacao, ..options }),
        })
    }

    /// Returns a document as its authority answered it, or as it was signed; `None` before.
    async fn newest_xml(&self, tenant: Uuid, job: Uuid) -> Result<Option<String>, FileError> {
        for file in [StoredFile::Authorized, StoredFile::Signed] {
            match self.file(tenant, job, file).await {
                Err(FileError::NotProduced) => {}
                found => return found.map(Some),
            }
        }
        Ok(None)
    }

    /// Returns the note of an event: ours, or one that the company received. The event's form takes the parties from
    /// it.
    async fn note_of(&self, job: &Job) -> Result<Option<String>, FileError> {
        if let Some(alvo) = job.alvo {
            return self.newest_xml(job.tenant_id, alvo).await;
        }
        let Some(event) = job.act.as_ref().and_then(JobAct::event) else { return Ok(None) };
        let (sight, chave) = (Visibility::whole(job.tenant_id), event.chave.to_string());
        match self.store().received_xml(sight, job.tipo, chave, Some(job.cpf_cnpj)).await {
            Ok((xml, _)) => Ok(Some(xml)),
            Err(store::Error::NotFound) => Ok(None),
            Err(error) => Err(FileError::Store(error)),
        }
    }

    /// State that a form must show and the XML lacks.
    async fn standing(&self, job: &Job) -> Result<PrintedStatus, FileError> {
        let Some(document) = &job.document else { return Ok(PrintedStatus::Unanswered) };
        let reason = || match (&document.codigo, document.xMotivo.as_deref()) {
            (Some(codigo), xMotivo) => format!("{codigo} - {}", xMotivo.unwrap_or_default()),
            (None, _) => job.erro.as_ref().map(|failure| failure.mensagem.clone()).unwrap_or_default(),
        };
        Ok(match document.state {
            DocumentState::Authorized | DocumentState::Issued => PrintedStatus::Stored,
            DocumentState::Accepted | DocumentState::Sending | DocumentState::InDoubt
                if document_is_given_out(document) =>
            {
                PrintedStatus::Stored
            }
            DocumentState::Accepted | DocumentState::Sending | DocumentState::InDoubt => PrintedStatus::Unanswered,
            DocumentState::Rejected => PrintedStatus::Rejected { reason: reason() },
            DocumentState::Denied => PrintedStatus::Denied { reason: reason() },
            DocumentState::Failed => PrintedStatus::Abandoned { reason: reason() },
            // its authority cancelled it itself, by the event of the note that replaced it
            DocumentState::Cancelled if document.substituida_por.is_some() => PrintedStatus::Substituted,
            DocumentState::Cancelled => {
                let event = match self.file(job.tenant_id, job.id, StoredFile::Cancelled).await {
                    // an authority may report a cancellation without its event
                    Err(FileError::NotProduced) => None,
                    found => Some(found?),
                };
                let told = event.and_then(|xml| form::event::status_after_event(xml.as_bytes()));
                told.unwrap_or(PrintedStatus::Cancelled { protocol: String::new() })
            }
        })
    }

    /// Fills open choices with the company's settings.
    async fn options(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        choices: FormChoices,
    ) -> Result<PrintOptions, store::Error> {
        let FormChoices { layout, landscape, paper, summary } = choices;
        let layout = match layout {
            None => self.configured_layout(tenant, cpf_cnpj).await?,
            chosen => chosen,
        };
        let logo = self.picture(tenant, cpf_cnpj).await?;
        let standing = PrintedStatus::Stored;
        Ok(PrintOptions { layout, landscape, status: standing, epec: None, logo, paper, homologacao: false, summary })
    }

    /// `layout_danfe` of the company's configuration; a company that is gone has none.
    async fn configured_layout(&self, tenant: Uuid, cpf_cnpj: CnpjCpf) -> Result<Option<DanfeLayout>, store::Error> {
        let company = match self.store().company(tenant, cpf_cnpj).await {
            Err(store::Error::NotFound) => return Ok(None),
            found => found?,
        };
        let word = company.configuracoes.get("nfe").and_then(|settings| settings.get("layout_danfe")?.as_str());
        Ok(word.and_then(|word| LAYOUTS.iter().find(|(name, _)| *name == word)).map(|(_, layout)| *layout))
    }

    async fn file(&self, tenant: Uuid, job: Uuid, file: StoredFile) -> Result<String, FileError> {
        self.store().file(tenant, job, file).await.map_err(|error| match error {
            store::Error::NotFound => FileError::NotProduced,
            error => FileError::Store(error),
        })
    }
}

/// The layouts by their words.
pub const LAYOUTS: &[(&str, DanfeLayout)] = &[("classico", DanfeLayout::Classic), ("nt2026010", DanfeLayout::Reform)];

impl FormSubject {
    fn draw(self, output: FormOutput) -> Result<Vec<u8>, PrintError> {
        match (self, output) {
            (FormSubject::Note { xml, options }, FormOutput::Pdf) => Ok(form::pdf(xml.as_bytes(), &options)?),
            (FormSubject::Note { xml, options }, FormOutput::Printer) => {
                form::escpos(xml.as_bytes(), &options)?.ok_or(PrintError::NoReceipt)
            }
            (FormSubject::Event { xml, note }, FormOutput::Pdf) => {
                Ok(form::event::pdf(xml.as_bytes(), note.as_ref().map(String::as_bytes))?)
            }
            (FormSubject::Event { .. }, FormOutput::Printer) => Err(PrintError::NoReceipt),
        }
    }
}
