//! Texts of an act, cleaned like those of a note: a word processor's dash becomes a hyphen, and a removed character
//! gives a notice.

use crate::order::act_request::DocumentAct;
use fiscal::finding::Notice;
use fiscal::map;

/// Cleans the text that an act carries.
pub(crate) fn of_act(act: &mut DocumentAct) -> Vec<Notice> {
    match act {
        DocumentAct::Cancelar { justificativa, .. } | DocumentAct::SolicitarAnalise { justificativa, .. } => {
            clean(justificativa, "justificativa")
        }
        DocumentAct::Corrigir { correcao } => clean(correcao, "correcao"),
        // written by the walk of a layout, which cleans too
        DocumentAct::Autorizar { .. } | DocumentAct::CorrigirCampos { .. } | DocumentAct::Registrar { .. } => {
            Vec::new()
        }
    }
}

/// Cleans one text; a removed character gives a notice at its member.
pub(crate) fn clean(text: &mut String, campo: &str) -> Vec<Notice> {
    let (clean, is_lost) = map::clean(text);
    let clean = clean.into_owned();
    *text = clean;
    let remark = || Notice::of(campo.to_owned(), "caractere_removido", map::LOST_CHARACTERS, None);
    is_lost.then(remark).into_iter().collect()
}
