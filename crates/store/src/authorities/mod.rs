//! Shared state of the authorities across all processes of an installation: circuits, blocks by cStat 656, call
//! budgets.
//!
//! Not per tenant: an outage affects all tenants, and an authority counts per company, in whichever account it is.
//! Must not know: when a circuit opens, the size of a budget.

mod budget;
mod circuit;

pub use budget::{BudgetUsage, BudgetedCall};

use fiscal::value::TpAmb;

/// Authority and kind of documents of a circuit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CircuitKey {
    /// Name in the table of authorities; with `/UF` for a contingency authority, which is switched on state by state.
    pub authority: String,
    /// 55 or 65.
    pub modelo: u8,
    pub ambiente: TpAmb,
}

/// State of a circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CircuitState {
    /// Documents are sent.
    Closed,
    /// No documents are sent.
    Open,
    /// A single document at a time is sent, as a trial.
    HalfOpen,
}

/// A stored circuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    pub key: CircuitKey,
    pub state: CircuitState,
    /// Instant of the last state change, seconds since 1970.
    pub since: i64,
    /// Instant of opening, kept until the circuit closes: the beginning of the contingency.
    pub opened_at: Option<i64>,
    /// Reason in Portuguese.
    pub reason: Option<String>,
    /// Last query of the status service, seconds since 1970; 0 for never.
    pub polled_at: i64,
    /// Last answer of the status service (cStat, xMotivo).
    pub status_answer: Option<(u16, String)>,
    /// Instant of that answer, seconds since 1970.
    pub status_answered_at: Option<i64>,
    /// Changes with every change of state; 0 when there is no row.
    pub version: i64,
}

/// A block: the company must not call the authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyBlock {
    /// Transmitter as the authority counts it: the first eight positions of a CNPJ, or a CPF.
    pub transmissor: String,
    /// Name of the authority.
    pub authority: String,
    /// End of the block, seconds since 1970.
    pub until: i64,
}

/// Circuits and blocks.
#[derive(Debug, Clone, Default)]
pub struct AuthorityStates {
    pub circuits: Vec<Circuit>,
    /// Blocks that have not ended.
    pub blocks: Vec<CompanyBlock>,
}
