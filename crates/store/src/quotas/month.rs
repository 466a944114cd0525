//! The civil month of Brasília: quotas renew at its first midnight, wherever the company is.

use fiscal::value::brasilia;
use jiff::civil::{Date, date};
use jiff::{Timestamp, ToSpan as _};

/// A month, from its first second to that of the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Month {
    /// `AAAAMM`.
    pub(super) number: i64,
    /// First second, since 1970.
    pub(super) begins: i64,
    /// First second of the next month, since 1970.
    pub(super) ends: i64,
}

impl Month {
    /// Returns the month of an instant.
    pub(super) fn of(now: i64) -> Month {
        let today = brasilia::day(Timestamp::from_second(now).unwrap_or_default());
        let first = date(today.year(), today.month(), 1);
        let next = first.saturating_add(1.month());
        let second = |day: Date| brasilia::midnight(day).map_or(i64::MAX, Timestamp::as_second);
        let number = i64::from(today.year()) * 100 + i64::from(today.month());
        Month { number, begins: second(first), ends: second(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(at: &str) -> Month {
        Month::of(at.parse::<Timestamp>().unwrap().as_second())
    }

    #[test]
    fn a_month_begins_and_ends_at_midnight_in_brasilia() {
        let last = month("2026-12-01T02:59:59Z");
        assert_eq!(last.number, 202_611);
        assert_eq!(last, month("2026-11-01T03:00:00Z"));
        let next = month("2026-12-01T03:00:00Z");
        assert_eq!((next.number, next.begins), (202_612, last.ends));
        assert_eq!(month("2027-01-01T02:59:59Z").number, 202_612);
        assert_eq!(next.ends - next.begins, 31 * 86_400);
    }
}
