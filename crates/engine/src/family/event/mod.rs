//! Events of each family: the type that an order registers, its check, and its writer.
//!
//! Must not know: how an act is registered or sent.

pub(crate) mod act_history;
pub(super) mod cte;
pub(crate) mod event_type;
pub(super) mod nfe;
pub(super) mod nfse;
pub(crate) mod ordered_event;
pub(crate) mod rps;
