//! Forms of keys: create, replace, revoke.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use jiff::ToSpan as _;
use jiff::civil::Date;
use store::accounts::Permissao;

use super::key_page::{MOST_DAYS, key_page};
use super::new_key::{KeyDraft, PERMISSIONS, secret_page};
use super::{keys_page, visible_key};
use crate::api::auth::api_keys::{self, LONGEST_NAME};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::navigation::KEYS;
use crate::painel::{frame, words};

/// `POST /painel/chaves`
pub(crate) async fn create_key(State(app): State<App>, sent: SubmittedForm) -> Response {
    create(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/chaves/{id}/trocar`
pub(crate) async fn replace_key(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    replace(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/chaves/{id}/revogar`
pub(crate) async fn revoke_key(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    let visitor = &sent.visitor;
    let revoked = async {
        let key = visible_key(&app, visitor, &id).await?;
        api_keys::revoke(&app, &visitor.at.caller, &visitor.actor, &key).await
    };
    match revoked.await {
        Ok(()) => Redirect::to(KEYS.path).into_response(),
        Err(error) => frame::failure(&error),
    }
}

async fn create(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, fields) = (&sent.visitor, &sent.fields);
    let draft =
        KeyDraft { nome: fields.text("nome").trim().to_owned(), permissao: fields.text("permissao").to_owned() };
    let (field, problem) = match checked(&draft) {
        Ok(permissao) => {
            let new = (draft.nome.clone(), visitor.at.caller.ambiente, permissao);
            match api_keys::create(app, &visitor.at.caller, &visitor.actor, new).await {
                Ok(made) => return Ok(secret_page(visitor, &made, None)),
                Err(error) if error.code().status >= 500 => return Err(error),
                Err(error) => ("", error.detail().to_owned()),
            }
        }
        Err((field, problem)) => (field, problem),
    };
    keys_page(app, visitor, StatusCode::UNPROCESSABLE_ENTITY, &draft, Some((field, &problem))).await
}

fn checked(draft: &KeyDraft) -> Result<Permissao, (&'static str, String)> {
    let length = draft.nome.chars().count();
    if !(1..=LONGEST_NAME).contains(&length) {
        return Err(("nome", format!("Dê um nome de até {LONGEST_NAME} letras.")));
    }
    let chosen = PERMISSIONS.iter().find(|(permissao, ..)| permissao.word() == draft.permissao);
    chosen.map(|(permissao, ..)| *permissao).ok_or_else(|| ("permissao", "Escolha o que a chave pode.".to_owned()))
}

async fn replace(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let key = visible_key(app, visitor, id).await?;
    let (time, typed) = (CivilTime::of(None), sent.fields.text("ate"));
    let today = time.date(app.engine().now_s());
    let last = typed.parse::<Date>().ok().filter(|day| (today..=today.saturating_add(MOST_DAYS.days())).contains(day));
    let Some(last) = last else {
        let problem = format!("Escolha um dia de hoje até daqui a {MOST_DAYS} dias.");
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Ok(key_page(app, visitor, &key, status, Some((typed, &problem)), None));
    };
    let old_until = time.begins(last.saturating_add(1.day()));
    match api_keys::replace(app, &visitor.at.caller, &visitor.actor, &key, old_until).await {
        Ok(made) => Ok(secret_page(visitor, &made, Some(&words::civil_instant(old_until, time)))),
        Err(error) if error.code().status >= 500 => Err(error),
        Err(error) => {
            let status = frame::form_status(&error);
            Ok(key_page(app, visitor, &key, status, None, Some(error.detail())))
        }
    }
}
