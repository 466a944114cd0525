//! `GET /painel`: what waits for a word, and what is past.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use engine::assisted::{Decisao, Standing, Which};
use fiscal::tipo::Tipo;
use fiscal::value::{Uf, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::jobs::Operacao;

use super::visit::Visitor;
use super::{frame, path, words};
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel`
pub(crate) async fn listar(State(app): State<App>, visitor: Visitor, RawQuery(query): RawQuery) -> Response {
    listed(&app, &visitor, query.as_deref().unwrap_or_default()).await.unwrap_or_else(|error| frame::failure(&error))
}

async fn listed(app: &App, visitor: &Visitor, query: &str) -> Result<Response, ApiError> {
    let asked = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "pagina");
    let page: u32 = asked.and_then(|(_, number)| number.parse().ok()).unwrap_or(1).clamp(1, LAST_PAGE);
    let (engine, caller) = (app.engine(), &visitor.at.caller);
    let (waiting, waits) = engine.awaiting(caller, Which::Waiting, MOST_WAITING, 0).await?;
    let (past, total) = engine.awaiting(caller, Which::Past, PER_PAGE, (page - 1) * PER_PAGE).await?;
    let body = html! {
        h1 { "Confirmações" }
        section aria-labelledby="esperam" {
            h2 id="esperam" { "Esperam a sua decisão (" (waits) ")" }
            @if waiting.is_empty() {
                p class="vazio" { "Nada espera decisão. O que um programa ou agente preparar, com " code { "POST /v1/nfe/preparar" } " ou pelo MCP, aparece aqui por dez minutos." }
            }
            ul class="emissoes" { @for one in &waiting { (card(one, true)) } }
            @if waits > u64::from(MOST_WAITING) { p { "Só as " (MOST_WAITING) " mais novas são mostradas." } }
        }
        section aria-labelledby="passadas" {
            h2 id="passadas" { "Decididas e passadas (" (total) ")" }
            @if past.is_empty() { p class="vazio" { "Nada por aqui ainda." } }
            ul class="emissoes" { @for one in &past { (card(one, false)) } }
            (pages(page, total))
        }
    };
    Ok(frame::page(visitor, StatusCode::OK, "Confirmações", body))
}

fn card(one: &Standing, waits: bool) -> Markup {
    html! {
        li class="cartao" {
            p class="linha" { strong class="valor" { (title(one)) } (words::state(&one.state)) }
            @if one.operacao == Operacao::Emissao {
                p { "Para " strong { (one.destinatario.as_deref().unwrap_or("consumidor não identificado")) } }
            }
            p class="fraca" {
                "Emitente " (masked(&one.emitente)) " · " (frame::name(one.destino)) " · preparada em " (words::instant(one.criado_em, Uf::DF))
                @if let Some(key) = &one.preparada_por { " pela chave “" (key) "”" }
            }
            @if let Some(decision) = &one.decision {
                p class="fraca" {
                    @if decision.decisao == Decisao::Aprovada { "Aprovada" } @else { "Recusada" }
                    " por " (decision.email.as_deref().unwrap_or("usuário removido")) " em " (words::instant(decision.em, Uf::DF))
                    @if let Some(why) = &decision.motivo { ": " q { (why) } }
                }
            }
            p {
                a href=(path(one.id)) aria-label={ @if waits { "Ver e decidir: " } @else { "Ver: " } (title(one)) } {
                    @if waits { "Ver e decidir" } @else { "Ver" }
                }
            }
        }
    }
}

/// What it is worth, or what it does.
fn title(one: &Standing) -> String {
    match (one.operacao, one.tipo) {
        (Operacao::Emissao, Tipo::Nfe) => words::reais(one.valor),
        (Operacao::Inutilizacao, _) => words::what(one.operacao, one.tipo),
        _ => format!("{} · {}", words::what(one.operacao, one.tipo), words::reais(one.valor)),
    }
}

fn pages(page: u32, total: u64) -> Markup {
    let more = u64::from(page) * u64::from(PER_PAGE) < total;
    html! {
        @if page > 1 || more {
            nav aria-label="Páginas" class="paginas" {
                @if page > 1 { a href={ "/painel?pagina=" (page - 1) } { "Mais novas" } }
                span { "Página " (page) }
                @if more { a href={ "/painel?pagina=" (page + 1) } { "Mais antigas" } }
            }
        }
    }
}

const MOST_WAITING: u32 = 50;
const PER_PAGE: u32 = 20;
const LAST_PAGE: u32 = 1_000_000;
