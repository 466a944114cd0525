//! Answer messages (MOC 7.0, anexo I: retEnviNFe, retConsSitNFe, retConsStatServ; retEnvEvento. MOC CT-e 4.00, anexo I:
//! retCTe, retCTeOS, retConsSitCTe, retConsStatServCTe, retEventoCTe).
//!
//! A message has two levels: the result for the message (the lote) and the result for the document. A `protNFe` or
//! `protCTe` takes precedence.

use super::UnreadableReply;
use super::dialect::SefazDialect;
use super::payload::ReplyPayload;
use crate::answer::{
    AuthorizationAnswer, DocumentSituation, EventAnswer, FoundEvent, Protocol, Rejection, RejectionSubject,
    ServiceStatus,
};
use crate::call::AuthorityReply;
use fiscal::cstat::{CodeClass, FIRST_REFUSAL};
use fiscal::value::{Codigo, has_chave_form, protocol as protocol_number};
use fiscal::xml::Element;

impl SefazDialect {
    /// Reads the answer to `authorize`, both levels.
    pub fn read_authorize(&self, reply: &AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> {
        let payload = ReplyPayload::find(reply, self.authorization.answer)?;
        of_lote(self, &payload, "infRec/nRec", classify_rejection)
    }

    /// Reads the answer to `query`.
    pub fn read_query(&self, reply: &AuthorityReply) -> Result<DocumentSituation, UnreadableReply> {
        let payload = ReplyPayload::find(reply, self.query.answer)?;
        let message = payload.element();
        let said = Rejection { subject: self.subject(message)?, ..rejection(message)? };
        let protocol = message.child(self.protocol).map(|prot| protocol(self, &payload, prot)).transpose()?;
        let cancellation = message.children().find(|event| self.is_registered_cancellation(event));
        let cancellation = cancellation.map(|event| payload.verbatim(event)).transpose()?;
        Ok(match (self.class(&said.codigo), protocol) {
            (CodeClass::Cancelled, protocol) => DocumentSituation::Cancelled { protocol, event_xml: cancellation },
            // some authorities repeat the protocol's 100 beside the event that ended the document
            (CodeClass::Authorized, protocol) if cancellation.is_some() => {
                DocumentSituation::Cancelled { protocol, event_xml: cancellation }
            }
            (CodeClass::Authorized, Some(protocol)) => DocumentSituation::Authorized(protocol),
            (CodeClass::Unlisted, Some(protocol)) if is_success(self, &said.codigo) => {
                DocumentSituation::Authorized(protocol)
            }
            (CodeClass::Authorized, None) => return Err(self.without_protocol(&said.codigo)),
            (CodeClass::Denied | CodeClass::DeniedBefore, Some(protocol)) => DocumentSituation::Denied(protocol),
            (CodeClass::Unknown, _) => DocumentSituation::NeverSeen(said),
            (CodeClass::DuplicateOtherKey, _) => DocumentSituation::OtherKey(said),
            (CodeClass::ServiceDown | CodeClass::UndueUse, _) => DocumentSituation::Unavailable(said),
            (
                CodeClass::Denied
                | CodeClass::DeniedBefore
                | CodeClass::Pending
                | CodeClass::Duplicate
                | CodeClass::Rejected
                | CodeClass::Unlisted,
                _,
            ) => DocumentSituation::Refused(said),
        })
    }

    /// Reads the answer to `query` with all its events.
    pub fn read_query_with_events(
        &self,
        reply: &AuthorityReply,
    ) -> Result<(DocumentSituation, Vec<FoundEvent>), UnreadableReply> {
        let situation = self.read_query(reply)?;
        let payload = ReplyPayload::find(reply, self.query.answer)?;
        let events = payload.element().children().filter(|child| child.name == self.event.archive).take(MOST_EVENTS);
        let events = events.filter_map(|event| {
            let signed = event.child(self.event.sent)?;
            let sent = signed.child("infEvento")?;
            Some(FoundEvent {
                tpEvento: words(sent.text_at("tpEvento")?),
                nSeqEvento: sent.text_at("nSeqEvento")?.parse().ok()?,
                digest: signed.text_at("Signature/SignedInfo/Reference/DigestValue").map(words),
                xml: payload.verbatim(event).ok()?,
            })
        });
        Ok((situation, events.collect()))
    }

    /// Reads the answer to `status`.
    pub fn read_status(&self, reply: &AuthorityReply) -> Result<ServiceStatus, UnreadableReply> {
        let payload = ReplyPayload::find(reply, self.status.answer)?;
        let message = payload.element();
        let (cStat, xMotivo) = read_status_code(message)?;
        let text = |name| message.text_at(name).filter(|text| !text.is_empty()).map(words);
        Ok(ServiceStatus {
            cStat,
            xMotivo,
            tMed: message.text_at("tMed").and_then(|text| text.parse().ok()),
            dhRetorno: text("dhRetorno"),
            xObs: text("xObs"),
        })
    }

    /// Reads the answer to `event`.
    pub fn read_event(&self, reply: &AuthorityReply) -> Result<EventAnswer, UnreadableReply> {
        let payload = ReplyPayload::find(reply, self.event.answer)?;
        let message = payload.element();
        let event = match self.event.lote {
            Some(_) => message.child(self.event.registered),
            None => Some(message),
        };
        let Some(event) = event else { return self.refused_lote(rejection(message)?) };
        let info = child(event, "infEvento")?;
        let said = Rejection { subject: self.subject(info)?, ..rejection(info)? };
        Ok(match self.class(&said.codigo) {
            _ if self.is_event_registered(&said) => EventAnswer::Registered {
                nProt: checked_protocol(required(info, "nProt")?)?,
                dhRegEvento: required(info, "dhRegEvento")?,
                xml: payload.verbatim(event)?,
                codigo: said.codigo,
                xMotivo: said.xMotivo,
            },
            _ if said.codigo.number().is_some_and(self.event.is_duplicate) => EventAnswer::Duplicate(said),
            CodeClass::ServiceDown | CodeClass::UndueUse => EventAnswer::Unavailable(said),
            CodeClass::Unlisted => EventAnswer::Undecided(said),
            _ => EventAnswer::Rejected(said),
        })
    }

    /// True when the event is registered: by a code of the family, or by an unlisted code below the refusals with a
    /// protocol.
    fn is_event_registered(&self, said: &Rejection) -> bool {
        let is_done = said.codigo.number().is_some_and(self.event.is_done);
        is_done
            || (said.subject.has_protocol && self.class(&said.codigo) == CodeClass::Unlisted && is_low(&said.codigo))
    }

    fn refused_lote(&self, lote: Rejection) -> Result<EventAnswer, UnreadableReply> {
        match self.class(&lote.codigo) {
            _ if lote.codigo == 128 => {
                let why = format!("o lote foi processado (128), mas falta {}", self.event.registered);
                Err(UnreadableReply::Content(why))
            }
            CodeClass::ServiceDown | CodeClass::UndueUse => Ok(EventAnswer::Unavailable(lote)),
            CodeClass::Unlisted => Ok(EventAnswer::Undecided(lote)),
            _ => Ok(EventAnswer::Rejected(lote)),
        }
    }

    /// True for a registered cancellation.
    fn is_registered_cancellation(&self, element: &Element) -> bool {
        let info = element.child(self.event.registered).filter(|_| element.name == self.event.archive);
        let text = |name| info.and_then(|info| info.child("infEvento")?.text_at(name)).unwrap_or_default();
        let done = text("cStat").parse().is_ok_and(self.event.is_done);
        done && self.is_cancellation(text("tpEvento"))
    }

    /// Subject of a document's record, with its key and protocol if present.
    fn subject(&self, record: &Element) -> Result<RejectionSubject, UnreadableReply> {
        let given = |name| record.text_at(name).filter(|text: &&str| !text.is_empty());
        let chave = given(self.chave).map(|text| key(text.to_owned(), self.chave)).transpose()?;
        Ok(RejectionSubject { is_a_document: true, chave, has_protocol: given("nProt").is_some() })
    }

    fn without_protocol(&self, codigo: &Codigo) -> UnreadableReply {
        UnreadableReply::Content(format!("cStat {codigo} sem {}", self.protocol))
    }
}

/// Answer of the document if there is one, else of the lote; `otherwise` classifies the lote's refusal.
pub(super) fn of_lote(
    dialect: &SefazDialect,
    payload: &ReplyPayload,
    nRec: &str,
    otherwise: fn(&SefazDialect, Rejection) -> AuthorizationAnswer,
) -> Result<AuthorizationAnswer, UnreadableReply> {
    let message = payload.element();
    if let Some(prot) = message.child(dialect.protocol) {
        return of_document(dialect, protocol(dialect, payload, prot)?);
    }
    let lote = rejection(message)?;
    match dialect.class(&lote.codigo) {
        CodeClass::Authorized => Err(dialect.without_protocol(&lote.codigo)),
        _ if dialect.receipt.is_none() => Ok(otherwise(dialect, lote)),
        _ if lote.codigo == 104 => Err(dialect.without_protocol(&lote.codigo)),
        _ if matches!(lote.codigo.number(), Some(103 | 105)) => pending(message, nRec),
        _ => Ok(otherwise(dialect, lote)),
    }
}

/// Answer from the authority's record of the document.
fn of_document(dialect: &SefazDialect, protocol: Protocol) -> Result<AuthorizationAnswer, UnreadableReply> {
    let has_protocol = protocol.nProt.is_some();
    Ok(match dialect.class(&protocol.codigo) {
        _ if is_success(dialect, &protocol.codigo) && !has_protocol => {
            return Err(UnreadableReply::Content(format!("cStat {} sem nProt", protocol.codigo)));
        }
        _ if is_success(dialect, &protocol.codigo) => AuthorizationAnswer::Authorized(protocol),
        // a denied document has a protocol; 302 and 303 without one are refusals since NT 2024.001
        CodeClass::Denied if has_protocol => AuthorizationAnswer::Denied(protocol),
        _ => {
            let chave = Some(protocol.chave).filter(|chave| !chave.is_empty());
            let subject = RejectionSubject { is_a_document: true, chave, has_protocol };
            classify_rejection(dialect, Rejection { subject, ..Rejection::new(protocol.codigo, protocol.xMotivo) })
        }
    })
}

/// True for a code that authorises the document: one of the family, or an unlisted one below the refusals.
fn is_success(dialect: &SefazDialect, codigo: &Codigo) -> bool {
    match dialect.class(codigo) {
        CodeClass::Authorized => true,
        CodeClass::Unlisted => is_low(codigo),
        _ => false,
    }
}

/// True for a code below the refusals.
fn is_low(codigo: &Codigo) -> bool {
    codigo.number().is_some_and(|cStat| (FIRST_SUCCESS..FIRST_REFUSAL).contains(&cStat))
}

/// Classifies a refusal of lote or document. Codes about an earlier submission of the key lead to a query by key.
fn classify_rejection(dialect: &SefazDialect, said: Rejection) -> AuthorizationAnswer {
    match dialect.class(&said.codigo) {
        CodeClass::Duplicate | CodeClass::Cancelled | CodeClass::DeniedBefore | CodeClass::Pending => {
            AuthorizationAnswer::Duplicate(said)
        }
        CodeClass::ServiceDown | CodeClass::UndueUse => AuthorizationAnswer::Unavailable(said),
        CodeClass::Unlisted => AuthorizationAnswer::Undecided(said),
        CodeClass::Authorized
        | CodeClass::Denied
        | CodeClass::DuplicateOtherKey
        | CodeClass::Unknown
        | CodeClass::Rejected => AuthorizationAnswer::Rejected(said),
    }
}

fn pending(message: &Element, nRec: &str) -> Result<AuthorizationAnswer, UnreadableReply> {
    let wait = message.text_at("infRec/tMed").and_then(|text| text.parse().ok());
    Ok(AuthorizationAnswer::Pending { nRec: required(message, nRec)?, wait_s: wait.unwrap_or(WAIT_WITHOUT_MEAN_S) })
}

fn protocol(dialect: &SefazDialect, payload: &ReplyPayload, prot: &Element) -> Result<Protocol, UnreadableReply> {
    let info = child(prot, "infProt")?;
    let Rejection { codigo, xMotivo, .. } = rejection(info)?;
    let optional = |name| info.text_at(name).filter(|text| !text.is_empty()).map(words);
    Ok(Protocol {
        // a rejection may omit the key when the document could not be read
        chave: optional(dialect.chave).map(|text| key(text, dialect.chave)).transpose()?.unwrap_or_default(),
        nProt: optional("nProt").map(checked_protocol).transpose()?,
        dhRecbto: required(info, "dhRecbto")?,
        digVal: optional("digVal"),
        codigo,
        xMotivo,
        xml: payload.verbatim(prot)?,
        written: None,
    })
}

/// Checks the format of a key, which is stored, shown and put into addresses. A malformed key makes the whole answer
/// unreadable, so that nothing is concluded about the document.
fn key(text: String, name: &str) -> Result<String, UnreadableReply> {
    let why = || UnreadableReply::Content(format!("{name} não é uma chave de acesso"));
    if has_chave_form(&text) { Ok(text) } else { Err(why()) }
}

/// Checks the format of a protocol number.
pub(super) fn checked_protocol(text: String) -> Result<String, UnreadableReply> {
    match protocol_number(&text) {
        Some(_) => Ok(text),
        None => Err(UnreadableReply::Content("nProt não é o número de um protocolo".to_owned())),
    }
}

pub(super) fn rejection(element: &Element) -> Result<Rejection, UnreadableReply> {
    let (cStat, xMotivo) = read_status_code(element)?;
    Ok(Rejection::new(cStat, xMotivo))
}

/// `cStat` and `xMotivo`.
pub(super) fn read_status_code(element: &Element) -> Result<(u16, String), UnreadableReply> {
    let cStat = required(element, "cStat")?;
    let cStat = cStat.parse().map_err(|_| UnreadableReply::Content(format!("cStat não é um número: {cStat}")))?;
    Ok((cStat, words(element.text_at("xMotivo").unwrap_or_default())))
}

/// Text of the authority, shortened for storage; official texts are shorter (xMotivo and xObs have 255 characters).
pub(super) fn words(text: &str) -> String {
    match text.char_indices().nth(MOST_WORDS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

pub(super) fn child<'e>(element: &'e Element, name: &str) -> Result<&'e Element, UnreadableReply> {
    element.child(name).ok_or_else(|| UnreadableReply::Content(format!("falta {name} em {}", element.name)))
}

pub(super) fn required(element: &Element, path: &str) -> Result<String, UnreadableReply> {
    let text = element.text_at(path).filter(|text| !text.is_empty());
    text.map(words).ok_or_else(|| UnreadableReply::Content(format!("falta {path} em {}", element.name)))
}

/// First code of success (MOC 7.0, anexo I).
const FIRST_SUCCESS: u16 = 100;
/// Characters kept of a text.
const MOST_WORDS: usize = 1_000;
/// Most events of a document: at most 99 of each of a few kinds.
const MOST_EVENTS: usize = 1_000;

/// Seconds before a receipt is queried (MOC 7.0, visão geral: 15 s at least), unless the authority returns its mean
/// time.
const WAIT_WITHOUT_MEAN_S: u32 = 15;
