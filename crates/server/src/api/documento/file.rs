//! `GET /v1/{nfe|nfce|cte|nfse}/{id}/file/{tipo}`: the files of a job, named by the access key.

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use engine::print::{Choices, Output, PrintError};
use engine::query::{Arquivo, Download, FileError, is_given_out, keeps_its_own};
use fiscal::event::cte;
use fiscal::tipo::Tipo;
use http::header;
use store::Sight;
use store::jobs::{Act, EventAct, Job, Operacao, VoidAct};

use super::choices;
use super::consultar::{find, unknown};
use super::family::Family;
use crate::api::caller::Authenticated;
use crate::api::code;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /v1/nfe/{id}/file/{tipo}`, also of `nfce`, `cte` and `nfse`
pub(crate) async fn file<F: Family>(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path((id, tipo)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let tipo = if other_name(F::TIPO) == Some(tipo.as_str()) { "pdf".to_owned() } else { tipo };
    if let Some(form) = FORMS.iter().find(|form| form.tipo == tipo) {
        let choices = choices::of(query.as_deref())?;
        return printed::<F>(&app, Sight::of(&caller), &id, form, choices).await;
    }
    let kind = kind::<F>(&tipo)?;
    let job = find::<F>(&app, Sight::of(&caller), &id).await?;
    let kind = made_by(&job, kind);
    let download =
        app.engine().download(Sight::of(&caller), job.id, kind).await.map_err(|error| refusal::<F>(error, &tipo))?;
    let name = name(&app, kind, &download).await?;
    Ok(attachment(kind, &name, download.text))
}

/// The file of a job is its own product: of a cancellation the event, and not the cancelled document.
fn made_by(job: &Job, kind: Arquivo) -> Arquivo {
    match kind {
        Arquivo::Xml if job.operacao == Operacao::Cancelamento => Arquivo::XmlCancelamento,
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

fn kind<F: Family>(tipo: &str) -> Result<Arquivo, ApiError> {
    match tipo {
        "xml" => Ok(Arquivo::Xml),
        "log" => Ok(Arquivo::Log),
        "xml_cancelamento" => Ok(Arquivo::XmlCancelamento),
        "xml_evento" if matches!(F::TIPO, Tipo::Cte | Tipo::Nfse) => Ok(Arquivo::XmlEvento),
        "xml_dps" if F::TIPO == Tipo::Nfse => Ok(Arquivo::XmlEnviado),
        _ => {
            let detail = "Não há arquivo deste tipo: use xml, pdf, escpos, log ou xml_cancelamento.";
            Err(ApiError::new(&code::NAO_ENCONTRADO, detail))
        }
    }
}

/// A kind of file that is drawn on request.
struct Form {
    tipo: &'static str,
    output: Output,
    media: &'static str,
    extension: &'static str,
}

const FORMS: [Form; 2] = [
    Form { tipo: "pdf", output: Output::Pdf, media: "application/pdf", extension: "pdf" },
    Form { tipo: "escpos", output: Output::Printer, media: "application/octet-stream", extension: "bin" },
];

/// The printed form: DANFE, DACTE, receipt, or the form of an event.
async fn printed<F: Family>(
    app: &App,
    sight: Sight,
    id: &str,
    form: &Form,
    choices: Choices,
) -> Result<Response, ApiError> {
    let job = find::<F>(app, sight, id).await?;
    let printed = app.engine().printed(sight, job.id, form.output, choices).await.map_err(|error| match error {
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
    let disposition = format!("attachment; filename=\"{chave}-{}.{}\"", what(&printed.job), form.extension);
    let headers = [(header::CONTENT_TYPE, form.media), (header::CONTENT_DISPOSITION, disposition.as_str())];
    Ok((headers, printed.bytes).into_response())
}

fn refusal<F: Family>(error: FileError, tipo: &str) -> ApiError {
    match error {
        FileError::UnknownJob => unknown::<F>(),
        FileError::NotProduced => {
            let detail = format!(
                "O arquivo {tipo} ainda não foi produzido para esta operação. \
                 xml existe depois da autorização (ou da emissão em contingência), xml_cancelamento depois do cancelamento e pdf depois da assinatura; \
                 acompanhe em consulta."
            );
            ApiError::new(&code::ARQUIVO_INDISPONIVEL, detail)
        }
        FileError::NotFetched(why) => {
            let detail = format!(
                "O arquivo {tipo} está com a autoridade e não pôde ser buscado agora: {why}. Repita mais tarde."
            );
            ApiError::new(&code::ARQUIVO_INDISPONIVEL, detail)
        }
        FileError::Store(error) => error.into(),
    }
}

/// File name: the key, the part of the document, and the file kind.
async fn name(app: &App, kind: Arquivo, download: &Download) -> Result<String, ApiError> {
    let chave = chave(app, &download.job).await?;
    let own = download.job.act.as_ref().filter(|_| keeps_its_own(&download.job));
    Ok(match (kind, own) {
        (Arquivo::Xml, Some(Act::Event(event))) => {
            format!("{chave}-{}-{}.xml", act(download.job.tipo, event), event_archive(&download.job))
        }
        (Arquivo::Xml, Some(Act::Void(range))) => format!("{}-procInutNFe.xml", range_name(&download.job, range)),
        (Arquivo::Xml, None) if is_given_out(&download.job) => format!("{chave}-{}.xml", root(&download.job)),
        (Arquivo::Xml, Some(Act::Replaces(_) | Act::ReplacedBy(_)) | None) => {
            format!("{chave}-{}.xml", archive(&download.job))
        }
        (Arquivo::XmlCancelamento, _) => format!("{chave}-cancelamento-{}.xml", event_archive(&download.job)),
        (Arquivo::XmlEvento, _) => format!("{chave}-evento-{}.xml", event_archive(&download.job)),
        (Arquivo::XmlEnviado, _) => format!("{chave}-{}.xml", root(&download.job)),
        (Arquivo::Log, _) => format!("{chave}-log.txt"),
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
fn what(job: &Job) -> String {
    match (job.act.as_ref().and_then(Act::event), job.operacao) {
        (Some(event), _) if keeps_its_own(job) => act(job.tipo, event),
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
    let of_transport = cte::TpEvento::from_code(&event.tpEvento).filter(|_| tipo == Tipo::Cte);
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
        (None, Some(alvo)) => app.store().job(Sight::whole(job.tenant_id), alvo).await?.document,
        (document, _) => document.clone(),
    };
    let acted = job.act.as_ref().and_then(Act::event).map(|event| event.chave);
    let chave = document.and_then(|document| document.chave).or(acted);
    Ok(match chave {
        None => job.id.to_string(),
        // a municipal registration may have characters that file names do not allow
        Some(chave) => chave.to_string().replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "-"),
    })
}

fn attachment(kind: Arquivo, name: &str, text: String) -> Response {
    let media = match kind {
        Arquivo::Xml | Arquivo::XmlEnviado | Arquivo::XmlCancelamento | Arquivo::XmlEvento => {
            "application/xml; charset=utf-8"
        }
        Arquivo::Log => "text/plain; charset=utf-8",
    };
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, media), (header::CONTENT_DISPOSITION, disposition.as_str())], text).into_response()
}
