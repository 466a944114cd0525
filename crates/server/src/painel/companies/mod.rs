//! `/painel/empresas`: the issuing companies of the account: registration, certificate, configuration of each document
//! type, logo, and the way to production.
//!
//! Law: `docs/contract.md`, "Companies" and "Environments". Pages call the functions of the routes of `/v1/empresas`.

mod certificate_offer;
mod certificate_page;
mod checklist;
mod checklist_item;
mod checklist_items;
mod company_list;
mod company_page;
mod configuration_form;
mod configuration_page;
mod configuration_words;
mod line_control;
mod logo_page;
mod record_form;
mod record_page;
mod registration;
mod type_items;

pub(crate) use certificate_offer::{keep_offer, show_offer};
pub(crate) use certificate_page::{show_certificate, submit_certificate};
pub(crate) use checklist::show_checklist;
pub(crate) use company_list::list_companies;
pub(crate) use company_page::show_company;
pub(crate) use configuration_page::{show_configuration, submit_configuration};
pub(crate) use logo_page::{remove_logo, show_logo, show_picture, show_sample, submit_logo};
pub(crate) use record_page::{show_record, submit_record};
pub(crate) use registration::{show_registration, submit_registration};

use axum::response::Response;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::companies::Company;

use super::navigation::COMPANIES;
use super::panel_session::PanelSession;
use super::session_page;
use crate::api::empresas::view;
use crate::api::error::ApiError;
use crate::app::App;

/// Document types that a company configures, in the order of the pages.
const TIPOS: [Tipo; 4] = [Tipo::Nfe, Tipo::Nfce, Tipo::Nfse, Tipo::Cte];

/// Pages of a company, as links on each of them: last part of the address, and name.
const PAGES: [(&str, &str); 5] = [
    ("", "Resumo"),
    ("/dados", "Dados"),
    ("/certificado", "Certificado"),
    ("/logotipo", "Logotipo"),
    ("/producao", "Ir para produção"),
];

/// Address of a company's page.
fn path(cpf_cnpj: CnpjCpf) -> String {
    format!("{}/{}", COMPANIES.path, cpf_cnpj.as_str())
}

/// Address of the page of a company's certificate.
pub(super) fn certificate_path(cpf_cnpj: CnpjCpf) -> String {
    format!("{}/certificado", path(cpf_cnpj))
}

/// Address of the configuration of a document type.
fn configuration_path(cpf_cnpj: CnpjCpf, tipo: Tipo) -> String {
    format!("{}/tipos/{}", path(cpf_cnpj), tipo.word())
}

/// Recipe of a test document of a type.
fn recipe(tipo: Tipo, company: &Company) -> &'static str {
    let provedor = company.configuracoes.get("nfse").and_then(|stored| stored["provedor"].as_str());
    match tipo {
        Tipo::Nfe => "nota",
        Tipo::Nfce => "nfce",
        Tipo::Cte => "cte",
        Tipo::Nfse if provedor.is_some_and(|provedor| !provedor.starts_with("nacional")) => "nfse-municipal",
        Tipo::Nfse => "nfse",
    }
}

/// Address of the form of a test document of a company.
fn test_path(tipo: Tipo, company: &Company) -> String {
    format!("/painel/emitir?receita={}&empresa={}", recipe(tipo, company), company.cpf_cnpj.as_str())
}

/// A company of the session's account; `None` for all others.
async fn requested(app: &App, visitor: &PanelSession, cpf_cnpj: &str) -> Result<Option<Company>, ApiError> {
    let Ok(cpf_cnpj) = CnpjCpf::parse(cpf_cnpj) else { return Ok(None) };
    match app.store().company(visitor.at.caller.tenant_id, cpf_cnpj).await {
        Ok(company) => Ok(Some(company)),
        Err(store::Error::NotFound) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// 404, equal for an absent company and for one of another account.
fn unknown(visitor: &PanelSession) -> Response {
    let body = html! {
        h1 { "Não encontrada" }
        p { "Esta conta não tem empresa, nem página de empresa, com este endereço." }
        p { a href=(COMPANIES.path) { "Voltar às empresas" } }
    };
    session_page::page(visitor, &COMPANIES, StatusCode::NOT_FOUND, "Não encontrada", body)
}

fn name(company: &Company) -> String {
    view::name(&company.dados).unwrap_or_default()
}

/// A page of a company, below its name and the links to its other pages.
fn page(
    visitor: &PanelSession,
    company: &Company,
    status: StatusCode,
    [part, title]: [&str; 2],
    body: &Markup,
) -> Response {
    let (here, name) = (path(company.cpf_cnpj), name(company));
    let content = html! {
        p { a href=(COMPANIES.path) { "Empresas" } }
        h1 { (name) }
        p class="fraca" { (masked(company.cpf_cnpj.as_str())) }
        nav class="abas" aria-label="Páginas da empresa" {
            ul {
                @for (last, link) in PAGES {
                    li { a href={ (here) (last) } aria-current=[(last == part).then_some("page")] { (link) } }
                }
            }
        }
        (body)
    };
    session_page::page(visitor, &COMPANIES, status, &format!("{title}: {name}"), content)
}

/// The refusal above a form: the problems that no field of it has; `has_field` knows its fields.
fn refusal(error: &ApiError, has_field: impl Fn(&str) -> bool) -> Markup {
    let elsewhere: Vec<&str> = error
        .problems()
        .iter()
        .filter(|problem| !has_field(&problem.campo))
        .map(|problem| problem.mensagem.as_str())
        .collect();
    html! {
        div class="recusa" role="alert" {
            p { strong { "Nada foi guardado." } }
            @if error.problems().is_empty() { p { (error.detail()) } }
            @else if elsewhere.is_empty() { p { "Corrija o que está indicado ao lado de cada campo." } }
            @else { ul { @for text in elsewhere { li { (text) } } } }
        }
    }
}
