//! `/painel/emails/avisos`: the alerts that the user of the session gets by e-mail.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use engine::mail::alert_words;
use http::StatusCode;
use maud::html;
use store::alerts::AlertEvent;

use super::super::form::SubmittedForm;
use super::super::frame;
use super::super::navigation::MAIL;
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::{off_notice, subpages};
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel/emails/avisos`
pub(crate) async fn show_alerts(State(app): State<App>, visitor: PanelSession) -> Response {
    render(&app, &visitor).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/emails/avisos`
pub(crate) async fn submit_alerts(State(app): State<App>, sent: SubmittedForm) -> Response {
    choose(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn choose(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let at = &sent.visitor.at;
    let chosen = AlertEvent::ALL.iter().map(|(word, _)| *word).filter(|word| sent.fields.text(word) == "sim");
    let chosen = chosen.map(str::to_owned).collect();
    app.store().set_mail_alerts(at.caller.tenant_id, at.user_id, at.caller.ambiente, chosen).await?;
    Ok(Redirect::to(&format!("{}/avisos", MAIL.path)).into_response())
}

async fn render(app: &App, visitor: &PanelSession) -> Result<Response, ApiError> {
    let at = &visitor.at;
    let chosen = app.store().mail_alerts(at.caller.tenant_id, at.user_id, at.caller.ambiente).await?;
    let body = html! {
        h1 { "Avisos para mim" }
        (subpages("/avisos"))
        (off_notice(app))
        p { "Marque o que você quer saber por e-mail, em " strong { (visitor.user.email) } ". Valem só para você, e só em " (frame::name(at.caller.ambiente)) "." }
        form method="post" action={ (MAIL.path) "/avisos" } class="filtros" {
            (proof(visitor))
            @for (word, evento) in AlertEvent::ALL {
                p { label { input type="checkbox" name=(word) value="sim" checked[chosen.iter().any(|one| one == word)]; " " (alert_words(evento)) } }
            }
            p class="botoes" { button class="botao principal" { "Guardar" } }
        }
    };
    Ok(session_page::page(visitor, &MAIL, StatusCode::OK, "Avisos para mim", body))
}
