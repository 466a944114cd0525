//! Tools that read the account: companies, quotas, documents, jobs.

use axum::Json;
use axum::extract::Path;
use rmcp::model::JsonObject;
use store::Visibility;
use uuid::Uuid;

use super::answer_value;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::job::JobFacts;
use crate::api::job::view::{JobView, ListedNotaView};
use crate::api::view::{Maybe, view};
use crate::api::{cotas, empresas, jobs, notas};
use crate::mcp::argument::{query, text};
use crate::mcp::tool::{ToolContext, ToolFuture};

view! {
    pub(crate) struct ReadNoteView = "NotaConsultada": "Uma nota, pela chave, ou um job, pelo identificador." {
        nota: Maybe<ListedNotaView> = "Quando a pergunta foi pela chave.",
        job: Maybe<JobView> = "Quando a pergunta foi pelo job: a nota está em `nota` dele.",
    }
}

pub(super) fn listar_empresas(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let asked = query(arguments, true)?;
        answer_value(empresas::listar::listar(visit.state(), visit.authenticated(), asked).await)
    })
}

pub(super) fn consultar_cotas(visit: ToolContext, _: JsonObject) -> ToolFuture {
    Box::pin(async move { answer_value(cotas::cotas(visit.state(), visit.authenticated()).await) })
}

pub(super) fn listar_notas(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let asked = query(arguments, true)?;
        answer_value(notas::listar::listar(visit.state(), visit.authenticated(), asked).await)
    })
}

pub(super) fn localizar_job(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        let asked = query(arguments, true)?;
        answer_value(jobs::localizar::localizar(visit.state(), visit.authenticated(), asked).await)
    })
}

pub(super) fn consultar_nota(visit: ToolContext, arguments: JsonObject) -> ToolFuture {
    Box::pin(async move {
        match (text(&arguments, "chave")?, text(&arguments, "job_id")?) {
            (Some(chave), None) => {
                let Json(nota) = notas::detalhar::detalhar(visit.state(), visit.authenticated(), Path(chave)).await?;
                answer_value(Ok(Json(ReadNoteView { nota: Maybe(Some(nota)), job: Maybe(None) })))
            }
            (None, Some(job)) => {
                let job = by_job(&visit, &job).await?;
                answer_value(Ok(Json(ReadNoteView { nota: Maybe(None), job: Maybe(Some(job)) })))
            }
            _ => {
                let detail = "Informe um destes, e só um: chave (a chave de acesso) ou job_id.";
                Err(ApiError::new(&error_code::CAMPO_OBRIGATORIO, detail).at("chave"))
            }
        }
    })
}

/// A job of any document type.
async fn by_job(visit: &ToolContext, id: &str) -> Result<JobView, ApiError> {
    let unknown = || ApiError::not_found("Não há operação com este job_id.");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    match visit.app.store().job(Visibility::of(&visit.caller), id).await {
        Ok(job) => Ok(JobFacts::read(visit.app.store(), job).await?.view()),
        Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}
