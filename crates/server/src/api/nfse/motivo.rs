//! Reason of a cancellation or of a request for analysis: `justificativa` and `codigo_motivo`.
//!
//! Law: `docs/contract.md`, "NFS-e".

use crate::api::body::BodyFields;
use crate::api::documento::evento;
use crate::api::error_code;

/// 1 error of emission, 2 service not rendered, 9 others.
const REASONS: [&str; 3] = ["1", "2", "9"];

/// The justification, and the code when there is one; `missing` is the message for an absent justification.
pub(super) fn reason_fields(fields: &mut BodyFields<'_>, missing: &'static str) -> Option<(String, Option<String>)> {
    let codigo_motivo = code_of(fields);
    let justificativa = evento::text_of(fields, "justificativa", missing, 15..=255)?;
    Some((justificativa, codigo_motivo))
}

/// The code, as a number or as text.
fn code_of(fields: &mut BodyFields<'_>) -> Option<String> {
    let (_, value) = fields.value(&["codigo_motivo"]).filter(|(_, value)| !value.is_null())?;
    let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    if text.is_empty() {
        return None;
    }
    if !REASONS.contains(&text.as_str()) {
        let mensagem = "codigo_motivo deve ser 1 (erro na emissão), 2 (serviço não prestado) ou 9 (outros).";
        fields.refuse(&error_code::VALIDACAO, "codigo_motivo", mensagem);
    }
    Some(text)
}
