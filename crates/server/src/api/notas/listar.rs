//! `GET /v1/notas` and `GET /v1/auth/notas`: the notes of the account, newest first, in pages.

use axum::Json;
use axum::extract::{RawQuery, State};
use store::Visibility;
use store::notes::{ListWindow, NoteFilter};

use super::filter::NoteListRequest;
use crate::api::caller::{AuthenticatedCaller, UserSession};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::job::{self, view::ListedNotaView};
use crate::api::query::PageView;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct NotesView = "ListaDeNotas": "Uma página de notas." {
        notas: Vec<ListedNotaView> = "A mais nova primeiro.",
        #[flatten] page: PageView,
    }
}

/// `GET /v1/notas`
pub(crate) async fn listar(
    State(app): State<App>,
    AuthenticatedCaller(caller): AuthenticatedCaller,
    RawQuery(query): RawQuery,
) -> Result<Json<NotesView>, ApiError> {
    list(&app, Visibility::of(&caller), query.as_deref()).await
}

/// `GET /v1/auth/notas`: the same list, for users only.
pub(crate) async fn da_sessao(
    State(app): State<App>,
    session: UserSession,
    RawQuery(query): RawQuery,
) -> Result<Json<NotesView>, ApiError> {
    list(&app, Visibility::of(&session.at.caller), query.as_deref()).await
}

async fn list(app: &App, sight: Visibility, query: Option<&str>) -> Result<Json<NotesView>, ApiError> {
    let NoteListRequest { filter, dates, page, voided, avisos } = NoteListRequest::read(query)?;
    let time = CivilTime::of_issuer(app.store(), sight.tenant(), filter.emitente).await?;
    let filter = NoteFilter { periodo: dates.open(time), ..filter };
    let window = ListWindow { limit: page.limite, skip: page.skip() };
    let (jobs, total) = match voided {
        true => app.store().voided(sight, filter, window).await?,
        false => app.store().notes(sight, filter, window).await?,
    };
    let notas = job::listed_notes(app.store(), sight.tenant(), jobs).await?;
    Ok(Json(NotesView { page: page.view_of(&notas, total, avisos), notas }))
}
