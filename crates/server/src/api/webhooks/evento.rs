//! The body of an event, for the store, which writes it in the transaction of the change.

use store::webhooks::{EventBody, WebhookFacts};

use crate::api::job;

/// Function that makes the body of an event.
pub(crate) fn event_body() -> EventBody {
    EventBody::new(body)
}

fn body(told: &WebhookFacts<'_>) -> String {
    serde_json::json!(job::notification(told)).to_string()
}
