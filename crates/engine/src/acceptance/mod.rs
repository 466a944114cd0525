//! Acceptance of orders: a request is read into an `order`, checked, registered in one transaction. `review` checks
//! without registering.
//! Must not know: how a job is carried out.

pub mod assisted;
pub(crate) mod at_hand;
pub mod backlog;
pub(crate) mod body;
mod city_hall;
pub mod event;
pub mod issue;
pub mod items;
pub(crate) mod order;
mod place;
mod provider;
mod quota;
mod replay;
pub mod review;
mod substitution;
pub(crate) mod texts;
pub mod void;
