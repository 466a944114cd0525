//! NFeDistribuicaoDFe and CTeDistribuicaoDFe: queries of the Ambiente Nacional for documents of interest, and their
//! answers.
//!
//! Documents are not parsed here: a reply with an unreadable document still yields the others.
//!
//! Law: NT 2014.002 v1.30 (distDFeInt and retDistDFeInt 1.01; docZip is gzip in base64, at most 50 of them), NT
//! 2015.002 of the CT-e (1.00).

use super::UnreadableReply;
use super::call::open_versioned;
use super::dialect::SefazDialect;
use super::envelope::in_envelope;
use super::payload::ReplyPayload;
use super::reply::{read_status_code, required, words};
use crate::answer::{DistributionAnswer, DistributionItem};
use crate::call::{AuthorityCall, AuthorityReply};
use crate::table::endpoint::Endpoint;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::value::{ChaveAcesso, CnpjCpf, TpAmb, Uf};
use fiscal::xml::Element;
use flate2::read::MultiGzDecoder;
use std::io::Read as _;

/// Documents that a query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedDocuments {
    /// All documents after this number: `distNSU`.
    After(u64),
    /// The document of this number: `consNSU`.
    Nsu(u64),
    /// The NF-e of this key: `consChNFe`.
    Chave(ChaveAcesso),
}

impl SefazDialect {
    /// True when documents can be queried by key besides by number.
    pub fn has_query_by_key(&self) -> bool {
        self.distribution.by_key.is_some()
    }

    /// Query for an interested company; `None` for a key where the document has no query by key. `uf` is the company's
    /// state, when known.
    pub fn distribution(
        &self,
        endpoint: &Endpoint,
        ambiente: TpAmb,
        uf: Option<Uf>,
        company: CnpjCpf,
        wanted: RequestedDocuments,
    ) -> Option<AuthorityCall> {
        let (group, name, value) = match wanted {
            RequestedDocuments::After(nsu) => ("distNSU", "ultNSU", fifteen(nsu)),
            RequestedDocuments::Nsu(nsu) => ("consNSU", "NSU", fifteen(nsu)),
            RequestedDocuments::Chave(chave) => (self.distribution.by_key?, self.chave, chave.as_str().to_owned()),
        };
        let mut message = open_versioned(self, "distDFeInt", self.distribution.versao, 320);
        message.leaf("tpAmb", ambiente.code());
        if let Some(uf) = uf {
            message.leaf("cUFAutor", &uf.code().to_string());
        }
        message.leaf(company.tag(), company.as_str());
        message.open(group);
        message.leaf(name, &value);
        message.close(group);
        message.close("distDFeInt");
        let (operation, data) = (endpoint.operation, self.data);
        let open = format!("<{operation} xmlns=\"{}\"><{data}>", endpoint.namespace);
        Some(in_envelope(endpoint, &open, &[&message.finish()], &format!("</{data}></{operation}>")))
    }

    /// Reads retDistDFeInt.
    pub fn read_distribution(&self, reply: &AuthorityReply) -> Result<DistributionAnswer, UnreadableReply> {
        let payload = ReplyPayload::find(reply, "retDistDFeInt")?;
        let message = payload.element();
        let (cStat, xMotivo) = read_status_code(message)?;
        let mut room = LARGEST_REPLY;
        let lote = message.child("loteDistDFeInt").into_iter().flat_map(Element::children);
        let zips: Vec<&Element> = lote.filter(|child| child.name == "docZip").collect();
        if zips.len() > MOST_DOCUMENTS {
            return Err(UnreadableReply::Content(format!("{} documentos em uma resposta, onde cabem 50", zips.len())));
        }
        let documents = zips.into_iter().map(|zip| read_doc_zip(zip, &mut room));
        Ok(DistributionAnswer {
            documents: documents.collect::<Result<_, _>>()?,
            ultNSU: nsu(message, "ultNSU")?,
            maxNSU: nsu(message, "maxNSU")?,
            dhResp: required(message, "dhResp")?,
            cStat,
            xMotivo,
        })
    }
}

fn nsu(message: &Element, name: &str) -> Result<Option<u64>, UnreadableReply> {
    let text = message.text_at(name).filter(|text| !text.is_empty());
    text.map(|text| {
        text.parse().map_err(|_| UnreadableReply::Content(format!("{name} não é um número: {}", words(text))))
    })
    .transpose()
}

fn read_doc_zip(zip: &Element, room: &mut u64) -> Result<DistributionItem, UnreadableReply> {
    let packed = zip.text();
    let nsu = match zip.attribute("NSU").filter(|text| !text.is_empty()) {
        Some(text) => {
            Some(text.parse().map_err(|_| UnreadableReply::Content(format!("NSU não é um número: {}", words(text))))?)
        }
        None => None,
    };
    let content = unpacked(packed, *room);
    *room = room.saturating_sub(content.as_ref().map_or(0, |xml| xml.len() as u64));
    let schema = words(zip.attribute("schema").unwrap_or_default());
    Ok(DistributionItem { nsu, schema, content: content.map_err(|why| (why, packed.to_owned())) })
}

/// Decodes base64 and gzip with a limit: a small reply could unpack to more than the memory holds.
fn unpacked(packed: &str, room: u64) -> Result<String, String> {
    let packed: String = packed.split_whitespace().collect();
    let bytes = STANDARD.decode(packed).map_err(|error| format!("docZip não é base64: {error}"))?;
    let limit = LARGEST_DOCUMENT.min(room);
    let mut xml = Vec::new();
    let read = MultiGzDecoder::new(bytes.as_slice()).take(limit + 1).read_to_end(&mut xml);
    read.map_err(|error| format!("docZip não é gzip: {error}"))?;
    if xml.len() as u64 > limit {
        return Err(format!("o documento descompactado passa de {limit} bytes"));
    }
    crate::gzip_text::text(xml)
}

/// `TNSU`, fifteen digits.
fn fifteen(nsu: u64) -> String {
    format!("{nsu:015}")
}

/// Most documents of a reply: twice the official limit, which bounds the cost.
const MOST_DOCUMENTS: usize = 100;
/// Bytes of a document. A message of NF-e takes 500 KB (MOC 7.0, 3.4); the margin covers its protocol.
const LARGEST_DOCUMENT: u64 = 2 << 20;
/// Bytes of all documents of a reply.
const LARGEST_REPLY: u64 = 40 << 20;
