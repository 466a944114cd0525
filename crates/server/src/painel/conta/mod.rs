//! `/painel/conta`: a user's own name, password, second factor, sessions and identity at the provider.

mod factor_page;
mod factor_routes;
mod identity;
mod profile;
mod program_name;
mod proven;
mod session_table;

pub(crate) use factor_page::show_factor;
pub(crate) use factor_routes::{begin_factor, confirm_factor, remove_factor, replace_codes};
pub(crate) use identity::{link_identity, unlink_identity};
pub(crate) use profile::{change_name, change_password};
pub(crate) use session_table::end_sessions;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{StatusCode, header};
use maud::html;

use super::form::SubmittedForm;
use super::navigation::ACCOUNT;
use super::panel_session::{self, PanelSession};
use super::{frame, session_page};
use crate::api::error::ApiError;
use crate::app::App;

/// Refusal of a form of the page, beside its field.
#[derive(Debug, Clone)]
struct AccountProblem {
    /// Form that was sent.
    form: AccountForm,
    field: &'static str,
    text: String,
    status: StatusCode,
    /// Typed name, which the page shows again.
    typed: String,
}

/// Forms of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AccountForm {
    Name,
    Password,
    Factor,
    Recovery,
    Identity,
}

impl AccountProblem {
    fn new(form: AccountForm, field: &'static str, text: impl Into<String>) -> AccountProblem {
        let (text, typed) = (text.into(), String::new());
        AccountProblem { form, field, text, status: StatusCode::UNPROCESSABLE_ENTITY, typed }
    }
}

/// Notices after a change, by the word in the address.
const DONE: &[(&str, &str)] = &[
    ("nome", "O nome foi trocado."),
    ("senha", "A senha foi trocada, e as outras sessões foram encerradas."),
    ("desligado", "O segundo fator foi desligado: de agora em diante a senha basta para entrar."),
    ("venceu", "O segredo valia 15 minutos, que passaram, e nada foi ligado. Comece de novo."),
    ("sessao", "A sessão foi encerrada."),
    ("sessoes", "As outras sessões foram encerradas."),
    ("vinculo", "A identidade foi vinculada: você já pode entrar com ela."),
    ("desfeito", "O vínculo foi desfeito."),
];

/// `GET /painel/conta`
pub(crate) async fn show_account(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let word = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "feito").map(|(_, word)| word);
    let done = DONE.iter().find(|(known, _)| word.as_deref() == Some(*known)).map(|(_, text)| *text);
    account_page(&app, &visitor, done, None).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn account_page(
    app: &App,
    visitor: &PanelSession,
    done: Option<&str>,
    problem: Option<&AccountProblem>,
) -> Result<Response, ApiError> {
    let (tenant, user) = (visitor.at.caller.tenant_id, visitor.at.user_id);
    let now = app.engine().now_s();
    let factor = app.store().second_factor(tenant, user, now).await?;
    let is_on = factor.as_ref().is_some_and(|factor| factor.confirmado_em.is_some());
    let sessions = app.store().user_sessions(tenant, user, panel_session::REST_S, now).await?;
    let identity = app.store().identity_of(tenant, user).await?;
    let body = html! {
        h1 { (ACCOUNT.name) }
        @if let Some(done) = done { p class="aviso" role="status" { (done) } }
        (profile::forms(visitor, problem))
        (factor_page::section(visitor, factor.as_ref(), problem))
        (session_table::section(visitor, &sessions))
        (identity::section(app, visitor, identity.as_ref(), is_on, problem))
    };
    let status = problem.map_or(StatusCode::OK, |problem| problem.status);
    Ok(session_page::page(visitor, &ACCOUNT, status, ACCOUNT.name, body))
}

/// Page after a refused form.
async fn refused(app: &App, sent: &SubmittedForm, problem: AccountProblem) -> Result<Response, ApiError> {
    let mut response = account_page(app, &sent.visitor, None, Some(&problem)).await?;
    if problem.status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, http::HeaderValue::from_static("60"));
    }
    Ok(response)
}

/// Leads back to the page, with a notice.
fn done(word: &str) -> Response {
    Redirect::to(&format!("{}?feito={word}", ACCOUNT.path)).into_response()
}

/// The problem of a field of a form, if it is that one.
fn of<'p>(problem: Option<&'p AccountProblem>, form: AccountForm, field: &str) -> Option<&'p AccountProblem> {
    problem.filter(|problem| problem.form == form && problem.field == field)
}
