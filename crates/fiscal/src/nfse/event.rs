//! Requests for events of a national NFS-e, which the issuer or another party sends to the Sefin.
//!
//! Law: anexo II (events) and the layout of pedRegEvento 1.01. Events of a município and of the Sefin itself are
//! excluded (the Sefin writes 105102 when it authorises a substitute).

use super::registered::{ANALYSIS, CANCELLATION, description};
use crate::finding::{Violation, excerpt};
use crate::layout::{self, Body, Complex, ContentModel, Particle};
use crate::map::{GroupScope, LayerOrigin, LayoutWalker, NoticePolicy, members};
use crate::nota::layout_check;
use crate::value::{ChaveNfse, CnpjCpf, TpAmb};
use serde_json::{Map, Value};
use std::ops::Range;

/// Data of a requested event.
#[derive(Debug, Clone, Copy)]
pub struct NfseEventRequest<'a> {
    /// Environment of the NFS-e.
    pub ambiente: TpAmb,
    /// Version of the application, at most 20 characters.
    pub verAplic: &'a str,
    /// RFC 3339 with the offset of the author's município, no fraction.
    pub dhEvento: &'a str,
    /// Author of the request.
    pub autor: CnpjCpf,
    /// Key of the NFS-e.
    pub chave: &'a ChaveNfse,
    /// Kind of event: a row of [`types`].
    pub tpEvento: &'a str,
    /// Code of the reason, where the kind has one.
    pub cMotivo: Option<&'a str>,
    /// Text of the reason.
    pub xMotivo: Option<&'a str>,
}

/// A built request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltEvent {
    /// `Id` of the signed element: `PRE`, key, kind.
    pub id: String,
    /// Canonical, unsigned, valid against the layout.
    pub xml: String,
    /// Range of the signed element in `xml`.
    pub signed: Range<usize>,
}

/// A kind of event.
#[derive(Debug)]
pub struct NfseEventType {
    /// Six digits.
    pub tpEvento: &'static str,
    /// True when it has a reason, by code and text.
    pub has_reason: bool,
}

const fn row(tpEvento: &'static str, has_reason: bool) -> NfseEventType {
    NfseEventType { tpEvento, has_reason }
}

static TYPES: [NfseEventType; 8] = [
    row(CANCELLATION, true),
    row(ANALYSIS, true),
    row("202201", false),
    row("203202", false),
    row("204203", false),
    row("202205", true),
    row("203206", true),
    row("204207", true),
];

/// Returns every kind that can be requested.
pub fn types() -> &'static [NfseEventType] {
    &TYPES
}

/// True for a kind by which a party confirms or rejects an NFS-e.
pub fn is_manifestation(tpEvento: &str) -> bool {
    tpEvento.starts_with('2') && TYPES.iter().any(|kind| kind.tpEvento == tpEvento)
}

const VERSAO: &str = "1.01";
/// Size of a typical request in bytes.
const CAPACITY: usize = 1_200;
/// Code of a rejection's reason that requires a text.
const OTHER: &str = "9";

/// Builds the request, or returns every violation.
pub fn build(request: &NfseEventRequest<'_>) -> Result<BuiltEvent, Vec<Violation>> {
    let Some(kind) = TYPES.iter().find(|kind| kind.tpEvento == request.tpEvento) else {
        let mensagem = format!("O evento {} não é pedido pelo serviço.", excerpt(request.tpEvento));
        return Err(vec![Violation::of("tipo", "valor_invalido", &mensagem)]);
    };
    let id = format!("PRE{}{}", request.chave.as_str(), kind.tpEvento);
    let members = content(request, kind);
    let scope = GroupScope::at("evento").with(&members, "evento", LayerOrigin::Service);
    let mut walker = LayoutWalker::new(CAPACITY, 0, NoticePolicy::Dropped);
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
    layout_check::check_layout(&layout::PED_REG_EVENTO, &xml, &mut violations, campo);
    if violations.is_empty() { Ok(BuiltEvent { id, xml, signed }) } else { Err(violations) }
}

/// Builds the members of `infPedReg`.
fn content(request: &NfseEventRequest<'_>, kind: &NfseEventType) -> Map<String, Value> {
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

/// Returns the particles of `infPedReg`, in order.
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

/// Returns the contract's name for the last step of a path.
fn campo(path: &str) -> String {
    match path.rsplit(['/', '.']).next().unwrap_or(path) {
        "cMotivo" => "codigo_motivo".to_owned(),
        "xMotivo" => "justificativa".to_owned(),
        other => other.to_owned(),
    }
}
