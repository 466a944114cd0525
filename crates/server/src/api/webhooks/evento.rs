//! The body of an event, for the store, which writes it in the transaction of the change.

use store::webhooks::{Teller, Told};

use crate::api::job;

/// Makes bodies.
pub(crate) fn teller() -> Teller {
    Teller::new(body)
}

fn body(told: &Told<'_>) -> String {
    serde_json::json!(job::notification(told)).to_string()
}
