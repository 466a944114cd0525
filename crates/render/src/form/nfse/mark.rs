//! Mark across the form of an NFS-e that was cancelled, or of a document that never became one. A test is named in the
//! head (2) and has no mark.
//!
//! Law: NT 008, 2.5 (`CANCELADA`, `SUBSTITUÍDA`: Arial, at least 50 points, K35). It has no text for documents that
//! were not issued: they are marked as on the other forms.

use super::note::NationalNote;
use crate::form::options::PrintedStatus;
use crate::form::status_mark::StatusMark;
use crate::paper::{Ink, Length, Sheet, Typeface};

/// A mark, and its ink.
pub(super) struct DiagonalMark {
    mark: StatusMark,
    ink: Ink,
}

/// 35 % of black.
const K35: Ink = Ink::Grey(166);

pub(super) fn of(note: &NationalNote<'_>) -> Option<DiagonalMark> {
    match (StatusMark::of_document_status(note.dfe), note.dfe.document_status()) {
        (Some(mark), PrintedStatus::Cancelled { .. } | PrintedStatus::Substituted) => {
            Some(DiagonalMark { mark: StatusMark { reason: String::new(), ..mark }, ink: K35 })
        }
        (Some(mark), _) => Some(DiagonalMark { mark, ink: Ink::PALE }),
        (None, _) if note.has_authority_part() => None,
        (None, _) => {
            let mark = StatusMark {
                words: "SEM VALOR FISCAL".into(),
                reason: "DPS de que nenhuma NFS-e foi gerada".to_owned(),
            };
            Some(DiagonalMark { mark, ink: Ink::PALE })
        }
    }
}

impl DiagonalMark {
    pub(super) fn draw(&self, sheet: &mut Sheet<'_>) {
        sheet.watermark_in(self.ink, Typeface::Sans, LARGE, Length::ZERO, self.mark.words.clone());
        if !self.mark.reason.is_empty() {
            let (why, size) = sheet.fitting_across(Typeface::Sans, &self.mark.reason, (SMALL, LEAST), LARGE);
            sheet.watermark_in(self.ink, Typeface::Sans, size, LARGE, why.into());
        }
    }
}

const LARGE: Length = Length::decipoints(700);
const SMALL: Length = Length::decipoints(240);
const LEAST: Length = Length::decipoints(120);
