//! Blocks by 656 ("consumo indevido") and their ends: every call inside a block restarts it, so none is made.
//!
//! Law: MOC 7.0, visão geral, and the notes on consumo indevido: a block lasts an hour and counts per company and
//! authority. The store holds the blocks; this is a copy that a step reads without waiting, and the blocks not written
//! yet.

use fiscal::value::CnpjCpf;
use signing::Certificate;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::authorities::CompanyBlock;

pub(crate) const BLOCK: i64 = 3_600;
/// Bound of the map, far above the companies of one installation that can be blocked within an hour.
const MAX_BLOCKS: usize = 10_000;

/// Identity under which an authority counts: head office and branches share their certificate, so the first eight
/// positions represent all.
pub(crate) fn transmitter_of(company: CnpjCpf) -> String {
    match company {
        CnpjCpf::Cnpj(cnpj) => cnpj.root().to_owned(),
        CnpjCpf::Cpf(cpf) => cpf.as_str().to_owned(),
    }
}

/// Identity under which an authority counts, by the certificate.
pub(crate) fn transmitter(certificate: &Certificate) -> String {
    let holder = certificate.holder();
    match (&holder.cnpj, &holder.cpf) {
        (Some(cnpj), _) => cnpj.get(..8).unwrap_or(cnpj).to_owned(),
        (None, cpf) => cpf.clone().unwrap_or_default(),
    }
}

/// Blocks known to this process.
#[derive(Default)]
pub(crate) struct BlockTable {
    kept: Mutex<BlockState>,
}

#[derive(Default)]
struct BlockState {
    until: HashMap<(String, String), i64>,
    unwritten: Vec<CompanyBlock>,
}

impl BlockTable {
    fn kept(&self) -> MutexGuard<'_, BlockState> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a 656. `take_unwritten` returns the block for the next write.
    pub(crate) fn block(&self, transmitter: &str, authority: &str, now: i64) -> Duration {
        let mut kept = self.kept();
        if kept.until.len() >= MAX_BLOCKS {
            kept.until.retain(|_, end| *end > now);
        }
        let (transmissor, authority) = (transmitter.to_owned(), authority.to_owned());
        kept.until.insert((transmissor.clone(), authority.clone()), now + BLOCK);
        kept.unwritten.push(CompanyBlock { transmissor, authority, until: now + BLOCK });
        Duration::from_secs(BLOCK.unsigned_abs())
    }

    /// Takes the blocks that the store does not have.
    pub(crate) fn take_unwritten(&self) -> Vec<CompanyBlock> {
        std::mem::take(&mut self.kept().unwritten)
    }

    /// Puts back blocks that could not be written.
    pub(crate) fn restore_unwritten(&self, blocks: Vec<CompanyBlock>) {
        self.kept().unwritten.extend(blocks);
    }

    /// Merges blocks that other processes, or this one before a restart, recorded.
    pub(crate) fn merge_blocks(&self, blocks: &[CompanyBlock]) {
        let mut kept = self.kept();
        for block in blocks {
            let end = kept.until.entry((block.transmissor.clone(), block.authority.clone())).or_default();
            *end = (*end).max(block.until);
        }
    }

    /// Shortens blocks after the clock came back from ahead: none may last longer than an hour.
    pub(crate) fn clamp_future(&self, now: i64) {
        self.kept().until.values_mut().for_each(|end| *end = (*end).min(now + BLOCK));
    }

    /// Time for which this company must not call the authority; `None` without a block.
    pub(crate) fn wait(&self, transmitter: &str, authority: &str, now: i64) -> Option<Duration> {
        let kept = self.kept();
        let left = kept.until.get(&(transmitter.to_owned(), authority.to_owned()))? - now;
        (left > 0).then(|| Duration::from_secs(left.unsigned_abs()))
    }
}
