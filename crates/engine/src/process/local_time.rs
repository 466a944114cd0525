//! Instants as the documents write them: RFC 3339 with the offset of the state, whole seconds (MOC 7.0, visão geral, 3.1.5).

use fiscal::value::Uf;
use jiff::Timestamp;
use jiff::tz::Offset;

/// `2026-11-20T14:03:11-03:00` in the civil time of a state.
pub fn in_state(now: Timestamp, uf: Uf) -> String {
    let offset = Offset::constant(uf.utc_offset_hours());
    offset.to_datetime(now).strftime("%Y-%m-%dT%H:%M:%S").to_string() + &suffix(uf.utc_offset_hours())
}

/// `2026-11-20T14:03:11.250-03:00`: the same, for histories.
pub fn in_state_ms(at_ms: i64, uf: Uf) -> String {
    let hours = uf.utc_offset_hours();
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    Offset::constant(hours).to_datetime(at).strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string() + &suffix(hours)
}

/// A moment in the offset of another one, when it says none itself, as city halls write theirs (ABRASF: `xsd:dateTime`). What is no moment stays as it came.
pub fn near(moment: String, other: &str) -> String {
    let offset = other.get("2026-11-20T14:03:11".len()..).unwrap_or_default();
    let whole = format!("{moment}{offset}");
    if moment.parse::<Timestamp>().is_err() && whole.parse::<Timestamp>().is_ok() { whole } else { moment }
}

fn suffix(hours: i8) -> String {
    let sign = if hours < 0 { '-' } else { '+' };
    format!("{sign}{:02}:00", hours.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_whole_seconds_with_the_offset_of_the_state() {
        let now: Timestamp = "2026-11-20T17:03:11.987Z".parse().unwrap();
        assert_eq!(in_state(now, Uf::SP), "2026-11-20T14:03:11-03:00");
        assert_eq!(in_state(now, Uf::AC), "2026-11-20T12:03:11-05:00");
        assert_eq!(in_state_ms(now.as_millisecond(), Uf::AC), "2026-11-20T12:03:11.987-05:00");
    }

    #[test]
    fn a_moment_without_an_offset_is_of_the_same_place_as_its_document() {
        let issued = "2026-11-20T14:03:11-04:00";
        assert_eq!(near("2026-11-20T14:03:12".to_owned(), issued), "2026-11-20T14:03:12-04:00");
        for whole in ["2026-11-20T14:03:12-03:00", "2026-11-20T17:03:12Z", "2026-11-20", "ontem", ""] {
            assert_eq!(near(whole.to_owned(), issued), whole);
        }
        assert_eq!(near("2026-11-20T14:03:12".to_owned(), ""), "2026-11-20T14:03:12");
    }
}
