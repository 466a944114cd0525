//! Municipal providers of ABRASF: SOAP, each provider in its own dialect. A provider is a row of a table, a município a
//! row of another; calls are built and replies read as pure functions of the row.
//!
//! Law: ABRASF, manual de integração 1.00 and 2.0x. `fiscal::abrasf` writes and reads the messages.
//! Must not know: a provider by its name.

mod cities;
mod envelope;
mod explain;
mod file;
mod municipal_issuer;
mod national_cities;
mod not_usable;
mod operation;
pub(crate) mod provider_call;
mod providers;
mod reply;
mod resolve;
mod row;
#[cfg(test)]
mod tests;
mod translate;

pub(crate) use file::AbrasfOverlay;
pub(crate) use operation::SERVICES;
pub(crate) use translate::{authorize, class, event, query, read_authorize, read_event, read_query, read_query_event};

pub use cities::MunicipalityRow;
pub use explain::{EnvironmentStatus, MunicipalityReport, ProviderProtocol};
pub use municipal_issuer::{MunicipalIssuer, ProviderCredentials};
pub use national_cities::NationalCity;
pub use not_usable::NotUsable;
pub use operation::AbrasfOperation;
pub use provider_call::ProviderCall;
pub use providers::{OwnLayout, ProviderTable};
pub use resolve::{ProviderChoice, ResolvedProvider};
pub use row::{ArgumentEncoding, CredentialKind, ProviderRow, SoapVersion, mode_of, mode_word, unit_of, unit_word};
pub use translate::{batch_question, call, read_receipt, read_receipt_of, receipt};
