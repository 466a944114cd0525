//! Requests of events of a national NFS-e: what the issuer or a party to the note asks the Sefin to register.
//!
//! Law: anexo II (events) and the layout of pedRegEvento 1.01. Events of a município and of the Sefin itself (105102 is
//! written by it when a substitute is authorised) are not asked for here.

use super::registered::{ANALYSIS, CANCELLATION, description};
use crate::finding::{Violation, repeated};
use crate::layout::{self, Body, Complex, ContentModel, Particle};
use crate::map::{Origin, Remarks, Scope, Walker, members};
use crate::nota::faults;
use crate::value::{ChaveNfse, CnpjCpf, TpAmb};
use serde_json::{Map, Value};
use std::ops::Range;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct EventRequest<'a> {
    /// Environment of the note.
    pub ambiente: TpAmb,
    /// Version of the application, at most 20 characters.
    pub verAplic: &'a str,
    /// RFC 3339 with the offset of the author's município, no fraction.
    pub dhEvento: &'a str,
    /// Who asks.
    pub autor: CnpjCpf,
    /// Of the note.
    pub chave: &'a ChaveNfse,
    /// Kind of event: a row of [`types`].
    pub tpEvento: &'a str,
    /// Code of the reason, where the kind has one.
    pub cMotivo: Option<&'a str>,
    /// The reason in words.
    pub xMotivo: Option<&'a str>,
}

/// A request that could be built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltEvent {
    /// `Id` of the signed element: `PRE`, key, kind.
    pub id: String,
    /// Canonical, unsigned, valid against the layout.
    pub xml: String,
    /// Where the element that is signed stands in `xml`.
    pub signed: Range<usize>,
}

/// A kind of event.
#[derive(Debug)]
pub struct EventType {
    /// Six digits.
    pub tpEvento: &'static str,
    /// Whether it says a reason, by code and in words.
    pub has_reason: bool,
}

const fn row(tpEvento: &'static str, has_reason: bool) -> EventType {
    EventType { tpEvento, has_reason }
}

static TYPES: [EventType; 8] = [
    row(CANCELLATION, true),
    row(ANALYSIS, true),
    row("202201", false),
    row("203202", false),
    row("204203", false),
    row("202205", true),
    row("203206", true),
    row("204207", true),
];

/// Every kind that is asked for here.
pub fn types() -> &'static [EventType] {
    &TYPES
}

/// Whether a party says by it what it thinks of a note.
pub fn is_manifestation(tpEvento: &str) -> bool {
    tpEvento.starts_with('2') && TYPES.iter().any(|kind| kind.tpEvento == tpEvento)
}

const VERSAO: &str = "1.01";
/// Room for a request of everyday size.
const CAPACITY: usize = 1_200;
/// Reason of a rejection that needs words.
const OTHER: &str = "9";

/// Builds the request, or says everything that stops it.
pub fn build(request: &EventRequest<'_>) -> Result<BuiltEvent, Vec<Violation>> {
    let Some(kind) = TYPES.iter().find(|kind| kind.tpEvento == request.tpEvento) else {
        let mensagem = format!("O evento {} não é pedido pelo serviço.", repeated(request.tpEvento));
        return Err(vec![Violation::of("tipo", "valor_invalido", &mensagem)]);
    };
    let id = format!("PRE{}{}", request.chave.as_str(), kind.tpEvento);
    let members = content(request, kind);
    let scope = Scope::at("evento").with(&members, "evento", Origin::Service);
    let mut walker = Walker::new(CAPACITY, 0, Remarks::Dropped);
    walker.xml.open_with("pedRegEvento", &[("xmlns", layout::PED_REG_EVENTO.namespace), ("versao", VERSAO)]);
    let begin = walker.xml.len();
    walker.xml.open_with("infPedReg", &[("Id", &id)]);
    for particle in parts() {
        walker.member(particle, None, &scope);
    }
    walker.xml.close("infPedReg");
    let signed = begin..walker.xml.len();
    walker.xml.close("pedRegEvento");
    let xml = std::mem::take(&mut walker.xml).finish();
    let mut violations = walker.violations;
    violations.iter_mut().for_each(|violation| violation.campo = campo(&violation.campo));
    if kind.tpEvento.starts_with('2') && request.cMotivo == Some(OTHER) && request.xMotivo.is_none() {
        violations.push(Violation::of(
            "justificativa",
            "campo_obrigatorio",
            "O motivo 9 (outros) pede justificativa, de 15 a 255 caracteres.",
        ));
    }
    faults::look(&layout::PED_REG_EVENTO, &xml, &mut violations, campo);
    if violations.is_empty() { Ok(BuiltEvent { id, xml, signed }) } else { Err(violations) }
}

/// The members of `infPedReg`.
fn content(request: &EventRequest<'_>, kind: &EventType) -> Map<String, Value> {
    let text = |value: &str| Value::String(value.to_owned());
    let mut detail = Map::from_iter([("xDesc".to_owned(), text(description(kind.tpEvento).unwrap_or_default()))]);
    for (tag, value) in [("cMotivo", request.cMotivo), ("xMotivo", request.xMotivo)] {
        if let Some(value) = value.filter(|_| kind.has_reason) {
            detail.insert(tag.to_owned(), text(value));
        }
    }
    Map::from_iter([
        ("tpAmb".to_owned(), text(request.ambiente.code())),
        ("verAplic".to_owned(), text(request.verAplic)),
        ("dhEvento".to_owned(), text(request.dhEvento)),
        (format!("{}Autor", request.autor.tag()), text(request.autor.as_str())),
        ("chNFSe".to_owned(), text(request.chave.as_str())),
        (format!("e{}", kind.tpEvento), Value::Object(detail)),
    ])
}

/// The particles of `infPedReg`, in order.
fn parts() -> &'static [Particle] {
    let inf = || -> Option<&'static Complex> {
        let ContentModel::Group(root) = &layout::PED_REG_EVENTO.root.kind else { return None };
        match &members(root).into_iter().find(|element| element.name == "infPedReg")?.kind {
            ContentModel::Group(complex) => Some(complex),
            ContentModel::Leaf(_) | ContentModel::Foreign(_) => None,
        }
    };
    match inf().and_then(|complex| complex.content.as_ref()).map(|content| &content.body) {
        Some(Body::Sequence(parts)) => parts,
        _ => &[],
    }
}

/// The contract's name of what a path of the request ends in.
fn campo(path: &str) -> String {
    match path.rsplit(['/', '.']).next().unwrap_or(path) {
        "cMotivo" => "codigo_motivo".to_owned(),
        "xMotivo" => "justificativa".to_owned(),
        other => other.to_owned(),
    }
}
