//! Acts on a document that exists: cancellation, correction, access for a third party. Each is a job of its own.
//!
//! Law: `docs/contract.md`, "Jobs" (202 and a job); MOC 7.0 and the technical note of each event. `steps::event`
//! runs the job.

mod payer;
mod picture;
mod preceding;
mod register;

pub(crate) use register::CheckedOrder;

use crate::family::issuer::NotIssuer;
use crate::order::event_error::EventError;

impl From<NotIssuer> for EventError {
    fn from(why: NotIssuer) -> EventError {
        match why {
            NotIssuer::UnknownCompany => EventError::UnknownCompany,
            NotIssuer::NotConfigured => EventError::NotConfigured,
            NotIssuer::Store(error) => EventError::Store(error),
        }
    }
}
