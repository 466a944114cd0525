//! `GET /painel/empresas`: the companies of the account, newest first.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use fiscal::tipo::Tipo;
use fiscal::value::masked;
use http::StatusCode;
use maud::{Markup, html};
use store::companies::Company;

use super::{TIPOS, name, path};
use crate::api::empresas::view;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;
use crate::painel::navigation::COMPANIES;
use crate::painel::paging::ListPaging;
use crate::painel::panel_session::PanelSession;
use crate::painel::{frame, session_page, words};

static PAGES: ListPaging =
    ListPaging { parameter: "pagina", label: "Páginas", links: ["Mais novas", "Mais antigas"], size: 50 };
const HEADS: [&str; 4] = ["Empresa", "CNPJ ou CPF", "Certificado", "Documentos configurados"];

/// `GET /painel/empresas`
pub(crate) async fn list_companies(
    State(app): State<App>,
    visitor: PanelSession,
    RawQuery(query): RawQuery,
) -> Response {
    list(&app, &visitor, query.as_deref().unwrap_or_default()).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn list(app: &App, visitor: &PanelSession, query: &str) -> Result<Response, ApiError> {
    let page = PAGES.page(query);
    let window = page.window();
    let (companies, total) = app.store().list_companies(visitor.at.caller.tenant_id, window.limit, window.skip).await?;
    let body = html! {
        h1 { (COMPANIES.name) }
        p { "Cada documento é emitido por uma empresa, assinado com o certificado dela e numerado com a série dela." }
        p class="botoes" { a class="botao principal" href={ (COMPANIES.path) "/nova" } { "Cadastrar uma empresa" } }
        @if companies.is_empty() { p class="vazio" { "Nenhuma empresa ainda. Comece pelo CNPJ: o resto vem preenchido, onde a consulta está ligada." } }
        @else { (table(&companies, app.now())) }
        (page.links(COMPANIES.path, total))
    };
    Ok(session_page::page(visitor, &COMPANIES, StatusCode::OK, COMPANIES.name, body))
}

fn table(companies: &[Company], now: i64) -> Markup {
    html! {
        div class="tabela" tabindex="0" role="region" aria-label="Empresas" {
            table class="itens" role="table" {
                thead role="rowgroup" { tr role="row" { @for head in HEADS { th role="columnheader" { (head) } } } }
                tbody role="rowgroup" {
                    @for company in companies {
                        tr role="row" {
                            td role="cell" class="nome" { a href=(path(company.cpf_cnpj)) { (name(company)) } }
                            td role="cell" class="curto" data-coluna=(HEADS[1]) { (masked(company.cpf_cnpj.as_str())) }
                            td role="cell" data-coluna=(HEADS[2]) { (certificate(company, now)) }
                            td role="cell" data-coluna=(HEADS[3]) { (configured(company)) }
                        }
                    }
                }
            }
        }
    }
}

/// State of a company's certificate, in words.
pub(super) fn certificate(company: &Company, now: i64) -> Markup {
    let time = CivilTime::of(Some(company));
    let status = view::certificate(company.certificado.as_ref(), time, now).status;
    html! {
        @match (&company.certificado, status) {
            (None, _) => { span class="estado erro" { "falta" } }
            (Some(record), "expirado") => {
                span class="estado erro" { "vencido" } " em " (words::civil_instant(record.valido_ate, time))
            }
            (Some(record), "expira_em_breve") => {
                span class="estado pendente" { "vence em breve" } " " (words::civil_instant(record.valido_ate, time))
            }
            (Some(record), _) => { span class="estado autorizada" { "válido" } " até " (words::civil_instant(record.valido_ate, time)) }
        }
    }
}

fn configured(company: &Company) -> Markup {
    let found: Vec<&str> = TIPOS.into_iter().filter(|tipo| is_configured(company, *tipo)).map(Tipo::name).collect();
    html! { @if found.is_empty() { span class="estado pendente" { "nenhum" } } @else { (found.join(", ")) } }
}

/// True when a company has a configuration of a type.
pub(super) fn is_configured(company: &Company, tipo: Tipo) -> bool {
    company.configuracoes.contains_key(tipo.word())
}
