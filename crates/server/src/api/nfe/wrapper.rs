//! The fields around `nota` that several requests share: company, reference, webhook.
//!
//! Law: `spec/interface.md`, NF-e emission request; `spec/not-shown.md` §2 for the codes.

use axum::http::Uri;
use fiscal::value::CnpjCpf;

use crate::api::body::Fields;
use crate::api::code;

/// `cpf_cnpj`, required, with right check digits.
pub(super) fn company(fields: &mut Fields<'_>) -> Option<CnpjCpf> {
    let text = fields.required_text(&["cpf_cnpj"], "Informe cpf_cnpj, o CNPJ ou CPF da empresa emitente.")?;
    match CnpjCpf::parse(text) {
        Ok(cpf_cnpj) => Some(cpf_cnpj),
        Err(wrong) => {
            fields.refuse(&code::VALIDACAO, "cpf_cnpj", format!("cpf_cnpj inválido: {wrong}."));
            None
        }
    }
}

/// `referencia_externa`: 1 to 120 letters and digits. An empty one is not "absent": the caller meant to send one.
pub(super) fn reference(fields: &mut Fields<'_>) -> Option<String> {
    let (name, value) = fields.value(&["referencia_externa"])?;
    let text = value.as_str().unwrap_or_default();
    let right = (1..=120).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if right {
        return Some(text.to_owned());
    }
    let mensagem = "referencia_externa aceita de 1 a 120 letras (sem acento) e dígitos, sem espaços nem símbolos.";
    fields.refuse(&code::REFERENCIA_INVALIDA, name, mensagem);
    None
}

/// `webhook_url`: an absolute https address; http only to loopback and only where the configuration allows it.
pub(super) fn webhook(fields: &mut Fields<'_>, plain_loopback: bool) -> Option<String> {
    let text = fields.text(&["webhook_url"])?;
    match check_webhook(text, plain_loopback) {
        Ok(()) => Some(text.to_owned()),
        Err(mensagem) => {
            fields.refuse(&code::VALIDACAO, "webhook_url", mensagem);
            None
        }
    }
}

fn check_webhook(text: &str, plain_loopback: bool) -> Result<(), &'static str> {
    let address: Uri = text.parse().map_err(|_| "webhook_url não é um endereço válido.")?;
    let host = address.host().filter(|host| !host.is_empty());
    let (Some(scheme), Some(host)) = (address.scheme_str(), host) else {
        return Err("webhook_url deve ser um endereço completo, como https://exemplo.com.br/notificacoes.");
    };
    if text.len() > 2048 || address.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err("webhook_url aceita até 2048 caracteres e não pode conter usuário e senha.");
    }
    let loopback = matches!(host, "127.0.0.1" | "localhost" | "[::1]");
    match scheme {
        "https" => Ok(()),
        "http" if plain_loopback && loopback => Ok(()),
        _ => Err("webhook_url deve usar https."),
    }
}

#[cfg(test)]
mod tests {
    use super::check_webhook;

    #[test]
    fn only_whole_https_addresses_are_kept() {
        assert!(check_webhook("https://exemplo.com.br/x?y=1", false).is_ok());
        for wrong in ["", "exemplo.com.br", "/x", "ftp://a/b", "http://exemplo.com.br", "https://u:s@exemplo.com.br"] {
            assert!(check_webhook(wrong, true).is_err(), "{wrong}");
        }
        assert!(check_webhook("http://127.0.0.1:9/x", false).is_err());
        assert!(check_webhook("http://127.0.0.1:9/x", true).is_ok());
    }
}
