//! Civil time of Brasília, by which technical notes and quotas count their days. No daylight saving since 2019 (Decreto
//! 9.772).

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// Hours from UTC; also for documents whose state is not known.
pub const HOURS: i8 = -3;

/// Offset from UTC.
pub const OFFSET: Offset = Offset::constant(HOURS);

/// The day of an instant.
pub fn day(at: Timestamp) -> Date {
    OFFSET.to_datetime(at).date()
}

/// The first instant of a day; `None` at the end of the calendar.
pub fn midnight(day: Date) -> Option<Timestamp> {
    OFFSET.to_timestamp(day.at(0, 0, 0, 0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_lasts_from_its_midnight_to_the_next() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let new_year = jiff::civil::date(2027, 1, 1);
        assert_eq!(midnight(new_year), Some(at("2027-01-01T03:00:00Z")));
        assert_eq!(day(at("2027-01-01T02:59:59Z")), new_year.yesterday().unwrap());
        assert_eq!(day(at("2027-01-01T03:00:00Z")), new_year);
    }
}
