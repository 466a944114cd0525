//! Random numbers of a run: the same seed draws the same run.

/// SplitMix64 generator.
#[derive(Debug, Clone)]
pub struct RunRandom(u64);

impl RunRandom {
    pub fn of(seed: u64) -> RunRandom {
        RunRandom(seed ^ 0x5851_F42D_4C95_7F2D)
    }

    /// Draws any number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Draws a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.draw() % end.max(1)
    }

    /// Draws a number from `from` to `to`, both included.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// Returns true in `of_hundred` of a hundred draws.
    pub fn percent(&mut self, of_hundred: u64) -> bool {
        self.below(100) < of_hundred
    }

    /// Draws an item; `None` when there is none.
    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        let place = usize::try_from(self.below(choices.len() as u64)).ok()?;
        choices.get(place)
    }

    /// Draws the index of a weight, in proportion to all weights.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (place, weight) in weights.iter().enumerate() {
            if left < *weight {
                return place;
            }
            left -= weight;
        }
        0
    }
}
