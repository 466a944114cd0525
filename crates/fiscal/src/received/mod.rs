//! What others issue to us, as it is handed out: of goods a summary or a whole NF-e, of transport the whole CT-e, CT-e
//! OS, simplified CT-e or GTV-e, of services the whole NFS-e, and events.
//!
//! Law: NT 2014.002 v1.30, 3.11 (resNFe, resEvento) and its table of who receives what; NT 2015.002 v1.04 (CT-e, no
//! summaries); layout of the NFS-e 1.01 and anexo II (its events; no summaries). A kind that is not known is said to be
//! so: it is kept, and nothing is concluded from it. Must not know what is done with it.

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

/// A document handed out, by what it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// Whole, or its summary.
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

/// What is said of a document, whatever it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Key.
    pub chave: String,
    /// CNPJ or CPF of the issuer.
    pub emitente: String,
    /// Its name.
    pub xNome: String,
    /// Its state registration, when told.
    pub IE: Option<String>,
    /// CNPJ or CPF of the addressee, when there is one; a summary does not name it.
    pub destinatario: Option<String>,
    /// RFC 3339.
    pub dhEmi: String,
    /// Authorisation, RFC 3339.
    pub dhRecbto: Option<String>,
    /// Protocol.
    pub nProt: Option<String>,
    /// Where it stands.
    pub situation: Situation,
    /// The whole document, not its summary.
    pub whole: bool,
    /// What only its type has.
    pub about: About,
}

/// What only documents of a type have.
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

/// Where a received document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// Valid.
    Authorized,
    /// Refused for the situation of a party.
    Denied,
    /// Cancelled by its issuer.
    Cancelled,
}

/// Why nothing can be concluded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotRead {
    /// No XML we take.
    #[error(transparent)]
    Malformed(#[from] xml::Malformed),
    /// A root that is none of those handed out.
    #[error("{0} não é um documento conhecido da distribuição")]
    Unknown(String),
    /// A member that every such document has.
    #[error("falta {0}")]
    Missing(&'static str),
    /// A member that is no access key: it would stand in addresses and names of files.
    #[error("{0} não é uma chave de acesso")]
    NotKey(&'static str),
}

/// Reads a document by its root.
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

/// The situation that a protocol tells.
fn judged(cStat: Option<&str>) -> Situation {
    match cStat {
        Some("110" | "301" | "302" | "303") => Situation::Denied,
        _ => Situation::Authorized,
    }
}

/// The key behind the letters of an `Id`: so many characters.
fn key_of(inf: &Element, letters: &[&str], long: usize) -> Option<String> {
    let id = inf.attribute("Id")?;
    let key = letters.iter().find_map(|letters| id.strip_prefix(letters)).filter(|key| key.len() == long)?;
    has_chave_form(key).then(|| key.to_owned())
}

/// CNPJ or CPF; somebody from abroad has a CNPJ of zeros, which names nobody.
fn number(element: &Element) -> Option<String> {
    let number = may(element, "CNPJ").or_else(|| may(element, "CPF"))?;
    number.bytes().any(|digit| digit != b'0').then_some(number)
}

/// A text, or as much of it as a list can show: the whole stands in the document, which is kept as it came.
fn may(element: &Element, path: &str) -> Option<String> {
    let text = element.text_at(path).map(str::trim).filter(|text| !text.is_empty())?;
    Some(short(text).to_owned())
}

/// As much of a text as a list can show.
fn short(text: &str) -> &str {
    text.char_indices().nth(MOST).map_or(text, |(cut, _)| &text[..cut])
}

/// Letters of one value; no official one has more than 150 (`xCondUso` aside, which is not read here).
const MOST: usize = 300;
/// Characters of an access key.
const KEY: usize = 44;

/// A key of the documents that are handed out, by form.
fn key(element: &Element, path: &'static str) -> Result<String, NotRead> {
    let text = must(element, path)?;
    if has_chave_form(&text) { Ok(text) } else { Err(NotRead::NotKey(path)) }
}

/// A protocol, where one stands that has its form.
fn may_protocol(element: &Element, path: &str) -> Option<String> {
    may(element, path).filter(|text| protocol(text).is_some())
}

fn must(element: &Element, path: &'static str) -> Result<String, NotRead> {
    may(element, path).ok_or(NotRead::Missing(path))
}

#[cfg(test)]
mod tests;
