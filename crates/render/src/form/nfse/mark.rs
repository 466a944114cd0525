//! Mark across the form of an NFS-e that was cancelled, or of a document that never became one. A test is named in the
//! head (2) and has no mark.
//!
//! Law: NT 008, 2.5 (`CANCELADA`, `SUBSTITUÍDA`: Arial, at least 50 points, K35). It has no text for documents that
//! were not issued: they are marked as on the other forms.

use super::note::Note;
use crate::form::mark::Mark;
use crate::form::options::Standing;
use crate::paper::{Face, Ink, Length, Sheet};

/// A mark, and its ink.
pub(super) struct Across {
    mark: Mark,
    ink: Ink,
}

/// 35 % of black.
const K35: Ink = Ink::Grey(166);

pub(super) fn of(note: &Note<'_>) -> Option<Across> {
    match (Mark::of_fate(note.dfe), note.dfe.fate()) {
        (Some(mark), Standing::Cancelled { .. } | Standing::Substituted) => {
            Some(Across { mark: Mark { why: String::new(), ..mark }, ink: K35 })
        }
        (Some(mark), _) => Some(Across { mark, ink: Ink::PALE }),
        (None, _) if note.is_made() => None,
        (None, _) => {
            let mark = Mark { words: "SEM VALOR FISCAL".into(), why: "DPS de que nenhuma NFS-e foi gerada".to_owned() };
            Some(Across { mark, ink: Ink::PALE })
        }
    }
}

impl Across {
    pub(super) fn draw(&self, sheet: &mut Sheet<'_>) {
        sheet.watermark_in(self.ink, Face::Sans, LARGE, Length::ZERO, self.mark.words.clone());
        if !self.mark.why.is_empty() {
            let (why, size) = sheet.fitting_across(Face::Sans, &self.mark.why, (SMALL, LEAST), LARGE);
            sheet.watermark_in(self.ink, Face::Sans, size, LARGE, why.into());
        }
    }
}

const LARGE: Length = Length::decipoints(700);
const SMALL: Length = Length::decipoints(240);
const LEAST: Length = Length::decipoints(120);
