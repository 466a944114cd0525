//! Issuing companies with their configurations per document type, their certificates and other secrets (sealed).
//!
//! Law: docs/contract.md, "Companies". Every act is written with its entry in the audit trail.
//! Must not know: the meaning of a configuration, the content of a certificate.

pub(crate) mod cache;
mod certificate;
mod certificate_offer;
mod change;
mod logo;
pub(crate) mod read;
mod remove;
mod secret;

pub use certificate::{NewCertificate, OpenedCertificate};
pub use certificate_offer::{CertificateOffer, OFFER_S};
pub use change::{CompanyChange, CompanyConfiguration};
pub use logo::Logo;
pub use read::{CertificateRecord, Company, CompanyCertificate};
pub use remove::CompanyRemoval;
pub use secret::CompanySecret;
