//! `POST /nfse/{chave}/eventos`: a request of an event, checked and registered; and the events that the Sefin and the
//! município register themselves.
//!
//! Law: anexo II of 2026-01-22. Order: certificate, envelope, schema alone, signature alone, then the rules.

mod event_registration;
mod kinds;
pub(super) mod matrix;

pub(crate) use event_registration::MunicipalAct;
pub(super) use event_registration::{register_municipal_act, substituted};

use super::answer::{NationalAnswer, ProcessingMessage, refused, with_head};
use super::certificate::{self, SignatureCodes};
use super::envelope::{self, NationalDocument, pack};
use super::notes::{NationalNotes, NfseEvent, StoredNfse};
use super::{NationalRequest, VERSAO, query};
use crate::clock::seconds_between;
use crate::magic;
use crate::rule_switch::RuleSwitch;
use crate::signature;
use crate::taxpayer::same_taxpayer;
use fiscal::layout;
use fiscal::xml::Element;
use http::StatusCode;
use kinds::{EventRequester, NationalEventKind};
use rust_decimal::Decimal;
use serde_json::json;

const CODES: SignatureCodes = SignatureCodes {
    absent: "E1989",
    wrong: "E1980",
    certificate: "E1983",
    out_of_pattern: "E1986",
    not_the_authors: "E1991",
};

pub(super) fn register(asked: &NationalRequest<'_>, chave: &str) -> NationalAnswer {
    if let Some(stopped) = query::refusal_of_certificate(asked, StatusCode::UNAUTHORIZED) {
        return stopped;
    }
    let document = envelope::unpack(asked.body, "pedidoRegistroEventoXmlGZipB64")
        .and_then(|bytes| envelope::read(bytes, &layout::PED_REG_EVENTO, "RNG6110"));
    let registered = match document {
        Ok(document) => registered(asked, chave, &document),
        Err(problem) => Err(vec![problem]),
    };
    match registered {
        Ok(event) => {
            let members = [("eventoXmlGZipB64", json!(pack(&event.xml)))];
            NationalAnswer::of(StatusCode::CREATED, with_head(asked, members)).about(chave)
        }
        Err(problems) => refused(asked, StatusCode::BAD_REQUEST, &problems).about(chave),
    }
}

/// A requested event.
struct RequestedEvent<'a> {
    document: &'a NationalDocument,
    inf: &'a Element,
    kind: &'static NationalEventKind,
    autor: &'a str,
    /// Key in the path.
    chave: &'a str,
}

fn registered(
    asked: &NationalRequest<'_>,
    chave: &str,
    document: &NationalDocument,
) -> Result<NfseEvent, Vec<ProcessingMessage>> {
    let misshapen = || vec![ProcessingMessage::new("RNG6110")];
    let inf = document.root.child("infPedReg").ok_or_else(misshapen)?;
    let kind = inf.children().find_map(|child| kinds::of(child.name.as_str().strip_prefix('e')?));
    let autor = ["CNPJAutor", "CPFAutor"].iter().find_map(|tag| inf.text_at(tag));
    let wanted =
        RequestedEvent { document, inf, kind: kind.ok_or_else(misshapen)?, autor: autor.unwrap_or_default(), chave };
    signed(asked, &wanted)?;
    let said = inf.text_at(&format!("e{}/xMotivo", wanted.kind.tipo));
    if let Some(codigo) = magic::of_service(said) {
        return Err(vec![ProcessingMessage::of_magic_value(codigo)]);
    }
    let settings = asked.world.settings().nfse.clone();
    let mut notes = asked.world.nfse();
    let problems = problems(asked, &notes, &wanted);
    let refusals: Vec<ProcessingMessage> =
        problems.into_iter().filter(|problem| settings.switch(&problem.codigo) == RuleSwitch::On).collect();
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let kept =
        event_registration::register_request(&mut notes, asked, wanted.kind, &document.source, wanted.chave, None);
    kept.map_err(|error| vec![ProcessingMessage::about("RNG6110", error.to_string())])
}

fn signed(asked: &NationalRequest<'_>, wanted: &RequestedEvent<'_>) -> Result<(), Vec<ProcessingMessage>> {
    let root = &wanted.document.root;
    if root.child("Signature").is_none() {
        return Err(vec![ProcessingMessage::new(CODES.absent)]);
    }
    let source = &wanted.document.source;
    let examined = signature::examine_by(&signature::NFSE, root, "infPedReg", source, asked.world, asked.now);
    let mut problems = CODES.of(&examined.faults);
    if problems.is_empty() && !certificate::is_signed_by(examined.signer.as_deref(), wanted.autor) {
        let of_the_author = if wanted.autor.len() == 11 { "E0815" } else { "E0812" };
        problems.push(ProcessingMessage::new(of_the_author));
        problems.push(ProcessingMessage::new(CODES.not_the_authors));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The rules of a request with a valid signature.
fn problems(asked: &NationalRequest<'_>, notes: &NationalNotes, wanted: &RequestedEvent<'_>) -> Vec<ProcessingMessage> {
    let text = |path: &str| wanted.inf.text_at(path).unwrap_or_default();
    let id = format!("PRE{}{}", text("chNFSe"), wanted.kind.tipo);
    let reason = format!("e{}", wanted.kind.tipo);
    let has_no_words =
        text(&format!("{reason}/cMotivo")) == "9" && wanted.inf.at(&format!("{reason}/xMotivo")).is_none();
    let mut codes = vec![
        ("E1825", wanted.document.root.attribute("versao") != Some(VERSAO)),
        ("E1827", wanted.inf.attribute("Id") != Some(id.as_str()) || text("chNFSe") != wanted.chave),
        ("E1845", text("tpAmb") != asked.ambiente.code()),
    ];
    if let Some(code) = wanted.kind.unexplained_rejection {
        codes.push((code, has_no_words));
    }
    let stored = notes.note(asked.ambiente, wanted.chave);
    match stored {
        None => codes.push(("E1831", true)),
        Some(note) => codes.extend(of_the_note(asked, wanted, note)),
    }
    let mut all: Vec<ProcessingMessage> =
        codes.into_iter().filter(|(_, broken)| *broken).map(|(codigo, _)| ProcessingMessage::new(codigo)).collect();
    if let Some(note) = stored
        && let Some(hindrance) = matrix::hindrance(note, wanted.kind)
    {
        all.push(ProcessingMessage::naming(wanted.kind.blocked, hindrance));
    }
    all
}

fn of_the_note(
    asked: &NationalRequest<'_>,
    wanted: &RequestedEvent<'_>,
    note: &StoredNfse,
) -> Vec<(&'static str, bool)> {
    let right = match wanted.kind.author {
        EventRequester::Issuer => Some(note.emitente.as_str()),
        EventRequester::Prestador => Some(note.emitente.as_str()),
        EventRequester::Tomador => note.tomador.as_deref(),
        EventRequester::Intermediario => note.intermediario.as_deref(),
        EventRequester::Others => None,
    };
    let is_right = right.is_some_and(|right| same_taxpayer(right, wanted.autor));
    let role = if wanted.autor.len() == 11 { "E0816" } else { "E0813" };
    let sisters = kinds::manifestations_of(wanted.kind.author);
    let mut codes = vec![
        (role, !is_right),
        ("E0831", note.ambGer != asked.host.ambGer()),
        ("E0802", note.has(wanted.kind.tipo)),
        ("E1833", wanted.kind.is_manifestation() && sisters.iter().any(|tipo| note.has(tipo))),
    ];
    if wanted.kind.tipo == kinds::CANCELLATION {
        codes.extend(deadlines(asked, note));
    }
    codes
}

/// Limits of the município on a cancellation.
fn deadlines(asked: &NationalRequest<'_>, note: &StoredNfse) -> [(&'static str, bool); 3] {
    let settings = asked.world.settings().nfse.clone();
    let local = note.chave.get(..7).and_then(|code| code.parse().ok()).and_then(|code| settings.municipality(code));
    let Some(local) = local.as_deref() else { return [("E0822", false), ("E0823", false), ("E0824", false)] };
    let hours = seconds_between(note.made_at, asked.now) / 3_600;
    let price = fiscal::xml::read(note.xml().as_bytes()).ok();
    let price = price.as_ref().and_then(super::dps_of);
    let price =
        price.and_then(|inf| fiscal::nfse::amounts::number(inf, "valores/vServPrest/vServ")).unwrap_or(Decimal::ZERO);
    [
        ("E0822", local.prazo_cancelamento_h.is_some_and(|limit| hours >= i64::from(limit))),
        ("E0823", local.valor_cancelamento.is_some_and(|limit| price > limit)),
        ("E0824", local.exige_tomador && note.tomador.is_none()),
    ]
}
