//! Acceptance of orders: a request is read into an `order`, checked, registered in one transaction. `review` checks
//! without registering.
//! Must not know: how a job is carried out.

pub mod assisted;
pub mod backlog;
pub(crate) mod cached_body;
pub mod event;
pub mod issue;
pub mod items;
pub(crate) mod order_cache;
mod provider;
mod rejected_number;
mod replay;
pub mod review;
mod rps_admission;
mod substitution;
pub(crate) mod texts;
pub mod void;
