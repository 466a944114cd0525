//! `GET /v1/nfe/{id}/eventos`: the events of a note, by kind and sequence number; the note may be one that was received.

use axum::Json;
use axum::extract::{Path, State};
use fiscal::event::Kind;
use fiscal::tipo::Tipo;
use serde_json::{Value, json};
use store::Sight;
use store::events::EventRow;
use store::jobs::Act;

use crate::api::caller::Authenticated;
use crate::api::documento::consultar::find;
use crate::api::documento::family::Nfe;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /v1/nfe/{id}/eventos`
pub(crate) async fn eventos(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let job = find::<Nfe>(&app, Sight::of(&caller), &id).await?;
    let emission = match job.alvo {
        Some(alvo) => app.store().job(Sight::of(&caller), alvo).await?,
        None => job,
    };
    let acted = emission.act.as_ref().and_then(Act::event).map(|event| event.chave);
    let chave = emission.document.and_then(|document| document.chave).or(acted);
    let rows = match &chave {
        Some(chave) => app.store().events(caller.tenant_id, chave.as_str()).await?,
        None => Vec::new(),
    };
    let eventos: Vec<Value> = rows.iter().map(|row| view(emission.tipo, row)).collect();
    let total = eventos.len();
    Ok(Json(json!({ "job_id": emission.id, "chave": chave, "eventos": eventos, "total": total })))
}

fn view(tipo: Tipo, row: &EventRow) -> Value {
    json!({
        "codigo": row.tpEvento,
        "descricao": Kind::from_code(&row.tpEvento).map(Kind::description),
        "sequencia": row.nSeqEvento,
        "situacao": if row.registered { "registrado" } else { "em_andamento" },
        "protocolo": row.nProt,
        "data_registro": row.dhRegEvento,
        "job_id": row.job_id,
        "consulta": row.job_id.map(|id| format!("/v1/{tipo}/consultar/{id}")),
    })
}
