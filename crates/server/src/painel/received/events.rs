//! Events of a received document, of its issuer, the company and others.

use fiscal::event::{self, cte};
use fiscal::nfse::registered;
use fiscal::tipo::Tipo;
use fiscal::value::masked;
use maud::{Markup, html};
use store::received::{ReceivedEvent, ReceivedWithEvents};

use crate::api::instant::CivilTime;
use crate::painel::words;

/// The events that arrived, oldest first.
pub(super) fn events(found: &ReceivedWithEvents, time: CivilTime) -> Markup {
    let tipo = found.note.facts.type_facts.tipo();
    html! {
        section aria-labelledby="eventos-titulo" {
            h2 id="eventos-titulo" { "O que aconteceu com ele" }
            @if found.events.is_empty() { p class="vazio" { "Nenhum evento de outros chegou: nem cancelamento, nem correção." } }
            ol class="historia" { @for event in found.events.iter().take(MOST_EVENTS) { (line(event, tipo, time)) } }
        }
    }
}

fn line(event: &ReceivedEvent, tipo: Tipo, time: CivilTime) -> Markup {
    let facts = &event.facts;
    let described = facts.descricao.as_deref().filter(|text| !text.is_empty());
    let author = facts.autor.as_deref().filter(|number| !number.is_empty());
    html! {
        li {
            (words::official_instant(facts.dhRegEvento.as_deref().unwrap_or(&facts.dhEvento))) br;
            strong { (described.unwrap_or_else(|| description(tipo, &facts.tpEvento))) }
            @if let Some(author) = author { " · por " (masked(author)) }
            @if let Some(protocol) = &facts.nProt { " · protocolo " code { (protocol) } }
            @if let Some(why) = &facts.motivo { p { q { (why) } } }
            p class="fraca" { "Chegou aqui em " (words::moment(&time.at(event.recebido_em))) }
        }
    }
}

fn description(tipo: Tipo, tpEvento: &str) -> &'static str {
    let found = match tipo {
        Tipo::Nfse => registered::description(tpEvento),
        Tipo::Cte => cte::CteEventKind::from_code(tpEvento).map(cte::CteEventKind::description),
        _ => event::NfeEventKind::from_code(tpEvento).map(event::NfeEventKind::description),
    };
    found.unwrap_or("Evento")
}

const MOST_EVENTS: usize = 100;
