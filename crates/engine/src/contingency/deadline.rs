//! Deadlines for the transmission of documents that are given out, and the time of the warning before. Pure.
//!
//! Law: for the NFC-e, 24 h and MOC 7.0, anexo IV, 2 (the end of the first business day after the emission) disagree,
//! and states may follow either: the operator chooses, and 24 h is the default. NT 2014.001, 4 (EPEC, 168 h). CT-e
//! offline: 168 h after its emission, by analogy with the FS-DA of the MOC CT-e 4.00, since the text of NT 2026.004 was
//! not seen.

use crate::family::emission::{CTE_OFFLINE, EPEC, FS_DA};
use fiscal::value::CivilOffset;
use jiff::civil::Weekday;
use jiff::{Timestamp, ToSpan};

/// Deadline of an offline NFC-e.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OfflineDeadline {
    /// 24 hours after the emission.
    #[default]
    Hours24,
    /// The last second of the next day that is no Saturday and no Sunday, in the time of the state. Holidays count as
    /// business days: those of each state are not known here, and an early warning costs nothing.
    BusinessDay,
}

const HOUR_S: i64 = 3_600;
/// Time for an NF-e announced by EPEC, or printed on security paper, and for an offline CT-e.
const WEEK_S: i64 = 168 * HOUR_S;

impl OfflineDeadline {
    /// Reads the word of the configuration.
    pub fn read(word: &str) -> Option<OfflineDeadline> {
        match word {
            "24h" => Some(OfflineDeadline::Hours24),
            "dia_util" => Some(OfflineDeadline::BusinessDay),
            _ => None,
        }
    }

    /// Deadline of an NFC-e emitted now, in seconds since 1970.
    pub(crate) fn of(self, now: Timestamp, place: impl Into<CivilOffset>) -> i64 {
        let after_a_day = now.as_second().saturating_add(24 * HOUR_S);
        match self {
            OfflineDeadline::Hours24 => after_a_day,
            OfflineDeadline::BusinessDay => end_of_next_business_day(now, place.into()).unwrap_or(after_a_day),
        }
    }
}

/// `None` only at the end of the calendar.
fn end_of_next_business_day(now: Timestamp, civil: CivilOffset) -> Option<i64> {
    let offset = civil.offset();
    let mut day = offset.to_datetime(now).date().tomorrow().ok()?;
    while matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
        day = day.tomorrow().ok()?;
    }
    let midnight = day.checked_add(1.day()).ok()?.at(0, 0, 0, 0);
    Some(offset.to_timestamp(midnight).ok()?.as_second() - 1)
}

/// Deadline of an NF-e whose EPEC is made at `from_s`, or of a CT-e emitted then.
pub(crate) fn week(from_s: i64) -> i64 {
    from_s.saturating_add(WEEK_S)
}

/// Seconds before its deadline at which an operator is warned: a sixth of the usual time.
pub(crate) fn warning_lead_s(tpEmis: u8) -> i64 {
    if matches!(tpEmis, EPEC | FS_DA | CTE_OFFLINE) { WEEK_S / 6 } else { 4 * HOUR_S }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiscal::value::Uf;

    /// The deadline of a sale in a state, as UTC.
    fn until(rule: OfflineDeadline, sold: &str, uf: Uf) -> String {
        Timestamp::from_second(rule.of(sold.parse().unwrap(), uf)).unwrap().to_string()
    }

    #[test]
    fn the_reference_says_24_hours() {
        let rule = OfflineDeadline::default();
        assert_eq!(rule, OfflineDeadline::read("24h").unwrap());
        assert_eq!(until(rule, "2026-11-20T18:00:00Z", Uf::SP), "2026-11-21T18:00:00Z");
    }

    #[test]
    fn the_manual_says_the_end_of_the_next_business_day_where_the_sale_was() {
        let rule = OfflineDeadline::read("dia_util").unwrap();
        // a Thursday; the day is that of the state
        assert_eq!(until(rule, "2026-11-19T18:00:00Z", Uf::SP), "2026-11-21T02:59:59Z");
        assert_eq!(until(rule, "2026-11-19T18:00:00Z", Uf::AC), "2026-11-21T04:59:59Z");
        assert_eq!(until(rule, "2026-11-20T02:30:00Z", Uf::SP), "2026-11-21T02:59:59Z");
        // a Friday, a Saturday and a Sunday end with Monday
        for sold in ["2026-11-20T18:00:00Z", "2026-11-21T18:00:00Z", "2026-11-22T18:00:00Z"] {
            assert_eq!(until(rule, sold, Uf::SP), "2026-11-24T02:59:59Z", "{sold}");
        }
    }

    #[test]
    fn no_other_word_is_a_deadline() {
        assert_eq!(OfflineDeadline::read("48h"), None);
    }

    #[test]
    fn people_are_warned_four_hours_before_a_sale_is_late_and_a_day_and_more_before_an_epec_is() {
        assert_eq!(warning_lead_s(9), 4 * HOUR_S);
        assert_eq!([EPEC, FS_DA, CTE_OFFLINE].map(warning_lead_s), [28 * HOUR_S; 3]);
    }
}
