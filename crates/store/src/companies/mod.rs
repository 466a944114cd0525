//! Issuing companies with their configurations per document type, their certificates and other secrets (sealed).
//!
//! Law: docs/contract.md, "Companies". Every act is written with its entry in the audit trail.
//! Must not know: the meaning of a configuration, the content of a certificate.

mod cache;
mod certificate;
mod change;
mod logo;
mod read;
mod remove;
mod secret;

pub(crate) use cache::company_of_rows;
pub use certificate::{CertificateRecord, NewCertificate, OpenedCertificate};
pub use change::{CompanyChange, CompanyConfiguration};
pub use logo::Logo;
pub use read::{Company, CompanyCertificate};
pub(crate) use read::{find_company, from_rows, single_company_sql};
pub use remove::CompanyRemoval;
pub use secret::CompanySecret;
