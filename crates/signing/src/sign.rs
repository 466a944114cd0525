//! XMLDSig, enveloped, in one pass over canonical bytes.
//!
//! The document is hashed in place and the `Signature` is inserted at its tail: no tree is built and no canonical copy
//! is made. This holds only for text that is canonical already; documents of other writers go through `verify`.
//!
//! Law: MOC 7.0, visão geral, 3.2.2; XMLDSig core, 2002.

use crate::{Certificate, SigningAlgorithm};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem;
use openssl::hash::MessageDigest;
use openssl::sign::Signer;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedXml {
    /// The document with its Signature before the end tag of the root.
    pub xml: String,
    /// base64 DigestValue, as the authority repeats it in `digVal`.
    pub digest: String,
}

/// Reasons not to sign.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// No element carries the `Id`.
    #[error("nenhum elemento tem o Id {0}")]
    NoSuchId(String),
    /// The text is not in canonical form, so it cannot be hashed in place.
    #[error("o documento não está na forma canônica: {0}")]
    NotCanonical(&'static str),
    /// OpenSSL failed.
    #[error("a assinatura falhou: {0}")]
    OpenSsl(#[from] openssl::error::ErrorStack),
}

/// Signs the element with this `Id`, a child of the root, and inserts the `Signature` before the root's end tag: after
/// the signed element and its following siblings (`infNFeSupl`). `document` must be canonical, without declaration,
/// with its default namespace on the root; the inherited `xmlns` enters the digest.
///
/// Taking the text by value saves the copy: with [`signature_room`] spare bytes of capacity only the end tag moves.
pub fn sign(document: String, id: &str, certificate: &Certificate) -> Result<SignedXml, SignError> {
    sign_by(SigningAlgorithm::Sha1, document, id, certificate)
}

/// [`sign`] with a given algorithm.
pub fn sign_by(
    algorithm: SigningAlgorithm,
    document: String,
    id: &str,
    certificate: &Certificate,
) -> Result<SignedXml, SignError> {
    let element = RootElement::of(&document)?.child_with_id(&document, id)?;
    sign_element_by(algorithm, document, element, id, certificate)
}

/// [`sign`] for a caller that knows the range of the element; no search is made.
pub fn sign_element(
    document: String,
    element: Range<usize>,
    id: &str,
    certificate: &Certificate,
) -> Result<SignedXml, SignError> {
    sign_element_by(SigningAlgorithm::Sha1, document, element, id, certificate)
}

/// [`sign_by`] for a caller that knows the range of the element.
pub fn sign_element_by(
    algorithm: SigningAlgorithm,
    document: String,
    element: Range<usize>,
    id: &str,
    certificate: &Certificate,
) -> Result<SignedXml, SignError> {
    let root = RootElement::of(&document)?;
    let at = root.end_tag;
    let (digest, signature) = signature_of(algorithm, &document, root, element, id, certificate)?;
    let mut xml = document;
    xml.insert_str(at, &signature);
    Ok(SignedXml { xml, digest })
}

/// An element to sign, in a document that has several. Its Signature becomes the last child of its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementToSign {
    /// Range in the text before any signature was inserted.
    pub element: Range<usize>,
    /// `Id` (or `id`) of the element. Empty for the root: the reference is to the whole document, and the Signature
    /// becomes its last child.
    pub id: String,
}

/// Signs several elements of one text in the given order, inner elements before outer ones. Returns the digest of the
/// first. Without elements the text is unchanged and the digest is `None`.
pub fn sign_elements(
    algorithm: SigningAlgorithm,
    document: String,
    places: &[ElementToSign],
    certificate: &Certificate,
) -> Result<SignedXml, SignError> {
    let mut signed = SignedXml { xml: document, digest: String::new() };
    let mut inserted: Vec<(usize, usize)> = Vec::with_capacity(places.len());
    for (position, place) in places.iter().enumerate() {
        // text inserted at the end of an element moves positions behind it, and the end of elements around it
        let moved = |at: usize, is_end: bool| {
            let before = |(put, _): &&(usize, usize)| if is_end { *put < at } else { *put <= at };
            at + inserted.iter().filter(before).map(|(_, length)| length).sum::<usize>()
        };
        let element = moved(place.element.start, false)..moved(place.element.end, true);
        let root = RootElement::of(&signed.xml)?;
        let (original, at) = if place.id.is_empty() {
            (place.element.end.saturating_sub(document_tail(&root, &signed.xml)), root.end_tag)
        } else {
            let at = end_of_parent(&signed.xml, element.end).unwrap_or(root.end_tag);
            (place.element.end + (at - element.end), at)
        };
        let (digest, signature) = signature_of(algorithm, &signed.xml, root, element, &place.id, certificate)?;
        signed.xml.insert_str(at, &signature);
        inserted.push((original, signature.len()));
        if position == 0 {
            signed.digest = digest;
        }
    }
    Ok(signed)
}

/// End of the element that encloses a position, after the siblings that follow (the supplement of a CT-e). In canonical
/// text a `<` begins a tag, and every element has both tags.
fn end_of_parent(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let tags = memmem::find_iter(text.get(from..)?.as_bytes(), b"<").map(|at| from + at);
    for at in tags {
        if text.as_bytes().get(at + 1) != Some(&b'/') {
            depth += 1;
        } else if depth == 0 {
            return Some(at);
        } else {
            depth -= 1;
        }
    }
    None
}

/// Length of the root's end tag.
const fn document_tail(root: &RootElement<'_>, document: &str) -> usize {
    document.len() - root.end_tag
}

/// Digest and `Signature` of an element of a canonical text.
fn signature_of(
    algorithm: SigningAlgorithm,
    document: &str,
    root: RootElement<'_>,
    element: Range<usize>,
    id: &str,
    certificate: &Certificate,
) -> Result<(String, String), SignError> {
    let tag = StartTag::at(document, element.start)?;
    let text = document.get(element).filter(|text| ends_with_tag(text, tag.name));
    let text = text.ok_or(SignError::NotCanonical("o elemento não termina onde devia"))?;
    if !id.is_empty() && tag.attribute("Id").or_else(|| tag.attribute("id")) != Some(id) {
        return Err(SignError::NoSuchId(id.to_owned()));
    }
    let inherited = if tag.attribute("xmlns").is_some() { None } else { root.xmlns };
    let repeated = tag.attribute("xmlns").or(root.xmlns);
    let once = repeated.and_then(|namespace| declared_once(text, namespace));
    let digest = STANDARD.encode(digest_of(algorithm, once.as_deref().unwrap_or(text), inherited));
    let signature = signature(algorithm, id, &digest, certificate)?;
    Ok((digest, signature))
}

/// Text without the declarations of a namespace that the enclosing element declares already: C14N leaves them out.
/// `None` when there are none.
fn declared_once(element: &str, namespace: &str) -> Option<String> {
    let declaration = format!(" xmlns=\"{namespace}\"");
    let first = closing(element)?;
    // in canonical text a `<` is a tag, and there is none in a value
    let in_tag = |at: &usize| element[..*at].rfind(['<', '>']).is_some_and(|at| element.as_bytes()[at] == b'<');
    let found: Vec<usize> = memmem::find_iter(&element.as_bytes()[first..], declaration.as_bytes())
        .map(|at| first + at)
        .filter(in_tag)
        .collect();
    if found.is_empty() {
        return None;
    }
    let mut once = String::with_capacity(element.len());
    let mut copied = 0;
    for at in found {
        once.push_str(&element[copied..at]);
        copied = at + declaration.len();
    }
    once.push_str(&element[copied..]);
    Some(once)
}

/// base64 RSA-SHA1 (PKCS#1 v1.5) signature of a text.
pub fn sign_text(text: &str, certificate: &Certificate) -> Result<String, SignError> {
    let mut signer = Signer::new(MessageDigest::sha1(), certificate.key())?;
    signer.update(text.as_bytes())?;
    Ok(STANDARD.encode(signer.sign_to_vec()?))
}

/// Upper bound in bytes of a signature made with this certificate.
pub fn signature_room(id: &str, certificate: &Certificate) -> usize {
    840 + id.len() + certificate.leaf_base64().len() + certificate.key().size() * 4 / 3
}

fn signature(
    algorithm: SigningAlgorithm,
    id: &str,
    digest: &str,
    certificate: &Certificate,
) -> Result<String, SignError> {
    let signed_info = signed_info_tail(algorithm, id, digest);
    let mut signer = Signer::new(algorithm.message_digest(), certificate.key())?;
    signer.update(SIGNED_INFO_CANONICAL_OPEN.as_bytes())?;
    signer.update(signed_info.as_bytes())?;
    let value = STANDARD.encode(signer.sign_to_vec()?);
    let mut xml = String::with_capacity(signature_room(id, certificate));
    for part in [
        "<Signature xmlns=\"http://www.w3.org/2000/09/xmldsig#\"><SignedInfo>",
        &signed_info,
        "<SignatureValue>",
        &value,
        "</SignatureValue><KeyInfo><X509Data><X509Certificate>",
        certificate.leaf_base64(),
        "</X509Certificate></X509Data></KeyInfo></Signature>",
    ] {
        xml.push_str(part);
    }
    Ok(xml)
}

/// SignedInfo without its start tag. Empty elements are written in C14N form, so that the text in the document equals
/// the text that is hashed.
fn signed_info_tail(algorithm: SigningAlgorithm, id: &str, digest: &str) -> String {
    let mut tail = String::with_capacity(SIGNED_INFO_LONGEST + id.len() + digest.len());
    let number_sign = if id.is_empty() { "" } else { "#" };
    for part in [
        SIGNED_INFO_HEAD,
        algorithm.method(),
        "\"></SignatureMethod><Reference URI=\"",
        number_sign,
        id,
        SIGNED_INFO_MIDDLE,
        algorithm.digest_method(),
        "\"></DigestMethod><DigestValue>",
        digest,
        "</DigestValue></Reference></SignedInfo>",
    ] {
        tail.push_str(part);
    }
    tail
}

/// Digest of the element in its own C14N form: an inherited default namespace comes right after the name.
fn digest_of(algorithm: SigningAlgorithm, element: &str, inherited: Option<&str>) -> Vec<u8> {
    let mut hash = algorithm.hash();
    match inherited {
        Some(namespace) => {
            let after_name = 1 + name_of(&element[1..]).len();
            hash.update(&element.as_bytes()[..after_name]);
            hash.update(b" xmlns=\"");
            hash.update(namespace.as_bytes());
            hash.update(b"\"");
            hash.update(&element.as_bytes()[after_name..]);
        }
        None => hash.update(element.as_bytes()),
    }
    hash.finish()
}

/// The facts of the root that signing a child needs.
struct RootElement<'a> {
    xmlns: Option<&'a str>,
    content: usize,
    end_tag: usize,
}

impl<'a> RootElement<'a> {
    fn of(document: &'a str) -> Result<RootElement<'a>, SignError> {
        let tag = StartTag::at(document, 0)?;
        let end_tag = document.len().saturating_sub(tag.name.len() + 3);
        if end_tag < tag.end || !ends_with_tag(document, tag.name) {
            return Err(SignError::NotCanonical("a raiz não termina o texto"));
        }
        if tag.attributes().any(|(name, _)| name.starts_with("xmlns:") || name.starts_with("xml:")) {
            // inclusive C14N would copy these into the child as well; our documents have none
            return Err(SignError::NotCanonical("a raiz declara prefixos ou atributos xml:"));
        }
        Ok(RootElement { xmlns: tag.attribute("xmlns"), content: tag.end, end_tag })
    }

    /// Range of the child with this `Id`.
    fn child_with_id(&self, document: &str, id: &str) -> Result<Range<usize>, SignError> {
        let mut at = self.content;
        while at < self.end_tag {
            let tag = StartTag::at(document, at)?;
            let end = end_of(document, &tag, self.end_tag)?;
            if tag.attribute("Id") == Some(id) {
                return Ok(at..end);
            }
            at = end;
        }
        Err(SignError::NoSuchId(id.to_owned()))
    }
}

/// End of the element that starts with this tag. Its first end tag is its own, since none of our elements nests one of
/// its name; a nested one is an error.
fn end_of(document: &str, tag: &StartTag<'_>, limit: usize) -> Result<usize, SignError> {
    let content = &document.as_bytes()[tag.end..limit];
    for at in memmem::find_iter(content, tag.name) {
        let (before, after) = (&content[..at], &content[at + tag.name.len()..]);
        if !after.starts_with(b">") && !after.starts_with(b" ") {
            continue; // the name goes on, or is text
        }
        if before.ends_with(b"</") {
            return Ok(tag.end + at + tag.name.len() + 1);
        }
        if before.ends_with(b"<") {
            return Err(SignError::NotCanonical("elemento dentro de outro do mesmo nome"));
        }
    }
    Err(SignError::NotCanonical("elemento sem fim"))
}

fn ends_with_tag(text: &str, name: &str) -> bool {
    let before = text.strip_suffix('>').and_then(|rest| rest.strip_suffix(name));
    before.is_some_and(|before| before.ends_with("</"))
}

fn name_of(text: &str) -> &str {
    &text[..text.find([' ', '>', '/']).unwrap_or(text.len())]
}

struct StartTag<'a> {
    name: &'a str,
    attributes: &'a str,
    /// Offset after `>`.
    end: usize,
}

impl<'a> StartTag<'a> {
    fn at(document: &'a str, at: usize) -> Result<StartTag<'a>, SignError> {
        let text = document.get(at..).and_then(|text| text.strip_prefix('<')).unwrap_or("");
        let name = name_of(text);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(SignError::NotCanonical("esperava-se uma etiqueta"));
        }
        let attributes = &text[name.len()..];
        let length = closing(attributes).ok_or(SignError::NotCanonical("etiqueta sem fim"))?;
        if attributes[..length].ends_with('/') {
            return Err(SignError::NotCanonical("etiqueta abreviada"));
        }
        Ok(StartTag { name, attributes: &attributes[..length], end: at + 1 + name.len() + length + 1 })
    }

    fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut rest = self.attributes;
        std::iter::from_fn(move || {
            let (name, after) = rest.trim_start().split_once("=\"")?;
            let (value, after) = after.split_once('"')?;
            rest = after;
            Some((name, value))
        })
    }

    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

/// Offset of the `>` that ends a tag; C14N leaves `>` as it is inside attribute values.
fn closing(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b'>' && !quoted
    })
}

const SIGNED_INFO_CANONICAL_OPEN: &str = "<SignedInfo xmlns=\"http://www.w3.org/2000/09/xmldsig#\">";
const SIGNED_INFO_HEAD: &str = concat!(
    "<CanonicalizationMethod Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"></CanonicalizationMethod>",
    "<SignatureMethod Algorithm=\"",
);
const SIGNED_INFO_MIDDLE: &str = concat!(
    "\"><Transforms>",
    "<Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"></Transform>",
    "<Transform Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"></Transform>",
    "</Transforms><DigestMethod Algorithm=\"",
);
/// Bytes of SignedInfo besides the Id and the digest, at most.
const SIGNED_INFO_LONGEST: usize = 700;
