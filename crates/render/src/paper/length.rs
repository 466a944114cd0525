//! Lengths on paper in thousandths of a point: whole numbers, so that a form has equal bytes on every machine.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A length or a coordinate. A point is 1/72 inch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(i32);

impl Length {
    pub const ZERO: Length = Length(0);

    /// Thousandths of a point.
    pub const fn new(thousandths: i32) -> Length {
        Length(thousandths)
    }

    /// Tenths of a point, for sizes of type.
    pub const fn decipoints(tenths: i32) -> Length {
        Length(tenths * 100)
    }

    pub const fn mm(millimetres: i32) -> Length {
        Length::tenths(millimetres * 10)
    }

    /// Tenths of a millimetre.
    pub const fn tenths(tenths: i32) -> Length {
        // 72/25.4 points a millimetre
        Length((tenths as i64 * 72_000 / 254) as i32)
    }

    /// Thousandths of a point.
    pub const fn thousandths(self) -> i32 {
        self.0
    }

    /// A fraction of the length.
    pub const fn part(self, numerator: i32, denominator: i32) -> Length {
        Length((self.0 as i64 * numerator as i64 / denominator as i64) as i32)
    }

    /// Number of times that another length fits.
    pub const fn fits(self, other: Length) -> usize {
        if self.0 <= 0 || other.0 <= 0 { 0 } else { (self.0 / other.0) as usize }
    }

    /// The length times a count.
    pub fn times(self, count: usize) -> Length {
        Length(self.0.saturating_mul(i32::try_from(count).unwrap_or(i32::MAX)))
    }
}

impl Add for Length {
    type Output = Length;
    fn add(self, other: Length) -> Length {
        Length(self.0.saturating_add(other.0))
    }
}

impl Sub for Length {
    type Output = Length;
    fn sub(self, other: Length) -> Length {
        Length(self.0.saturating_sub(other.0))
    }
}

impl Neg for Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length(self.0.saturating_neg())
    }
}

impl Mul<i32> for Length {
    type Output = Length;
    fn mul(self, factor: i32) -> Length {
        Length(self.0.saturating_mul(factor))
    }
}

impl Div<i32> for Length {
    type Output = Length;
    fn div(self, divisor: i32) -> Length {
        Length(self.0 / divisor)
    }
}

impl AddAssign for Length {
    fn add_assign(&mut self, other: Length) {
        *self = *self + other;
    }
}

impl SubAssign for Length {
    fn sub_assign(&mut self, other: Length) {
        *self = *self - other;
    }
}

impl Sum for Length {
    fn sum<I: Iterator<Item = Length>>(lengths: I) -> Length {
        lengths.fold(Length::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::Length;

    #[test]
    fn an_inch_is_72_points() {
        assert_eq!(Length::tenths(254), Length::new(72_000));
        assert_eq!(Length::mm(210).thousandths(), 595_275);
    }

    #[test]
    fn parts_and_counts() {
        assert_eq!(Length::new(1000).part(1, 3), Length::new(333));
        assert_eq!(Length::new(1000).fits(Length::new(300)), 3);
        assert_eq!(Length::new(-5).fits(Length::new(1)), 0);
    }
}
