//! What every process of an installation knows of the authorities: circuits, blocks by 656, budgets of calls.
//!
//! Not a tenant's: an authority stops for everybody, and counts per company, in whichever account it is. Must not know:
//! when a circuit opens, what a budget is.

mod budget;
mod circuit;

pub use budget::{Spending, Spent};

use fiscal::value::TpAmb;

/// Which authority, for which documents.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CircuitKey {
    /// Name in the table of authorities; with `/UF` for a contingency authority, which is switched on state by state.
    pub authority: String,
    /// 55 or 65.
    pub modelo: u8,
    /// Environment.
    pub ambiente: TpAmb,
}

/// Whether documents go there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CircuitState {
    /// They do.
    Closed,
    /// They do not.
    Open,
    /// One at a time, on trial.
    HalfOpen,
}

/// A circuit as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    /// Of whom.
    pub key: CircuitKey,
    /// How it stands.
    pub state: CircuitState,
    /// Since when, seconds since 1970.
    pub since: i64,
    /// When it opened, until it is closed again: the beginning of the contingency.
    pub opened_at: Option<i64>,
    /// Why, Portuguese.
    pub reason: Option<String>,
    /// When the status service was asked last, 0 for never.
    pub polled_at: i64,
    /// What it said last (cStat, xMotivo).
    pub told: Option<(u16, String)>,
    /// When it said it.
    pub told_at: Option<i64>,
    /// Changes with every change of state; 0 when no row is there.
    pub version: i64,
}

/// A company that stays silent towards an authority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Whom the authority counts: the first eight positions of a CNPJ, or a CPF.
    pub transmissor: String,
    /// Name of the authority.
    pub authority: String,
    /// Until when, seconds since 1970.
    pub until: i64,
}

/// Everything but the budgets.
#[derive(Debug, Clone, Default)]
pub struct Overview {
    /// All circuits.
    pub circuits: Vec<Circuit>,
    /// Blocks that have not ended.
    pub blocks: Vec<Block>,
}
