//! The city hall that takes a company's services in, as whoever writes or sends a message needs it.
//!
//! Law: `reference/nfse.md` §8. Must not know: how it is found.

use authority::abrasf::{Company, Resolved};
use fiscal::abrasf::Dialect;
use std::sync::Arc;

/// A city hall, for one company.
#[derive(Debug)]
pub(crate) struct CityHall {
    pub(crate) resolved: Resolved,
    /// Who asks, by which credentials.
    pub(crate) company: Arc<Company>,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoCityHall {
    /// Portuguese, says what to configure.
    #[error("{0}")]
    NotUsable(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl CityHall {
    /// What its provider wants of a message.
    pub(crate) fn dialect(&self) -> &Dialect {
        &self.resolved.dialect
    }
}
