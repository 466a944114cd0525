//! Answers of the Sefin in the terms shared by all authorities.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12; meaning of a status); layout of the NFS-e 1.01.

use super::call::Sefin;
use super::reply::{self, DpsAnswer, EventAnswer as Registering, IssueAnswer, Issued, NfseAnswer, Said};
use crate::answer::{Answer, EventAnswer, FoundEvent, Protocol, Reason, Rejection, Situation, Written};
use crate::call::{Call, Reply};
use crate::sefaz::{Official, Unreadable};
use crate::table::{Endpoint, Service};
use fiscal::cstat::Class;
use fiscal::value::{Chave, ChaveNfse, Codigo, dfe_number};
use fiscal::xml::{self, Element};

/// Services by the names of their paths, all below one address.
pub(crate) static SERVICES: [Official; 5] = [
    Official { service: Service::Autorizacao, name: "NFSe", operation: "nfse" },
    Official { service: Service::ConsultaProtocolo, name: "DPS", operation: "dps" },
    Official { service: Service::RecepcaoEvento, name: "Eventos", operation: "eventos" },
    Official { service: Service::DistribuicaoDFe, name: "contribuintes", operation: "DFe" },
    Official { service: Service::ConsultaCadastro, name: "parametrizacao", operation: "convenio" },
];

/// Code for a registered event, for which the Sefin sends none.
const REGISTERED: &str = "registrado";
const REGISTERED_TEXT: &str = "Evento registrado pela Sefin Nacional";

pub(crate) fn issue(endpoint: &Endpoint, signed: &str) -> Call {
    Sefin::of(endpoint).issue(signed)
}

pub(crate) fn dps(endpoint: &Endpoint, id: &str) -> Call {
    Sefin::of(endpoint).dps(id)
}

pub(crate) fn nfse(endpoint: &Endpoint, chave: &ChaveNfse) -> Call {
    Sefin::of(endpoint).nfse(chave)
}

pub(crate) fn event(endpoint: &Endpoint, chave: &str, signed: &str) -> Call {
    Sefin::of(endpoint).event_on(chave, signed)
}

pub(crate) fn event_of(endpoint: &Endpoint, chave: &ChaveNfse, tpEvento: &str, numero: u16) -> Call {
    Sefin::of(endpoint).event_of(chave, tpEvento, numero)
}

/// Class of a code. A number that was used before may belong to our own earlier submission, so it leads to a query.
pub(crate) fn class(codigo: &Codigo) -> Class {
    match codigo.as_str() {
        "100" => Class::Authorized,
        "E0014" => Class::Duplicate,
        text if is_rule(text) => Class::Rejected,
        _ => Class::Unlisted,
    }
}

/// True for the form of the Sefin's rules: `E0001` to `E9998`, `RNG6110`. E9999 marks an error inside the Sefin.
fn is_rule(codigo: &str) -> bool {
    let digits = codigo.strip_prefix("RNG").or_else(|| codigo.strip_prefix('E')).unwrap_or_default();
    digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit()) && codigo != UNCATALOGUED
}

const UNCATALOGUED: &str = "E9999";

pub(crate) fn read_authorize(reply: &Reply) -> Result<Answer, Unreadable> {
    Ok(match reply::read_issue(reply)? {
        IssueAnswer::Authorized(issued) => Answer::Authorized(protocol(issued)?),
        IssueAnswer::Duplicate(said) => Answer::Duplicate(rejection(said)?),
        IssueAnswer::Rejected(said) | IssueAnswer::Forbidden(said) => {
            let said = rejection(said)?;
            let is_listed = class(&said.codigo) != Class::Unlisted;
            if is_listed { Answer::Rejected(said) } else { Answer::Undecided(said) }
        }
    })
}

pub(crate) fn read_query(reply: &Reply) -> Result<Situation, Unreadable> {
    Ok(match reply::read_dps(reply)? {
        DpsAnswer::Found(chave) => Situation::Named(chave.into()),
        DpsAnswer::NotFound => Situation::NeverSeen(never_seen()),
        DpsAnswer::Refused(said) => Situation::Refused(rejection(said)?),
    })
}

pub(crate) fn read_fetched(reply: &Reply) -> Result<Situation, Unreadable> {
    Ok(match reply::read_nfse(reply)? {
        NfseAnswer::Found(issued) => Situation::Authorized(protocol(issued)?),
        NfseAnswer::NotFound => Situation::NeverSeen(never_seen()),
        NfseAnswer::Refused(said) => Situation::Refused(rejection(said)?),
    })
}

pub(crate) fn read_registered(reply: &Reply) -> Result<EventAnswer, Unreadable> {
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
pub(crate) fn read_query_event(reply: &Reply) -> Result<(Situation, Vec<FoundEvent>), Unreadable> {
    let found = reply::read_events(reply)?;
    let found: Vec<FoundEvent> = found.into_iter().filter_map(|event| found_event(event.xml)).collect();
    Ok((Situation::Refused(never_seen()), found))
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

fn registered(xml: String) -> Result<EventAnswer, Unreadable> {
    let root = xml::read(xml.as_bytes()).map_err(|error| unreadable(&error.to_string()))?;
    let text = |path: &str| root.text_at(path).unwrap_or_default().to_owned();
    Ok(EventAnswer::Registered {
        codigo: code(REGISTERED)?,
        xMotivo: REGISTERED_TEXT.to_owned(),
        nProt: number_by_form(text("infEvento/nDFSe"))?,
        dhRegEvento: text("infEvento/dhProc"),
        xml,
    })
}

/// Checks the format of an event's number, which may be empty.
fn number_by_form(text: String) -> Result<String, Unreadable> {
    let is_one = text.is_empty() || dfe_number(&text).is_some();
    if is_one { Ok(text) } else { Err(unreadable("nDFSe não é um número")) }
}

/// Record of an NFS-e, from its own XML.
fn protocol(issued: Issued) -> Result<Protocol, Unreadable> {
    let Issued { chave, xml, .. } = issued;
    let root = xml::read(xml.as_bytes()).map_err(|error| unreadable(&error.to_string()))?;
    let text = |path: &str| root.text_at(path).filter(|text| !text.is_empty()).map(str::to_owned);
    let needed = |path: &str| text(path).ok_or_else(|| unreadable(&format!("a NFS-e não traz {path}")));
    let numero = needed("infNFSe/nNFSe")?;
    let written = Written {
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
fn rejection(said: Vec<Said>) -> Result<Rejection, Unreadable> {
    let is_listed = |said: &&Said| class(&said.codigo) != Class::Unlisted;
    let first = said.iter().find(is_listed).or(said.first()).ok_or_else(|| unreadable("uma recusa sem erros"))?;
    let (codigo, xMotivo) = (first.codigo.clone(), first.descricao.clone());
    let reasons = said.into_iter().map(|said| {
        let Said { codigo, descricao, complemento } = said;
        Reason { codigo, motivo: descricao, complemento }
    });
    Ok(Rejection { reasons: reasons.collect(), ..Rejection::new(codigo, xMotivo) })
}

fn never_seen() -> Rejection {
    Rejection::new(404, "Não encontrada")
}

fn code(text: &str) -> Result<Codigo, Unreadable> {
    Codigo::parse(text).map_err(|_| unreadable("o código da resposta não é um código"))
}

fn unreadable(why: &str) -> Unreadable {
    Unreadable::Content(why.to_owned())
}
