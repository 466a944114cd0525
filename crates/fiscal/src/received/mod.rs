//! Documents that others issued to a company, as the distribution delivers them: an NF-e in summary or in full; CT-e,
//! CT-e OS, simplified CT-e, GTV-e and NFS-e in full; and events.
//!
//! Law: NT 2014.002 v1.30, 3.11 (resNFe, resEvento) and its table of receivers; NT 2015.002 v1.04 (CT-e, no summaries);
//! layout of the NFS-e 1.01 and anexo II (its events; no summaries). An unknown kind is reported as such and stored
//! without conclusions. Must not know the processing.

mod event;
mod goods;
mod services;
mod transport;

pub use event::Event;
pub use goods::Goods;
pub use services::Services;
pub use transport::Transport;

use crate::tipo::Tipo;
use crate::value::{has_chave_form, protocol};
use crate::xml::{self, Element};

/// A delivered document or event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// A document in full, or its summary.
    Document(Document),
    /// An event, or its summary.
    Event(Event),
}

impl Received {
    /// The contract's type.
    pub fn tipo(&self) -> Tipo {
        match self {
            Received::Document(document) => document.about.tipo(),
            Received::Event(event) => event.tipo,
        }
    }
}

/// Data common to documents of every type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Access key.
    pub chave: String,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// Name of the issuer.
    pub xNome: String,
    /// State registration of the issuer.
    pub IE: Option<String>,
    /// CNPJ or CPF of the addressee. Absent from a summary.
    pub destinatario: Option<String>,
    /// RFC 3339.
    pub dhEmi: String,
    /// Authorisation, RFC 3339.
    pub dhRecbto: Option<String>,
    pub nProt: Option<String>,
    pub situation: Situation,
    /// True for the full document, false for its summary.
    pub whole: bool,
    /// Data of its type alone.
    pub about: About,
}

/// Data of one type alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// NF-e.
    Goods(Goods),
    /// CT-e, CT-e OS, simplified CT-e, GTV-e.
    Transport(Transport),
    /// National NFS-e.
    Services(Services),
}

impl About {
    /// The contract's type.
    pub fn tipo(&self) -> Tipo {
        match self {
            About::Goods(_) => Tipo::Nfe,
            About::Transport(_) => Tipo::Cte,
            About::Services(_) => Tipo::Nfse,
        }
    }
}

/// State of a received document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// Valid.
    Authorized,
    /// Refused for the situation of a party.
    Denied,
    /// Cancelled by its issuer.
    Cancelled,
}

/// Reason why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRead {
    /// Invalid XML.
    #[error(transparent)]
    Malformed(#[from] xml::Malformed),
    /// A root that the distribution does not have.
    #[error("{0} não é um documento conhecido da distribuição")]
    Unknown(String),
    /// A required member.
    #[error("falta {0}")]
    Missing(&'static str),
    /// A member that must be an access key and is none. Keys become parts of addresses and file names.
    #[error("{0} não é uma chave de acesso")]
    NotKey(&'static str),
}

/// Reads a document or event by its root.
pub fn read(document: &str) -> Result<Received, NotRead> {
    let root = xml::read(document.as_bytes())?;
    match root.name.as_str() {
        "resNFe" => goods::summary(&root).map(Received::Document),
        "nfeProc" => goods::whole(&root).map(Received::Document),
        "resEvento" => event::summary(&root).map(Received::Event),
        "procEventoNFe" => event::whole(&root, &event::NFE).map(Received::Event),
        "procEventoCTe" => event::whole(&root, &event::CTE).map(Received::Event),
        "cteProc" => transport::whole(&root, "CTe").map(Received::Document),
        "cteOSProc" => transport::whole(&root, "CTeOS").map(Received::Document),
        "cteSimpProc" => transport::whole(&root, "CTeSimp").map(Received::Document),
        "GTVeProc" => transport::whole(&root, "GTVe").map(Received::Document),
        "NFSe" => services::whole(&root).map(Received::Document),
        "evento" => event::of_services(&root).map(Received::Event),
        other => Err(NotRead::Unknown(other.to_owned())),
    }
}

/// The situation by the protocol's code.
fn judged(cStat: Option<&str>) -> Situation {
    match cStat {
        Some("110" | "301" | "302" | "303") => Situation::Denied,
        _ => Situation::Authorized,
    }
}

/// The key after the prefix of an `Id`, when it has `long` characters.
fn key_of(inf: &Element, letters: &[&str], long: usize) -> Option<String> {
    let id = inf.attribute("Id")?;
    let key = letters.iter().find_map(|letters| id.strip_prefix(letters)).filter(|key| key.len() == long)?;
    has_chave_form(key).then(|| key.to_owned())
}

/// CNPJ or CPF. `None` for the CNPJ of zeros, which stands for a party abroad.
fn number(element: &Element) -> Option<String> {
    let number = may(element, "CNPJ").or_else(|| may(element, "CPF"))?;
    number.bytes().any(|digit| digit != b'0').then_some(number)
}

/// A text, shortened for lists; the stored document has it in full.
fn may(element: &Element, path: &str) -> Option<String> {
    let text = element.text_at(path).map(str::trim).filter(|text| !text.is_empty())?;
    Some(short(text).to_owned())
}

/// A text shortened for lists.
fn short(text: &str) -> &str {
    text.char_indices().nth(MOST).map_or(text, |(cut, _)| &text[..cut])
}

/// Most characters of a shortened text. No official one is longer than 150, except `xCondUso`, which is not read here.
const MOST: usize = 300;
/// Characters of an access key of NF-e and CT-e.
const KEY: usize = 44;

/// An access key, checked by its form.
fn key(element: &Element, path: &'static str) -> Result<String, NotRead> {
    let text = must(element, path)?;
    if has_chave_form(&text) { Ok(text) } else { Err(NotRead::NotKey(path)) }
}

/// A protocol, unless its form is wrong.
fn may_protocol(element: &Element, path: &str) -> Option<String> {
    may(element, path).filter(|text| protocol(text).is_some())
}

fn must(element: &Element, path: &'static str) -> Result<String, NotRead> {
    may(element, path).ok_or(NotRead::Missing(path))
}

#[cfg(test)]
mod tests;
