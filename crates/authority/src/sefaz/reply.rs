//! Reading the messages that answer (MOC 7.0, anexo I: retEnviNFe, retConsReciNFe, retConsSitNFe, retConsStatServ, retInutNFe; retEnvEvento).
//!
//! A message has two levels: what happened to the lote, and what happened to the document. Where a `protNFe` stands, it decides.

use super::Unreadable;
use super::payload::Payload;
use crate::answer::{Answer, EventAnswer, FoundEvent, Protocol, Rejection, ServiceStatus, Situation, VoidAnswer};
use crate::call::Reply;
use fiscal::cstat::{Class, class};
use fiscal::xml::Element;

/// Reads retEnviNFe (both levels).
pub fn read_authorize(reply: &Reply) -> Result<Answer, Unreadable> {
    let payload = Payload::find(reply, "retEnviNFe")?;
    of_lote(&payload, "infRec/nRec", refused)
}

/// Reads retConsReciNFe.
pub fn read_receipt(reply: &Reply) -> Result<Answer, Unreadable> {
    let payload = Payload::find(reply, "retConsReciNFe")?;
    // 106, 223, 248…: the question was refused, which says nothing about the document
    of_lote(&payload, "nRec", Answer::Unavailable)
}

/// The document's own answer where there is one, else what happened to the lote; `otherwise` says what its refusal means.
fn of_lote(payload: &Payload, nRec: &str, otherwise: fn(Rejection) -> Answer) -> Result<Answer, Unreadable> {
    let message = payload.element();
    if let Some(prot) = message.child("protNFe") {
        return of_document(protocol(payload, prot)?);
    }
    let lote = rejection(message)?;
    match lote.cStat {
        100 | 104 | 120 | 150 => Err(Unreadable::Content(format!("cStat {} sem protNFe", lote.cStat))),
        103 | 105 => pending(message, nRec),
        _ => Ok(otherwise(lote)),
    }
}

/// Reads retConsSitNFe.
pub fn read_query(reply: &Reply) -> Result<Situation, Unreadable> {
    let payload = Payload::find(reply, "retConsSitNFe")?;
    let message = payload.element();
    let said = rejection(message)?;
    let protocol = message.child("protNFe").map(|prot| protocol(&payload, prot)).transpose()?;
    let cancellation = message.children().find(|event| is_cancellation(event));
    let cancellation = cancellation.map(|event| payload.verbatim(event)).transpose()?;
    Ok(match (class(said.cStat), protocol) {
        (Class::Cancelled, protocol) => Situation::Cancelled { protocol, event_xml: cancellation },
        // an authority that repeats the protocol's 100 beside the event that ended it
        (Class::Authorized, protocol) if cancellation.is_some() => {
            Situation::Cancelled { protocol, event_xml: cancellation }
        }
        (Class::Authorized, Some(protocol)) => Situation::Authorized(protocol),
        (Class::Authorized, None) => return Err(Unreadable::Content(format!("cStat {} sem protNFe", said.cStat))),
        (Class::Denied | Class::DeniedBefore, Some(protocol)) => Situation::Denied(protocol),
        (Class::Unknown, _) => Situation::NeverSeen(said),
        (Class::DuplicateOtherKey, _) => Situation::OtherKey(said),
        (Class::ServiceDown | Class::UndueUse, _) => Situation::Unavailable(said),
        (Class::Denied | Class::DeniedBefore | Class::Pending | Class::Duplicate | Class::Rejected, _) => {
            Situation::Refused(said)
        }
    })
}

/// Reads retConsSitNFe with every event in it.
pub fn read_query_with_events(reply: &Reply) -> Result<(Situation, Vec<FoundEvent>), Unreadable> {
    let situation = read_query(reply)?;
    let payload = Payload::find(reply, "retConsSitNFe")?;
    let events = payload.element().children().filter(|child| child.name == "procEventoNFe").take(MOST_EVENTS);
    let events = events.filter_map(|event| {
        let sent = event.at("evento/infEvento")?;
        Some(FoundEvent {
            tpEvento: words(sent.text_at("tpEvento")?),
            nSeqEvento: sent.text_at("nSeqEvento")?.parse().ok()?,
            digest: event.text_at("evento/Signature/SignedInfo/Reference/DigestValue").map(words),
            xml: payload.verbatim(event).ok()?,
        })
    });
    Ok((situation, events.collect()))
}

/// Reads retConsStatServ.
pub fn read_status(reply: &Reply) -> Result<ServiceStatus, Unreadable> {
    let payload = Payload::find(reply, "retConsStatServ")?;
    let message = payload.element();
    let Rejection { cStat, xMotivo } = rejection(message)?;
    let text = |name| message.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(ServiceStatus {
        cStat,
        xMotivo,
        tMed: message.text_at("tMed").and_then(|text| text.parse().ok()),
        dhRetorno: text("dhRetorno"),
        xObs: text("xObs"),
    })
}

/// Reads retEnvEvento.
pub fn read_event(reply: &Reply) -> Result<EventAnswer, Unreadable> {
    let payload = Payload::find(reply, "retEnvEvento")?;
    let message = payload.element();
    let Some(event) = message.child("retEvento") else {
        let lote = rejection(message)?;
        return match class(lote.cStat) {
            _ if lote.cStat == 128 => {
                Err(Unreadable::Content("o lote foi processado (128), mas falta retEvento".to_owned()))
            }
            Class::ServiceDown | Class::UndueUse => Ok(EventAnswer::Unavailable(lote)),
            _ => Ok(EventAnswer::Rejected(lote)),
        };
    };
    let info = child(event, "infEvento")?;
    let said = rejection(info)?;
    Ok(match said.cStat {
        135 | 136 | 155 => EventAnswer::Registered {
            nProt: required(info, "nProt")?,
            dhRegEvento: required(info, "dhRegEvento")?,
            xml: payload.verbatim(event)?,
            cStat: said.cStat,
            xMotivo: said.xMotivo,
        },
        573 => EventAnswer::Duplicate(said),
        108 | 109 | 113 | 114 | 656 => EventAnswer::Unavailable(said),
        _ => EventAnswer::Rejected(said),
    })
}

/// Reads retInutNFe.
pub fn read_void(reply: &Reply) -> Result<VoidAnswer, Unreadable> {
    let payload = Payload::find(reply, "retInutNFe")?;
    let message = payload.element();
    let info = child(message, "infInut")?;
    let Rejection { cStat, xMotivo } = rejection(info)?;
    let optional = |name| info.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(match (cStat, class(cStat)) {
        (102, _) if optional("nProt").is_none() => return Err(Unreadable::Content("cStat 102 sem nProt".to_owned())),
        (102 | 563, _) => VoidAnswer::Voided {
            cStat,
            xMotivo,
            nProt: optional("nProt"),
            dhRecbto: optional("dhRecbto"),
            xml: payload.verbatim(message)?,
        },
        (_, Class::ServiceDown | Class::UndueUse) => VoidAnswer::Unavailable(Rejection { cStat, xMotivo }),
        _ => VoidAnswer::Rejected(Rejection { cStat, xMotivo }),
    })
}

/// What a `protNFe` says of the document sent.
fn of_document(protocol: Protocol) -> Result<Answer, Unreadable> {
    Ok(match class(protocol.cStat) {
        Class::Authorized if protocol.nProt.is_none() => {
            return Err(Unreadable::Content(format!("cStat {} sem nProt", protocol.cStat)));
        }
        Class::Authorized => Answer::Authorized(protocol),
        // what is denied has a protocol; 302 and 303 without one are refusals since NT 2024.001
        Class::Denied if protocol.nProt.is_some() => Answer::Denied(protocol),
        _ => refused(Rejection { cStat: protocol.cStat, xMotivo: protocol.xMotivo }),
    })
}

/// A refusal of lote or document. Codes that speak of an earlier sending of this key lead to a question by key.
fn refused(said: Rejection) -> Answer {
    match class(said.cStat) {
        Class::Duplicate | Class::Cancelled | Class::DeniedBefore | Class::Pending => Answer::Duplicate(said),
        Class::ServiceDown | Class::UndueUse => Answer::Unavailable(said),
        Class::Authorized | Class::Denied | Class::DuplicateOtherKey | Class::Unknown | Class::Rejected => {
            Answer::Rejected(said)
        }
    }
}

fn pending(message: &Element, nRec: &str) -> Result<Answer, Unreadable> {
    let wait = message.text_at("infRec/tMed").and_then(|text| text.parse().ok());
    Ok(Answer::Pending { nRec: required(message, nRec)?, wait_s: wait.unwrap_or(WAIT_WITHOUT_MEAN_S) })
}

fn protocol(payload: &Payload, prot: &Element) -> Result<Protocol, Unreadable> {
    let info = child(prot, "infProt")?;
    let Rejection { cStat, xMotivo } = rejection(info)?;
    let optional = |name| info.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(Protocol {
        // a rejection may leave the key out when the document could not be read
        chNFe: optional("chNFe").unwrap_or_default(),
        nProt: optional("nProt"),
        dhRecbto: required(info, "dhRecbto")?,
        digVal: optional("digVal"),
        cStat,
        xMotivo,
        xml: payload.verbatim(prot)?,
    })
}

/// A registered cancellation, of either kind.
fn is_cancellation(element: &Element) -> bool {
    let info = element.at("retEvento/infEvento").filter(|_| element.name == "procEventoNFe");
    let text = |name| info.and_then(|info| info.text_at(name)).unwrap_or_default();
    matches!(text("tpEvento"), "110111" | "110112") && matches!(text("cStat"), "135" | "136" | "155")
}

pub(super) fn rejection(element: &Element) -> Result<Rejection, Unreadable> {
    let cStat = required(element, "cStat")?;
    let cStat = cStat.parse().map_err(|_| Unreadable::Content(format!("cStat não é um número: {cStat}")))?;
    Ok(Rejection { cStat, xMotivo: words(element.text_at("xMotivo").unwrap_or_default()) })
}

/// A text of the authority's as it is kept and shown: nothing that it says is longer than this (xMotivo and xObs have 255 letters).
pub(super) fn words(text: &str) -> String {
    match text.char_indices().nth(MOST_WORDS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

pub(super) fn child<'e>(element: &'e Element, name: &str) -> Result<&'e Element, Unreadable> {
    element.child(name).ok_or_else(|| Unreadable::Content(format!("falta {name} em {}", element.name)))
}

pub(super) fn required(element: &Element, path: &str) -> Result<String, Unreadable> {
    let text = element.text_at(path).filter(|text| !text.is_empty());
    text.map(words).ok_or_else(|| Unreadable::Content(format!("falta {path} em {}", element.name)))
}

/// Letters of one text.
const MOST_WORDS: usize = 1_000;
/// Events of one document: of each kind there are 99 at most, and few kinds.
const MOST_EVENTS: usize = 1_000;

/// MOC 7.0, visão geral: ask for a receipt after 15 s at the earliest, unless the authority gives its mean time.
const WAIT_WITHOUT_MEAN_S: u32 = 15;
