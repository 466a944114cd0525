//! Repeatable random numbers: SplitMix64 (Steele, Lea, Flood 2014). No secret depends on them.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

const PARTS: u64 = 1_000_000;

/// A sequence of numbers that a seed repeats.
#[derive(Debug, Clone)]
pub(crate) struct SeededRandom(u64);

impl SeededRandom {
    pub(crate) fn new(seed: u64) -> SeededRandom {
        SeededRandom(seed)
    }
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
    /// Draws true with this probability.
    pub(crate) fn happens(&mut self, probability: Decimal) -> bool {
        let threshold = (probability * Decimal::from(PARTS)).to_u64().unwrap_or(0);
        self.next() % PARTS < threshold
    }
}
