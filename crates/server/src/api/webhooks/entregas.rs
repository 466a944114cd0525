//! `GET /v1/webhooks/entregas`: what was told to whom, attempt by attempt, newest first.

use axum::Json;
use axum::extract::{RawQuery, State};
use serde_json::{Value, json};
use store::Sight;
use store::webhooks::{Attempt, DeliveryFilter, DeliveryRecord, DeliveryStatus, Evento};
use uuid::Uuid;

use crate::api::caller::Authenticated;
use crate::api::error::ApiError;
use crate::api::instant::StateTime;
use crate::api::query::{Page, Query};
use crate::app::App;

/// `GET /v1/webhooks/entregas?job_id&status&evento&pagina&limite`
pub(crate) async fn listar(
    State(app): State<App>,
    Authenticated(caller): Authenticated,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let (filter, page) = read(query.as_deref())?;
    let offset = page.limite.saturating_mul(page.pagina - 1);
    let (found, total) = app.store().deliveries(Sight::of(&caller), filter, page.limite, offset).await?;
    let entregas: Vec<Value> = found.iter().map(view).collect();
    Ok(Json(json!({ "entregas": entregas, "total": total, "pagina": page.pagina, "limite": page.limite })))
}

fn read(query: Option<&str>) -> Result<(DeliveryFilter, Page), ApiError> {
    let mut query = Query::new(query);
    let job_id = query.text("job_id").map(Uuid::parse_str).transpose();
    if job_id.is_err() {
        query.refuse("job_id", "job_id deve ser o UUID de um job.".to_owned());
    }
    let status = query.choice("status", &DeliveryStatus::ALL);
    let evento = query.text("evento").map(str::to_owned);
    if evento.as_deref().is_some_and(|evento| !is_event(evento)) {
        let words: Vec<&str> = Evento::ALL.iter().map(|(word, _)| *word).collect();
        let mensagem =
            format!("evento deve ser <tipo>.<fato>, como nfe.autorizada; os fatos são {}.", words.join(", "));
        query.refuse("evento", mensagem);
    }
    let page = Page::read(&mut query);
    query.finish()?;
    Ok((DeliveryFilter { job_id: job_id.unwrap_or_default(), status, evento }, page))
}

fn is_event(text: &str) -> bool {
    let Some((tipo, fato)) = text.split_once('.') else { return false };
    matches!(tipo, "nfe" | "nfce" | "nfse" | "cte") && Evento::ALL.iter().any(|(word, _)| *word == fato)
}

/// A delivery as answers show it.
pub(super) fn view(record: &DeliveryRecord) -> Value {
    let time = StateTime::of(None);
    let historico: Vec<Value> = record.historico.iter().map(|attempt| attempt_view(attempt, time)).collect();
    json!({
        "id": record.id,
        "job_id": record.job_id,
        "evento": record.evento,
        "ambiente": record.ambiente.word(),
        "url": record.url,
        "status": record.status.word(),
        "tentativas": record.tentativas,
        "criado_em": time.json(record.criado_em),
        "proxima_tentativa_em": time.json_or_null(record.proxima_em),
        "concluido_em": time.json_or_null(record.concluido_em),
        "historico": historico,
    })
}

fn attempt_view(attempt: &Attempt, time: StateTime) -> Value {
    json!({
        "tentativa": attempt.tentativa,
        "em": time.json(attempt.em),
        "codigo_http": attempt.codigo_http,
        "duracao_ms": attempt.duracao_ms,
        "erro": attempt.erro,
        "resposta": attempt.resposta,
    })
}
