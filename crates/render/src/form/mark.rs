//! What stands over a form that proves nothing, and why it does not.
//!
//! Law: MOC 7.0, Anexo II (homologação: "SEM VALOR FISCAL"); NT 2026.010 leaves the rest to good practice: whoever holds the paper must see that
//! it covers no goods.

use super::note::Note;
use super::options::{Options, Standing};
use crate::paper::{Face, Length, Sheet};
use std::borrow::Cow;

/// The words, large, and the reason beside them; empty when there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) words: &'static str,
    pub(super) why: String,
}

impl Mark {
    /// The mark of a form; none of a document that is what it says.
    pub(super) fn of(note: Note<'_>, options: &Options) -> Option<Mark> {
        let contingency = matches!(note.text("ide/tpEmis"), "2" | "5") || options.epec.is_some() || note.is_pending();
        if let Some(mark) = Mark::of_fate(note) {
            return Some(mark);
        }
        let counts = !note.is_test() && (note.is_authorised() || contingency);
        (!counts).then(|| Mark { words: NO_VALUE, why: String::new() })
    }

    /// The same, of what became of a document: these carry no code that a machine reads.
    pub(super) fn of_fate(note: Note<'_>) -> Option<Mark> {
        let (words, why) = match note.fate() {
            Standing::Stored if note.is_denied() => ("DENEGADA", format!("{NO_VALUE} - uso denegado pela autoridade")),
            Standing::Stored => return None,
            Standing::Cancelled { protocol } if protocol.is_empty() => ("CANCELADA", NO_VALUE.to_owned()),
            Standing::Cancelled { protocol } => {
                ("CANCELADA", format!("{NO_VALUE} - protocolo de cancelamento {protocol}"))
            }
            Standing::Rejected { reason } => (NO_VALUE, format!("REJEITADA: {reason}")),
            Standing::Denied { reason } => ("DENEGADA", format!("{NO_VALUE} - {reason}")),
            Standing::Abandoned { reason } => (NO_VALUE, format!("NÃO EMITIDA: {reason}")),
            Standing::Unanswered => (NO_VALUE, UNANSWERED.to_owned()),
            Standing::Preview { .. } => (NO_VALUE, "PRÉVIA: nada foi emitido".to_owned()),
        };
        Some(Mark { words, why })
    }

    /// Draws it across a sheet, the reason below the words.
    pub(super) fn draw(&self, sheet: &mut Sheet<'_>) {
        sheet.watermark(Face::SerifBold, LARGE, Length::ZERO, self.words);
        if !self.why.is_empty() {
            let (why, size) = sheet.fitting_across(Face::SerifBold, &self.why, (SMALL, LEAST), LARGE);
            sheet.watermark(Face::SerifBold, size, LARGE, Cow::Owned(why));
        }
    }
}

const NO_VALUE: &str = "SEM VALOR FISCAL";
const UNANSWERED: &str = "AINDA NÃO AUTORIZADA: aguarda a resposta da autoridade";
const LARGE: Length = Length::decipoints(700);
const SMALL: Length = Length::decipoints(240);
const LEAST: Length = Length::decipoints(120);
