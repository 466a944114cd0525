//! The sums a model keeps while a document is written, by number. Must not know what they mean.

/// How many sums a model may keep.
pub const PARTS: usize = 80;

/// One number for every part, in ten-thousandths, and which of them were counted: an item counts in few.
#[derive(Debug)]
pub struct Parts {
    numbers: [i64; PARTS],
    counted: u128,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts { numbers: [0; PARTS], counted: 0 }
    }
}

impl Parts {
    /// Adds to a part.
    #[inline]
    pub fn count(&mut self, part: u8, value: i64) {
        if let Some(number) = self.numbers.get_mut(usize::from(part)) {
            *number = number.saturating_add(value);
            self.counted |= 1 << part;
        }
    }

    /// What a part has counted since the last `take`.
    #[inline]
    pub fn of(&self, part: u8) -> i64 {
        self.numbers.get(usize::from(part)).copied().unwrap_or(0)
    }

    /// The parts that have counted, each with what it has, which is forgotten.
    pub fn take(&mut self) -> impl Iterator<Item = (u8, i64)> {
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
        let mut parts = Parts::default();
        for (part, value) in [(79, 5), (0, 2), (79, -1), (200, 9)] {
            parts.count(part, value);
        }
        assert_eq!((parts.of(79), parts.of(1), parts.of(200)), (4, 0, 0));
        assert_eq!(parts.take().collect::<Vec<_>>(), [(0, 2), (79, 4)]);
        assert_eq!((parts.of(79), parts.take().count()), (0, 0));
    }

    #[test]
    fn stops_at_the_greatest_number() {
        let mut parts = Parts::default();
        parts.count(3, i64::MAX);
        parts.count(3, 1);
        assert_eq!(parts.of(3), i64::MAX);
    }
}
