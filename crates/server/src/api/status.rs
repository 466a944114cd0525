//! `GET /status`: what the parts answered just now. 503 when an essential one is down.
//!
//! Law: `spec/interface.md`, Public and documentation.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use engine::AuthorityHealth;
use engine::status::{Overall, Status};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use store::authorities::Circuit;
use tokio::sync::Mutex;

use super::instant::StateTime;
use crate::app::App;

/// The last answer. The route is public and its answer counts the queue: it is made once a second, however many ask.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Option<(Instant, Answer)>>);

#[derive(Clone)]
struct Answer {
    down: bool,
    body: Value,
}

impl Kept {
    /// The answer of this second; who asks while it is made waits for it.
    async fn answer(&self, now: Instant, make: impl AsyncFnOnce() -> Answer) -> Answer {
        let mut kept = self.0.lock().await;
        if let Some((made, answer)) = kept.as_ref()
            && now.saturating_duration_since(*made) < FRESH
        {
            return answer.clone();
        }
        let answer = make().await;
        *kept = Some((now, answer.clone()));
        answer
    }
}

const FRESH: Duration = Duration::from_secs(1);

async fn made(app: &App) -> Answer {
    let parts = app.engine().status().await;
    Answer { down: parts.overall == Overall::Down, body: body(app, &parts) }
}

/// `GET /status`
pub(crate) async fn status(State(app): State<App>) -> Response {
    let Answer { down, body } = app.kept_status().answer(Instant::now(), async || made(&app).await).await;
    let mut response = Json(body).into_response();
    if down {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("10"));
    }
    response
}

fn body(app: &App, parts: &Status) -> Value {
    json!({
        "status": word(parts.overall),
        "versao": crate::VERSION,
        "no_ar_ha_s": app.uptime_s(),
        "componentes": {
            "banco_de_dados": database(app, parts),
            "fila": queue(parts),
            "ponte_fiscal": bridge(parts),
            "trabalhadores": workers(app, parts),
            "webhooks": webhooks(parts),
        },
    })
}

fn word(overall: Overall) -> &'static str {
    match overall {
        Overall::Operational => "operacional",
        Overall::Degraded => "degradado",
        Overall::Down => "fora_do_ar",
    }
}

/// A full disk answers every question and takes no document: both are tried.
fn database(app: &App, parts: &Status) -> Value {
    let word = |works| if works { "ok" } else { "fora" };
    json!({
        "status": word(parts.database && parts.writes),
        "leitura": word(parts.database),
        "escrita": word(parts.writes),
        "tipo": app.store().kind(),
        "essencial": true,
    })
}

fn queue(parts: &Status) -> Value {
    match parts.queue {
        Some(depth) => json!({
            "status": "ok",
            "pendentes": depth.pending,
            "em_processamento": depth.processing,
            "espera_mais_longa_s": depth.oldest_s,
            "essencial": true,
        }),
        None => json!({ "status": "fora", "essencial": true }),
    }
}

/// One receiver that is down makes deliveries wait, and is no trouble of ours.
fn webhooks(parts: &Status) -> Value {
    match parts.webhooks {
        Some((pending, oldest_s)) => {
            json!({ "status": "ok", "pendentes": pending, "espera_mais_longa_s": oldest_s, "essencial": false })
        }
        None => json!({ "status": "fora", "essencial": false }),
    }
}

fn workers(app: &App, parts: &Status) -> Value {
    let status = match (app.works_here(), parts.workers) {
        (false, _) => "em_outro_processo",
        (true, Some(false)) => "fora",
        (true, _) => "ok",
    };
    json!({ "status": status, "jobs_em_maos": parts.jobs_in_hand, "essencial": app.works_here() })
}

/// Not essential: documents go by contingency, or wait.
fn bridge(parts: &Status) -> Value {
    let troubled = parts.bridge.iter().any(|authority| !authority.answering()) || !parts.circuits.is_empty();
    let rows: Vec<Value> = parts.bridge.iter().map(authority).collect();
    let open: Vec<Value> = parts.circuits.iter().map(circuit).collect();
    let status = if troubled { "degradado" } else { "ok" };
    json!({ "status": status, "essencial": false, "autoridades": rows, "contingencia": open })
}

fn circuit(circuit: &Circuit) -> Value {
    let time = StateTime::of(None);
    json!({
        "autoridade": circuit.key.authority,
        "modelo": circuit.key.modelo,
        "ambiente": circuit.key.ambiente.word(),
        "disjuntor": engine::contingency::word(circuit.state),
        "desde": time.json_or_null(circuit.opened_at),
        "motivo": circuit.reason,
    })
}

/// What was heard of an authority last.
pub(super) fn authority(health: &AuthorityHealth) -> Value {
    let time = StateTime::of(None);
    json!({
        "autoridade": health.authority,
        "ambiente": health.ambiente.word(),
        "status": if health.answering() { "ok" } else { "sem_resposta" },
        "ultima_resposta": time.json_or_null(health.last_success),
        "ultima_falha": time.json_or_null(health.last_failure),
        "codigo_status": health.service_status.as_ref().map(|(cStat, _)| *cStat),
        "motivo_status": health.service_status.as_ref().map(|(_, xMotivo)| xMotivo.as_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_answer_is_made_once_a_second_however_many_ask() {
        let (kept, start) = (Kept::default(), Instant::now());
        let ask = async |ms: u64, body: u64| {
            let make = async || Answer { down: false, body: json!(body) };
            kept.answer(start + Duration::from_millis(ms), make).await.body
        };
        assert_eq!(ask(0, 1).await, 1);
        assert_eq!(ask(999, 2).await, 1);
        assert_eq!(ask(1000, 3).await, 3);
        assert_eq!(ask(1500, 4).await, 3);
    }
}
