//! `GET|POST /painel/documentos/{id}/{ato}`: the form of an act, with its law, and its submission.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::{Markup, html};
use store::jobs::Job;

use super::law::{ActCase, PanelAct};
use super::{acts, fields, path, sections, submission, unknown, visible_job};
use crate::api::error::{ApiError, FieldProblem};
use crate::app::App;
use crate::painel::form::{FormFields, SubmittedForm};
use crate::painel::navigation::DOCUMENTS;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};

/// `GET /painel/documentos/{id}/{ato}`
pub(crate) async fn show_act(
    State(app): State<App>,
    visitor: PanelSession,
    Path((id, ato)): Path<(String, String)>,
) -> Response {
    let page = match requested_act(&app, &visitor, &id, &ato).await {
        Ok(Some((job, act))) => Ok(form_page(&app, &visitor, &job, act, StatusCode::OK, None, None)),
        Ok(None) => Ok(unknown(&visitor)),
        Err(error) => Err(error),
    };
    page.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/documentos/{id}/{ato}`
pub(crate) async fn submit_act(
    State(app): State<App>,
    Path((id, ato)): Path<(String, String)>,
    sent: SubmittedForm,
) -> Response {
    let visitor = &sent.visitor;
    let (job, act) = match requested_act(&app, visitor, &id, &ato).await {
        Ok(Some(found)) => found,
        Ok(None) => return unknown(visitor),
        Err(error) => return frame::failure(&error),
    };
    match submission::submit(&app, &visitor.at.caller, &job, act, &sent.fields).await {
        Ok(shown) => Redirect::to(&format!("{}#pedidos", path(shown))).into_response(),
        Err(error) => {
            let status = frame::form_status(&error);
            form_page(&app, visitor, &job, act, status, Some(&sent.fields), Some(&error))
        }
    }
}

/// The job and the act of an address; `None` when either does not exist for this session.
async fn requested_act(
    app: &App,
    visitor: &PanelSession,
    id: &str,
    ato: &str,
) -> Result<Option<(Job, &'static PanelAct)>, ApiError> {
    let Some(act) = PanelAct::at(ato) else { return Ok(None) };
    Ok(visible_job(app, visitor, id).await?.map(|job| (job, act)))
}

fn form_page(
    app: &App,
    visitor: &PanelSession,
    job: &Job,
    act: &PanelAct,
    status: StatusCode,
    typed: Option<&FormFields>,
    refused: Option<&ApiError>,
) -> Response {
    let case = ActCase { job, now: app.engine().now_s() };
    let title = format!("{}: {}", act.name, sections::title(job));
    let document = path(job.alvo.unwrap_or(job.id));
    let body = html! {
        p { a href=(document) { (sections::title(job)) } }
        h1 { (title) }
        @if let Some(error) = refused { (refusal(act, job, error)) }
        p { (act.effect) }
        (acts::term(act, &case))
        dl class="ficha" { (sections::identity(job)) dt { "Ambiente" } dd { strong class={ "ambiente " (job.ambiente.word()) } { (frame::name(job.ambiente)) } } }
        @if act.is_offered(&case) {
            form method="post" action={ (path(job.id)) "/" (act.word) } {
                (session_page::proof(visitor))
                (controls(act, job, typed, refused))
                p class="botoes" {
                    button class="principal" { (act.button) }
                    a class="botao" href=(document) { "Voltar sem fazer nada" }
                }
            }
        } @else {
            p class="aviso" { "Isto não é possível no estado em que o documento está agora." }
            p { a href=(document) { "Voltar ao documento" } }
        }
    };
    session_page::page(visitor, &DOCUMENTS, status, &title, body)
}

fn controls(act: &PanelAct, job: &Job, typed: Option<&FormFields>, refused: Option<&ApiError>) -> Markup {
    let problems = refused.map(ApiError::problems).unwrap_or_default();
    let counted = job.document.as_ref().map(|document| document.counted);
    html! {
        @for field in fields::of(act.word, counted) {
            (fields::control(field, typed, problems.iter().find(|problem| problem.campo == field.name)))
        }
        @if fields::has_corrections(act.word, job.tipo) { (fields::corrections(typed, problems)) }
    }
}

/// The refusal above the form, with its page; a problem of a field stands beside it.
fn refusal(act: &PanelAct, job: &Job, error: &ApiError) -> Markup {
    let counted = job.document.as_ref().map(|document| document.counted);
    let has_field = |campo: &str| {
        fields::of(act.word, counted).iter().any(|field| field.name == campo) || campo.starts_with("correcoes[")
    };
    let elsewhere: Vec<&str> =
        error.problems().iter().filter(|problem| !has_field(&problem.campo)).map(words_of).collect();
    html! {
        div class="recusa" role="alert" {
            p { strong { "Nada foi feito." } }
            @if error.problems().is_empty() {
                p { (error.detail()) }
                p { a href={ "/docs/erros/" (error.code().codigo) } { "O que isto quer dizer e o que fazer" } }
            } @else if elsewhere.is_empty() {
                p { "Corrija o que está indicado abaixo." }
            } @else {
                ul { @for text in elsewhere { li { (text) } } }
            }
        }
    }
}

/// Words of a problem that no single field of the form has.
fn words_of(problem: &FieldProblem) -> &str {
    match problem.campo.as_str() {
        "correcoes" => "Preencha ao menos uma correção: grupo, campo e valor certo.",
        _ => &problem.mensagem,
    }
}
