//! City halls that speak ABRASF: SOAP, each provider in a dialect of its own. A provider is a row of a table, a
//! município a line of another; calls are built and replies read as pure functions of the row.
//!
//! Law: ABRASF, manual de integração 1.00 and 2.0x; `reference/nfse.md` §8. What stands in a message is made and read
//! by `fiscal::abrasf`. Must not know: a provider by its name.

mod cities;
mod company;
mod envelope;
mod explain;
mod file;
mod national_cities;
mod operation;
mod providers;
mod reply;
mod resolve;
mod row;
#[cfg(test)]
mod tests;
mod translate;

pub(crate) use file::Overlay;
pub(crate) use operation::SERVICES;
pub(crate) use translate::{authorize, class, event, query, read_authorize, read_event, read_query, read_query_event};

pub use cities::Municipality;
pub use company::{Company, Credentials};
pub use explain::{Environment, Explained, Protocol};
pub use national_cities::NationalCity;
pub use operation::Operation;
pub use providers::{OwnLayout, Providers};
pub use resolve::{Configured, NotUsable, Provider, Resolved};
pub use row::{Content, Credential, Row, Soap, mode_of, mode_word, unit_of, unit_word};
pub use translate::{batch_question, call, read_receipt, read_receipt_of, receipt};
