//! Mark over the form of a document without validity, with the reason.
//!
//! Law: MOC 7.0, Anexo II (homologação: "SEM VALOR FISCAL"); NT 2026.010 leaves the rest to good practice: the holder
//! of the paper must see that it covers no goods.

use super::dfe::Dfe;
use super::options::{PrintOptions, PrintedStatus};
use crate::paper::{Length, Sheet, Typeface};
use std::borrow::Cow;

/// Large words, and the reason beside them (empty when there is none).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatusMark {
    pub(super) words: Cow<'static, str>,
    pub(super) reason: String,
}

impl StatusMark {
    /// Mark of a form; `None` for a valid document.
    pub(super) fn of(dfe: Dfe<'_>, options: &PrintOptions) -> Option<StatusMark> {
        let contingency = dfe.is_on_security_paper() || options.epec.is_some() || dfe.is_pending();
        if let Some(mark) = StatusMark::of_document_status(dfe) {
            return Some(mark);
        }
        let counts = !dfe.is_test() && (dfe.is_authorised() || contingency);
        (!counts).then(|| StatusMark { words: NO_VALUE.into(), reason: String::new() })
    }

    /// Mark of a document's status; documents with such a mark have no code for machines.
    pub(super) fn of_document_status(dfe: Dfe<'_>) -> Option<StatusMark> {
        let a = dfe.ending();
        let (words, why): (Cow<'static, str>, _) = match dfe.document_status() {
            PrintedStatus::Stored if dfe.is_denied() => {
                (format!("DENEGAD{a}").into(), format!("{NO_VALUE} - uso denegado pela autoridade"))
            }
            PrintedStatus::Stored => return None,
            PrintedStatus::Cancelled { protocol } if protocol.is_empty() => {
                (format!("CANCELAD{a}").into(), NO_VALUE.to_owned())
            }
            PrintedStatus::Cancelled { protocol } => {
                (format!("CANCELAD{a}").into(), format!("{NO_VALUE} - protocolo de cancelamento {protocol}"))
            }
            PrintedStatus::Substituted => (format!("SUBSTITUÍD{a}").into(), NO_VALUE.to_owned()),
            PrintedStatus::Rejected { reason } => (NO_VALUE.into(), format!("REJEITAD{a}: {reason}")),
            PrintedStatus::Denied { reason } => (format!("DENEGAD{a}").into(), format!("{NO_VALUE} - {reason}")),
            PrintedStatus::Abandoned { reason } => (NO_VALUE.into(), format!("NÃO EMITID{a}: {reason}")),
            PrintedStatus::Unanswered => {
                (NO_VALUE.into(), format!("AINDA NÃO AUTORIZAD{a}: aguarda a resposta da autoridade"))
            }
            PrintedStatus::Preview { .. } => (NO_VALUE.into(), "PRÉVIA: nada foi emitido".to_owned()),
        };
        Some(StatusMark { words, reason: why })
    }

    /// Draws the mark across a sheet, the reason below the words.
    pub(super) fn draw(&self, sheet: &mut Sheet<'_>) {
        sheet.watermark(Typeface::SerifBold, LARGE, Length::ZERO, self.words.clone());
        if !self.reason.is_empty() {
            let (why, size) = sheet.fitting_across(Typeface::SerifBold, &self.reason, (SMALL, LEAST), LARGE);
            sheet.watermark(Typeface::SerifBold, size, LARGE, Cow::Owned(why));
        }
    }
}

const NO_VALUE: &str = "SEM VALOR FISCAL";
const LARGE: Length = Length::decipoints(700);
const SMALL: Length = Length::decipoints(240);
const LEAST: Length = Length::decipoints(120);
