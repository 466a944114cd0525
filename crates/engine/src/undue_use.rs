//! Who is blocked by 656 ("consumo indevido"), and until when: every call inside the block starts it again, so none is made.
//!
//! Law: `reference/nfe.md` §4.7: the block lasts an hour and counts per company and authority.

use fiscal::value::CnpjCpf;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const BLOCK: i64 = 3_600;
/// Far above the companies of one installation that can be blocked within an hour; keeps the map bounded.
const MOST: usize = 10_000;

/// Blocks this process knows of.
#[derive(Default)]
pub(crate) struct Blocks {
    until: Mutex<HashMap<(CnpjCpf, String), i64>>,
}

impl Blocks {
    /// The authority answered 656 to this company.
    pub(crate) fn block(&self, company: CnpjCpf, authority: &str, now: i64) -> Duration {
        let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        if until.len() >= MOST {
            until.retain(|_, end| *end > now);
        }
        until.insert((company, authority.to_owned()), now + BLOCK);
        Duration::from_secs(BLOCK.unsigned_abs())
    }

    /// How long this company must stay silent towards the authority, when it must.
    pub(crate) fn wait(&self, company: CnpjCpf, authority: &str, now: i64) -> Option<Duration> {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let left = until.get(&(company, authority.to_owned()))? - now;
        (left > 0).then(|| Duration::from_secs(left.unsigned_abs()))
    }
}
