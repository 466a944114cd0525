//! The deliveries with their filters, newest first.

use maud::{Markup, html};
use store::webhooks::{DeliveryFilter, DeliveryStatus};

use super::delivery_card::{card, status_words};
use super::sight;
use crate::api::error::ApiError;
use crate::api::instant::CivilTime;
use crate::api::webhooks::nomes::is_event;
use crate::app::App;
use crate::painel::filters::ListFilters;
use crate::painel::filters::address::list_address;
use crate::painel::filters::controls::{field, select};
use crate::painel::navigation::INTEGRATIONS;
use crate::painel::paging::{ListPage, ListPaging};
use crate::painel::panel_session::PanelSession;
use crate::painel::{session_page, words};

const STATUSES: [DeliveryStatus; 3] = [DeliveryStatus::Perdida, DeliveryStatus::Pendente, DeliveryStatus::Entregue];

static PAGES: ListPaging =
    ListPaging { parameter: "pagina", label: "Páginas das entregas", links: ["Mais novas", "Mais antigas"], size: 20 };

/// Filters and page of the list.
pub(super) struct DeliveryQuery {
    typed: ListFilters,
    filter: DeliveryFilter,
    page: ListPage,
}

impl DeliveryQuery {
    pub(super) fn read(query: &str) -> DeliveryQuery {
        let mut typed = ListFilters::read(INTEGRATIONS.path, query, ["situacao", "aviso"]);
        let status = typed.choice("situacao", |word| STATUSES.into_iter().find(|status| status.word() == word));
        let problem = "Escreva o nome de um aviso, como nfe.autorizada ou certificado.expirado.";
        let evento = typed.parsed("aviso", problem, |text| is_event(text).then(|| text.to_owned()));
        DeliveryQuery { typed, filter: DeliveryFilter { job_id: None, status, evento }, page: PAGES.page(query) }
    }
}

pub(super) async fn list(app: &App, visitor: &PanelSession, query: &DeliveryQuery) -> Result<Markup, ApiError> {
    let (sight, window) = (sight(visitor), query.page.window());
    let (found, total) = match query.typed.is_wrong() {
        true => (Vec::new(), 0),
        false => app.store().deliveries(sight, query.filter.clone(), window.limit, window.skip).await?,
    };
    let waits = found.iter().any(|one| one.status == DeliveryStatus::Pendente);
    let time = CivilTime::of(None);
    let address = |page: u32| {
        let typed = ["situacao", "aviso"].into_iter().filter_map(|name| Some((name, query.typed.given(name)?)));
        list_address(INTEGRATIONS.path, &typed.chain([("pagina", page.to_string())]).collect::<Vec<_>>())
    };
    Ok(html! {
        section id="entregas" data-vivo=[waits.then_some("5")] aria-labelledby="entregas-titulo" {
            h2 id="entregas-titulo" { "Entregas" }
            (filters(query))
            p class="fraca" role="status" {
                (counted(total))
                @if waits { " · " a href=(address(1)) { "atualizar" } }
            }
            @if found.iter().any(|one| one.status == DeliveryStatus::Perdida) { (resend_lost(visitor)) }
            @if found.is_empty() {
                p class="vazio" {
                    @if query.typed.narrows() { "Nenhuma entrega assim." } @else { "Nenhum aviso foi enviado ainda." }
                }
            }
            @for one in &found { (card(visitor, one, time)) }
            (query.page.links_at(total, address))
        }
    })
}

fn counted(total: u64) -> String {
    match total {
        1 => "1 entrega.".to_owned(),
        _ => format!("{} entregas.", words::decimal(&total.to_string())),
    }
}

fn filters(query: &DeliveryQuery) -> Markup {
    let typed = &query.typed;
    html! {
        details open[typed.narrows()] {
            summary { "Filtrar entregas" }
            form method="get" action=(INTEGRATIONS.path) class="filtros" {
                div class="campos-lado" {
                    (select("situacao", "Situação", typed, STATUSES.iter().map(|status| (status.word(), status_words(*status).1))))
                    (field("aviso", "Aviso, pelo nome", "text", typed))
                }
                div class="botoes" {
                    button class="principal" { "Filtrar" }
                    @if typed.narrows() { a href=(INTEGRATIONS.path) { "Limpar os filtros" } }
                }
            }
        }
    }
}

fn resend_lost(visitor: &PanelSession) -> Markup {
    html! {
        form method="post" action={ (INTEGRATIONS.path) "/reenviar" } {
            (session_page::proof(visitor))
            p class="botoes" {
                button { "Reenviar as perdidas" }
                span class="fraca" { "Todas deste ambiente, as mais novas primeiro, até 100 de cada vez." }
            }
        }
    }
}
