//! Numbered sums that a model accumulates while a document is written. Must not know their meaning.

/// Number of sums that a model may use.
pub const PARTS: usize = 80;

/// A number for every part, in ten-thousandths, and a mask of the parts that were counted: an item counts in few.
#[derive(Debug)]
pub struct PartSums {
    numbers: [i64; PARTS],
    counted: u128,
}

impl Default for PartSums {
    fn default() -> PartSums {
        PartSums { numbers: [0; PARTS], counted: 0 }
    }
}

impl PartSums {
    /// Adds to a part.
    #[inline]
    pub fn count(&mut self, part: u8, value: i64) {
        if let Some(number) = self.numbers.get_mut(usize::from(part)) {
            *number = number.saturating_add(value);
            self.counted |= 1 << part;
        }
    }

    /// Returns the amount of a part since the sums were last drained.
    #[inline]
    pub fn of(&self, part: u8) -> i64 {
        self.numbers.get(usize::from(part)).copied().unwrap_or(0)
    }

    /// Drains the counted parts: returns each with its amount and resets it.
    pub fn drain(&mut self) -> impl Iterator<Item = (u8, i64)> {
        std::iter::from_fn(|| {
            let part = u8::try_from(self.counted.trailing_zeros()).ok()?;
            let number = self.numbers.get_mut(usize::from(part))?;
            self.counted &= self.counted - 1;
            Some((part, std::mem::take(number)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_what_was_counted_once() {
        let mut parts = PartSums::default();
        for (part, value) in [(79, 5), (0, 2), (79, -1), (200, 9)] {
            parts.count(part, value);
        }
        assert_eq!((parts.of(79), parts.of(1), parts.of(200)), (4, 0, 0));
        assert_eq!(parts.drain().collect::<Vec<_>>(), [(0, 2), (79, 4)]);
        assert_eq!((parts.of(79), parts.drain().count()), (0, 0));
    }

    #[test]
    fn stops_at_the_greatest_number() {
        let mut parts = PartSums::default();
        parts.count(3, i64::MAX);
        parts.count(3, 1);
        assert_eq!(parts.of(3), i64::MAX);
    }
}
