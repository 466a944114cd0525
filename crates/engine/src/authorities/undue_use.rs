//! Who is blocked by 656 ("consumo indevido"), and until when: every call inside the block starts it again, so none is
//! made.
//!
//! Law: `reference/nfe.md` §4.7: the block lasts an hour and counts per company and authority. The store keeps blocks;
//! this is the copy that a step can ask without waiting, and what is not written yet.

use fiscal::value::CnpjCpf;
use signing::Certificate;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::authorities::Block;

pub(crate) const BLOCK: i64 = 3_600;
/// Far above the companies of one installation that can be blocked within an hour; keeps the map bounded.
const MOST: usize = 10_000;

/// Whom an authority counts: head office and branches share their certificate, and so the first eight positions stand
/// for all.
pub(crate) fn transmitter_of(company: CnpjCpf) -> String {
    match company {
        CnpjCpf::Cnpj(cnpj) => cnpj.root().to_owned(),
        CnpjCpf::Cpf(cpf) => cpf.as_str().to_owned(),
    }
}

/// The same, by its certificate.
pub(crate) fn transmitter(certificate: &Certificate) -> String {
    let holder = certificate.holder();
    match (&holder.cnpj, &holder.cpf) {
        (Some(cnpj), _) => cnpj.get(..8).unwrap_or(cnpj).to_owned(),
        (None, cpf) => cpf.clone().unwrap_or_default(),
    }
}

/// Blocks this process knows of.
#[derive(Default)]
pub(crate) struct Blocks {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    until: HashMap<(String, String), i64>,
    unwritten: Vec<Block>,
}

impl Blocks {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The authority answered 656. `unwritten` gives the block to whoever writes next.
    pub(crate) fn block(&self, transmitter: &str, authority: &str, now: i64) -> Duration {
        let mut kept = self.kept();
        if kept.until.len() >= MOST {
            kept.until.retain(|_, end| *end > now);
        }
        let (transmissor, authority) = (transmitter.to_owned(), authority.to_owned());
        kept.until.insert((transmissor.clone(), authority.clone()), now + BLOCK);
        kept.unwritten.push(Block { transmissor, authority, until: now + BLOCK });
        Duration::from_secs(BLOCK.unsigned_abs())
    }

    /// Blocks that the store has not been given.
    pub(crate) fn unwritten(&self) -> Vec<Block> {
        std::mem::take(&mut self.kept().unwritten)
    }

    /// The store took none of these.
    pub(crate) fn still_unwritten(&self, blocks: Vec<Block>) {
        self.kept().unwritten.extend(blocks);
    }

    /// What other processes, or this one before a restart, were told.
    pub(crate) fn learn(&self, blocks: &[Block]) {
        let mut kept = self.kept();
        for block in blocks {
            let end = kept.until.entry((block.transmissor.clone(), block.authority.clone())).or_default();
            *end = (*end).max(block.until);
        }
    }

    /// The clock came back from ahead: no block lasts longer than one may.
    pub(crate) fn bring_back(&self, now: i64) {
        self.kept().until.values_mut().for_each(|end| *end = (*end).min(now + BLOCK));
    }

    /// How long this company must stay silent towards the authority, when it must.
    pub(crate) fn wait(&self, transmitter: &str, authority: &str, now: i64) -> Option<Duration> {
        let kept = self.kept();
        let left = kept.until.get(&(transmitter.to_owned(), authority.to_owned()))? - now;
        (left > 0).then(|| Duration::from_secs(left.unsigned_abs()))
    }
}
