//! The simulator's clock: real, shifted or stopped, so that deadlines can be reached without waiting.

use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};
use std::sync::{Mutex, PoisonError};

/// Mode of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClockMode {
    /// Time of the machine.
    #[default]
    Real,
    /// Time of the machine plus this span (negative: earlier).
    Shifted(SignedDuration),
    /// Always this instant.
    Fixed(Timestamp),
}

#[derive(Debug, Default)]
pub struct SimulatedClock(Mutex<ClockMode>);

impl SimulatedClock {
    pub fn clock_mode(&self) -> ClockMode {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Sets the mode.
    pub fn set_mode(&self, running: ClockMode) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }
    /// The instant that the clock shows.
    pub fn now(&self) -> Timestamp {
        match self.clock_mode() {
            ClockMode::Real => Timestamp::now(),
            ClockMode::Shifted(by) => Timestamp::now().checked_add(by).unwrap_or(Timestamp::MAX),
            ClockMode::Fixed(at) => at,
        }
    }
}

/// Formats as `AAAA-MM-DDThh:mm:ss-03:00`: whole seconds and a numeric offset, as every authority writes it.
pub(crate) fn format_instant(at: Timestamp, offset_hours: i8) -> String {
    let offset = Offset::from_hours(offset_hours).unwrap_or(Offset::UTC);
    at.to_zoned(TimeZone::fixed(offset)).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// Last two digits of the year at that offset, as in protocol numbers.
pub(crate) fn year(at: Timestamp, offset_hours: i8) -> i16 {
    let offset = Offset::from_hours(offset_hours).unwrap_or(Offset::UTC);
    at.to_zoned(TimeZone::fixed(offset)).year()
}

/// Whole seconds between two instants, positive when the second is later.
pub(crate) fn seconds_between(from: Timestamp, until: Timestamp) -> i64 {
    until.as_second() - from.as_second()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_whole_seconds_with_a_numeric_offset() {
        let at: Timestamp = "2026-11-20T13:00:00.75Z".parse().unwrap();
        assert_eq!(format_instant(at, -3), "2026-11-20T10:00:00-03:00");
        assert_eq!(format_instant(at, 0), "2026-11-20T13:00:00+00:00");
        assert_eq!(year("2027-01-01T01:00:00Z".parse().unwrap(), -3), 2026);
    }
}
