//! `GET|POST /painel/empresas/nova`: registration by CNPJ, with what the lookup knows.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use fiscal::value::{Cnpj, CnpjCpf};
use http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::line_control::{LineControl, LineKind};
use super::{path, record_form, refusal};
use crate::api::cnpj::consultar::registration;
use crate::api::empresas::criar::create;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::app::App;
use crate::painel::form::SubmittedForm;
use crate::painel::navigation::COMPANIES;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page};

/// `GET /painel/empresas/nova`
pub(crate) async fn show_registration(visitor: PanelSession) -> Response {
    number_page(&visitor, StatusCode::OK, "", &[])
}

/// `POST /painel/empresas/nova`
pub(crate) async fn submit_registration(State(app): State<App>, sent: SubmittedForm) -> Response {
    let answer = match sent.fields.text("acao") {
        "cadastrar" => register(&app, &sent).await,
        act => begin(&app, &sent, act == "continuar").await,
    };
    answer.unwrap_or_else(|error| frame::failure(&error))
}

/// First step: the number; the second shows the form, filled where the lookup is on.
async fn begin(app: &App, sent: &SubmittedForm, by_hand: bool) -> Result<Response, ApiError> {
    let (visitor, typed) = (&sent.visitor, sent.fields.text("cpf_cnpj").trim());
    let number = match CnpjCpf::parse(typed) {
        Ok(number) => number,
        Err(wrong) => {
            let text = format!("Este CNPJ ou CPF não vale: {wrong}.");
            let problem = FieldProblem::new(&error_code::VALIDACAO, "cpf_cnpj", text);
            return Ok(number_page(visitor, StatusCode::UNPROCESSABLE_ENTITY, typed, &[problem]));
        }
    };
    if super::requested(app, visitor, number.as_str()).await?.is_some() {
        return Ok(Redirect::to(&path(number)).into_response());
    }
    let (found, remark) = match number {
        CnpjCpf::Cnpj(cnpj) if !by_hand => look_up(app, visitor, &cnpj).await?,
        _ => (Value::Null, None),
    };
    let value = |name: &str| match found.is_null() {
        true => String::new(),
        false => record_form::registered(&found, name),
    };
    Ok(record_page(visitor, StatusCode::OK, number.as_str(), &value, remark.as_deref(), None))
}

/// Registered data, and a remark about them. A lookup that is off or fails leaves the form to be filled by hand.
async fn look_up(app: &App, visitor: &PanelSession, cnpj: &Cnpj) -> Result<(Value, Option<String>), ApiError> {
    match registration(app, &visitor.at.caller, cnpj).await {
        Ok(found) => {
            let state = found["descricao_situacao_cadastral"].as_str().unwrap_or_default();
            let remark = match state.eq_ignore_ascii_case("ativa") || state.is_empty() {
                true => {
                    "Preenchido com o que a Receita Federal publica. Confira tudo, e complete a inscrição estadual."
                        .to_owned()
                }
                false => format!(
                    "Atenção: na Receita Federal a situação deste CNPJ é {state}. Uma empresa que não está ativa não emite documentos."
                ),
            };
            Ok((found, Some(remark)))
        }
        Err(error) => {
            let why = match error.code().status {
                501 => "A consulta de CNPJ não está ligada nesta instalação.",
                404 => "Quem respondeu à consulta não conhece este CNPJ. Confira o número.",
                429 => "A cota de consultas da conta acabou por agora.",
                500 | 503 => "A consulta de CNPJ não respondeu agora.",
                _ => return Err(error),
            };
            Ok((Value::Null, Some(format!("{why} Preencha os dados à mão."))))
        }
    }
}

async fn register(app: &App, sent: &SubmittedForm) -> Result<Response, ApiError> {
    let (visitor, fields) = (&sent.visitor, &sent.fields);
    let mut body = record_form::body(fields);
    body.insert("cpf_cnpj".to_owned(), json!(fields.text("cpf_cnpj").trim()));
    let created = match record_form::require_one_place(fields) {
        Ok(()) => create(app, &visitor.at.caller, &visitor.actor, &body).await,
        Err(error) => Err(error),
    };
    match created {
        Ok(number) => Ok(Redirect::to(&path(number)).into_response()),
        Err(error) if error.code().status >= 500 => Err(error),
        Err(error) => {
            let value = |name: &str| fields.text(name).to_owned();
            Ok(record_page(visitor, frame::form_status(&error), fields.text("cpf_cnpj"), &value, None, Some(&error)))
        }
    }
}

fn number_page(visitor: &PanelSession, status: StatusCode, typed: &str, problems: &[FieldProblem]) -> Response {
    let body = html! {
        (head())
        form method="post" action={ (COMPANIES.path) "/nova" } class="porta" {
            (session_page::proof(visitor))
            (number(typed, problems))
            p class="botoes" {
                button class="botao principal" name="acao" value="consultar" { "Consultar e preencher" }
                button class="botao" name="acao" value="continuar" { "Preencher à mão" }
            }
        }
    };
    session_page::page(visitor, &COMPANIES, status, "Cadastrar uma empresa", body)
}

fn record_page(
    visitor: &PanelSession,
    status: StatusCode,
    typed: &str,
    value: &dyn Fn(&str) -> String,
    remark: Option<&str>,
    refused: Option<&ApiError>,
) -> Response {
    let problems = refused.map(ApiError::problems).unwrap_or_default();
    let body = html! {
        (head())
        @if let Some(error) = refused { (refusal(error, |name| name == "cpf_cnpj" || record_form::has_field(name))) }
        @if let Some(remark) = remark { p class="aviso" role="status" { (remark) } }
        form method="post" action={ (COMPANIES.path) "/nova" } {
            (session_page::proof(visitor))
            (number(typed, problems))
            (record_form::fields(value, problems))
            p class="botoes" {
                button class="botao principal" name="acao" value="cadastrar" { "Cadastrar a empresa" }
                a class="botao" href=(COMPANIES.path) { "Voltar sem cadastrar" }
            }
        }
    };
    session_page::page(visitor, &COMPANIES, status, "Cadastrar uma empresa", body)
}

fn head() -> Markup {
    html! {
        p { a href=(COMPANIES.path) { "Empresas" } }
        h1 { "Cadastrar uma empresa" }
        p { "O cadastro vale para os dois ambientes. Depois dele vêm o certificado e a configuração de cada tipo de documento." }
    }
}

fn number(typed: &str, problems: &[FieldProblem]) -> Markup {
    let about = ["O CNPJ da empresa, com ou sem pontos; ou o CPF, de produtor rural. Não muda depois."];
    let kind = LineKind::Text(20);
    LineControl { name: "cpf_cnpj", label: "CNPJ ou CPF", about: &about, value: typed, kind, is_required: true }
        .show(problems)
}
