//! `GET /painel/confirmacoes`: orders that wait for a decision, and past ones.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use engine::acceptance::assisted::{ConfirmationList, Decisao, PreparationRecord};
use fiscal::tipo::Tipo;
use fiscal::value::{Uf, masked};
use http::StatusCode;
use maud::{Markup, html};
use store::jobs::Operacao;

use super::navigation::ORDERS;
use super::paging::ListPaging;
use super::panel_session::PanelSession;
use super::{frame, path, session_page, words};
use crate::api::error::ApiError;
use crate::app::App;

/// `GET /painel/confirmacoes`
pub(crate) async fn list_orders(State(app): State<App>, visitor: PanelSession, RawQuery(query): RawQuery) -> Response {
    order_lists(&app, &visitor, query.as_deref().unwrap_or_default())
        .await
        .unwrap_or_else(|error| frame::failure(&error))
}

async fn order_lists(app: &App, visitor: &PanelSession, query: &str) -> Result<Response, ApiError> {
    let (wait_page, page) = (WAITING.page(query), PAST.page(query));
    let (engine, caller) = (app.engine(), &visitor.at.caller);
    let (waiting, waits) =
        engine.list_prepared(caller, ConfirmationList::Waiting, WAITING.size, wait_page.skip()).await?;
    let (past, total) = engine.list_prepared(caller, ConfirmationList::Past, PAST.size, page.skip()).await?;
    let body = html! {
        h1 { "Confirmações" }
        section aria-labelledby="esperam" {
            h2 id="esperam" { "Esperam a sua decisão (" (waits) ")" }
            @if waiting.is_empty() {
                p class="vazio" { "Nada espera decisão. O que um programa ou agente preparar, com " code { "POST /v1/nfe/preparar" } " ou pelo MCP, aparece aqui por dez minutos." }
            }
            ul class="emissoes" { @for one in &waiting { (card(one, true)) } }
            (wait_page.links(ORDERS.path, waits))
        }
        section aria-labelledby="passadas" {
            h2 id="passadas" { "Decididas e passadas (" (total) ")" }
            @if past.is_empty() { p class="vazio" { "Nada por aqui ainda." } }
            ul class="emissoes" { @for one in &past { (card(one, false)) } }
            (page.links(ORDERS.path, total))
        }
    };
    Ok(session_page::page(visitor, &ORDERS, StatusCode::OK, "Confirmações", body))
}

fn card(one: &PreparationRecord, waits: bool) -> Markup {
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

/// Title of an entry: its value, or its operation.
fn title(one: &PreparationRecord) -> String {
    match (one.operacao, one.tipo) {
        (Operacao::Emissao, Tipo::Nfe) => words::reais(one.valor),
        (Operacao::Inutilizacao, _) => words::operation_label(one.operacao, one.tipo),
        _ => format!("{} · {}", words::operation_label(one.operacao, one.tipo), words::reais(one.valor)),
    }
}

static WAITING: ListPaging = ListPaging {
    parameter: "espera",
    label: "Páginas das que esperam",
    links: ["Mais novas", "Mais antigas"],
    size: 50,
};
static PAST: ListPaging = ListPaging {
    parameter: "pagina",
    label: "Páginas das decididas e passadas",
    links: ["Mais novas", "Mais antigas"],
    size: 20,
};
