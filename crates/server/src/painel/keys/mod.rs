//! `/painel/chaves`: the API keys of the account in the session's environment: created, replaced, revoked.

mod key_list;
mod key_page;
mod new_key;
mod submit;

pub(crate) use key_page::show_key;
pub(crate) use submit::{create_key, replace_key, revoke_key};

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use maud::html;
use store::accounts::ApiKey;

use self::new_key::KeyDraft;
use super::navigation::KEYS;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::auth::api_keys;
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel/chaves`
pub(crate) async fn show_keys(State(app): State<App>, visitor: PanelSession) -> Response {
    let shown = keys_page(&app, &visitor, StatusCode::OK, &KeyDraft::default(), None).await;
    shown.unwrap_or_else(|error| frame::failure(&error))
}

/// The form and the list; `problem` stands beside its field.
async fn keys_page(
    app: &App,
    visitor: &PanelSession,
    status: StatusCode,
    draft: &KeyDraft,
    problem: Option<(&str, &str)>,
) -> Result<Response, ApiError> {
    let caller = &visitor.at.caller;
    let mut keys = app.store().list_api_keys(caller.tenant_id).await?;
    keys.retain(|key| key.ambiente == caller.ambiente);
    let body = html! {
        h1 { (KEYS.name) }
        p {
            "Uma chave deixa um programa (ERP, loja, agente) usar o Carimbo em nome da conta. Ela é como uma senha: dê uma a cada programa, para poder trocar ou revogar uma sem parar os outros. "
            "Estas são as de " strong { (frame::name(caller.ambiente)) } "."
        }
        (key_list::list(&keys, app.engine().now_s()))
        section aria-labelledby="nova" {
            h2 id="nova" { "Criar uma chave" }
            (new_key::form(visitor, draft, problem))
        }
    };
    Ok(session_page::page(visitor, &KEYS, status, KEYS.name, body))
}

/// The key of an address, if it is one of the session's environment.
async fn visible_key(app: &App, visitor: &PanelSession, id: &str) -> Result<ApiKey, ApiError> {
    let caller = &visitor.at.caller;
    let key = api_keys::find(app, caller, id).await?;
    if key.ambiente == caller.ambiente { Ok(key) } else { Err(api_keys::unknown()) }
}
