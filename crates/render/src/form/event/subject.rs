//! Kinds of documents with events, a row each.

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
    /// Titles of the form by `tpEvento`; `""` is any other.
    names: &'static [(&'static str, &'static str)],
}

pub(super) static NOTE: EventSubject = EventSubject {
    envelope: &family::NFE,
    answer: "retEvento/infEvento",
    title: "NOTA FISCAL",
    parties: "PARTES DA NOTA FISCAL",
    addressee: ("DESTINATÁRIO - NOME / RAZÃO SOCIAL", "DESTINATÁRIO"),
    total: "total/ICMSTot/vNF",
    names: &[
        ("", "EVENTO DE NF-e"),
        ("110110", "CARTA DE CORREÇÃO ELETRÔNICA"),
        ("110111", "CANCELAMENTO DE NF-e"),
        ("110112", "CANCELAMENTO POR SUBSTITUIÇÃO DE NFC-e"),
        ("110140", "EVENTO PRÉVIO DE EMISSÃO EM CONTINGÊNCIA"),
        ("110150", "ATOR INTERESSADO NA NF-e"),
        ("210200", "CONFIRMAÇÃO DA OPERAÇÃO"),
        ("210210", "CIÊNCIA DA OPERAÇÃO"),
        ("210220", "DESCONHECIMENTO DA OPERAÇÃO"),
        ("210240", "OPERAÇÃO NÃO REALIZADA"),
    ],
};

/// Titles for an NFC-e, which differs in nothing else.
const RECEIPT: &[(&str, &str)] = &[("", "EVENTO DE NFC-e"), ("110111", "CANCELAMENTO DE NFC-e")];

pub(super) static TRANSPORT: EventSubject = EventSubject {
    envelope: &family::CTE,
    answer: "retEventoCTe/infEvento",
    title: "CONHECIMENTO DE TRANSPORTE",
    parties: "PARTES DO CONHECIMENTO DE TRANSPORTE",
    addressee: ("TOMADOR - NOME / RAZÃO SOCIAL", "TOMADOR"),
    total: "vPrest/vTPrest",
    names: &[
        ("", "EVENTO DE CT-e"),
        ("110110", "CARTA DE CORREÇÃO ELETRÔNICA"),
        ("110111", "CANCELAMENTO DE CT-e"),
        ("110160", "REGISTRO DO MULTIMODAL"),
        ("110170", "INFORMAÇÕES DA GTV"),
        ("110180", "COMPROVANTE DE ENTREGA DO CT-e"),
        ("110181", "CANCELAMENTO DO COMPROVANTE DE ENTREGA DO CT-e"),
        ("110190", "INSUCESSO NA ENTREGA DO CT-e"),
        ("110191", "CANCELAMENTO DO INSUCESSO NA ENTREGA DO CT-e"),
        ("610110", "PRESTAÇÃO DO SERVIÇO EM DESACORDO"),
        ("610111", "CANCELAMENTO DE PRESTAÇÃO DO SERVIÇO EM DESACORDO"),
    ],
};

impl EventSubject {
    /// Title of the form of an event about a key.
    pub(super) fn name(&self, tpEvento: &str, chave: &str) -> &'static str {
        let retail: &[_] = if chave.get(20..22) == Some("65") { RECEIPT } else { &[] };
        let named = |code: &str| retail.iter().chain(self.names).find(|(of, _)| *of == code);
        named(tpEvento).or_else(|| named("")).map_or("", |(_, name)| name)
    }
}
