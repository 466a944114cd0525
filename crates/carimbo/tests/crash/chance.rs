//! Reproducible random numbers: a seed determines the run (as far as the machine's timing allows).

/// SplitMix64.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `below - 1`.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        self.next() % below
    }

    pub(crate) fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        let position = usize::try_from(self.below(things.len() as u64)).unwrap();
        &things[position]
    }
}
