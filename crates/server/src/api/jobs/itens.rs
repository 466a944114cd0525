//! `GET /v1/jobs/{job_id}/itens`: the items of a note, their tax groups, and which of them a rejection is about.

use axum::Json;
use axum::extract::{Path, State};
use engine::items::{Item, Items};
use fiscal::lifecycle::State as Stands;
use fiscal::nfe::items;
use serde_json::{Value, json};
use store::Sight;
use store::jobs::Document;

use super::{id, unknown};
use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /v1/jobs/{job_id}/itens`
pub(crate) async fn itens(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(job_id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let asked = id(&job_id)?;
    let (engine, sight) = (app.engine().clone(), Sight::of(&caller));
    let case = async move { engine.items(sight, asked).await.map(|items| body(asked, &items)) };
    match app.carry(caller.tenant_id, true, case).await? {
        Ok(body) => Ok(Json(body)),
        Err(store::Error::NotFound) => Err(unknown()),
        Err(other) => Err(other.into()),
    }
}

fn body(asked: uuid::Uuid, items: &Items) -> Value {
    let rejected = items.job.document.as_ref().filter(|document| document.state == Stands::Rejected);
    let motivo = rejected.and_then(|document| document.xMotivo.as_deref());
    let itens: Vec<Value> = items.items.iter().map(|item| one(item, motivo)).collect();
    json!({ "job_id": asked, "itens": itens, "rejeicao": rejected.map_or(Value::Null, rejection) })
}

/// The rejection itself: it may be about no single item.
fn rejection(document: &Document) -> Value {
    json!({ "codigo_status": document.codigo, "motivo_status": document.xMotivo, "campo": document.campo })
}

fn one(item: &Item, motivo: Option<&str>) -> Value {
    let member = |tag: &str| items::member(&item.produto, tag).cloned().unwrap_or(Value::Null);
    let tax = |tag: &str| items::tax(&item.produto, tag).cloned().unwrap_or(Value::Null);
    json!({
        "item": item.item,
        "cProd": member("cProd"),
        "xProd": member("xProd"),
        "NCM": member("NCM"),
        "CFOP": member("CFOP"),
        "vProd": member("vProd"),
        "tributos": {
            "icms": tax("ICMS"),
            "ipi": tax("IPI"),
            "pis": tax("PIS"),
            "cofins": tax("COFINS"),
            "ibscbs": tax("IBSCBS"),
            "is_": tax("IS"),
        },
        "causou_rejeicao": item.caused_rejection,
        "motivo": motivo.filter(|_| item.caused_rejection),
    })
}
