//! Errors and remarks of the Sefin.

use fiscal::value::Codigo;

/// An error or remark of the Sefin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SefinMessage {
    /// `E0014`, `RNG6110`…
    pub codigo: Codigo,
    /// Text as received.
    pub descricao: String,
    /// Detail about the text, where the Sefin sends it.
    pub complemento: Option<String>,
}

impl SefinMessage {
    /// Text for users.
    pub fn text(&self) -> String {
        match &self.complemento {
            Some(complemento) => format!("{}: {} ({complemento})", self.codigo, self.descricao),
            None => format!("{}: {}", self.codigo, self.descricao),
        }
    }
}
