//! Certificates (PKCS#12, ICP-Brasil), canonical XML, signing and verifying.
//!
//! Must not know what an NF-e is: it sees bytes and an `Id`.

mod certificate;
mod sign;
mod verify;

pub use certificate::{Certificate, Holder, InvalidPfx};
pub use sign::{SignError, Signed, sign, sign_element, sign_text, signature_room};
pub use verify::{SignatureFault, Verified, verify};
