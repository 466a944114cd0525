//! Forms of the page: the address, a test event, and new series of attempts.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use uuid::Uuid;

use super::account_form::AccountDraft;
use super::{IntegrationsState, integrations_page, sight};
use crate::api::error::ApiError;
use crate::api::webhooks::{conta, reenviar};
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::frame;
use crate::painel::navigation::INTEGRATIONS;

/// `POST /painel/integracoes`
pub(crate) async fn save_webhook_account(State(app): State<App>, sent: SubmittedForm) -> Response {
    let (visitor, draft) = (&sent.visitor, AccountDraft::read(&sent.fields));
    match conta::save(&app, &visitor.at.caller, visitor.actor.clone(), &draft.body()).await {
        Ok(_) => Redirect::to(INTEGRATIONS.path).into_response(),
        Err(error) if error.code().status >= 500 => frame::failure(&error),
        Err(error) => {
            let state = IntegrationsState { draft: Some(draft), problem: Some(&error), ..IntegrationsState::default() };
            let shown = integrations_page(&app, visitor, frame::form_status(&error), state).await;
            shown.unwrap_or_else(|error| frame::failure(&error))
        }
    }
}

/// `POST /painel/integracoes/teste`
pub(crate) async fn send_test_event(State(app): State<App>, sent: SubmittedForm) -> Response {
    let done = conta::send_test(&app, &sent.visitor.at.caller).await.map(drop);
    let no_address = "A conta não tem endereço neste ambiente. Guarde um e tente de novo.";
    answer(&app, &sent, done, no_address).await
}

/// `POST /painel/integracoes/{id}/reenviar`
pub(crate) async fn resend_delivery(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    let (visitor, id) = (&sent.visitor, Uuid::parse_str(&id).unwrap_or_default());
    let done = reenviar::resend_delivery(&app, sight(visitor), id, visitor.actor.clone()).await.map(drop);
    let waits = "Esta entrega ainda está em andamento: o Carimbo mesmo fará a próxima tentativa.";
    answer(&app, &sent, done, waits).await
}

/// `POST /painel/integracoes/reenviar`
pub(crate) async fn resend_lost_deliveries(State(app): State<App>, sent: SubmittedForm) -> Response {
    let visitor = &sent.visitor;
    let done = app.engine().resend_lost(sight(visitor), &visitor.actor).await;
    answer(&app, &sent, done.map(drop).map_err(ApiError::from), "").await
}

/// The list of deliveries, or the page with the words of a conflict.
async fn answer(app: &App, sent: &SubmittedForm, done: Result<(), ApiError>, conflict: &str) -> Response {
    match done {
        Ok(()) => Redirect::to(&format!("{}#entregas", INTEGRATIONS.path)).into_response(),
        Err(error) if error.code().status == 409 => {
            let state = IntegrationsState { refusal: Some(conflict), ..IntegrationsState::default() };
            let shown = integrations_page(app, &sent.visitor, frame::status_of(&error), state).await;
            shown.unwrap_or_else(|error| frame::failure(&error))
        }
        Err(error) => frame::failure(&error),
    }
}
