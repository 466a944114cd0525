//! The fields around `nota` that several requests share: company, reference, webhook.
//!
//! Law: `docs/contract.md`, "Emission", and "Errors" for the codes.

use fiscal::value::CnpjCpf;
use outbound::{AddressPolicy, TargetUrl};
use serde_json::{Map, Value};

use crate::api::body::BodyFields;
use crate::api::empresas;
use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;

/// `cpf_cnpj`, required, with valid check digits.
pub(in crate::api) fn company(fields: &mut BodyFields<'_>) -> Option<CnpjCpf> {
    let text = fields.required_text(&["cpf_cnpj"], "Informe cpf_cnpj, o CNPJ ou CPF da empresa emitente.")?;
    match CnpjCpf::parse(text) {
        Ok(cpf_cnpj) => Some(cpf_cnpj),
        Err(wrong) => {
            fields.refuse(&error_code::VALIDACAO, "cpf_cnpj", format!("cpf_cnpj inválido: {wrong}."));
            None
        }
    }
}

/// Company in the path of an older route. The body may repeat it, but not name another.
pub(in crate::api) fn company_of_path(body: &mut Map<String, Value>, text: &str) -> Result<CnpjCpf, ApiError> {
    let of_path = empresas::number(text)?;
    let of_body = body.get("cpf_cnpj").filter(|value| !value.is_null());
    let same = of_body.is_none_or(|value| value.as_str().is_some_and(|text| CnpjCpf::parse(text) == Ok(of_path)));
    if !same {
        let detail = "cpf_cnpj do corpo não é o do caminho. Retire-o do corpo, ou corrija o caminho.";
        return Err(ApiError::from_problems(vec![FieldProblem::new(&error_code::VALIDACAO, "cpf_cnpj", detail)]));
    }
    body.insert("cpf_cnpj".to_owned(), of_path.as_str().into());
    Ok(of_path)
}

/// `referencia_externa`: 1 to 120 letters and digits. An empty one is refused, since the caller meant to send one.
pub(in crate::api) fn reference(fields: &mut BodyFields<'_>) -> Option<String> {
    let (name, value) = fields.value(&["referencia_externa"])?;
    let text = value.as_str().unwrap_or_default();
    let right = (1..=120).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if right {
        return Some(text.to_owned());
    }
    let mensagem = "referencia_externa aceita de 1 a 120 letras (sem acento) e dígitos, sem espaços nem símbolos. Tire os símbolos; se \
                    assim duas referências suas ficariam iguais, envie o SHA-256 da sua em hexadecimal.";
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let sugestao = Some(plain).filter(|plain| (1..=120).contains(&plain.len()));
    fields.push(FieldProblem { sugestao, ..FieldProblem::new(&error_code::REFERENCIA_INVALIDA, name, mensagem) });
    None
}

/// `webhook_url`: an https URL that may be called, judged by its text (`outbound::Target`).
pub(in crate::api) fn webhook(fields: &mut BodyFields<'_>, reach: &AddressPolicy) -> Option<String> {
    let text = fields.text(&["webhook_url"])?;
    match TargetUrl::parse(text, reach) {
        Ok(_) => Some(text.to_owned()),
        Err(refused) => {
            fields.refuse(&error_code::VALIDACAO, "webhook_url", format!("webhook_url {refused}"));
            None
        }
    }
}
