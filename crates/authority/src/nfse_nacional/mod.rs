//! The Sefin Nacional: REST with JSON, documents in gzip and base64. Calls are built and replies read without any I/O.
//!
//! The meaning of a status depends on the route: a 404 of a query is an answer only when the Sefin itself sends it; a
//! gateway's page proves nothing about a document.
//!
//! Law: OpenAPI of the Sefin Nacional (2025-12), manual of the contributors 1.2.

mod adn;
mod call;
mod json;
mod municipal;
mod packed;
mod parameters;
mod reply;
mod sefin_message;
mod translate;

pub(crate) use adn::{distribution, read_distribution};
pub(crate) use translate::{
    SERVICES, class, dps, event, event_of, issue, nfse, read_authorize, read_fetched, read_query, read_query_event,
    read_registered,
};

pub use call::SefinEndpoint;
pub use municipal::{benefit, read_benefit, read_regimes, read_withholding, regimes, withholding};
pub use parameters::{convention, rate, read_convention, read_rate};
pub use reply::{
    DpsAnswer, FoundNfseEvent, IssueAnswer, NfseAnswer, NfseEventAnswer, ReceivedNfse, read_dps, read_event,
    read_events, read_exists, read_issue, read_nfse,
};
pub use sefin_message::SefinMessage;

/// Name of the authority, for limits and logs.
pub const AUTHORITY: &str = "SEFIN-NACIONAL";
