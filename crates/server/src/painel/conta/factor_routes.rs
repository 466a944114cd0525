//! Forms of the second factor: begin, confirm, remove.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use store::second_factor::ConfirmedFactor;

use super::super::form::SubmittedForm;
use super::super::frame;
use super::super::navigation::ACCOUNT;
use super::{AccountForm, AccountProblem, done, factor_page, proven_password, refused, target};
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
    let (tenant_id, user_id, now) = (visitor.at.caller.tenant_id, visitor.at.user_id, app.engine().now_s());
    let factor = app.store().second_factor(tenant_id, user_id).await?;
    let Some(factor) = factor.filter(|factor| factor.confirmado_em.is_none()) else {
        return Ok(Redirect::to(ACCOUNT.path).into_response());
    };
    let broken = |error: anyhow::Error| ApiError::broken(&error);
    let typed: zeroize::Zeroizing<String> =
        zeroize::Zeroizing::new(sent.fields.text("codigo").split_whitespace().collect());
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
        Ok(()) => Ok(factor_page::recovery_page(visitor, &codes)),
        Err(store::Error::Conflict(_)) => Ok(Redirect::to(ACCOUNT.path).into_response()),
        Err(other) => Err(other.into()),
    }
}

async fn removed(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let (tenant, user, now) = (visitor.at.caller.tenant_id, visitor.at.user_id, app.engine().now_s());
    let factor = app.store().second_factor(tenant, user).await?;
    let Some(factor) = factor.filter(|factor| factor.confirmado_em.is_some()) else {
        return Ok(Redirect::to(ACCOUNT.path).into_response());
    };
    let attempt = match proven_password(app, sent, AccountForm::Factor).await? {
        Ok(attempt) => attempt,
        Err(problem) => return refused(app, sent, problem).await,
    };
    let proof = second_factor::proof(&factor, user, sent.fields.text("codigo"), now);
    let proof = proof.map_err(|error| ApiError::broken(&error))?;
    let is_off = match proof {
        Some(proof) => app.store().remove_second_factor(tenant, user, Some(proof), &visitor.actor, now).await?,
        None => false,
    };
    if is_off {
        attempt.release(app).await?;
        return Ok(done("desligado"));
    }
    attempt.record_wrong_code(app, target(visitor)).await?;
    let text = "O código não confere, ou já foi usado. Espere o próximo do aplicativo.";
    refused(app, sent, AccountProblem::new(AccountForm::Factor, "codigo", text)).await
}
