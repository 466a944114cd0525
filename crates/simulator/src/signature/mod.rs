//! Verification of signatures by other code than that of the signer (`verification`).
//!
//! Law: MOC 7.0 visão geral, 3.2.2; rules E01–E08 of anexo I (290–298, 213).

mod verification;

use crate::credential::{CertificateFacts, CertificateUse};
use crate::simulator_state::SimulatorState;
use fiscal::xml::Element;
use jiff::Timestamp;
use std::sync::Arc;
use verification::RsaDigest;

const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
const C14N: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const RSA_SHA1: &str = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";

/// Algorithms that a signature may use.
pub(crate) struct SignatureStandard {
    /// Signature method, the digest that goes with it, and the code that verifies both.
    methods: &'static [(&'static str, &'static str, RsaDigest)],
    /// Canonical forms of SignedInfo and of the signed element.
    forms: &'static [&'static str],
}

/// NF-e, NFC-e, CT-e: one of each.
pub(crate) static MOC: SignatureStandard =
    SignatureStandard { methods: &[(RSA_SHA1, SHA1, RsaDigest::Sha1)], forms: &[C14N] };

/// National NFS-e: the schema leaves the algorithms open, and authorised notes of both were seen.
pub(crate) static NFSE: SignatureStandard = SignatureStandard {
    methods: &[
        (RSA_SHA1, SHA1, RsaDigest::Sha1),
        (
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            "http://www.w3.org/2001/04/xmlenc#sha256",
            RsaDigest::Sha256,
        ),
    ],
    forms: &[
        C14N,
        "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments",
        "http://www.w3.org/2001/10/xml-exc-c14n#",
        "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    ],
};

/// An examined signature: its signer, the digest it states, and the codes of its faults.
pub(crate) struct ExaminedSignature {
    /// The signer, when KeyInfo holds a certificate.
    pub(crate) signer: Option<Arc<CertificateFacts>>,
    /// base64 DigestValue.
    pub(crate) digest: String,
    /// Codes in the order of the manual; empty when the signature holds.
    pub(crate) faults: Vec<u16>,
}

/// Verifies the signature of `signed` (the child with the `Id`) in `document`; `source` is the document's text,
/// standing alone.
pub(crate) fn examine(
    document: &Element,
    signed: &str,
    source: &str,
    world: &SimulatorState,
    now: Timestamp,
) -> ExaminedSignature {
    examine_by(&MOC, document, signed, source, world, now)
}

/// Verifies the signature by another standard.
pub(crate) fn examine_by(
    standard: &SignatureStandard,
    document: &Element,
    signed: &str,
    source: &str,
    world: &SimulatorState,
    now: Timestamp,
) -> ExaminedSignature {
    let id = document.child(signed).and_then(|element| element.attribute("Id")).unwrap_or("");
    let Some(signature) = document.child("Signature") else {
        return ExaminedSignature { signer: None, digest: String::new(), faults: vec![298] };
    };
    let digest = signature.text_at("SignedInfo/Reference/DigestValue").unwrap_or("").to_owned();
    let signer = signer_of(signature, world);
    let mut faults = match &signer {
        Some(signer) => signer.faults(CertificateUse::Signature, now, &world.settings().revogados),
        None => vec![290],
    };
    let about = signature.at("SignedInfo/Reference").and_then(|reference| reference.attribute("URI"));
    let is_about = !id.is_empty() && about.and_then(|uri| uri.strip_prefix('#')) == Some(id);
    match (algorithm_of(standard, signature).filter(|_| is_about), &signer) {
        (None, _) => faults.push(298),
        (Some(algorithm), Some(signer))
            if verification::verify_signatures(source, signer.rsa.as_ref(), algorithm) != [true] =>
        {
            faults.push(297)
        }
        _ => {}
    }
    ExaminedSignature { signer, digest, faults }
}

fn signer_of(signature: &Element, world: &SimulatorState) -> Option<Arc<CertificateFacts>> {
    world.examiner.read_base64(signature.text_at("KeyInfo/X509Data/X509Certificate")?)
}

/// A signature among others, at its position.
pub(crate) struct PlacedSignature {
    /// Start in the text.
    pub(crate) start: usize,
    /// Reference: `#Id`, or empty for the whole document.
    pub(crate) uri: String,
    pub(crate) signer: Option<Arc<CertificateFacts>>,
    /// Codes as of `ExaminedSignature`.
    pub(crate) faults: Vec<u16>,
}

/// Every signature of a document, each verified at its position in `source`, with the namespaces in scope. `root` is
/// the document, or the element around all the signatures of one.
pub(crate) fn examine_all(
    standard: &SignatureStandard,
    root: &Element,
    source: &str,
    world: &SimulatorState,
    now: Timestamp,
) -> Vec<PlacedSignature> {
    let mut signatures = Vec::new();
    collect(root, &mut signatures);
    let mut verified: Vec<(Arc<CertificateFacts>, RsaDigest, Vec<bool>)> = Vec::new();
    let mut all = Vec::with_capacity(signatures.len());
    for (at, signature) in signatures.into_iter().enumerate() {
        let signer = signer_of(signature, world);
        let mut faults = match &signer {
            Some(signer) => signer.faults(CertificateUse::Signature, now, &world.settings().revogados),
            None => vec![290],
        };
        match (algorithm_of(standard, signature), &signer) {
            (None, _) => faults.push(298),
            (Some(algorithm), Some(signer)) => {
                let same = |known: &CertificateFacts, by| known.public_key == signer.public_key && by == algorithm;
                if !verified.iter().any(|(known, by, _)| same(known, *by)) {
                    let held = verification::verify_signatures(source, signer.rsa.as_ref(), algorithm);
                    verified.push((Arc::clone(signer), algorithm, held));
                }
                let held = verified.iter().find(|(known, by, _)| same(known, *by));
                if held.and_then(|(_, _, held)| held.get(at)) != Some(&true) {
                    faults.push(297);
                }
            }
            _ => {}
        }
        let uri = signature.at("SignedInfo/Reference").and_then(|reference| reference.attribute("URI"));
        all.push(PlacedSignature {
            start: signature.span.start,
            uri: uri.unwrap_or_default().to_owned(),
            signer,
            faults,
        });
    }
    all
}

fn collect<'e>(element: &'e Element, into: &mut Vec<&'e Element>) {
    if element.name == "Signature" && element.namespace == DSIG {
        into.push(element);
        return;
    }
    element.children().for_each(|child| collect(child, into));
}

/// Checks the algorithms, the two transforms in their order, one reference, and KeyInfo with the certificate only.
fn algorithm_of(standard: &SignatureStandard, signature: &Element) -> Option<RsaDigest> {
    let algorithm =
        |path: &str| signature.at(path).and_then(|element| element.attribute("Algorithm")).unwrap_or("").to_owned();
    let reference = signature.at("SignedInfo/Reference")?;
    let transforms: Vec<&str> = reference
        .child("Transforms")
        .map(|transforms| transforms.children().filter_map(|transform| transform.attribute("Algorithm")).collect())
        .unwrap_or_default();
    let names = |path: &str| -> Vec<String> {
        signature
            .at(path)
            .map(|element| element.children().map(|child| child.name.to_string()).collect())
            .unwrap_or_default()
    };
    let (method, digest) = (algorithm("SignedInfo/SignatureMethod"), algorithm("SignedInfo/Reference/DigestMethod"));
    let (_, _, found) = *standard.methods.iter().find(|(a, b, _)| *a == method && *b == digest)?;
    let is_form = |form: &str| standard.forms.contains(&form);
    let is_standard = signature.namespace == DSIG
        && is_form(&algorithm("SignedInfo/CanonicalizationMethod"))
        && transforms.len() == 2
        && transforms.first() == Some(&ENVELOPED)
        && transforms.last().is_some_and(|form| is_form(form))
        && signature
            .child("SignedInfo")
            .is_some_and(|info| info.children().filter(|child| child.name == "Reference").count() == 1)
        && names("KeyInfo") == ["X509Data"]
        && names("KeyInfo/X509Data") == ["X509Certificate"];
    is_standard.then_some(found)
}
