//! The body of an event: the members of the job query as they are when the state changes, and which event it is.
//!
//! `tentativa` is not here: it is the one member that differs between attempts, and joins when the body is sent.

use serde_json::{Map, Value};
use store::webhooks::{Teller, Told};

use crate::api::job::JobView;

/// Makes bodies for the store, which writes them in the transaction of the change.
pub(crate) fn teller() -> Teller {
    Teller::new(body)
}

fn body(told: &Told<'_>) -> String {
    let view = JobView::of(told.job.clone(), told.document.cloned(), told.company.cloned());
    let mut body = Map::new();
    body.insert("id".to_owned(), Value::String(told.id.to_string()));
    body.insert("evento".to_owned(), Value::String(told.evento.to_owned()));
    body.insert("timestamp".to_owned(), view.instant(told.at));
    if let Value::Object(members) = view.body() {
        body.extend(members);
    }
    Value::Object(body).to_string()
}
