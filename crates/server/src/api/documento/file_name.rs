//! Names of the files of a job: the key, the part of the document, and the kind of file.

use engine::jobs::query::{FileKind, JobDownload, has_own_file, is_given_out};
use fiscal::archive_name::{document_root, event_root, form_word};
use fiscal::event::cte;
use fiscal::tipo::Tipo;
use store::Visibility;
use store::jobs::{EventAct, Job, JobAct, Operacao, VoidAct};

use crate::api::error::ApiError;
use crate::app::App;

/// Name of a drawn form.
pub(super) async fn of_form(app: &App, job: &Job, extension: &str) -> Result<String, ApiError> {
    Ok(format!("{}-{}.{extension}", chave(app, job).await?, form_label(job)))
}

/// Name of a stored file.
pub(super) async fn of_stored(app: &App, kind: FileKind, download: &JobDownload) -> Result<String, ApiError> {
    let chave = chave(app, &download.job).await?;
    let own = download.job.act.as_ref().filter(|_| has_own_file(&download.job));
    Ok(match (kind, own) {
        (FileKind::Xml, Some(JobAct::Event(event))) => {
            format!("{chave}-{}-{}.xml", act(download.job.tipo, event), event_root(download.job.tipo))
        }
        (FileKind::Xml, Some(JobAct::Void(range))) => format!("{}-procInutNFe.xml", range_name(&download.job, range)),
        (FileKind::Xml, None) if is_given_out(&download.job) => format!("{chave}-{}.xml", root(&download.job)),
        (FileKind::Xml, Some(JobAct::Replaces(_) | JobAct::ReplacedBy(_)) | None) => {
            format!("{chave}-{}.xml", document_root(download.job.tipo))
        }
        (FileKind::XmlCancelamento, _) => format!("{chave}-cancelamento-{}.xml", event_root(download.job.tipo)),
        (FileKind::XmlEvento, _) => format!("{chave}-evento-{}.xml", event_root(download.job.tipo)),
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

/// Kind of a printed form, which distinguishes the forms of one key by their file names.
fn form_label(job: &Job) -> String {
    match (job.act.as_ref().and_then(JobAct::event), job.operacao) {
        (Some(event), _) if has_own_file(job) => act(job.tipo, event),
        (_, Operacao::Cancelamento) => "cancelamento".to_owned(),
        _ => form_word(job.tipo).to_owned(),
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
