//! The body of an event, for the store, which writes it in the transaction of the change.

use store::webhooks::{EventBody, Told};

use crate::api::job;

/// Function that makes the body of an event.
pub(crate) fn event_body() -> EventBody {
    EventBody::new(body)
}

fn body(told: &Told<'_>) -> String {
    serde_json::json!(job::notification(told)).to_string()
}
