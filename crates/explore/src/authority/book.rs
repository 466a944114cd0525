//! The registered documents of an authority.

use std::collections::BTreeMap;

/// A registered document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldDocument {
    /// Access key, or the identity of a declaration: the value of queries.
    pub chave: String,
    /// Key that the authority gave a note; empty where the key above is the document's.
    pub note_key: String,
    /// Sale of the document.
    pub sale: String,
    /// Digest of the signed element, base64.
    pub digest: String,
    /// `protNFe` or `protCTe`.
    pub protocol_xml: String,
    /// `procEventoNFe` or `procEventoCTe` of its cancellation.
    pub cancellation_xml: Option<String>,
    /// Milliseconds of the run from which queries find it.
    pub visible_from_ms: u64,
    /// Milliseconds of the run at which it was registered.
    pub registered_ms: u64,
}

impl HeldDocument {
    /// Authorised and not cancelled.
    pub fn is_live(&self) -> bool {
        self.cancellation_xml.is_none()
    }
}

/// Registry of an authority.
#[derive(Default)]
pub struct AuthorityBook {
    documents: Vec<HeldDocument>,
    /// Key by receipt, and the milliseconds of the run from which its answer is ready.
    receipts: BTreeMap<String, (String, u64)>,
    /// Outcome of each RPS of a lot, by protocol, and the milliseconds of the run from which it is answered.
    lots: BTreeMap<String, (Vec<String>, u64)>,
    /// Keys announced by EPEC.
    pub(super) announced: Vec<String>,
}

/// Issuer, model, series and number in a key: a registry takes one document of each.
fn number_of(chave: &str) -> &str {
    if chave.starts_with("DPS") || chave.starts_with("RPS") { chave } else { chave.get(6..34).unwrap_or_default() }
}

impl AuthorityBook {
    pub fn documents(&self) -> impl Iterator<Item = &HeldDocument> {
        self.documents.iter()
    }

    pub(super) fn by_key(&self, chave: &str) -> Option<&HeldDocument> {
        self.documents.iter().find(|document| document.chave == chave)
    }

    pub(super) fn by_key_mut(&mut self, chave: &str) -> Option<&mut HeldDocument> {
        self.documents.iter_mut().find(|document| document.chave == chave)
    }

    /// The document of a number; `by_way` compares the way of emission too.
    pub(super) fn by_number(&self, chave: &str, by_way: bool) -> Option<&HeldDocument> {
        let is_same = |held: &&HeldDocument| {
            let same_way = held.chave.get(34..35) == chave.get(34..35);
            number_of(&held.chave) == number_of(chave) && (same_way || !by_way)
        };
        self.documents.iter().find(is_same)
    }

    pub(super) fn add(&mut self, document: HeldDocument) {
        self.documents.push(document);
    }

    pub(super) fn add_receipt(&mut self, chave: &str, ready_ms: u64) -> String {
        let receipt = format!("351{:012}", self.receipts.len() + 1);
        self.receipts.insert(receipt.clone(), (chave.to_owned(), ready_ms));
        receipt
    }

    pub(super) fn receipt(&self, receipt: &str) -> Option<&(String, u64)> {
        self.receipts.get(receipt)
    }

    pub(super) fn add_lot(&mut self, results: Vec<String>, ready_ms: u64) -> String {
        let protocol = format!("PROT{:08}", self.lots.len() + 1);
        self.lots.insert(protocol.clone(), (results, ready_ms));
        protocol
    }

    pub(super) fn lot(&self, protocol: &str) -> Option<&(Vec<String>, u64)> {
        self.lots.get(protocol)
    }

    /// Makes every document visible to queries.
    pub(super) fn reveal(&mut self) {
        for document in &mut self.documents {
            document.visible_from_ms = 0;
        }
    }
}
