//! Codes of the second factor, typed after the right password.
//!
//! Must not know: the act that the code is for.

use store::logins::FailureTarget;
use store::second_factor::{FactorProof, SecondFactor};

use super::password_attempts::AdmittedAttempt;
use crate::api::error::ApiError;
use crate::app::App;
use crate::second_factor::{TypedCode, typed_code};

/// Proof that a typed code gives; a wrong one is recorded, in the counts of logins and in those of the second factor.
pub(crate) async fn factor_proof(
    app: &App,
    attempt: &AdmittedAttempt,
    factor: &SecondFactor,
    target: FailureTarget,
    typed: &str,
) -> Result<FactorProof, ApiError> {
    let now = app.engine().now_s();
    let looked_at = typed_code(factor, target.user_id, typed, now);
    match looked_at.map_err(|error| ApiError::broken(&error))? {
        TypedCode::Proof(proof) => Ok(proof),
        TypedCode::Wrong => {
            app.store().record_wrong_code(target.tenant_id, target.user_id, now).await?;
            Err(refused_code(app, attempt, target).await?)
        }
        TypedCode::Held => {
            let detail = "Houve códigos errados demais, e por uma hora os do aplicativo não são aceitos. Use um código \
                          de recuperação. Se não foi você quem errou, troque a senha: alguém a conhece.";
            Err(attempt.record_refused_code(app, target, detail).await?)
        }
    }
}

/// Records a code that is wrong or was used before, and returns the refusal.
pub(crate) async fn refused_code(
    app: &App,
    attempt: &AdmittedAttempt,
    target: FailureTarget,
) -> Result<ApiError, ApiError> {
    let detail = "O código não confere, ou já foi usado. Espere o próximo código do aplicativo e tente de novo, ou use \
                  um código de recuperação.";
    attempt.record_refused_code(app, target, detail).await
}
