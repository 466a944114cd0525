//! The signature of the Sefin on its documents: RSA-SHA256 over the exclusive canonical form with comments, as seen in
//! authorised notes.
//!
//! The signed element contains foreign XML (the DPS), so the form is made by a real C14N.

use super::NAMESPACE;
use crate::pki::KeyedCertificate;
use crate::soap::base64;
use bergshamra_c14n::{C14nMode, canonicalize};
use openssl::hash::MessageDigest;
use openssl::sha::sha256;
use openssl::sign::Signer;

/// The document of a root with one signed element: declaration, root, element, `Signature`. `element` declares no
/// namespace.
pub(super) fn sealed(root: &str, element: &str, id: &str, by: &KeyedCertificate) -> anyhow::Result<String> {
    let name_end = element.find([' ', '>']).unwrap_or(element.len());
    let (name, rest) = element.split_at(name_end);
    let alone = format!("{name} xmlns=\"{NAMESPACE}\"{rest}");
    let canonical = canonicalize::<&str>(&alone, C14nMode::ExclusiveWithComments, None, &[])?;
    let info = signed_info(id, &base64(&sha256(&canonical)));
    let mut signer = Signer::new(MessageDigest::sha256(), &by.key)?;
    signer.update(format!("<SignedInfo xmlns=\"{DSIG}\">{info}</SignedInfo>").as_bytes())?;
    let value = base64(&signer.sign_to_vec()?);
    let certificate = base64(&by.certificate.to_der()?);
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><{root} versao=\"{}\" xmlns=\"{NAMESPACE}\">{element}<Signature xmlns=\"{DSIG}\"><SignedInfo>{info}\
         </SignedInfo><SignatureValue>{value}</SignatureValue><KeyInfo><X509Data><X509Certificate>{certificate}</X509Certificate></X509Data>\
         </KeyInfo></Signature></{root}>",
        super::VERSAO
    ))
}

const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";

/// The content of SignedInfo, in the canonical form of its signature.
fn signed_info(id: &str, digest: &str) -> String {
    let form = "http://www.w3.org/2001/10/xml-exc-c14n#WithComments";
    format!(
        "<CanonicalizationMethod Algorithm=\"{form}\"></CanonicalizationMethod><SignatureMethod \
         Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256\"></SignatureMethod><Reference URI=\"#{id}\"><Transforms><Transform \
         Algorithm=\"{DSIG}enveloped-signature\"></Transform><Transform Algorithm=\"{form}\"></Transform></Transforms><DigestMethod \
         Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"></DigestMethod><DigestValue>{digest}</DigestValue></Reference>"
    )
}
