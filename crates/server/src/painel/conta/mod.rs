//! `/painel/conta`: a user's own name, password, second factor, sessions and identity at the provider.

mod factor_page;
mod factor_routes;
mod identity;
mod profile;
mod program_name;
mod session_table;

pub(crate) use factor_page::show_factor;
pub(crate) use factor_routes::{begin_factor, confirm_factor, remove_factor};
pub(crate) use identity::{link_identity, unlink_identity};
pub(crate) use profile::{change_name, change_password};
pub(crate) use session_table::end_sessions;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{StatusCode, header};
use maud::{Markup, html};
use store::logins::FailureTarget;
use zeroize::Zeroizing;

use super::form::SubmittedForm;
use super::navigation::ACCOUNT;
use super::panel_session::{self, PanelSession};
use super::{frame, session_page};
use crate::api::auth::password_attempts::AdmittedAttempt;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
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
    let factor = app.store().second_factor(tenant, user).await?;
    let now = app.engine().now_s();
    let sessions = app.store().user_sessions(tenant, user, panel_session::REST_S, now).await?;
    let identity = app.store().identity_of(tenant, user).await?;
    let body = html! {
        h1 { (ACCOUNT.name) }
        @if let Some(done) = done { p class="aviso" role="status" { (done) } }
        (profile::forms(visitor, problem))
        (factor_page::section(visitor, factor.as_ref(), problem))
        (session_table::section(visitor, &sessions))
        (identity::section(app, visitor, identity.as_ref(), problem))
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

/// A right password of the session's user; the counts of failed logins hold its guesses. `Err` is the problem.
async fn proven_password(
    app: &App,
    sent: &SubmittedForm,
    form: AccountForm,
) -> Result<Result<AdmittedAttempt, AccountProblem>, ApiError> {
    let user = &sent.visitor.user;
    let senha = sent.fields.text("senha");
    if senha.is_empty() || senha.len() > crate::password::LONGEST * 4 {
        return Ok(Err(AccountProblem::new(form, "senha", "Digite a sua senha de agora.")));
    }
    let origin = RequestOrigin::of(&sent.parts, app);
    let attempt = match AdmittedAttempt::begin_session_attempt(app, &user.email, origin).await {
        Ok(attempt) => attempt,
        Err(error) if error.code() == &error_code::MUITAS_REQUISICOES => {
            let problem = AccountProblem::new(form, "senha", error.detail());
            return Ok(Err(AccountProblem { status: StatusCode::TOO_MANY_REQUESTS, ..problem }));
        }
        Err(other) => return Err(other),
    };
    if attempt.verify(app, Zeroizing::new(senha.to_owned()), Some(user.senha_hash.clone())).await? {
        return Ok(Ok(attempt));
    }
    attempt.record_wrong_password(app, Some(target(&sent.visitor))).await?;
    Ok(Err(AccountProblem::new(form, "senha", "A senha não confere. Confira e digite de novo.")))
}

fn target(visitor: &PanelSession) -> FailureTarget {
    FailureTarget { tenant_id: visitor.at.caller.tenant_id, user_id: visitor.at.user_id }
}

/// The problem of a field of a form, if it is that one.
fn of<'p>(problem: Option<&'p AccountProblem>, form: AccountForm, field: &str) -> Option<&'p AccountProblem> {
    problem.filter(|problem| problem.form == form && problem.field == field)
}

/// A field for the present password.
fn password_field(form: &str, problem: Option<&AccountProblem>) -> Markup {
    let told = problem.map(|_| format!("falha-{form}-senha"));
    html! {
        label {
            "Sua senha de agora"
            input type="password" name="senha" required autocomplete="current-password" maxlength="1024"
                aria-invalid=[problem.map(|_| "true")] aria-describedby=[told.as_deref()];
            @if let (Some(problem), Some(id)) = (problem, &told) { span class="falha" id=(id) { (problem.text) } }
        }
    }
}
