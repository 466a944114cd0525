//! Texts of an act, cleaned like those of a note: a word processor's dash becomes a hyphen, and a removed character
//! gives a notice.

use super::event::Act;
use fiscal::finding::Notice;
use fiscal::map;

/// Cleans the text that an act carries.
pub(crate) fn of_act(act: &mut Act) -> Vec<Notice> {
    match act {
        Act::Cancelar { justificativa, .. } | Act::SolicitarAnalise { justificativa, .. } => {
            clean(justificativa, "justificativa")
        }
        Act::Corrigir { correcao } => clean(correcao, "correcao"),
        // written by the walk of a layout, which cleans too
        Act::Autorizar { .. } | Act::CorrigirCampos { .. } | Act::Registrar { .. } => Vec::new(),
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
