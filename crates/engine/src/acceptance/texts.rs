//! Texts of an act, written as those of a note are: a dash of a word processor is a hyphen, and what no fiscal document
//! holds is told.

use super::event::Act;
use fiscal::finding::Notice;
use fiscal::map;

/// The same of the text that an act carries.
pub(crate) fn of_act(act: &mut Act) -> Vec<Notice> {
    match act {
        Act::Cancelar { justificativa, .. } | Act::SolicitarAnalise { justificativa, .. } => {
            clean(justificativa, "justificativa")
        }
        Act::Corrigir { correcao } => clean(correcao, "correcao"),
        // written by the walk of a layout, which does the same
        Act::Autorizar { .. } | Act::CorrigirCampos { .. } | Act::Registrar { .. } => Vec::new(),
    }
}

/// Cleans one text; what was lost is remarked at its member.
pub(crate) fn clean(text: &mut String, campo: &str) -> Vec<Notice> {
    let (clean, is_lost) = map::clean(text);
    let clean = clean.into_owned();
    *text = clean;
    let remark = || Notice::of(campo.to_owned(), "caractere_removido", map::LOST_CHARACTERS, None);
    is_lost.then(remark).into_iter().collect()
}
