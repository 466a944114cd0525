//! Size of the message that will carry a document. An authority accepts 500 KB and may close the connection on a larger
//! one.
//!
//! Law: MOC 7.0, visão geral, 3.4, and anexo I, B01 (214): the limit is for the message (`enviNFe`), not the document.

use crate::cstat;
use crate::finding::Notice;

/// Largest message of an authority, in bytes.
const LARGEST: usize = 500 * 1024;
/// Bytes added to a document when it is sent: the signature with its certificate (some 4 KB for an A1 of ICP-Brasil),
/// and the surrounding `enviNFe`.
const ADDED: usize = 4_096;
const REFUSED: u16 = 214;

/// Predicts the rejection of a document that is too large.
pub(super) fn predict_rejection(xml: &str) -> Option<Notice> {
    let size = xml.len() + ADDED;
    (size > LARGEST).then(|| Notice {
        campo: "nota".to_owned(),
        codigo: "rejeicao_prevista".to_owned(),
        mensagem: format!(
            "A SEFAZ deve rejeitar com {REFUSED}: {}. A mensagem teria {} KB, e o limite é {} KB: divida os itens em mais de uma nota, ou \
             encurte infAdProd e as informações complementares.",
            cstat::motivo(REFUSED).unwrap_or_default().trim_end_matches('.'),
            size.div_ceil(1024),
            LARGEST / 1024,
        ),
        sugestao: None,
        codigo_status: Some(REFUSED.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_measured_with_what_is_still_to_come() {
        assert_eq!(predict_rejection(&"x".repeat(LARGEST - ADDED)), None);
        let told = predict_rejection(&"x".repeat(LARGEST - ADDED + 1)).unwrap();
        assert_eq!((told.codigo_status, told.campo.as_str()), (Some(214.into()), "nota"));
        assert!(told.mensagem.contains("teria 501 KB"), "{}", told.mensagem);
    }
}
