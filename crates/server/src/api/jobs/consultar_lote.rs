//! `POST /v1/jobs/consultar-lote`: many jobs in one call, in the order of the request.
//!
//! An id that is no UUID, or another account's, is not found; a repeated id is answered once.

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value};
use std::collections::HashSet;
use store::Visibility;
use uuid::Uuid;

use crate::api::body::{BodyFields, JsonObject};
use crate::api::caller::AuthenticatedCaller;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::job::{self, view::JobView};
use crate::api::view::view;
use crate::app::App;

/// Most ids of one call.
const MOST: usize = 200;

view! {
    pub(crate) struct BatchView = "LoteDeJobs": "Os jobs achados e os outros." {
        jobs: Vec<JobView> = "Na ordem pedida.",
        nao_encontrados: Vec<String> = "Como vieram.",
    }
}

/// `POST /v1/jobs/consultar-lote`
pub(crate) async fn consultar_lote(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    JsonObject(body): JsonObject,
) -> Result<Json<BatchView>, ApiError> {
    let asked = read(&body)?;
    let ids = asked.iter().filter_map(|text| Uuid::parse_str(text).ok()).collect();
    let jobs = app.store().jobs(Visibility::of(&caller), without_repetitions(ids)).await?;
    let found: HashSet<Uuid> = jobs.iter().map(|job| job.id).collect();
    let absent = |text: &&str| !Uuid::parse_str(text).is_ok_and(|id| found.contains(&id));
    let nao_encontrados =
        without_repetitions(asked.into_iter().filter(absent).collect()).into_iter().map(str::to_owned).collect();
    let jobs = job::listed(app.store(), caller.tenant_id, jobs).await?;
    Ok(Json(BatchView { jobs, nao_encontrados }))
}

fn read(body: &Map<String, Value>) -> Result<Vec<&str>, ApiError> {
    let mut fields = BodyFields::of(body);
    let ids = match fields.value(&["job_ids"]) {
        Some((_, Value::Array(ids))) => ids.as_slice(),
        Some(_) => {
            fields.refuse(&error_code::REQUISICAO_INVALIDA, "job_ids", "job_ids deve ser uma lista de textos.");
            &[]
        }
        None => {
            fields.refuse(&error_code::CAMPO_OBRIGATORIO, "job_ids", "Informe job_ids, a lista dos jobs a consultar.");
            &[]
        }
    };
    if ids.len() > MOST {
        let mensagem =
            format!("job_ids aceita até {MOST} identificadores por chamada; vieram {}. Divida em lotes.", ids.len());
        fields.refuse(&error_code::LOTE_EXCEDIDO, "job_ids", mensagem);
        fields.finish()?;
    } else {
        ids.iter().enumerate().filter(|(_, id)| !id.is_string()).for_each(|(at, _)| fields.push(not_text(at)));
        fields.finish()?;
    }
    Ok(ids.iter().filter_map(Value::as_str).collect())
}

fn not_text(at: usize) -> FieldProblem {
    let campo = format!("job_ids[{at}]");
    let mensagem = format!("{campo} deve ser um texto, o job_id devolvido na emissão.");
    FieldProblem::new(&error_code::REQUISICAO_INVALIDA, campo, mensagem)
}

/// Removes repetitions and keeps the order.
fn without_repetitions<T: Copy + Eq + std::hash::Hash>(all: Vec<T>) -> Vec<T> {
    let mut seen = HashSet::new();
    all.into_iter().filter(|one| seen.insert(*one)).collect()
}
