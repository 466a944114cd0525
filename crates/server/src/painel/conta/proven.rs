//! Proofs that a form of the account asks for: the present password, and a code where the second factor is on.

use http::StatusCode;
use maud::{Markup, html};
use store::logins::FailureTarget;
use store::second_factor::{FactorProof, SecondFactor};
use zeroize::Zeroizing;

use super::super::form::SubmittedForm;
use super::super::panel_session::PanelSession;
use super::{AccountForm, AccountProblem};
use crate::api::auth::factor_attempts::{factor_proof, refused_code};
use crate::api::auth::password_attempts::AdmittedAttempt;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::origin::RequestOrigin;
use crate::app::App;
use crate::second_factor::LONGEST_CODE;

/// A right password of the session's user; the counts of failed logins hold its guesses. `Err` is the problem.
pub(super) async fn proven_password(
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

/// A right code beside a right password. The act that needs it consumes the proof. `Err` is the problem.
pub(super) async fn proven_code(
    app: &App,
    sent: &SubmittedForm,
    form: AccountForm,
    attempt: &AdmittedAttempt,
    factor: &SecondFactor,
) -> Result<Result<FactorProof, AccountProblem>, ApiError> {
    match factor_proof(app, attempt, factor, target(&sent.visitor), sent.fields.text("codigo").trim()).await {
        Ok(proof) => Ok(Ok(proof)),
        Err(refused) if refused.code() == &error_code::SEGUNDO_FATOR_EXIGIDO => {
            Ok(Err(AccountProblem::new(form, "codigo", refused.detail())))
        }
        Err(other) => Err(other),
    }
}

/// Problem of a code that the store found used before.
pub(super) async fn used_code(
    app: &App,
    sent: &SubmittedForm,
    form: AccountForm,
    attempt: &AdmittedAttempt,
) -> Result<AccountProblem, ApiError> {
    let refused = refused_code(app, attempt, target(&sent.visitor)).await?;
    Ok(AccountProblem::new(form, "codigo", refused.detail()))
}

pub(super) fn target(visitor: &PanelSession) -> FailureTarget {
    FailureTarget { tenant_id: visitor.at.caller.tenant_id, user_id: visitor.at.user_id }
}

/// A field for the present password.
pub(super) fn password_field(form: &str, problem: Option<&AccountProblem>) -> Markup {
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

/// A field for a code of the second factor.
pub(super) fn code_field(form: &str, problem: Option<&AccountProblem>) -> Markup {
    let told = problem.map(|_| format!("falha-{form}-codigo"));
    html! {
        label {
            "Código do aplicativo, ou de recuperação"
            input type="text" name="codigo" required autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
                maxlength=(LONGEST_CODE) aria-invalid=[problem.map(|_| "true")] aria-describedby=[told.as_deref()];
            @if let (Some(problem), Some(id)) = (problem, &told) { span class="falha" id=(id) { (problem.text) } }
        }
    }
}
