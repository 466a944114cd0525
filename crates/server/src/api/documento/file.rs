//! `GET /v1/{nfe|nfce|cte|nfse}/{id}/file/{tipo}`: the files of a job, named by the access key.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::jobs::print::{FormChoices, FormOutput, PrintError};
use engine::jobs::query::{FileError, FileKind};
use fiscal::tipo::Tipo;
use http::header;
use store::Visibility;
use store::jobs::{Job, Operacao};

use super::consultar::{find, unknown_of};
use super::document_type::DocumentType;
use super::{choices, file_name};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;

/// `GET /v1/nfe/{id}/file/{tipo}`, also of `nfce`, `cte` and `nfse`
pub(crate) async fn file<F: DocumentType>(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    Path((id, tipo)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let asked = RequestedFile::read(F::TIPO, &tipo, query.as_deref())?;
    let job = find::<F>(&app, Visibility::of(&caller), &id).await?;
    let file = read_file(&app, Visibility::of(&caller), &job, asked).await?;
    Ok(file.answer("attachment"))
}

/// A file to read.
pub(crate) enum RequestedFile {
    /// A form that is drawn on request.
    Printed(&'static PrintedFile, FormChoices),
    Stored(FileKind, &'static str),
}

impl RequestedFile {
    /// Reads the word of a file of this document type.
    pub(crate) fn read(tipo: Tipo, word: &str, query: Option<&str>) -> Result<RequestedFile, ApiError> {
        let word = if other_name(tipo) == Some(word) { "pdf" } else { word };
        if let Some(form) = FORMS.iter().find(|form| form.tipo == word) {
            return Ok(RequestedFile::Printed(form, choices::of(query)?));
        }
        let kind = STORED.iter().find(|(name, tipos, _)| *name == word && tipos.contains(&tipo));
        let (name, _, kind) = kind.ok_or_else(|| {
            let detail = "Não há arquivo deste tipo: use xml, pdf, escpos, log ou xml_cancelamento.";
            ApiError::new(&error_code::NAO_ENCONTRADO, detail)
        })?;
        Ok(RequestedFile::Stored(*kind, name))
    }
}

/// A file for download.
pub(crate) struct DownloadedFile {
    name: String,
    media: &'static str,
    bytes: Vec<u8>,
}

impl DownloadedFile {
    /// Answer that shows the file (`inline`) or downloads it (`attachment`).
    pub(crate) fn answer(self, disposition: &str) -> Response {
        let disposition = format!("{disposition}; filename=\"{}\"", self.name);
        let headers = [(header::CONTENT_TYPE, self.media), (header::CONTENT_DISPOSITION, disposition.as_str())];
        (headers, self.bytes).into_response()
    }
}

/// Reads a file of a job.
pub(crate) async fn read_file(
    app: &App,
    sight: Visibility,
    job: &Job,
    asked: RequestedFile,
) -> Result<DownloadedFile, ApiError> {
    let (kind, word) = match asked {
        RequestedFile::Printed(form, choices) => return print_file(app, sight, job, form, choices).await,
        RequestedFile::Stored(kind, word) => (product_of(job, kind), word),
    };
    let download = app.engine().download(sight, job.id, kind).await.map_err(|error| refusal(job.tipo, error, word))?;
    let name = file_name::of_stored(app, kind, &download).await?;
    let media = if kind == FileKind::Log { "text/plain; charset=utf-8" } else { "application/xml; charset=utf-8" };
    Ok(DownloadedFile { name, media, bytes: download.text.into_bytes() })
}

/// The file of a job is its own product: of a cancellation the event, and not the cancelled document.
fn product_of(job: &Job, kind: FileKind) -> FileKind {
    match kind {
        FileKind::Xml if job.operacao == Operacao::Cancelamento => FileKind::XmlCancelamento,
        other => other,
    }
}

/// Second name of the printed form of a type, beside `pdf`.
fn other_name(tipo: Tipo) -> Option<&'static str> {
    match tipo {
        Tipo::Cte => Some("dacte"),
        Tipo::Nfse => Some("danfse"),
        Tipo::Nfe | Tipo::Nfce => None,
    }
}

/// Stored files: word, types that have it, kind.
const STORED: [(&str, &[Tipo], FileKind); 5] = [
    ("xml", &Tipo::ALL, FileKind::Xml),
    ("log", &Tipo::ALL, FileKind::Log),
    ("xml_cancelamento", &Tipo::ALL, FileKind::XmlCancelamento),
    ("xml_evento", &[Tipo::Cte, Tipo::Nfse], FileKind::XmlEvento),
    ("xml_dps", &[Tipo::Nfse], FileKind::XmlEnviado),
];

/// A kind of file that is drawn on request.
pub(crate) struct PrintedFile {
    tipo: &'static str,
    output: FormOutput,
    media: &'static str,
    extension: &'static str,
}

const FORMS: [PrintedFile; 2] = [
    PrintedFile { tipo: "pdf", output: FormOutput::Pdf, media: "application/pdf", extension: "pdf" },
    PrintedFile { tipo: "escpos", output: FormOutput::Printer, media: "application/octet-stream", extension: "bin" },
];

/// The printed form: DANFE, DACTE, receipt, or the form of an event.
async fn print_file(
    app: &App,
    sight: Visibility,
    job: &Job,
    form: &PrintedFile,
    choices: FormChoices,
) -> Result<DownloadedFile, ApiError> {
    let printed = app.engine().print_form(sight, job.id, form.output, choices).await.map_err(|error| match error {
        PrintError::File(error) => refusal(job.tipo, error, form.tipo),
        PrintError::NotDone(error) => error.into(),
        PrintError::NoReceipt => ApiError::not_found(
            "Só cupons têm o arquivo escpos: a NFC-e e o DANFE Simplificado Tipo 2 (tpImp 6). Use pdf.",
        ),
        PrintError::NoForm => ApiError::not_found("Este documento não tem formulário impresso. Use xml."),
        PrintError::Unreadable(error) => {
            tracing::error!(job.id = %job.id, %error, "the form could not be drawn");
            ApiError::internal()
        }
    })?;
    let name = file_name::of_form(app, &printed.job, form.extension).await?;
    Ok(DownloadedFile { name, media: form.media, bytes: printed.bytes })
}

fn refusal(documento: Tipo, error: FileError, tipo: &str) -> ApiError {
    match error {
        FileError::UnknownJob => unknown_of(documento),
        FileError::NotProduced => {
            let detail = format!(
                "O arquivo {tipo} ainda não foi produzido para esta operação. \
                 xml existe depois da autorização (ou da emissão em contingência), xml_cancelamento depois do cancelamento e pdf depois da assinatura; \
                 acompanhe em consulta."
            );
            ApiError::new(&error_code::ARQUIVO_INDISPONIVEL, detail)
        }
        FileError::NotFetched(why) => {
            let detail = format!(
                "O arquivo {tipo} está com a autoridade e não pôde ser buscado agora: {why}. Repita mais tarde."
            );
            ApiError::new(&error_code::ARQUIVO_INDISPONIVEL, detail)
        }
        FileError::Store(error) => error.into(),
    }
}
