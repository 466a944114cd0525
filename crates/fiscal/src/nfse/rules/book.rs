//! The rules as the annexes print them: code, rank, who decides, official text (`book.tsv`).
//!
//! Law: anexo I of 2026-02-09 and anexo II of 2026-01-22, column of the message; `RNG6110` and its text were seen in
//! answers and are in no annex.

use std::sync::LazyLock;

/// One printed rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// `E0015`.
    pub codigo: &'static str,
    /// Whether any issuer may meet it.
    pub common: bool,
    /// Why the table has no function of it; `None`: it has one.
    pub reason: Option<Reason>,
    /// Whether the simulator decides it, by the table or by itself.
    pub is_played: bool,
    /// The official text; `{}` stands for what the authority puts in.
    pub mensagem: &'static str,
}

/// Why a rule is not decided by the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Registers of the authority: CNPJ, CPF, Simples, CNC.
    Register,
    /// Parameters of a município.
    Municipal,
    /// Notes and events that the authority keeps.
    Stored,
    /// Connection, envelope, signature, or the request of an event: only who receives looks at them.
    Receiver,
    /// The layout has refused it before.
    Layout,
    /// Of notes that the tomador or the intermediário emits, which E9996 refuses whole.
    OtherEmitter,
    /// Switched off by the authority.
    Ended,
    /// Of a note that is not in force.
    Later,
    /// No condition at hand that can be relied on.
    Unverified,
}

/// Every printed rule that an issuer may meet, in the order of its code.
pub fn entries() -> &'static [Entry] {
    &ENTRIES
}

/// The official text of a code.
pub fn mensagem(codigo: &str) -> Option<&'static str> {
    let at = ENTRIES.binary_search_by_key(&codigo, |entry| entry.codigo).ok()?;
    ENTRIES.get(at).map(|entry| entry.mensagem)
}

static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| include_str!("book.tsv").lines().filter_map(read).collect());

/// A line; comments are none.
fn read(line: &'static str) -> Option<Entry> {
    let mut columns = line.split('\t');
    let codigo = columns.next().filter(|codigo| !codigo.starts_with('#'))?;
    let common = columns.next()? == "1";
    let reason = match columns.next()? {
        "-" => None,
        "register" => Some(Reason::Register),
        "municipal" => Some(Reason::Municipal),
        "stored" => Some(Reason::Stored),
        "receiver" => Some(Reason::Receiver),
        "layout" => Some(Reason::Layout),
        "other_emitter" => Some(Reason::OtherEmitter),
        "ended" => Some(Reason::Ended),
        "later" => Some(Reason::Later),
        _ => Some(Reason::Unverified),
    };
    let is_played = columns.next()? == "s";
    Some(Entry { codigo, common, reason, is_played, mensagem: columns.next()? })
}
