//! Issuing companies with their configurations per document type, their certificates and other secrets (sealed).
//!
//! Law: docs/contract.md, "Companies". Every act is written with its entry in the audit trail.
//! Must not know: the meaning of a configuration, the content of a certificate.

mod certificate;
mod change;
mod known;
mod logo;
mod read;
mod remove;
mod secret;

pub use certificate::{CertificateRecord, NewCertificate, OpenedCertificate};
pub use change::{Change, Configuration};
pub(crate) use known::of_rows;
pub use logo::Logo;
pub use read::{Company, Holder};
pub(crate) use read::{find, from_rows, one_sql};
pub use remove::Removed;
pub use secret::Secret;
