//! `GET /v1/auth/auditoria`: administrative acts with their actors. For users only: it shows names and addresses.

use axum::Json;
use axum::extract::{RawQuery, State};
use fiscal::finding::Notice;
use fiscal::value::brasilia;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::Value;
use store::audit::{AuditAct, AuditEntry, AuditFilter};
use uuid::Uuid;

use crate::api::caller::UserSession;
use crate::api::error::ApiError;
use crate::api::instant::{CivilTime, Moment};
use crate::api::query::{PageParameters, PageView, Query};
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct TrailView = "ListaDeAuditoria": "Uma página da trilha." {
        auditoria: Vec<AuditEntryView> = "Os atos, o mais novo primeiro.",
        #[flatten] page: PageView,
    }
}

view! {
    pub(crate) struct AuditEntryView = "Ato": "Um ato administrativo." {
        id: Uuid = "Identificador (UUID).",
        ato: String = "O que foi feito.",
        alvo: String = "Em quê.",
        detalhes: Option<Value> = "O que mudou, por ato; nunca um segredo.",
        ator: ActorView = "Quem.",
        requisicao_id: Option<String> = "O `X-Request-Id` da chamada.",
        endereco: Option<String> = "De onde.",
        em: Moment = "Quando.",
    }
}

view! {
    pub(crate) struct ActorView {
        tipo: String = "Usuário, chave, operador ou anônimo.",
        id: Option<Uuid> = "Identificador (UUID).",
        nome: Option<String> = "Nome.",
    }
}

/// `GET /v1/auth/auditoria`
pub(crate) async fn listar(
    State(app): State<App>,
    session: UserSession,
    RawQuery(query): RawQuery,
) -> Result<Json<TrailView>, ApiError> {
    let (filter, page, avisos) = read(query.as_deref())?;
    let (entries, total) =
        app.store().audit_trail(session.at.caller.tenant_id, filter, page.limite, page.skip()).await?;
    let page = page.view_of(&entries, total, avisos);
    Ok(Json(TrailView { auditoria: entries.into_iter().map(act).collect(), page }))
}

fn read(query: Option<&str>) -> Result<(AuditFilter, PageParameters, Vec<Notice>), ApiError> {
    let mut query = Query::new(query);
    let page = PageParameters::read(&mut query);
    let act = query.choice("ato", AuditAct::ALL);
    let by = query.text("ator_id").map(|text| Uuid::parse_str(text).ok());
    if by == Some(None) {
        query.refuse("ator_id", "ator_id deve ser o id de um usuário ou de uma chave de API.".to_owned());
    }
    let (de, ate) = (query.date("de"), query.date("ate"));
    if de.zip(ate).is_some_and(|(de, ate)| de > ate) {
        query.refuse("ate", "ate deve ser igual a de ou depois.".to_owned());
    }
    let avisos = query.finish()?;
    let before = ate.and_then(|ate| ate.tomorrow().ok()).and_then(midnight);
    Ok((AuditFilter { act, by: by.flatten(), company: None, since: de.and_then(midnight), before }, page, avisos))
}

/// First second of a day in Brasília, the time zone of the answers.
fn midnight(day: Date) -> Option<i64> {
    brasilia::midnight(day).map(Timestamp::as_second)
}

fn act(entry: AuditEntry) -> AuditEntryView {
    AuditEntryView {
        id: entry.id,
        ato: entry.ato,
        alvo: entry.alvo,
        detalhes: Some(entry.detalhes).filter(|details| !details.is_null()),
        ator: ActorView { tipo: entry.ator, id: entry.ator_id, nome: entry.ator_nome },
        requisicao_id: entry.requisicao_id,
        endereco: entry.endereco,
        em: CivilTime::of(None).at(entry.em),
    }
}
