//! Issuing companies, their configurations per document type, their certificates and other secrets (sealed).
//!
//! Law: spec not-shown §7, design §7. Every act is written with its line of the audit trail. Must not know: what a
//! configuration means, what a certificate is.

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
