//! Calls to authorities: one at a time (`call`), by the certificate of a company, within what they bear (`budget`,
//! `undue_use`), and what was heard lately (`bridge`).
//! Must not know: jobs and their steps, what is done when an authority does not work.

pub(crate) mod addresses;
pub(crate) mod bridge;
pub(crate) mod budget;
pub(crate) mod call;
pub(crate) mod certificates;
pub(crate) mod city_hall;
pub(crate) mod hosts;
pub(crate) mod issuers;
pub(crate) mod municipality;
pub(crate) mod note_events;
pub(crate) mod transport;
pub(crate) mod undue_use;
