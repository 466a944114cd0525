//! What we have to say about a caller's document: refusals (`Violation`) and remarks (`Notice`), all of them at once.

use serde::Serialize;

/// Something that stops the document from being built or accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Path in the caller's payload, e.g. `nota.produtos[0].vProd`.
    pub campo: String,
    /// Stable machine word, e.g. `campo_obrigatorio`, `valor_invalido`.
    pub codigo: &'static str,
    /// Portuguese: what is wrong and what to do.
    pub mensagem: String,
    /// The nearest right name or value, when there is one.
    pub sugestao: Option<String>,
}

/// Something the caller should know though the document is issued (`avisos` of the contract).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Notice {
    /// Path in the caller's payload.
    pub campo: String,
    /// `campo_desconhecido`, `assumido_zero`, `assumido_padrao`, `rejeicao_prevista`, …
    pub codigo: String,
    /// Portuguese: what was assumed or will happen.
    pub mensagem: String,
    /// The nearest right name, when there is one.
    pub sugestao: Option<String>,
    /// The authority's code, for `rejeicao_prevista`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub codigo_status: Option<u16>,
}
