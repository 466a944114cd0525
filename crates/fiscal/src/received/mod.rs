//! Documents that others issued to a company, as the distribution delivers them: an NF-e in summary or in full; CT-e,
//! CT-e OS, simplified CT-e, GTV-e and NFS-e in full; and events.
//!
//! Law: NT 2014.002 v1.30, 3.11 (resNFe, resEvento) and its table of receivers; NT 2015.002 v1.04 (CT-e, no summaries);
//! layout of the NFS-e 1.01 and anexo II (its events; no summaries). An unknown kind is reported as such and stored
//! without conclusions. Must not know the processing.

mod cte;
mod event;
mod nfe;
mod nfse;

pub use cte::CteDetails;
pub use event::DistributedEvent;
pub use nfe::NfeDetails;
pub use nfse::NfseDetails;

use crate::tipo::Tipo;
use crate::value::{has_chave_form, protocol};
use crate::xml::{self, Element};

/// A delivered document or event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DistributedItem {
    /// A document in full, or its summary.
    Document(DistributedDocument),
    /// An event, or its summary.
    Event(DistributedEvent),
}

impl DistributedItem {
    /// The contract's type.
    pub fn tipo(&self) -> Tipo {
        match self {
            DistributedItem::Document(document) => document.details.tipo(),
            DistributedItem::Event(event) => event.tipo,
        }
    }
}

/// Data common to documents of every type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributedDocument {
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
    pub situation: ReceivedSituation,
    /// True for the full document, false for its summary.
    pub whole: bool,
    /// Data of its type alone.
    pub details: DistributedDetails,
}

/// Data of one type alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DistributedDetails {
    /// NF-e.
    Goods(NfeDetails),
    /// CT-e, CT-e OS, simplified CT-e, GTV-e.
    Transport(CteDetails),
    /// National NFS-e.
    Services(NfseDetails),
}

impl DistributedDetails {
    /// The contract's type.
    pub fn tipo(&self) -> Tipo {
        match self {
            DistributedDetails::Goods(_) => Tipo::Nfe,
            DistributedDetails::Transport(_) => Tipo::Cte,
            DistributedDetails::Services(_) => Tipo::Nfse,
        }
    }
}

/// State of a received document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceivedSituation {
    /// Valid.
    Authorized,
    /// Refused for the situation of a party.
    Denied,
    /// Cancelled by its issuer.
    Cancelled,
}

/// Reason why a document cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DistributionReadError {
    /// Invalid XML.
    #[error(transparent)]
    Malformed(#[from] xml::MalformedXml),
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
pub fn read(document: &str) -> Result<DistributedItem, DistributionReadError> {
    let root = xml::read(document.as_bytes())?;
    match root.name.as_str() {
        "resNFe" => nfe::summary(&root).map(DistributedItem::Document),
        "nfeProc" => nfe::whole(&root).map(DistributedItem::Document),
        "resEvento" => event::summary(&root).map(DistributedItem::Event),
        "procEventoNFe" => event::whole(&root, &event::NFE).map(DistributedItem::Event),
        "procEventoCTe" => event::whole(&root, &event::CTE).map(DistributedItem::Event),
        "cteProc" => cte::whole(&root, "CTe").map(DistributedItem::Document),
        "cteOSProc" => cte::whole(&root, "CTeOS").map(DistributedItem::Document),
        "cteSimpProc" => cte::whole(&root, "CTeSimp").map(DistributedItem::Document),
        "GTVeProc" => cte::whole(&root, "GTVe").map(DistributedItem::Document),
        "NFSe" => nfse::whole(&root).map(DistributedItem::Document),
        "evento" => event::of_services(&root).map(DistributedItem::Event),
        other => Err(DistributionReadError::Unknown(other.to_owned())),
    }
}

/// The situation by the protocol's code.
fn situation_by_code(cStat: Option<&str>) -> ReceivedSituation {
    match cStat {
        Some("110" | "301" | "302" | "303") => ReceivedSituation::Denied,
        _ => ReceivedSituation::Authorized,
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
    let number = optional_member(element, "CNPJ").or_else(|| optional_member(element, "CPF"))?;
    number.bytes().any(|digit| digit != b'0').then_some(number)
}

/// A text, shortened for lists; the stored document has it in full.
fn optional_member(element: &Element, path: &str) -> Option<String> {
    let text = element.text_at(path).map(str::trim).filter(|text| !text.is_empty())?;
    Some(truncated(text).to_owned())
}

/// A text shortened for lists.
fn truncated(text: &str) -> &str {
    text.char_indices().nth(MOST).map_or(text, |(cut, _)| &text[..cut])
}

/// Most characters of a shortened text. No official one is longer than 150, except `xCondUso`, which is not read here.
const MOST: usize = 300;
/// Characters of an access key of NF-e and CT-e.
const KEY: usize = 44;

/// An access key, checked by its form.
fn key(element: &Element, path: &'static str) -> Result<String, DistributionReadError> {
    let text = required_member(element, path)?;
    if has_chave_form(&text) { Ok(text) } else { Err(DistributionReadError::NotKey(path)) }
}

/// A protocol, unless its form is wrong.
fn optional_protocol(element: &Element, path: &str) -> Option<String> {
    optional_member(element, path).filter(|text| protocol(text).is_some())
}

fn required_member(element: &Element, path: &'static str) -> Result<String, DistributionReadError> {
    optional_member(element, path).ok_or(DistributionReadError::Missing(path))
}

#[cfg(test)]
mod tests;
