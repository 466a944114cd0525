//! `POST /v1/auth/logout`: ends the session of the token.

use axum::Json;
use axum::extract::State;

use crate::api::caller::UserSession;
use crate::api::error::ApiError;
use crate::api::view::view;
use crate::app::App;

view! {
    pub(crate) struct DoneView = "Feito": "O ato foi feito." {
        sucesso: bool = "`true`.",
        mensagem: &'static str = "O que foi feito, em palavras.",
    }
}

/// `POST /v1/auth/logout`
pub(crate) async fn logout(State(app): State<App>, session: UserSession) -> Result<Json<DoneView>, ApiError> {
    let UserSession { at, actor } = session;
    app.store().end_session(at.caller.tenant_id, at.session_id, &actor, app.now()).await?;
    Ok(Json(DoneView { sucesso: true, mensagem: "Sessão encerrada; o token não vale mais." }))
}
