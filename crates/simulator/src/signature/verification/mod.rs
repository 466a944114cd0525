//! Verification of signatures by other means than those that make them. `bergshamra-c14n` makes the canonical forms,
//! RustCrypto computes the digest. The signature value is opened, and compared byte for byte with the expected layout
//! of the digest.
//!
//! The signer of the product makes no canonical form and checks none, and leaves digest and layout to OpenSSL; only the
//! power modulo the key is shared.
//! Law: XMLDSig core (2002), 3.2 and 4.3.3; RFC 8017, 8.2.2 and 9.2. The caller has checked the algorithms, transforms
//! and KeyInfo against a standard.

use super::DSIG;
use base64::Engine as _;
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::NodeSet;
use openssl::pkey::Public;
use openssl::rsa::{Padding, Rsa};
use sha1::{Digest, Sha1};
use sha2::Sha256;
use uppsala::{Document, NodeId};

/// Signature method: RSA over this digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RsaDigest {
    Sha1,
    Sha256,
}

/// Results of the signatures of a text under a key, in their order; false when it is no RSA key. An unreadable text has
/// no signatures.
pub(super) fn verify_signatures(source: &str, key: Option<&Rsa<Public>>, method: RsaDigest) -> Vec<bool> {
    if source.contains("<!DOCTYPE") {
        return Vec::new();
    }
    let Ok(document) = uppsala::parse(source.strip_prefix('\u{FEFF}').unwrap_or(source)) else { return Vec::new() };
    let mut found = Vec::new();
    collect(&document, document.root(), &mut found);
    let holds = |signature| verify_signature(&document, signature, key?, method);
    found.into_iter().map(|signature| holds(signature).unwrap_or(false)).collect()
}

fn collect(document: &Document<'_>, node: NodeId, into: &mut Vec<NodeId>) {
    if document.element(node).is_some_and(|element| element.matches_name_ns(DSIG, "Signature")) {
        into.push(node);
        return;
    }
    document.children_iter(node).for_each(|child| collect(document, child, into));
}

/// `None` when a part is missing or unreadable.
fn verify_signature(document: &Document<'_>, signature: NodeId, key: &Rsa<Public>, method: RsaDigest) -> Option<bool> {
    if !is_well_made(document, signature) {
        return None;
    }
    let part = |of: NodeId, name: &str| document.first_child_element_by_name_ns(of, DSIG, name);
    let info = part(signature, "SignedInfo")?;
    let reference = part(info, "Reference")?;
    let form = part(reference, "Transforms").and_then(|transforms| last_element(document, transforms))?;
    let signed = NodeSet::tree_without_comments(target(document, reference)?, document)
        .subtract(&NodeSet::tree_with_comments(signature, document));
    let digest = method.digest_of(&canonical(document, form, &signed)?);
    if digest != decoded(document, part(reference, "DigestValue")?)? {
        return Some(false);
    }
    let spoken = NodeSet::tree_with_comments(info, document);
    let spoken = canonical(document, part(info, "CanonicalizationMethod")?, &spoken)?;
    let opened = open_signature(key, &decoded(document, part(signature, "SignatureValue")?)?)?;
    Some(opened == method.padded_digest(&method.digest_of(&spoken), opened.len())?)
}

/// Target of a reference: the document, or the one element with the identifier.
fn target(document: &Document<'_>, reference: NodeId) -> Option<NodeId> {
    let id = match document.get_attribute(reference, "URI")? {
        "" => return Some(document.root()),
        uri => uri.strip_prefix('#').filter(|id| !id.is_empty())?,
    };
    let carries = |node: &NodeId| {
        let attributes = document.element(*node).map(|element| element.attributes.as_slice()).unwrap_or_default();
        attributes
            .iter()
            .any(|attribute| matches!(&*attribute.name.local_name, "Id" | "ID" | "id") && attribute.value == id)
    };
    let nodes = document.descendants(document.root());
    let mut carriers = nodes.into_iter().filter(carries);
    carriers.next().filter(|_| carriers.next().is_none())
}

/// The canonical bytes of a set of nodes, in the form that an element names.
fn canonical(document: &Document<'_>, named_by: NodeId, nodes: &NodeSet) -> Option<Vec<u8>> {
    let form = C14nMode::from_uri(document.get_attribute(named_by, "Algorithm")?)?;
    let exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#";
    let kept = document.first_child_element_by_name_ns(named_by, exclusive, "InclusiveNamespaces");
    let kept = kept.and_then(|kept| document.get_attribute(kept, "PrefixList")).unwrap_or_default();
    let kept: Vec<&str> = kept.split_ascii_whitespace().collect();
    canonicalize_doc(document, form, Some(nodes), &kept).ok()
}

/// True when there are SignedInfo, SignatureValue, KeyInfo, and nothing else between or behind them. The content of
/// SignedInfo is signed; KeyInfo is checked where it is read.
fn is_well_made(document: &Document<'_>, signature: NodeId) -> bool {
    let mut parts = ["SignedInfo", "SignatureValue", "KeyInfo"].into_iter();
    document.children_iter(signature).all(|child| match document.element(child) {
        Some(element) => parts.next().is_some_and(|part| element.matches_name_ns(DSIG, part)),
        None => document.text_content(child).is_none_or(|text| text.trim_ascii().is_empty()),
    })
}

fn last_element(document: &Document<'_>, parent: NodeId) -> Option<NodeId> {
    document.children_iter(parent).rfind(|child| document.element(*child).is_some())
}

/// Decodes base64 with white space, as XML Schema allows; `None` when the node holds anything but text.
fn decoded(document: &Document<'_>, node: NodeId) -> Option<Vec<u8>> {
    let texts: Option<String> = document.children_iter(node).map(|child| document.text_content(child)).collect();
    let text: String = texts?.split_ascii_whitespace().collect();
    base64::engine::general_purpose::STANDARD.decode(text).ok()
}

/// Opens a signature with the public key; `None` unless it is as long as the key.
fn open_signature(key: &Rsa<Public>, signature: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(key.size()).ok().filter(|length| *length == signature.len())?;
    let mut opened = vec![0; length];
    let written = key.public_decrypt(signature, &mut opened, Padding::NONE).ok()?;
    (written == length).then_some(opened)
}

impl RsaDigest {
    fn digest_of(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            RsaDigest::Sha1 => Sha1::digest(bytes).to_vec(),
            RsaDigest::Sha256 => Sha256::digest(bytes).to_vec(),
        }
    }

    /// `00 01 FF … FF 00`, the DigestInfo prefix, and the digest: EMSA-PKCS1-v1_5, with at least eight `FF`.
    fn padded_digest(self, digest: &[u8], length: usize) -> Option<Vec<u8>> {
        let kind: &[u8] = match self {
            RsaDigest::Sha1 => SHA1,
            RsaDigest::Sha256 => SHA256,
        };
        let filling = length.checked_sub(3 + kind.len() + digest.len()).filter(|filling| *filling >= 8)?;
        Some([&[0, 1], vec![0xff; filling].as_slice(), &[0], kind, digest].concat())
    }
}

/// DigestInfo up to the digest (RFC 8017, 9.2, note 1).
const SHA1: &[u8] = &[0x30, 0x21, 0x30, 0x09, 0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00, 0x04, 0x14];
const SHA256: &[u8] =
    &[0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20];

#[cfg(test)]
mod tests;
