//! Submission of an act: the request of its route, made of a form, through the function of that route.

use fiscal::tipo::Tipo;
use serde_json::{Map, Value, json};
use store::Visibility;
use store::accounts::Caller;
use store::jobs::{Job, RegistrationResult};
use uuid::Uuid;

use super::fields;
use super::law::PanelAct;
use crate::api::cte::carta_correcao as cte_correction;
use crate::api::documento::cancelar;
use crate::api::documento::document_type::{Nfce, Nfe};
use crate::api::documento::evento::{ActRoute, submit_act};
use crate::api::error::ApiError;
use crate::api::jobs::cancelar::withdraw_job;
use crate::api::jobs::reprocessar::reprocess_job;
use crate::api::nfe::carta_correcao as nfe_correction;
use crate::api::nfe::inutilizar::submit_void;
use crate::api::nfse;
use crate::app::App;
use crate::painel::form::FormFields;

/// Does an act on a document, as its route would; returns the job whose page shows it.
pub(super) async fn submit(
    app: &App,
    caller: &Caller,
    job: &Job,
    act: &PanelAct,
    typed: &FormFields,
) -> Result<Uuid, ApiError> {
    let sight = Visibility::of(caller);
    let counted = job.document.as_ref().map(|document| document.counted);
    let mut body = fields::members(act.word, job.tipo, counted, typed);
    body.insert("cpf_cnpj".to_owned(), json!(job.cpf_cnpj.as_str()));
    if let Some(url) = &job.webhook_url {
        // the system that issued the document hears of its acts
        body.insert("webhook_url".to_owned(), json!(url));
    }
    match act.word {
        "reprocessar" => reprocess_job(app, sight, job.id).await.map(drop)?,
        "retirar" => withdraw_job(app, sight, job.id).await.map(drop)?,
        "inutilizar" => return void_number(app, caller, job, body).await,
        _ => {
            body.insert("job_id".to_owned(), json!(job.id));
            submit_act(app, caller, &body, route(act, job.tipo)).await.map(drop)?;
        }
    }
    Ok(job.alvo.unwrap_or(job.id))
}

fn route(act: &PanelAct, tipo: Tipo) -> ActRoute {
    match (act.word, tipo) {
        ("corrigir", Tipo::Cte) => cte_correction::ROUTE,
        ("corrigir", _) => nfe_correction::ROUTE,
        ("analise", _) => nfse::solicitar_analise::ROUTE,
        (_, Tipo::Nfse) => nfse::cancelar::ROUTE,
        (_, tipo) => cancelar::route(tipo),
    }
}

/// Voids the number of a rejected document, as a job that has a page of its own.
async fn void_number(app: &App, caller: &Caller, job: &Job, mut body: Map<String, Value>) -> Result<Uuid, ApiError> {
    let Some(document) = &job.document else { return Err(ApiError::internal()) };
    body.insert("serie".to_owned(), json!(document.serie.in_key()));
    body.insert("numero_inicial".to_owned(), json!(document.numero));
    let registered = match job.tipo {
        Tipo::Nfce => submit_void::<Nfce>(app, caller, &body).await?,
        _ => submit_void::<Nfe>(app, caller, &body).await?,
    };
    let (RegistrationResult::New(job) | RegistrationResult::Replay { job, .. }) = registered;
    Ok(job.id)
}
