//! `GET /v1/{nfe|nfce|cte|nfse}/{id}/file/{tipo}`: the files of a job, named by the access key.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::jobs::print::{FormChoices, FormOutput, PrintError};
use engine::jobs::query::{FileError, FileKind, JobDownload, has_own_file, is_given_out};
use fiscal::event::cte;
use fiscal::tipo::Tipo;
use http::header;
use store::Visibility;
use store::jobs::{EventAct, Job, JobAct, Operacao, VoidAct};

use super::choices;
use super::consultar::{find, unknown};
use super::document_type::DocumentType;
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
    let tipo = if other_name(F::TIPO) == Some(tipo.as_str()) { "pdf".to_owned() } else { tipo };
    if let Some(form) = FORMS.iter().find(|form| form.tipo == tipo) {
        let choices = choices::of(query.as_deref())?;
        return printed_form_answer::<F>(&app, Visibility::of(&caller), &id, form, choices).await;
    }
    let kind = kind::<F>(&tipo)?;
    let job = find::<F>(&app, Visibility::of(&caller), &id).await?;
    let kind = product_of(&job, kind);
    let download = app
        .engine()
        .download(Visibility::of(&caller), job.id, kind)
        .await
        .map_err(|error| refusal::<F>(error, &tipo))?;
    let name = name(&app, kind, &download).await?;
    Ok(attachment(kind, &name, download.text))
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

fn kind<F: DocumentType>(tipo: &str) -> Result<FileKind, ApiError> {
    match tipo {
        "xml" => Ok(FileKind::Xml),
        "log" => Ok(FileKind::Log),
        "xml_cancelamento" => Ok(FileKind::XmlCancelamento),
        "xml_evento" if matches!(F::TIPO, Tipo::Cte | Tipo::Nfse) => Ok(FileKind::XmlEvento),
        "xml_dps" if F::TIPO == Tipo::Nfse => Ok(FileKind::XmlEnviado),
        _ => {
            let detail = "Não há arquivo deste tipo: use xml, pdf, escpos, log ou xml_cancelamento.";
            Err(ApiError::new(&error_code::NAO_ENCONTRADO, detail))
        }
    }
}

/// A kind of file that is drawn on request.
struct PrintedFile {
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
async fn printed_form_answer<F: DocumentType>(
    app: &App,
    sight: Visibility,
    id: &str,
    form: &PrintedFile,
    choices: FormChoices,
) -> Result<Response, ApiError> {
    let job = find::<F>(app, sight, id).await?;
    let printed = app.engine().print_form(sight, job.id, form.output, choices).await.map_err(|error| match error {
        PrintError::File(error) => refusal::<F>(error, form.tipo),
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
    let chave = chave(app, &printed.job).await?;
    let disposition = format!("attachment; filename=\"{chave}-{}.{}\"", form_label(&printed.job), form.extension);
    let headers = [(header::CONTENT_TYPE, form.media), (header::CONTENT_DISPOSITION, disposition.as_str())];
    Ok((headers, printed.bytes).into_response())
}

fn refusal<F: DocumentType>(error: FileError, tipo: &str) -> ApiError {
    match error {
        FileError::UnknownJob => unknown::<F>(),
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

/// File name: the key, the part of the document, and the file kind.
async fn name(app: &App, kind: FileKind, download: &JobDownload) -> Result<String, ApiError> {
    let chave = chave(app, &download.job).await?;
    let own = download.job.act.as_ref().filter(|_| has_own_file(&download.job));
    Ok(match (kind, own) {
        (FileKind::Xml, Some(JobAct::Event(event))) => {
            format!("{chave}-{}-{}.xml", act(download.job.tipo, event), event_archive(&download.job))
        }
        (FileKind::Xml, Some(JobAct::Void(range))) => format!("{}-procInutNFe.xml", range_name(&download.job, range)),
        (FileKind::Xml, None) if is_given_out(&download.job) => format!("{chave}-{}.xml", root(&download.job)),
        (FileKind::Xml, Some(JobAct::Replaces(_) | JobAct::ReplacedBy(_)) | None) => {
            format!("{chave}-{}.xml", archive(&download.job))
        }
        (FileKind::XmlCancelamento, _) => format!("{chave}-cancelamento-{}.xml", event_archive(&download.job)),
        (FileKind::XmlEvento, _) => format!("{chave}-evento-{}.xml", event_archive(&download.job)),
        (FileKind::XmlEnviado, _) => format!("{chave}-{}.xml", root(&download.job)),
        (FileKind::Log, _) => format!("{chave}-log.txt"),
    })
}

/// Root of a signed document without protocol.
fn root(job: &Job) -> &'static str {
    match job.tipo {
        Tipo::Cte => "CTe",
        Tipo::Nfse => "DPS",
        Tipo::Nfe | Tipo::Nfce => "NFe",
    }
}

/// Root of an authorised document.
fn archive(job: &Job) -> &'static str {
    match job.tipo {
        Tipo::Cte => "procCTe",
        Tipo::Nfse => "NFSe",
        Tipo::Nfe | Tipo::Nfce => "procNFe",
    }
}

/// Root of a registered event.
fn event_archive(job: &Job) -> &'static str {
    match job.tipo {
        Tipo::Cte => "procEventoCTe",
        Tipo::Nfse => "evento",
        Tipo::Nfe | Tipo::Nfce => "procEventoNFe",
    }
}

/// Kind of a printed form, which distinguishes the forms of one key by their file names.
fn form_label(job: &Job) -> String {
    match (job.act.as_ref().and_then(JobAct::event), job.operacao) {
        (Some(event), _) if has_own_file(job) => act(job.tipo, event),
        (_, Operacao::Cancelamento) => "cancelamento".to_owned(),
        _ => match job.tipo {
            Tipo::Nfce => "danfe-nfce".to_owned(),
            Tipo::Cte => "dacte".to_owned(),
            Tipo::Nfse => "danfse".to_owned(),
            Tipo::Nfe => "danfe".to_owned(),
        },
    }
}

/// Word and sequence number of an event.
fn act(tipo: Tipo, event: &EventAct) -> String {
    let of_transport = cte::CteEventKind::from_code(&event.tpEvento).filter(|_| tipo == Tipo::Cte);
    if let Some(kind) = of_transport {
        return format!("{}-{:02}", kind.word().replace('_', "-"), event.nSeqEvento);
    }
    let word = match event.tpEvento.as_str() {
        "110110" => "carta-correcao",
        "110150" => "ator-interessado",
        "210200" => "confirmacao",
        "210210" => "ciencia",
        "210220" => "desconhecimento",
        "210240" => "nao-realizada",
        "101103" => "analise-fiscal",
        code => code,
    };
    format!("{word}-{:02}", event.nSeqEvento)
}

/// Name of a range: the digits of its `Id`.
fn range_name(job: &Job, range: &VoidAct) -> String {
    let VoidAct { cUF, ano, modelo, serie, nNFIni, nNFFin, .. } = range;
    format!("{cUF:02}{ano:02}{}{modelo:02}{serie:03}{nNFIni:09}{nNFFin:09}", job.cpf_cnpj.as_str())
}

/// Key for the file name; the job's id while there is no key.
async fn chave(app: &App, job: &Job) -> Result<String, ApiError> {
    let document = match (&job.document, job.alvo) {
        (None, Some(alvo)) => app.store().job(Visibility::whole(job.tenant_id), alvo).await?.document,
        (document, _) => document.clone(),
    };
    let acted = job.act.as_ref().and_then(JobAct::event).map(|event| event.chave);
    let chave = document.and_then(|document| document.chave).or(acted);
    Ok(match chave {
        None => job.id.to_string(),
        // a municipal registration may have characters that file names do not allow
        Some(chave) => chave.to_string().replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "-"),
    })
}

fn attachment(kind: FileKind, name: &str, text: String) -> Response {
    let media = match kind {
        FileKind::Xml | FileKind::XmlEnviado | FileKind::XmlCancelamento | FileKind::XmlEvento => {
            "application/xml; charset=utf-8"
        }
        FileKind::Log => "text/plain; charset=utf-8",
    };
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, media), (header::CONTENT_DISPOSITION, disposition.as_str())], text).into_response()
}
