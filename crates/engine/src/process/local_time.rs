//! Instants as the documents write them: RFC 3339 with the offset of the município, whole seconds (MOC 7.0, visão
//! geral, 3.1.5).

use fiscal::value::{CivilOffset, Uf};
use jiff::Timestamp;
use serde_json::Value;

/// Returns e.g. `2026-11-20T14:03:11-03:00` in the civil time of a município or a state.
pub fn written(now: Timestamp, place: impl Into<CivilOffset>) -> String {
    let civil = place.into();
    civil.offset().to_datetime(now).strftime("%Y-%m-%dT%H:%M:%S").to_string() + &suffix(civil.hours())
}

/// Returns e.g. `2026-11-20T14:03:11.250-03:00`, for histories.
pub fn written_ms(at_ms: i64, place: impl Into<CivilOffset>) -> String {
    let civil = place.into();
    let at = Timestamp::from_millisecond(at_ms).unwrap_or_default();
    civil.offset().to_datetime(at).strftime("%Y-%m-%dT%H:%M:%S%.3f").to_string() + &suffix(civil.hours())
}

/// Civil time of a company by its record; of the state `otherwise` where the record names none.
pub fn civil_of_record(dados: &Value, otherwise: Uf) -> CivilOffset {
    let endereco = &dados["endereco"];
    let uf = endereco["uf"].as_str().and_then(Uf::from_sigla).unwrap_or(otherwise);
    let codigo = &endereco["codigo_municipio"];
    let digits = codigo.as_str().map_or_else(|| codigo.to_string(), str::to_owned);
    CivilOffset::of(uf, digits.trim().parse().ok())
}

/// Appends the offset of `other` to a moment that has none, as municipal providers write theirs (ABRASF:
/// `xsd:dateTime`). Text that is no moment is returned unchanged.
pub fn with_offset_of(moment: String, other: &str) -> String {
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
        assert_eq!(written(now, Uf::SP), "2026-11-20T14:03:11-03:00");
        assert_eq!(written(now, Uf::AC), "2026-11-20T12:03:11-05:00");
        assert_eq!(written_ms(now.as_millisecond(), Uf::AC), "2026-11-20T12:03:11.987-05:00");
    }

    #[test]
    fn a_moment_without_an_offset_is_of_the_same_place_as_its_document() {
        let issued = "2026-11-20T14:03:11-04:00";
        assert_eq!(with_offset_of("2026-11-20T14:03:12".to_owned(), issued), "2026-11-20T14:03:12-04:00");
        for whole in ["2026-11-20T14:03:12-03:00", "2026-11-20T17:03:12Z", "2026-11-20", "ontem", ""] {
            assert_eq!(with_offset_of(whole.to_owned(), issued), whole);
        }
        assert_eq!(with_offset_of("2026-11-20T14:03:12".to_owned(), ""), "2026-11-20T14:03:12");
    }
}
