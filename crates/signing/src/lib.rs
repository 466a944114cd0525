//! Certificates (PKCS#12, ICP-Brasil), canonical XML, signing and verifying.
//!
//! Must not know: the meaning of a document. It handles bytes and an `Id`.

mod algorithm;
mod certificate;
mod sign;
mod verify;

pub use algorithm::Algorithm;
pub use certificate::{Certificate, Holder, InvalidPfx};
pub use sign::{
    SignError, Signed, SignedElement, sign, sign_by, sign_element, sign_element_by, sign_elements, sign_text,
    signature_room,
};
pub use verify::{SignatureFault, Verified, verify, verify_by};
