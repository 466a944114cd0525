//! `GET /painel/empresas/{cpf_cnpj}`: what a company has, and the next step.

use axum::extract::{Path, State};
use axum::response::Response;
use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use http::StatusCode;
use maud::{Markup, html};
use store::companies::Company;

use super::company_list::{certificate, is_configured};
use super::configuration_form::in_use;
use super::configuration_page::of_environment;
use super::{TIPOS, certificate_path, configuration_path, page, path, record_form, requested, test_path, unknown};
use crate::app::App;
use crate::painel::frame;
use crate::painel::panel_session::PanelSession;

/// `GET /painel/empresas/{cpf_cnpj}`
pub(crate) async fn show_company(
    State(app): State<App>,
    visitor: PanelSession,
    Path(number): Path<String>,
) -> Response {
    match requested(&app, &visitor, &number).await {
        Ok(Some(company)) => {
            let body = html! {
                (next_step(&company, app.now()))
                section aria-labelledby="resumo" { h2 id="resumo" { "Cadastro" } (record(&company, app.now())) }
                section aria-labelledby="documentos" { h2 id="documentos" { "Documentos" } (types(&visitor, &company)) }
            };
            page(&visitor, &company, StatusCode::OK, ["", "Empresa"], &body)
        }
        Ok(None) => unknown(&visitor),
        Err(error) => frame::failure(&error),
    }
}

/// The first thing that is missing.
fn next_step(company: &Company, now: i64) -> Markup {
    let here = path(company.cpf_cnpj);
    let is_valid = company.certificado.as_ref().is_some_and(|record| record.valido_ate > now);
    let configured = TIPOS.into_iter().any(|tipo| is_configured(company, tipo));
    let is_live = TIPOS.into_iter().any(|tipo| in_use(company, tipo) == Some(TpAmb::Producao));
    html! {
        @if !is_valid {
            p class="aviso" { "Próximo passo: " a href=(certificate_path(company.cpf_cnpj)) { "enviar o certificado digital" } ". Sem ele nada é emitido." }
        } @else if !configured {
            p class="aviso" { "Próximo passo: configurar, abaixo, os documentos que a empresa emite." }
        } @else if !is_live {
            p class="aviso" { "Próximo passo: emitir uma nota de teste, e ver " a href={ (here) "/producao" } { "o que falta para ir à produção" } "." }
        }
    }
}

fn record(company: &Company, now: i64) -> Markup {
    let value = |name: &str| record_form::stored(&company.dados, name);
    let regime = value("crt");
    let regime = record_form::REGIMES.iter().find(|(code, _)| *code == regime).filter(|(code, _)| !code.is_empty());
    let place = [value("endereco.cidade"), value("endereco.uf")].into_iter().filter(|text| !text.is_empty());
    let rows = [
        ("Nome fantasia", value("nome_fantasia")),
        ("Inscrição estadual", value("inscricao_estadual")),
        ("Inscrição municipal", value("inscricao_municipal")),
        ("Regime tributário", regime.map(|(_, text)| (*text).to_owned()).unwrap_or_default()),
        ("Cidade", place.collect::<Vec<_>>().join(", ")),
    ];
    html! {
        dl class="ficha" {
            dt { "Certificado" } dd { (certificate(company, now)) }
            @for (label, value) in rows { dt { (label) } dd { @if value.is_empty() { span class="fraca" { "não informado" } } @else { (value) } } }
        }
        p class="botoes" { a class="botao" href={ (path(company.cpf_cnpj)) "/dados" } { "Mudar os dados" } }
    }
}

fn types(visitor: &PanelSession, company: &Company) -> Markup {
    html! {
        div class="emissoes" {
            @for tipo in TIPOS {
                div class="cartao" {
                    div class="linha" {
                        div { strong { (tipo.name()) } " " (standing(visitor, company, tipo)) }
                        div class="botoes" {
                            @if offers_test(visitor, company, tipo) {
                                a class="botao" href=(test_path(tipo, company)) aria-label={ "Emitir uma nota de teste: " (tipo.name()) } { "Emitir uma nota de teste" }
                            }
                            a class="botao" href=(configuration_path(company.cpf_cnpj, tipo)) aria-label={ "Configurar " (tipo.name()) } { "Configurar" }
                        }
                    }
                }
            }
        }
        p class="fraca" { "O CT-e OS se configura com o CT-e. A nota de teste sai em homologação, sem valor fiscal." }
    }
}

/// Environment and series in use.
fn standing(visitor: &PanelSession, company: &Company, tipo: Tipo) -> Markup {
    html! {
        @match in_use(company, tipo) {
            None => { span class="estado pendente" { "não configurada" } }
            Some(ambiente) => {
                span class={ "ambiente " (ambiente.word()) } { "em " (frame::name(ambiente)) }
                @if visitor.at.caller.ambiente == TpAmb::Producao || ambiente == TpAmb::Homologacao {
                    @if let Some(serie) = of_environment(company, tipo, ambiente, "serie").as_str() { ", série " (serie) }
                }
            }
        }
    }
}

/// True where a test document of the type would go to homologação.
fn offers_test(visitor: &PanelSession, company: &Company, tipo: Tipo) -> bool {
    visitor.at.caller.ambiente == TpAmb::Homologacao && is_configured(company, tipo)
}
