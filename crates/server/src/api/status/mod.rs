//! `GET /status`: the current state of each part. 503 when an essential one is down.

pub(super) mod view;

use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use engine::authorities::health::AuthorityHealth;
use engine::queries::status::{OverallStatus, SystemStatus};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;
use store::authorities::Circuit;

use super::instant::CivilTime;
use super::uncertain;
use super::view::Maybe;
use super::words::Word;
use crate::app::App;
use crate::status_cache::CachedStatus;
use view::{
    AuthoritiesStatusView, AuthorityView, DatabaseView, OpenCircuitView, PartsView, QueueView, StatusView,
    UncertainView, WebhooksView, WorkersView,
};

async fn fresh_answer(app: &App) -> CachedStatus {
    let parts = app.engine().status().await;
    CachedStatus { down: parts.overall == OverallStatus::Down, body: json!(view(app, &parts)) }
}

/// `GET /status`
pub(crate) async fn status(State(app): State<App>) -> Response {
    let CachedStatus { down, body } =
        app.status_cache().answer(Instant::now(), async || fresh_answer(&app).await).await;
    let mut response = Json(body).into_response();
    if down {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("10"));
    }
    response
}

fn view(app: &App, parts: &SystemStatus) -> StatusView {
    StatusView {
        status: word(parts.overall),
        versao: crate::VERSION,
        no_ar_ha_s: app.uptime_s(),
        componentes: PartsView {
            banco_de_dados: database(app, parts),
            fila: queue(parts),
            ponte_fiscal: bridge(parts),
            trabalhadores: workers(app, parts),
            webhooks: webhooks(parts),
        },
        registro_incerto: Maybe(parts.restored.map(|restored| {
            let (copia_de, restaurado_em) = uncertain::interval(restored);
            UncertainView { copia_de, restaurado_em }
        })),
    }
}

fn word(overall: OverallStatus) -> &'static str {
    match overall {
        OverallStatus::Operational => "operacional",
        OverallStatus::Degraded => "degradado",
        OverallStatus::Down => "fora_do_ar",
    }
}

fn ok(works: bool) -> &'static str {
    if works { "ok" } else { "fora" }
}

/// A full disk answers reads and fails writes: both are checked.
fn database(app: &App, parts: &SystemStatus) -> DatabaseView {
    DatabaseView {
        status: ok(parts.database && parts.writes),
        leitura: ok(parts.database),
        escrita: ok(parts.writes),
        tipo: app.store().kind(),
        essencial: true,
    }
}

fn queue(parts: &SystemStatus) -> QueueView {
    let depth = parts.queue;
    QueueView {
        status: ok(depth.is_some()),
        pendentes: Maybe(depth.map(|depth| depth.pending)),
        em_processamento: Maybe(depth.map(|depth| depth.processing)),
        espera_mais_longa_s: Maybe(depth.map(|depth| depth.oldest_s)),
        essencial: true,
    }
}

/// Not essential: a receiver that is down delays deliveries and is not a fault of ours.
fn webhooks(parts: &SystemStatus) -> WebhooksView {
    let (pending, oldest_s) = parts.webhooks.unzip();
    WebhooksView {
        status: ok(parts.webhooks.is_some()),
        pendentes: Maybe(pending),
        espera_mais_longa_s: Maybe(oldest_s),
        essencial: false,
    }
}

fn workers(app: &App, parts: &SystemStatus) -> WorkersView {
    let status = match (app.works_here(), parts.workers) {
        (false, _) => "em_outro_processo",
        (true, Some(false)) => "fora",
        (true, _) => "ok",
    };
    WorkersView { status, jobs_em_maos: parts.jobs_in_hand, essencial: app.works_here() }
}

/// Not essential: documents use contingency, or wait.
fn bridge(parts: &SystemStatus) -> AuthoritiesStatusView {
    let troubled = parts.bridge.iter().any(|authority| !authority.answering()) || !parts.circuits.is_empty();
    AuthoritiesStatusView {
        status: if troubled { "degradado" } else { "ok" },
        essencial: false,
        autoridades: parts.bridge.iter().map(authority).collect(),
        contingencia: parts.circuits.iter().map(circuit).collect(),
    }
}

fn circuit(circuit: &Circuit) -> OpenCircuitView {
    let time = CivilTime::of(None);
    OpenCircuitView {
        autoridade: circuit.key.authority.clone(),
        modelo: circuit.key.modelo,
        ambiente: Word(circuit.key.ambiente),
        disjuntor: engine::contingency::word(circuit.state),
        desde: circuit.opened_at.map(|at| time.at(at)),
        motivo: circuit.reason.clone(),
    }
}

/// Recorded health of an authority.
pub(super) fn authority(health: &AuthorityHealth) -> AuthorityView {
    let time = CivilTime::of(None);
    AuthorityView {
        autoridade: health.authority.clone(),
        ambiente: Word(health.ambiente),
        status: if health.answering() { "ok" } else { "sem_resposta" },
        ultima_resposta: health.last_success.map(|at| time.at(at)),
        ultima_falha: health.last_failure.map(|at| time.at(at)),
        codigo_status: health.service_status.as_ref().map(|(codigo, _)| codigo.clone()),
        motivo_status: health.service_status.as_ref().map(|(_, xMotivo)| xMotivo.clone()),
    }
}
