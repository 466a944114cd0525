//! `POST /painel/exportacoes` and `POST /painel/exportacoes/{id}/apagar`.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use engine::mail::single_address;
use fiscal::value::CnpjCpf;
use http::StatusCode;
use store::exports::ExportForms;

use super::super::form::SubmittedForm;
use super::super::frame;
use super::super::navigation::EXPORTS;
use super::choice_form::{ChoiceForm, FormProblem, month};
use super::{PAGES, exports_page};
use crate::api::error::ApiError;
use crate::api::exportacoes::criar::{ExportChoices, register};
use crate::api::exportacoes::find;
use crate::app::App;

/// `POST /painel/exportacoes`
pub(crate) async fn submit_export(State(app): State<App>, sent: SubmittedForm) -> Response {
    order_export(&app, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `POST /painel/exportacoes/{id}/apagar`
pub(crate) async fn remove_export(State(app): State<App>, Path(id): Path<String>, sent: SubmittedForm) -> Response {
    removed(&app, &id, &sent).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn order_export(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let fields = &sent.fields;
    let chosen = ChoiceForm {
        empresa: fields.text("empresa").to_owned(),
        mes: fields.text("mes").to_owned(),
        avisar: fields.text("avisar").to_owned(),
        forms: match fields.text("pdf") {
            "separados" => ExportForms::Separate,
            "juntos" => ExportForms::Joined,
            _ => ExportForms::Absent,
        },
    };
    let problem = match choices(&chosen) {
        Ok(choices) => match register(app, &sent.visitor.at.caller, &sent.visitor.actor, choices).await {
            Ok(_) => return Ok(Redirect::to(EXPORTS.path).into_response()),
            Err(error) if error.code().status >= 500 => return Err(error),
            Err(error) => {
                FormProblem { field: if error.code().status == 404 { "empresa" } else { "" }, text: refusal(&error) }
            }
        },
        Err(problem) => problem,
    };
    exports_page(app, &sent.visitor, StatusCode::UNPROCESSABLE_ENTITY, &chosen, Some(&problem), PAGES.first()).await
}

fn choices(chosen: &ChoiceForm) -> Result<ExportChoices, FormProblem> {
    let wrong = |field, text: &str| FormProblem { field, text: text.to_owned() };
    let cpf_cnpj = CnpjCpf::parse(&chosen.empresa)
        .map_err(|_| wrong("empresa", "Escolha uma empresa da lista, ou escreva o CNPJ ou CPF dela."))?;
    let (de, ate) = month(&chosen.mes).ok_or_else(|| wrong("mes", "Escolha um mês da lista."))?;
    let avisar = match chosen.avisar.trim() {
        "" => None,
        text => Some(single_address(text).map_err(|fault| wrong("avisar", &format!("O endereço {fault}.")))?),
    };
    Ok(ExportChoices { cpf_cnpj, de, ate, tipos: Vec::new(), forms: chosen.forms, avisar })
}

/// Refusal in the panel's words.
fn refusal(error: &ApiError) -> String {
    match error.code().status {
        404 => "Esta conta não tem essa empresa.".to_owned(),
        409 => "Outro arquivo da conta ainda está sendo feito. Espere por ele, ou pare-o na lista abaixo.".to_owned(),
        _ => error.detail().to_owned(),
    }
}

async fn removed(app: &App, id: &str, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let caller = &sent.visitor.at.caller;
    let (export, now) = (find(app, caller, id).await?, app.now());
    app.store().remove_export(caller.tenant_id, caller.ambiente, export.id, &sent.visitor.actor, now).await?;
    Ok(Redirect::to(EXPORTS.path).into_response())
}
