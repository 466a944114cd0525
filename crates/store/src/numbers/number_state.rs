//! States of a number.

use crate::words::word_table;

/// State of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NumberState {
    /// Reserved by a job.
    Reserved,
    /// Authorised or denied.
    Used,
    /// Its note was rejected or given up: the next note takes it.
    Released,
    /// Being voided at the authority.
    Voiding,
    /// No document will carry it.
    Voided,
    /// Its note was given out in contingency and then rejected: only the note in its place takes it.
    Kept,
}

word_table!(pub(crate) NumberState {
    Reserved => "reserved",
    Used => "used",
    Released => "released",
    Voiding => "voiding",
    Voided => "voided",
    Kept => "kept",
});
