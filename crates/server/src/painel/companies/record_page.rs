//! `GET|POST /painel/empresas/{cpf_cnpj}/dados`: the record of a company.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::html;
use store::companies::Company;

use super::{page, path, record_form, refusal, requested, unknown};
use crate::api::empresas::atualizar::update;
use crate::api::error::ApiError;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};

/// `GET /painel/empresas/{cpf_cnpj}/dados`
pub(crate) async fn show_record(State(app): State<App>, visitor: PanelSession, Path(number): Path<String>) -> Response {
    match requested(&app, &visitor, &number).await {
        Ok(Some(company)) => {
            let value = |name: &str| record_form::stored(&company.dados, name);
            form_page(&visitor, &company, StatusCode::OK, &value, None)
        }
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

/// `POST /painel/empresas/{cpf_cnpj}/dados`
pub(crate) async fn submit_record(State(app): State<App>, Path(number): Path<String>, sent: SubmittedForm) -> Response {
    change(&app, &number, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn change(app: &App, number: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, fields) = (&sent.visitor, &sent.fields);
    let Some(company) = requested(app, visitor, number).await? else { return Ok(unknown(visitor)) };
    let body = record_form::body(fields);
    let changed = match record_form::require_one_place(fields) {
        Ok(()) => update(app, &visitor.at.caller, &visitor.actor, company.cpf_cnpj, body).await,
        Err(error) => Err(error),
    };
    match changed {
        Ok(company) => Ok(Redirect::to(&path(company.cpf_cnpj)).into_response()),
        Err(error) if error.code().status >= 500 => Err(error),
        Err(error) => {
            let value = |name: &str| fields.text(name).to_owned();
            Ok(form_page(visitor, &company, frame::form_status(&error), &value, Some(&error)))
        }
    }
}

fn form_page(
    visitor: &PanelSession,
    company: &Company,
    status: StatusCode,
    value: &dyn Fn(&str) -> String,
    refused: Option<&ApiError>,
) -> Response {
    let here = path(company.cpf_cnpj);
    let body = html! {
        h2 { "Dados da empresa" }
        @if let Some(error) = refused { (refusal(error, record_form::has_field)) }
        p { "Saem em cada documento, na parte de quem emite. Os documentos já emitidos não mudam." }
        form method="post" action={ (here) "/dados" } {
            (session_page::proof(visitor))
            (record_form::fields(value, refused.map(ApiError::problems).unwrap_or_default()))
            p class="botoes" {
                button class="botao principal" { "Guardar os dados" }
                a class="botao" href=(here) { "Voltar sem mudar" }
            }
        }
    };
    page(visitor, company, status, ["/dados", "Dados"], &body)
}
