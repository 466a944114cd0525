//! Kinds of documents with events, a row each.

use fiscal::event::cte::CteEventKind;
use fiscal::event::family::{self, EventFamily};

/// Envelope and titles of events of one kind of document.
pub(super) struct EventSubject {
    pub(super) envelope: &'static EventFamily,
    /// Path of the authority's answer.
    pub(super) answer: &'static str,
    pub(super) title: &'static str,
    pub(super) parties: &'static str,
    /// Group and title of the addressee.
    pub(super) addressee: (&'static str, &'static str),
    pub(super) total: &'static str,
    /// Title of the form of a `tpEvento`.
    event_title: fn(&str) -> &'static str,
}

pub(super) static NOTE: EventSubject = EventSubject {
    envelope: &family::NFE,
    answer: "retEvento/infEvento",
    title: "NOTA FISCAL",
    parties: "PARTES DA NOTA FISCAL",
    addressee: ("DESTINATÁRIO - NOME / RAZÃO SOCIAL", "DESTINATÁRIO"),
    total: "total/ICMSTot/vNF",
    event_title: |tpEvento| titled(NOTE_EVENTS, tpEvento).unwrap_or("EVENTO DE NF-e"),
};

const NOTE_EVENTS: &[(&str, &str)] = &[
    ("110110", "CARTA DE CORREÇÃO ELETRÔNICA"),
    ("110111", "CANCELAMENTO DE NF-e"),
    ("110112", "CANCELAMENTO POR SUBSTITUIÇÃO DE NFC-e"),
    ("110140", "EVENTO PRÉVIO DE EMISSÃO EM CONTINGÊNCIA"),
    ("110150", "ATOR INTERESSADO NA NF-e"),
    ("210200", "CONFIRMAÇÃO DA OPERAÇÃO"),
    ("210210", "CIÊNCIA DA OPERAÇÃO"),
    ("210220", "DESCONHECIMENTO DA OPERAÇÃO"),
    ("210240", "OPERAÇÃO NÃO REALIZADA"),
];

/// Titles for an NFC-e, which differs in nothing else.
fn receipt_title(tpEvento: &str) -> &'static str {
    match tpEvento {
        "110111" => "CANCELAMENTO DE NFC-e",
        other => titled(NOTE_EVENTS, other).unwrap_or("EVENTO DE NFC-e"),
    }
}

fn titled(titles: &'static [(&str, &str)], tpEvento: &str) -> Option<&'static str> {
    titles.iter().find(|(of, _)| *of == tpEvento).map(|(_, title)| *title)
}

pub(super) static TRANSPORT: EventSubject = EventSubject {
    envelope: &family::CTE,
    answer: "retEventoCTe/infEvento",
    title: "CONHECIMENTO DE TRANSPORTE",
    parties: "PARTES DO CONHECIMENTO DE TRANSPORTE",
    addressee: ("TOMADOR - NOME / RAZÃO SOCIAL", "TOMADOR"),
    total: "vPrest/vTPrest",
    event_title: |tpEvento| CteEventKind::from_code(tpEvento).map_or("EVENTO DE CT-e", CteEventKind::title),
};

impl EventSubject {
    /// Title of the form of an event about a key.
    pub(super) fn name(&self, tpEvento: &str, chave: &str) -> &'static str {
        if chave.get(20..22) == Some("65") { receipt_title(tpEvento) } else { (self.event_title)(tpEvento) }
    }
}
