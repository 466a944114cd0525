//! Operations of the service, read from its own OpenAPI document.

use crate::lab::client::LabClient;
use anyhow::{Context, Result};
use serde_json::Value;

/// An operation, as far as random requests need it.
pub(super) struct FuzzOperation {
    /// Upper case.
    pub(super) method: String,
    /// With `{names}`.
    pub(super) path: String,
    /// Names of query parameters.
    pub(super) query: Vec<String>,
    /// Bodies that the document shows.
    pub(super) examples: Vec<Value>,
}

/// Fetches the document and reads it.
pub(super) fn read(client: &mut LabClient) -> Result<Vec<FuzzOperation>> {
    let document = client.send("GET", "/docs/json", b"")?.json()?;
    let paths = document["paths"].as_object().context("paths")?;
    let mut operations = Vec::new();
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            operations.push(FuzzOperation {
                method: method.to_ascii_uppercase(),
                path: path.clone(),
                query: query(operation),
                examples: examples(operation),
            });
        }
    }
    Ok(operations)
}

fn query(operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let query = parameters.filter(|parameter| parameter["in"] == "query");
    query.filter_map(|parameter| Some(parameter["name"].as_str()?.to_owned())).collect()
}

fn examples(operation: &Value) -> Vec<Value> {
    let content = &operation["requestBody"]["content"]["application/json"];
    let named = content["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
    let alone = Some(&content["example"]).filter(|example| !example.is_null());
    named.chain(alone).cloned().collect()
}
