//! E-mails of a document, on its page, and a further one by hand.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::mail::single_address;
use fiscal::lifecycle::DocumentState;
use fiscal::value::{TpAmb, Uf};
use http::StatusCode;
use maud::{Markup, html};
use store::Visibility;
use store::jobs::Job;
use store::mail::MailFilter;
use store::notes::ListWindow;
use uuid::Uuid;

use super::super::form::SubmittedForm;
use super::super::navigation::{DOCUMENTS, MAIL};
use super::super::panel_session::PanelSession;
use super::super::session_page::{self, proof};
use super::super::{frame, words};
use super::{fault, kind, mark};
use crate::api::emails::enviar::send_document;
use crate::api::error::ApiError;
use crate::app::App;

/// Mails that the page of a document lists.
const MOST: usize = 20;

/// Section of a document's page; empty for a document that has no mails and can get none.
pub(crate) async fn document_mails(app: &App, visitor: &PanelSession, job: &Job) -> Result<Markup, ApiError> {
    let filter = MailFilter { job: Some(job.id), status: None };
    let window = ListWindow { limit: MOST, skip: 0 };
    let (mails, _) = app.store().mails(job.tenant_id, job.ambiente, filter, window).await?;
    let can_send = app.sends_mail() && is_authorized(job);
    Ok(html! {
        @if can_send || !mails.is_empty() {
            section id="emails" aria-labelledby="emails-titulo" {
                h2 id="emails-titulo" { "E-mails" }
                @if mails.is_empty() { p class="vazio" { "Nenhum e-mail deste documento." } }
                ul { @for mail in &mails {
                    li {
                        // the page of a mail belongs to its environment
                        @let title = html! { (kind(mail.kind)) " de " (words::instant(mail.criado_em, Uf::DF)) };
                        @if mail.ambiente == visitor.at.caller.ambiente {
                            a href={ (MAIL.path) "/" (mail.id) } { (title) }
                        } @else { (title) }
                        " para " (mail.para.as_deref().unwrap_or("o destinatário")) " " (mark(mail))
                    }
                } }
                @if can_send { (send_form(visitor, job, "", None)) }
            }
        }
    })
}

fn is_authorized(job: &Job) -> bool {
    job.document.as_ref().is_some_and(|document| document.state == DocumentState::Authorized)
}

fn send_form(visitor: &PanelSession, job: &Job, typed: &str, told: Option<&str>) -> Markup {
    let test = job.ambiente == TpAmb::Homologacao;
    html! {
        form method="post" action={ (DOCUMENTS.path) "/" (job.id) "/email" } class="filtros" {
            (proof(visitor))
            label {
                "Enviar o XML e o PDF para"
                input type="email" name="para" value=(typed) maxlength="254" required[test] aria-invalid=[told.map(|_| "true")]
                    aria-describedby=[told.map(|_| "falha-email")];
                small { @if test { "Em homologação nada vai ao destinatário." } @else { "Vazio envia ao e-mail do destinatário no documento." } }
                (fault("falha-email", told))
            }
            p class="botoes" { button { "Enviar por e-mail" } }
        }
    }
}

/// `POST /painel/documentos/{id}/email`
pub(crate) async fn send_document_mail(
    State(app): State<App>,
    Path(id): Path<String>,
    sent: SubmittedForm,
) -> Response {
    send(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn send(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let visitor = &sent.visitor;
    let unknown = || ApiError::not_found("Não há documento com este endereço nesta conta e neste ambiente.");
    let id = Uuid::parse_str(id).map_err(|_| unknown())?;
    let job = app.store().job(Visibility::of(&visitor.at.caller), id).await.map_err(|error| match error {
        store::Error::NotFound => unknown(),
        other => other.into(),
    })?;
    let typed = sent.fields.text("para");
    let para = match typed.trim() {
        "" => Ok(None),
        text => single_address(text).map(Some).map_err(|wrong| format!("O endereço {wrong}.")),
    };
    let told = match para {
        Err(told) => told,
        Ok(para) => match send_document(app, &job, para, &visitor.actor).await {
            Ok(_) => return Ok(Redirect::to(&format!("{}/{}#emails", DOCUMENTS.path, job.id)).into_response()),
            Err(error) if error.code().status >= 500 => return Err(error),
            Err(error) => error.detail().to_owned(),
        },
    };
    let body = html! {
        p { a href={ (DOCUMENTS.path) "/" (job.id) } { "Voltar ao documento" } }
        h1 { "Enviar por e-mail" }
        (send_form(visitor, &job, typed, Some(&told)))
    };
    Ok(session_page::page(visitor, &DOCUMENTS, StatusCode::UNPROCESSABLE_ENTITY, "Enviar por e-mail", body))
}
