//! `/painel/emitir`: a document by hand, from a recipe of the cookbook or from an earlier document; and the correction
//! of a rejected one.
//!
//! Law: `docs/contract.md`, "Emission" and "Checking and preparing": the form calls what the routes of the API call.

mod choice_page;
mod code_meanings;
mod draft_form;
mod field_control;
mod field_path;
mod field_words;
mod finding_list;
mod form_family;
mod issue_form;
mod issue_page;
mod nota_draft;
mod placed_members;
mod recipe_list;
mod record;
mod reference;
mod rejection;
#[cfg(test)]
mod round_trip;
mod sample;
mod submit;
mod submitted_issue;
mod wrapper_fields;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use fiscal::value::CnpjCpf;
use http::StatusCode;
use maud::html;
use uuid::Uuid;

pub(super) use self::field_words::label as field_label;
pub(super) use self::form_family::FormFamily;
use self::issue_form::IssueForm;
pub(super) use self::placed_members::member_at;
pub(super) use self::sample::draw_sample;
pub(crate) use self::submit::submit_issue;
use super::navigation::ISSUE;
use super::panel_session::PanelSession;
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;

/// Address of the form.
const ADDRESS: &str = ISSUE.path;

/// `GET /painel/emitir`
pub(crate) async fn show_issue(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    begin(&app, &visitor, query.as_deref().unwrap_or_default()).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn begin(app: &App, visitor: &PanelSession, query: &str) -> Result<Response, ApiError> {
    let value = |wanted: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned()).filter(|value| !value.is_empty())
    };
    let caller = &visitor.at.caller;
    let form = match (value("de"), value("receita")) {
        (Some(id), _) => match Uuid::parse_str(&id) {
            Ok(id) => IssueForm::of_document(app, caller, id).await?,
            Err(_) => None,
        },
        (None, Some(name)) => {
            let company = value("empresa").and_then(|number| CnpjCpf::parse(&number).ok());
            IssueForm::of_recipe(app, caller, &name, company).await?
        }
        (None, None) => return choice_page::show(app, visitor).await,
    };
    match form {
        Some(form) => {
            let findings =
                form.origin.as_ref().map(|origin| rejection::findings(form.family, origin)).unwrap_or_default();
            issue_page::show(app, visitor, form, findings, issue_page::PageState::Begun).await
        }
        None => Ok(unknown(visitor)),
    }
}

/// 404, equal for an absent beginning and for one of another account or environment.
fn unknown(visitor: &PanelSession) -> Response {
    let body = html! {
        h1 { "Não encontrado" }
        p { "Não há documento nem receita com este endereço nesta conta e neste ambiente, ou o documento não guarda mais o seu conteúdo. Se ele foi emitido em produção, vá para lá no alto desta página e abra o endereço de novo." }
        p { a href=(ADDRESS) { "Escolher outro começo" } }
    };
    session_page::page(visitor, &ISSUE, StatusCode::NOT_FOUND, "Não encontrado", body)
}
