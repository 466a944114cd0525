//! Forms of the second factor: begin, confirm, remove, and new recovery codes.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use store::second_factor::{ConfirmedFactor, FactorProof};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::super::form::SubmittedForm;
use super::super::frame;
use super::super::navigation::ACCOUNT;
use super::proven::{proven_code, proven_password, used_code};
use super::{AccountForm, done, factor_page, refused};
use crate::api::auth::password_attempts::AdmittedAttempt;
use crate::api::error::ApiError;
use crate::app::App;
use crate::second_factor::{self, fresh_recovery_codes, fresh_secret, recovery_digest};

/// `POST /painel/conta/segundo-fator`
pub(crate) async fn begin_factor(State(app): State<App>, sent: SubmittedForm) -> Response {
    begun(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/conta/segundo-fator/confirmar`
pub(crate) async fn confirm_factor(State(app): State<App>, sent: SubmittedForm) -> Response {
    confirmed(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/conta/segundo-fator/desligar`
pub(crate) async fn remove_factor(State(app): State<App>, sent: SubmittedForm) -> Response {
    removed(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/conta/segundo-fator/codigos`
pub(crate) async fn replace_codes(State(app): State<App>, sent: SubmittedForm) -> Response {
    renewed(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn begun(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let attempt = match proven_password(app, sent, AccountForm::Factor).await? {
        Ok(attempt) => attempt,
        Err(problem) => return refused(app, sent, problem).await,
    };
    attempt.release(app).await?;
    let secret = fresh_secret().map_err(|error| ApiError::broken(&error))?;
    let at = &sent.visitor.at;
    let begun = app.store().begin_second_factor(at.caller.tenant_id, at.user_id, secret, app.engine().now_s()).await;
    match begun {
        Ok(()) => Ok(Redirect::to("/painel/conta/segundo-fator").into_response()),
        Err(store::Error::Conflict(_)) => Ok(Redirect::to(ACCOUNT.path).into_response()),
        Err(other) => Err(other.into()),
    }
}

async fn confirmed(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let (tenant_id, user_id, now) = owner(app, sent);
    let Some(factor) = app.store().second_factor(tenant_id, user_id, now).await? else { return Ok(done("venceu")) };
    if factor.confirmado_em.is_some() {
        return Ok(Redirect::to(ACCOUNT.path).into_response());
    }
    let broken = |error: anyhow::Error| ApiError::broken(&error);
    let typed: Zeroizing<String> = Zeroizing::new(sent.fields.text("codigo").split_whitespace().collect());
    let step = second_factor::matching_step(&factor.secret, &typed, now, factor.last_step).map_err(broken)?;
    let Some(step) = step else {
        let wrong =
            "O código não confere. Digite o que o aplicativo mostra agora; se continua, confira o relógio do celular.";
        return factor_page::enrolment(app, visitor, Some(wrong)).await;
    };
    let codes = fresh_recovery_codes().map_err(broken)?;
    let recovery = codes.iter().map(|code| recovery_digest(user_id, code)).collect();
    let confirmed = ConfirmedFactor { tenant_id, user_id, factor_id: factor.id, step, recovery };
    match app.store().confirm_second_factor(confirmed, &visitor.actor, now).await {
        Ok(()) => Ok(factor_page::recovery_page(visitor, true, &codes)),
        Err(store::Error::Conflict(_)) => Ok(Redirect::to(ACCOUNT.path).into_response()),
        Err(other) => Err(other.into()),
    }
}

/// Password and code of a user whose second factor is on. `Err` is the answer.
async fn proven(
    app: &App,
    sent: &SubmittedForm,
    form: AccountForm,
) -> Result<Result<(AdmittedAttempt, FactorProof), Response>, ApiError> {
    let (tenant, user, now) = owner(app, sent);
    let factor = app.store().second_factor(tenant, user, now).await?;
    let Some(factor) = factor.filter(|factor| factor.confirmado_em.is_some()) else {
        return Ok(Err(Redirect::to(ACCOUNT.path).into_response()));
    };
    let attempt = match proven_password(app, sent, form).await? {
        Ok(attempt) => attempt,
        Err(problem) => return Ok(Err(refused(app, sent, problem).await?)),
    };
    match proven_code(app, sent, form, &attempt, &factor).await? {
        Ok(proof) => Ok(Ok((attempt, proof))),
        Err(problem) => Ok(Err(refused(app, sent, problem).await?)),
    }
}

async fn removed(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (attempt, proof) = match proven(app, sent, AccountForm::Factor).await? {
        Ok(proven) => proven,
        Err(answer) => return Ok(answer),
    };
    let (tenant, user, now) = owner(app, sent);
    if app.store().remove_second_factor(tenant, user, Some(proof), &sent.visitor.actor, now).await? {
        attempt.release(app).await?;
        return Ok(done("desligado"));
    }
    let problem = used_code(app, sent, AccountForm::Factor, &attempt).await?;
    refused(app, sent, problem).await
}

async fn renewed(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (attempt, proof) = match proven(app, sent, AccountForm::Recovery).await? {
        Ok(proven) => proven,
        Err(answer) => return Ok(answer),
    };
    let (tenant, user, now) = owner(app, sent);
    let codes = fresh_recovery_codes().map_err(|error| ApiError::broken(&error))?;
    let recovery = codes.iter().map(|code| recovery_digest(user, code)).collect();
    if app.store().replace_recovery_codes(tenant, user, proof, recovery, &sent.visitor.actor, now).await? {
        attempt.release(app).await?;
        return Ok(factor_page::recovery_page(&sent.visitor, false, &codes));
    }
    let problem = used_code(app, sent, AccountForm::Recovery, &attempt).await?;
    refused(app, sent, problem).await
}

/// Account and user of the session, and the present instant.
fn owner(app: &App, sent: &SubmittedForm) -> (Uuid, Uuid, i64) {
    (sent.visitor.at.caller.tenant_id, sent.visitor.at.user_id, app.engine().now_s())
}
