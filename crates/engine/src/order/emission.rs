//! Order to issue a document.

use fiscal::value::CnpjCpf;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request to issue, wrapper already read; and the order as its job stores it.
#[derive(Serialize, Deserialize)]
pub struct IssueRequest {
    pub cpf_cnpj: CnpjCpf,
    /// Model: 55, 65, 57 or 67; for other documents the number used in its place.
    pub modelo: u8,
    /// `nota`.
    pub nota: Value,
    /// Address of the webhook, its form already checked.
    pub webhook_url: Option<String>,
    /// Caller's unique id, its form already checked. Not stored in the payload, since two requests under one reference
    /// share it.
    #[serde(skip)]
    pub referencia: Option<String>,
    /// Notices become refusals.
    #[serde(skip)]
    pub estrito: bool,
    /// The caller vouches that the reference was in no order before, even one that a copy of the database does not
    /// hold.
    #[serde(skip)]
    pub referencia_nova: bool,
}
