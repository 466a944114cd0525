//! The rules as the annexes print them: code, rank, deciding data, official text (`book.tsv`).
//!
//! Law: anexo I of 2026-02-09 and anexo II of 2026-01-22, column of the message. `RNG6110` and its text were observed
//! in answers and are in no annex.

use std::sync::LazyLock;

/// A printed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NfseRuleEntry {
    /// Code, e.g. `E0015`.
    pub codigo: &'static str,
    /// True when any issuer may meet the rule.
    pub common: bool,
    /// Reason for the rule to have no function; `None` when it has one.
    pub reason: Option<NfseOmissionReason>,
    /// True when the simulator decides the rule, by the table or by itself.
    pub is_played: bool,
    /// Official text; `{}` is a placeholder for the authority's value.
    pub mensagem: &'static str,
}

/// Reason for a rule to have no function in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NfseOmissionReason {
    /// Registers of the authority: CNPJ, CPF, Simples, CNC.
    Register,
    /// Parameters of a município.
    Municipal,
    /// NFS-e and events stored by the authority.
    Stored,
    /// Connection, envelope, signature, or the request of an event: known only to the receiver.
    Receiver,
    /// The layout refuses the document before.
    Layout,
    /// NFS-e emitted by the tomador or the intermediário, which E9996 refuses entirely.
    OtherEmitter,
    /// Switched off by the authority.
    Ended,
    /// Rule of a technical note that is not in force.
    Later,
    /// No reliable condition is available.
    Unverified,
}

/// Returns every printed rule that an issuer may meet, in the order of codes.
pub fn entries() -> &'static [NfseRuleEntry] {
    &ENTRIES
}

/// Returns the official text of a code.
pub fn mensagem(codigo: &str) -> Option<&'static str> {
    let at = ENTRIES.binary_search_by_key(&codigo, |entry| entry.codigo).ok()?;
    ENTRIES.get(at).map(|entry| entry.mensagem)
}

static ENTRIES: LazyLock<Vec<NfseRuleEntry>> =
    LazyLock::new(|| include_str!("book.tsv").lines().filter_map(read).collect());

/// Reads a line; `None` for a comment.
fn read(line: &'static str) -> Option<NfseRuleEntry> {
    let mut columns = line.split('\t');
    let codigo = columns.next().filter(|codigo| !codigo.starts_with('#'))?;
    let common = columns.next()? == "1";
    let reason = match columns.next()? {
        "-" => None,
        "register" => Some(NfseOmissionReason::Register),
        "municipal" => Some(NfseOmissionReason::Municipal),
        "stored" => Some(NfseOmissionReason::Stored),
        "receiver" => Some(NfseOmissionReason::Receiver),
        "layout" => Some(NfseOmissionReason::Layout),
        "other_emitter" => Some(NfseOmissionReason::OtherEmitter),
        "ended" => Some(NfseOmissionReason::Ended),
        "later" => Some(NfseOmissionReason::Later),
        _ => Some(NfseOmissionReason::Unverified),
    };
    let is_played = columns.next()? == "s";
    Some(NfseRuleEntry { codigo, common, reason, is_played, mensagem: columns.next()? })
}
