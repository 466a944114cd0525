//! Picture that proves a delivery: its hash goes into the event, and the picture is not stored.
//!
//! Law: MOC CT-e 4.00, anexo I, `hashEntrega` of 110180 and `hashTentativaEntrega` of 110190.

use crate::order::act_request::DocumentAct;
use crate::order::event_error::EventError;
use fiscal::event::cte::{CteEventKind, delivery_hash};
use fiscal::finding::Violation;
use fiscal::value::ChaveAcesso;
use serde_json::Value;

/// Replaces `dados.imagem` by its hash, if there is one.
pub(super) fn hash_picture(act: &mut DocumentAct, chave: &ChaveAcesso) -> Result<(), EventError> {
    let DocumentAct::Registrar { kind, dados } = act else { return Ok(()) };
    let tag = match kind {
        CteEventKind::ComprovanteEntrega => "hashEntrega",
        CteEventKind::InsucessoEntrega => "hashTentativaEntrega",
        _ => return Ok(()),
    };
    let Some(picture) = dados.remove(IMAGEM) else { return Ok(()) };
    let text: String = picture.as_str().unwrap_or_default().split_whitespace().collect();
    let bytes = openssl::base64::decode_block(&text).ok().filter(|bytes| !bytes.is_empty());
    let bytes = bytes.ok_or_else(|| EventError::Refused(vec![not_base64()]))?;
    dados.insert(tag.to_owned(), Value::String(delivery_hash(chave, &bytes)));
    Ok(())
}

fn not_base64() -> Violation {
    let mensagem = "A imagem deve vir em base64, sem o prefixo data:. Ou retire-a e informe o hash.";
    Violation::of(&format!("dados.{IMAGEM}"), "valor_invalido", mensagem)
}

const IMAGEM: &str = "imagem";
