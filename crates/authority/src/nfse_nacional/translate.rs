//! Answers of the Sefin in the terms shared by all authorities.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12; meaning of a status); layout of the NFS-e 1.01.

use super::call::SefinEndpoint;
use super::reply::{self, DpsAnswer, IssueAnswer, NfseAnswer, NfseEventAnswer as Registering, ReceivedNfse};
use super::sefin_message::SefinMessage;
use crate::answer::{
    AuthorizationAnswer, DocumentSituation, EventAnswer, FoundEvent, GeneratedDocument, Protocol, Rejection,
    RejectionReason,
};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::sefaz::UnreadableReply;
use crate::table::endpoint::Endpoint;
use crate::table::service::{AuthorityService, WsdlService};
use fiscal::cstat::CodeClass;
use fiscal::value::{Chave, ChaveNfse, Codigo, dfe_number};
use fiscal::xml::{self, Element};

/// Services by the names of their paths, all below one address.
pub(crate) static SERVICES: [WsdlService; 5] = [
    WsdlService { service: AuthorityService::Autorizacao, name: "NFSe", operation: "nfse" },
    WsdlService { service: AuthorityService::ConsultaProtocolo, name: "DPS", operation: "dps" },
    WsdlService { service: AuthorityService::RecepcaoEvento, name: "Eventos", operation: "eventos" },
    WsdlService { service: AuthorityService::DistribuicaoDFe, name: "contribuintes", operation: "DFe" },
    WsdlService { service: AuthorityService::ConsultaCadastro, name: "parametrizacao", operation: "convenio" },
];

/// Code for a registered event, for which the Sefin sends none.
const REGISTERED: &str = "registrado";
const REGISTERED_TEXT: &str = "Evento registrado pela Sefin Nacional";

pub(crate) fn issue(endpoint: &Endpoint, signed: &str) -> AuthorityCall {
    SefinEndpoint::of(endpoint).issue(signed)
}

pub(crate) fn dps(endpoint: &Endpoint, id: &str) -> AuthorityCall {
    SefinEndpoint::of(endpoint).dps(id)
}

pub(crate) fn nfse(endpoint: &Endpoint, chave: &ChaveNfse) -> AuthorityCall {
    SefinEndpoint::of(endpoint).nfse(chave)
}

pub(crate) fn event(endpoint: &Endpoint, chave: &str, signed: &str) -> AuthorityCall {
    SefinEndpoint::of(endpoint).event_on(chave, signed)
}

pub(crate) fn event_of(endpoint: &Endpoint, chave: &ChaveNfse, tpEvento: &str, numero: u16) -> AuthorityCall {
    SefinEndpoint::of(endpoint).event_of(chave, tpEvento, numero)
}

/// Class of a code. A number that was used before may belong to our own earlier submission, so it leads to a query.
pub(crate) fn class(codigo: &Codigo) -> CodeClass {
    match codigo.as_str() {
        "100" => CodeClass::Authorized,
        "E0014" => CodeClass::Duplicate,
        text if is_rule(text) => CodeClass::Rejected,
        _ => CodeClass::Unlisted,
    }
}

/// True for the form of the Sefin's rules: `E0001` to `E9998`, `RNG6110`. E9999 marks an error inside the Sefin.
fn is_rule(codigo: &str) -> bool {
    let digits = codigo.strip_prefix("RNG").or_else(|| codigo.strip_prefix('E')).unwrap_or_default();
    digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit()) && codigo != UNCATALOGUED
}

const UNCATALOGUED: &str = "E9999";

pub(crate) fn read_authorize(reply: &AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> {
    Ok(match reply::read_issue(reply)? {
        IssueAnswer::Authorized(issued) => AuthorizationAnswer::Authorized(protocol(issued)?),
        IssueAnswer::Duplicate(said) => AuthorizationAnswer::Duplicate(rejection(said)?),
        IssueAnswer::Rejected(said) | IssueAnswer::Forbidden(said) => {
            let said = rejection(said)?;
            let is_listed = class(&said.codigo) != CodeClass::Unlisted;
            if is_listed { AuthorizationAnswer::Rejected(said) } else { AuthorizationAnswer::Undecided(said) }
        }
    })
}

pub(crate) fn read_query(reply: &AuthorityReply) -> Result<DocumentSituation, UnreadableReply> {
    Ok(match reply::read_dps(reply)? {
        DpsAnswer::Found(chave) => DocumentSituation::Named(chave.into()),
        DpsAnswer::NotFound => DocumentSituation::NeverSeen(not_found_rejection()),
        DpsAnswer::Refused(said) => DocumentSituation::Refused(rejection(said)?),
    })
}

pub(crate) fn read_fetched(reply: &AuthorityReply) -> Result<DocumentSituation, UnreadableReply> {
    Ok(match reply::read_nfse(reply)? {
        NfseAnswer::Found(issued) => DocumentSituation::Authorized(protocol(issued)?),
        NfseAnswer::NotFound => DocumentSituation::NeverSeen(not_found_rejection()),
        NfseAnswer::Refused(said) => DocumentSituation::Refused(rejection(said)?),
    })
}

pub(crate) fn read_registered(reply: &AuthorityReply) -> Result<EventAnswer, UnreadableReply> {
    Ok(match reply::read_event(reply)? {
        Registering::Registered(xml) => registered(xml)?,
        Registering::Rejected(said) if said.iter().any(|said| HAS_IT.contains(&said.codigo.as_str())) => {
            EventAnswer::Duplicate(rejection(said)?)
        }
        Registering::Rejected(said) | Registering::Forbidden(said) => EventAnswer::Rejected(rejection(said)?),
    })
}

/// The event exists (E0802), or another one prevents it (E0840): possibly ours, from an earlier submission.
const HAS_IT: [&str; 2] = ["E0802", "E0840"];

/// Events of a kind; empty without any. The answer states nothing about the note itself.
pub(crate) fn read_query_event(
    reply: &AuthorityReply,
) -> Result<(DocumentSituation, Vec<FoundEvent>), UnreadableReply> {
    let found = reply::read_events(reply)?;
    let found: Vec<FoundEvent> = found.into_iter().filter_map(|event| found_event(event.xml)).collect();
    Ok((DocumentSituation::Refused(not_found_rejection()), found))
}

fn found_event(xml: String) -> Option<FoundEvent> {
    let root = xml::read(xml.as_bytes()).ok()?;
    let asked = root.at("infEvento/pedRegEvento")?;
    let kind = asked.child("infPedReg")?.children().find_map(|child| child.name.strip_prefix('e').filter(is_code))?;
    Some(FoundEvent {
        tpEvento: kind.to_owned(),
        nSeqEvento: root.text_at("infEvento/nSeqEvento")?.parse().ok()?,
        digest: asked.text_at("Signature/SignedInfo/Reference/DigestValue").map(str::to_owned),
        xml,
    })
}

fn is_code(name: &&str) -> bool {
    name.len() == 6 && name.bytes().all(|letter| letter.is_ascii_digit())
}

fn registered(xml: String) -> Result<EventAnswer, UnreadableReply> {
    let root = xml::read(xml.as_bytes()).map_err(|error| unreadable(&error.to_string()))?;
    let text = |path: &str| root.text_at(path).unwrap_or_default().to_owned();
    Ok(EventAnswer::Registered {
        codigo: code(REGISTERED)?,
        xMotivo: REGISTERED_TEXT.to_owned(),
        nProt: checked_event_number(text("infEvento/nDFSe"))?,
        dhRegEvento: text("infEvento/dhProc"),
        xml,
    })
}

/// Checks the format of an event's number, which may be empty.
fn checked_event_number(text: String) -> Result<String, UnreadableReply> {
    let is_one = text.is_empty() || dfe_number(&text).is_some();
    if is_one { Ok(text) } else { Err(unreadable("nDFSe não é um número")) }
}

/// Record of an NFS-e, from its own XML.
fn protocol(issued: ReceivedNfse) -> Result<Protocol, UnreadableReply> {
    let ReceivedNfse { chave, xml, .. } = issued;
    let root = xml::read(xml.as_bytes()).map_err(|error| unreadable(&error.to_string()))?;
    let text = |path: &str| root.text_at(path).filter(|text| !text.is_empty()).map(str::to_owned);
    let needed = |path: &str| text(path).ok_or_else(|| unreadable(&format!("a NFS-e não traz {path}")));
    let numero = needed("infNFSe/nNFSe")?;
    let written = GeneratedDocument {
        numero: numero.parse().map_err(|_| unreadable("nNFSe não é um número"))?,
        valor_liquido: text("infNFSe/valores/vLiq"),
        substitui: text("infNFSe/DPS/infDPS/subst/chSubstda").and_then(|key| Chave::parse(&key).ok()),
        codigo_verificacao: None,
    };
    Ok(Protocol {
        chave: chave.as_str().to_owned(),
        nProt: None,
        dhRecbto: needed("infNFSe/dhProc")?,
        digVal: digest(&root),
        codigo: code(&needed("infNFSe/cStat")?)?,
        xMotivo: "NFS-e gerada".to_owned(),
        xml,
        written: Some(written),
    })
}

/// Digest of the declaration that its author signed.
fn digest(nfse: &Element) -> Option<String> {
    nfse.text_at("infNFSe/DPS/Signature/SignedInfo/Reference/DigestValue").map(str::to_owned)
}

/// Rejection by the first listed rule, else by the first error, with all errors as reasons. Answers without errors
/// never reach this function.
fn rejection(said: Vec<SefinMessage>) -> Result<Rejection, UnreadableReply> {
    let is_listed = |said: &&SefinMessage| class(&said.codigo) != CodeClass::Unlisted;
    let first = said.iter().find(is_listed).or(said.first()).ok_or_else(|| unreadable("uma recusa sem erros"))?;
    let (codigo, xMotivo) = (first.codigo.clone(), first.descricao.clone());
    let reasons = said.into_iter().map(|said| {
        let SefinMessage { codigo, descricao, complemento } = said;
        RejectionReason { codigo, motivo: descricao, complemento }
    });
    Ok(Rejection { reasons: reasons.collect(), ..Rejection::new(codigo, xMotivo) })
}

fn not_found_rejection() -> Rejection {
    Rejection::new(404, "Não encontrada")
}

fn code(text: &str) -> Result<Codigo, UnreadableReply> {
    Codigo::parse(text).map_err(|_| unreadable("o código da resposta não é um código"))
}

fn unreadable(why: &str) -> UnreadableReply {
    UnreadableReply::Content(why.to_owned())
}
