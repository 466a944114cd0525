//! Verifying foreign documents: real C14N, and the official profile of XMLDSig without a margin.
//!
//! A signature that covers another part of the document could hide a second one ("wrapping"), so everything outside the
//! profile is refused: the signed element is the first child of the Signature's parent, the Signature is the last, and
//! the Id occurs once.
//!
//! Law: MOC 7.0, visão geral, 3.2.2 (profile), anexo I rules 297 and 298; XMLDSig core, 2002.

mod profile;

use crate::SigningAlgorithm;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::NodeSet;
use openssl::pkey::Id;
use openssl::sign::Verifier;
use openssl::x509::X509;
use profile::SignatureProfile;
use uppsala::{Document, NodeId};

/// A valid signature.
#[derive(Debug, Clone)]
pub struct VerifiedSignature {
    /// End-entity certificate of KeyInfo, DER. The caller decides about its trust and its holder.
    pub certificate_der: Vec<u8>,
    /// DigestValue, base64.
    pub digest: String,
    /// `Id` of the signed element.
    pub id: String,
}

/// Reasons why a signature is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    /// No Signature element.
    #[error("o documento não tem assinatura")]
    Absent,
    /// Algorithms, transforms, reference or KeyInfo differ from the standard (cStat 298).
    #[error("a assinatura difere do padrão: {0}")]
    NonStandard(String),
    /// Digest or SignatureValue do not match (cStat 297).
    #[error("a assinatura difere do calculado: {0}")]
    Mismatch(&'static str),
}

/// Verifies the only enveloped signature of a document, which must use `SigningAlgorithm::Sha1`.
pub fn verify(document: &[u8]) -> Result<VerifiedSignature, SignatureFault> {
    verify_by(&[SigningAlgorithm::Sha1], document)
}

/// [`verify`] with a list of allowed algorithms.
pub fn verify_by(allowed: &[SigningAlgorithm], document: &[u8]) -> Result<VerifiedSignature, SignatureFault> {
    let text = std::str::from_utf8(document).map_err(|_| non_standard("o documento não está em UTF-8"))?;
    if text.contains("<!DOCTYPE") {
        // entities and default attributes would give the text a second meaning
        return Err(non_standard("o documento tem DOCTYPE"));
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let parsed = uppsala::parse(text).map_err(|error| non_standard(&format!("XML mal formado: {error}")))?;
    let profile = SignatureProfile::of(&parsed, allowed)?;
    let certificate_der = decoded(&profile.certificate, "X509Certificate")?;
    let signature = decoded(&profile.signature_value, "SignatureValue")?;
    let expected = decoded(&profile.digest, "DigestValue")?;
    let digest = profile.algorithm.digest(&canonical(&parsed, profile.signed)?);
    if digest != expected {
        return Err(SignatureFault::Mismatch("DigestValue"));
    }
    let signed_info = canonical(&parsed, profile.signed_info)?;
    if !signed_by(profile.algorithm, &certificate_der, &signed_info, &signature)? {
        return Err(SignatureFault::Mismatch("SignatureValue"));
    }
    Ok(VerifiedSignature { certificate_der, digest: STANDARD.encode(digest), id: profile.id })
}

/// C14N 1.0 of a subtree, with the namespaces it inherits; a same-document reference omits comments.
fn canonical(document: &Document<'_>, element: NodeId) -> Result<Vec<u8>, SignatureFault> {
    let subtree = NodeSet::tree_without_comments(element, document);
    canonicalize_doc::<&str>(document, C14nMode::Inclusive, Some(&subtree), &[])
        .map_err(|error| non_standard(&format!("sem forma canônica: {error}")))
}

fn signed_by(
    algorithm: SigningAlgorithm,
    certificate_der: &[u8],
    signed_info: &[u8],
    signature: &[u8],
) -> Result<bool, SignatureFault> {
    let certificate = X509::from_der(certificate_der).map_err(|_| non_standard("X509Certificate ilegível"))?;
    let key = certificate.public_key().map_err(|_| non_standard("X509Certificate sem chave pública"))?;
    if key.id() != Id::RSA {
        return Err(non_standard("a chave do certificado não é RSA"));
    }
    let verified = Verifier::new(algorithm.message_digest(), &key).and_then(|mut verifier| {
        verifier.update(signed_info)?;
        verifier.verify(signature)
    });
    // OpenSSL reports a signature of the wrong length as an error; here it is a mismatch
    Ok(verified.unwrap_or(false))
}

/// Decodes base64 with white space, which XML Schema allows.
fn decoded(text: &str, what: &str) -> Result<Vec<u8>, SignatureFault> {
    let joined: String = text.split_ascii_whitespace().collect();
    STANDARD.decode(joined).map_err(|_| non_standard(&format!("{what} não é base64")))
}

fn non_standard(what: &str) -> SignatureFault {
    SignatureFault::NonStandard(what.to_owned())
}
