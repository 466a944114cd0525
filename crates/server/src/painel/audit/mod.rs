//! `/painel/auditoria`: the acts of the account's people and programs, as a page and as CSV.
//!
//! Law: `docs/concepts/permissions.md`, "The trail".

mod act_words;
mod csv;
mod trail_query;

use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use fiscal::value::masked;
use http::{StatusCode, header};
use maud::{Markup, html};
use store::Visibility;
use store::audit::{AuditAct, AuditEntry};
use store::roles::PersonRecord;
use uuid::Uuid;

use self::trail_query::TrailQuery;
use super::company_choices::{CompanyChoices, CompanyField};
use super::navigation::AUDIT;
use super::panel_session::PanelSession;
use super::session_page::page;
use super::{frame, words};
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::app::App;

/// Entries of a page.
const PAGE: usize = 50;
/// Most entries of a CSV file.
const MOST_LINES: usize = 10_000;

/// `GET /painel/auditoria`
pub(crate) async fn show_trail(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    let query = TrailQuery::read(query.as_deref().unwrap_or_default());
    trail_page(&app, &visitor, &query).await.unwrap_or_else(|error| frame::failure(&error))
}

/// `GET /painel/auditoria.csv`
pub(crate) async fn download_trail(
    State(app): State<App>,
    visitor: PanelSession,
    RawQuery(query): RawQuery,
) -> Response {
    let query = TrailQuery::read(query.as_deref().unwrap_or_default());
    trail_file(&app, &visitor, &query).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn trail_page(app: &App, visitor: &PanelSession, query: &TrailQuery) -> Result<Response, ApiError> {
    let tenant = visitor.at.caller.tenant_id;
    let people = app.store().people(tenant).await?;
    let companies = CompanyChoices::read(app, Visibility::of(&visitor.at.caller)).await?;
    let mut entries = match &query.filter {
        Some(filter) => app.store().audit_entries(tenant, *filter, query.older_than, PAGE + 1).await?,
        None => Vec::new(),
    };
    let goes_on = entries.len() > PAGE;
    entries.truncate(PAGE);
    let body = html! {
        h1 { (AUDIT.name) }
        p { "O que as pessoas e os programas desta conta fizeram, o mais novo primeiro. Nada aqui pode ser apagado ou mudado." }
        (filters(query, &people, &companies))
        @if entries.is_empty() { p class="vazio" { "Nada com estes filtros." } } @else { (table(&entries)) }
        (pages(query, entries.last().filter(|_| goes_on)))
        @if !entries.is_empty() {
            p class="botoes" { a class="botao" href={ (AUDIT.path) ".csv?" (query.text_of_filters()) } { "Baixar em CSV" } }
            p class="fraca" { "Para planilhas: os filtros acima, até 10.000 linhas." }
        }
    };
    let status = if query.filter.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(page(visitor, &AUDIT, status, AUDIT.name, body))
}

async fn trail_file(app: &App, visitor: &PanelSession, query: &TrailQuery) -> Result<Response, ApiError> {
    let tenant = visitor.at.caller.tenant_id;
    let Some(filter) = query.filter else { return trail_page(app, visitor, query).await };
    let mut entries = app.store().audit_entries(tenant, filter, None, MOST_LINES + 1).await?;
    let is_cut = entries.len() > MOST_LINES;
    entries.truncate(MOST_LINES);
    let text = app.engine().heavy().run(tenant, move || csv::file(&entries, is_cut)).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"auditoria.csv\""),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, text).into_response())
}

fn filters(query: &TrailQuery, people: &[PersonRecord], companies: &CompanyChoices) -> Markup {
    let company = companies.control(&CompanyField {
        name: "empresa",
        chosen: query.value("empresa"),
        none: Some("Todas"),
        is_wrong: query.problem("empresa").is_some(),
        told: query.problem("empresa").map(|_| "falha-empresa"),
    });
    let chosen = query.value("pessoa");
    let is_listed = people.iter().any(|person| person.id.to_string() == chosen);
    html! {
        form method="get" action=(AUDIT.path) class="filtros" {
            div class="campos-lado" {
                label {
                    "Pessoa"
                    select name="pessoa" {
                        option value="" { "Todas, e os programas" }
                        @if !is_listed && !chosen.is_empty() { option value=(chosen) selected { (chosen) } }
                        @for person in people {
                            @let id = person.id.to_string();
                            option value=(id) selected[id == chosen] { (person.email) }
                        }
                    }
                    (failure(query, "pessoa"))
                }
                label {
                    "O que foi feito"
                    select name="ato" {
                        option value="" { "Tudo" }
                        @for (word, _) in AuditAct::ALL {
                            option value=(word) selected[*word == query.value("ato")] { (act_words::name(word)) }
                        }
                    }
                    (failure(query, "ato"))
                }
                label { "Empresa" (company) (failure(query, "empresa")) }
                (day(query, "de", "De"))
                (day(query, "ate", "Até"))
            }
            div class="botoes" {
                button class="principal" { "Filtrar" }
                @if query.narrows() { a href=(AUDIT.path) { "Limpar os filtros" } }
            }
        }
    }
}

fn day(query: &TrailQuery, name: &'static str, label: &str) -> Markup {
    let problem = query.problem(name);
    html! {
        label {
            (label)
            input type="date" name=(name) value=(query.value(name)) aria-invalid=[problem.map(|_| "true")]
                aria-describedby=[problem.map(|_| format!("falha-{name}"))];
            (failure(query, name))
        }
    }
}

fn failure(query: &TrailQuery, name: &str) -> Markup {
    html! { @if let Some(problem) = query.problem(name) { span class="falha" id={ "falha-" (name) } { (problem) } } }
}

fn table(entries: &[AuditEntry]) -> Markup {
    html! {
        div class="tabela" tabindex="0" role="region" aria-label="Auditoria" {
            table class="itens" {
                thead {
                    tr {
                        th scope="col" { "Quando" } th scope="col" { "Quem" } th scope="col" { "O que fez" }
                        th scope="col" { "Em quê" } th scope="col" { "De onde" }
                    }
                }
                tbody { @for entry in entries { (line(entry)) } }
            }
        }
    }
}

fn line(entry: &AuditEntry) -> Markup {
    html! {
        tr {
            td class="nome" { (words::moment_with_seconds(&CivilTime::of(None).at(entry.em))) }
            td class="longo" data-coluna="Quem" { (act_words::actor(entry)) }
            td data-coluna="O que fez" { (act_words::name(&entry.ato)) }
            td class="longo" data-coluna="Em quê" {
                @let details = act_words::details(&entry.detalhes, false);
                span { (target(entry)) " " @if !details.is_empty() { small { (details) } } }
            }
            td class="curto" data-coluna="De onde" { (entry.endereco.as_deref().unwrap_or("—")) }
        }
    }
}

/// The target, a link where it is a document of the panel.
fn target(entry: &AuditEntry) -> Markup {
    let is_job = entry.ato.starts_with("operacao_") || entry.ato == AuditAct::EmissaoNoPainel.word();
    let is_order =
        ["emissao_aprovada", "emissao_recusada", "ato_aprovado", "ato_recusado"].contains(&entry.ato.as_str());
    html! {
        @if is_job { a href={ "/painel/documentos/" (entry.alvo) } { "documento" } }
        @else if is_order { a href={ "/painel/confirmar/" (entry.alvo) } { "pedido preparado" } }
        @else if Uuid::parse_str(&entry.alvo).is_err() { (masked(&entry.alvo)) }
    }
}

fn pages(query: &TrailQuery, last: Option<&AuditEntry>) -> Markup {
    let filters = query.text_of_filters();
    html! {
        @if query.older_than.is_some() || last.is_some() {
            nav class="paginas" aria-label="Páginas" {
                @if query.older_than.is_some() { a href={ (AUDIT.path) "?" (filters) } { "As mais novas" } }
                @if let Some(last) = last {
                    a href={ (AUDIT.path) "?" (filters) "&antes=" (last.em) "." (last.id) } { "Mais antigas" }
                }
            }
        }
    }
}
