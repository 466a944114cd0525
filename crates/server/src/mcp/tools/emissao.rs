//! The first step of an assisted emission.

use rmcp::model::JsonObject;
use serde_json::Value;
use uuid::Uuid;

use super::{Doing, Visit, shown};
use crate::api::body::JsonObject as Body;
use crate::api::nfe;
use crate::mcp::confirmation;

pub(super) fn preparar_nfe(visit: Visit, arguments: JsonObject) -> Doing {
    Box::pin(async move {
        let answered = nfe::preparar::preparar(visit.state(), visit.authenticated(), Body(arguments)).await;
        let mut prepared = shown(answered)?;
        let id = prepared["id_confirmacao"].as_str().and_then(|id| Uuid::parse_str(id).ok());
        if let Some(id) = id {
            prepared["url_confirmacao"] = Value::from(confirmation::address(&visit, id));
        }
        Ok(prepared)
    })
}
