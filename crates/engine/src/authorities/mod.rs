//! Calls to authorities: one at a time (`call`), by the certificate of a company, within the authorities' limits
//! (`budget`, `undue_use`), and their recent health (`health`).
//! Must not know: jobs and their steps, the reaction to an authority's failure.

pub(crate) mod budget;
pub(crate) mod call;
pub(crate) mod certificates;
pub mod health;
pub(crate) mod hosts;
pub(crate) mod municipality;
pub(crate) mod note_events;
pub(crate) mod provider_resolution;
pub mod transport;
pub(crate) mod undue_use;
