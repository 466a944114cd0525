//! `/v1/emails` and `/v1/notas/{chave}/email`: the log of e-mails, and sending by hand.
//!
//! Law: `docs/contract.md`, "E-mails". Everything is of the credential's environment alone.

pub(crate) mod enviar;
pub(crate) mod reenviar;
pub(crate) mod ver;

use engine::mail::single_address;
use store::accounts::Caller;
use store::mail::{MailAttempt, MailRecord};
use uuid::Uuid;

use super::body::BodyFields;
use super::error::ApiError;
use super::error_code;
use crate::app::App;

/// Mail of the caller's account and environment, with its attempts.
pub(crate) async fn find(app: &App, caller: &Caller, id: &str) -> Result<(MailRecord, Vec<MailAttempt>), ApiError> {
    let unknown = || ApiError::not_found("Não há e-mail com este identificador nesta conta e neste ambiente.");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    match app.store().mail(caller.tenant_id, caller.ambiente, id).await {
        Err(store::Error::NotFound) => Err(unknown()),
        found => Ok(found?),
    }
}

/// Refuses to queue a mail that could never leave.
pub(crate) fn require_server(app: &App) -> Result<(), ApiError> {
    let detail = "O e-mail está desligado nesta instalação: quem a opera precisa configurar email.servidor.";
    if app.sends_mail() { Ok(()) } else { Err(ApiError::new(&error_code::ESTADO_INVALIDO, detail)) }
}

/// Reads an optional address.
pub(crate) fn address_field(fields: &mut BodyFields<'_>, name: &'static str) -> Option<String> {
    let read = single_address(fields.text(&[name])?);
    read.map_err(|fault| fields.refuse(&error_code::VALIDACAO, name, format!("{name} {fault}."))).ok()
}

/// Refusal of an order of the store.
fn refusal(error: store::Error) -> ApiError {
    match error {
        store::Error::AccountFull { most } => {
            let detail = format!("A conta já pediu {most} e-mails na última hora. Tente de novo mais tarde.");
            ApiError::too_many(detail, 600)
        }
        store::Error::Conflict(_) => {
            let detail = "O e-mail ainda está na fila: o serviço mesmo fará a próxima tentativa.";
            ApiError::new(&error_code::ESTADO_INVALIDO, detail)
        }
        store::Error::NotFound => ApiError::not_found("Não há e-mail com este identificador."),
        other => other.into(),
    }
}
