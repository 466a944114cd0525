//! Problems of a company record in a request.

use crate::api::body::BodyFields;
use crate::api::error_code;

/// Collected problems of meaning (422).
#[derive(Default)]
pub(super) struct RecordProblems(pub(super) Vec<(String, String)>);

impl RecordProblems {
    /// Moves the problems into the request's list.
    pub(super) fn into_fields(self, fields: &mut BodyFields<'_>) {
        for (campo, mensagem) in self.0 {
            fields.refuse(&error_code::VALIDACAO, &campo, mensagem);
        }
    }

    pub(super) fn refuse(&mut self, campo: impl Into<String>, mensagem: impl Into<String>) {
        self.0.push((campo.into(), mensagem.into()));
    }

    #[cfg(test)]
    pub(super) fn campos(&self) -> Vec<&str> {
        self.0.iter().map(|(campo, _)| campo.as_str()).collect()
    }
}
