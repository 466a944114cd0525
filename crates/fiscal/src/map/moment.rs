//! Dates and instants in the official types: no fraction, a numeric offset, never `Z`.

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, fmt::temporal::DateTimeParser};

/// Normalises an instant to `AAAA-MM-DDThh:mm:ss-03:00`. Accepts RFC 3339 with `Z` or a fraction, a civil time without
/// an offset (read in `offset_hours`) and a date (read as midnight).
pub fn instant(text: &str, offset_hours: i8) -> Option<String> {
    let text = text.trim();
    if is_official_instant(text.as_bytes()) && valid_instant(text) && !is_leap(text) {
        return Some(text.to_owned());
    }
    let state = Offset::from_hours(offset_hours).ok()?;
    let pieces = DateTimeParser::new().parse_pieces(text).ok()?;
    let date = pieces.date();
    let civil = DateTime::from_parts(date, pieces.time().unwrap_or_default());
    let zoned = match pieces.to_numeric_offset() {
        None => civil.to_zoned(TimeZone::fixed(state)).ok()?,
        Some(offset) if ends_in_z(text) || !is_official(offset) => {
            Timestamp::from_second(offset.to_timestamp(civil).ok()?.as_second()).ok()?.to_zoned(TimeZone::fixed(state))
        }
        Some(offset) => civil.to_zoned(TimeZone::fixed(offset)).ok()?,
    };
    Some(zoned.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

/// Normalises a date to `AAAA-MM-DD`. Accepts a date, an instant or `DD/MM/AAAA`. An instant in UTC, or at an offset
/// that no layout has, gives its day at `offset_hours`.
pub(crate) fn date(text: &str, offset_hours: i8) -> Option<String> {
    let text = text.trim();
    if let Ok(date) = Date::strptime("%d/%m/%Y", text) {
        return Some(date.to_string());
    }
    let pieces = DateTimeParser::new().parse_pieces(text).ok()?;
    match pieces.to_numeric_offset() {
        Some(_) => instant(text, offset_hours)?.get(..10).map(str::to_owned),
        None => Some(pieces.date().to_string()),
    }
}

fn ends_in_z(text: &str) -> bool {
    text.ends_with(['Z', 'z'])
}

/// True for the length and punctuation of `AAAA-MM-DDThh:mm:ss-03:00` at an offset of the layout.
fn is_official_instant(text: &[u8]) -> bool {
    let hours = text.get(20..22).and_then(|hours| std::str::from_utf8(hours).ok()?.parse::<i8>().ok());
    let offset = match (text.get(19), hours) {
        (Some(b'-'), Some(hours)) => hours <= 11,
        (Some(b'+'), Some(hours)) => hours <= 12,
        _ => false,
    };
    text.len() == 25 && text[10] == b'T' && offset && text.ends_with(b":00")
}

/// True for whole hours from -11 to +12 (type `TDateTimeUTC`).
fn is_official(offset: Offset) -> bool {
    offset.seconds() % 3600 == 0 && (-11..=12).contains(&(offset.seconds() / 3600))
}

/// True for a leap second (RFC 3339). No layout allows it; it is written as the second before.
fn is_leap(text: &str) -> bool {
    text.get(17..19) == Some("60")
}

fn valid_instant(text: &str) -> bool {
    text.parse::<Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_instants_with_an_offset_and_without_a_fraction() {
        for (text, expected) in [
            ("2026-11-20T10:00:00-03:00", "2026-11-20T10:00:00-03:00"),
            ("2026-11-20T10:00:00-04:00", "2026-11-20T10:00:00-04:00"),
            ("2026-11-20T13:00:00Z", "2026-11-20T10:00:00-03:00"),
            ("2026-11-20T13:00:00.999Z", "2026-11-20T10:00:00-03:00"),
            ("2026-11-20T10:00:00.123-02:00", "2026-11-20T10:00:00-02:00"),
            ("2026-11-20T10:00:00", "2026-11-20T10:00:00-03:00"),
            ("2026-11-20 10:00", "2026-11-20T10:00:00-03:00"),
            ("2026-11-20", "2026-11-20T00:00:00-03:00"),
            ("2026-11-20T10:00:00-0300", "2026-11-20T10:00:00-03:00"),
            // no layout has leap seconds, or offsets beyond -11 and +12
            ("2026-11-20T10:00:60-03:00", "2026-11-20T10:00:59-03:00"),
            ("2026-11-21T03:00:00+14:00", "2026-11-20T10:00:00-03:00"),
            ("2026-11-20T01:00:00-12:00", "2026-11-20T10:00:00-03:00"),
            ("2026-11-21T01:00:00+12:00", "2026-11-21T01:00:00+12:00"),
        ] {
            assert_eq!(instant(text, -3).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "ontem", "2026-13-01T00:00:00-03:00", "20/11/2026", "2026-02-30"] {
            assert_eq!(instant(text, -3), None, "{text}");
        }
    }

    #[test]
    fn writes_dates() {
        for text in ["2026-11-20", "20/11/2026", "2026-11-20T23:59:00-03:00", " 2026-11-20 ", "2026-11-20T23:59:00"] {
            assert_eq!(date(text, -3).as_deref(), Some("2026-11-20"), "{text}");
        }
        // already the next day in UTC
        assert_eq!(date("2026-11-21T01:00:00Z", -3).as_deref(), Some("2026-11-20"));
        assert_eq!(date("2026-11-20T23:59:00-05:00", -3).as_deref(), Some("2026-11-20"));
        for text in ["", "31/02/2026", "2026", "amanhã"] {
            assert_eq!(date(text, -3), None, "{text}");
        }
    }
}
