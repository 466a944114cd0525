//! Certificates (PKCS#12, ICP-Brasil), canonical XML, signing and verifying.
//!
//! Must not know: the meaning of a document. It handles bytes and an `Id`.

mod algorithm;
mod certificate;
mod sign;
mod verify;

pub use algorithm::SigningAlgorithm;
pub use certificate::{Certificate, CertificateHolder, InvalidPfx};
pub use sign::{
    ElementToSign, SignError, SignedXml, sign, sign_by, sign_element, sign_element_by, sign_elements, sign_text,
    signature_room,
};
pub use verify::{SignatureFault, VerifiedSignature, verify, verify_by};
