//! Dated tax regimes of a company: which CRT a document carries is decided by the civil date of its `dhEmi`.
//!
//! Law: MOC 7.0 (C21, CRT); rule 12C21-20 (NT 2026.007) compares it with the register of the Receita. Must not know: a
//! clock, a time zone. The date is the one that `dhEmi` writes, in its own offset.

use serde_json::{Map, Value};

/// Regimes of a company by the day from which each holds, the earliest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegimeCalendar {
    rows: Vec<RegimeRow>,
}

/// A regime and its first day.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RegimeRow {
    /// `AAAA-MM-DD`, which sorts by date.
    a_partir_de: String,
    /// `CRT`, as a layer of the `emit` group.
    layer: Map<String, Value>,
}

impl RegimeCalendar {
    /// Reads `regimes` of a company's record, which was checked when it was stored. A row without day or CRT is left
    /// out.
    pub fn of_record(dados: &Value) -> RegimeCalendar {
        let rows = dados.get("regimes").and_then(Value::as_array);
        let mut rows: Vec<RegimeRow> = rows.into_iter().flatten().filter_map(RegimeRow::read).collect();
        rows.sort_by(|one, other| one.a_partir_de.cmp(&other.a_partir_de));
        RegimeCalendar { rows }
    }

    /// The layer of the `emit` group in force on the date of an instant or on a date (`AAAA-MM-DD…`); none before the
    /// first row.
    pub fn on(&self, moment: &str) -> Option<&Map<String, Value>> {
        self.index_on(moment).and_then(|index| self.rows.get(index)).map(|row| &row.layer)
    }

    /// True where both moments fall under one row, or both before the first.
    pub fn is_same_on(&self, one: &str, other: &str) -> bool {
        self.index_on(one) == self.index_on(other)
    }

    fn index_on(&self, moment: &str) -> Option<usize> {
        let day = moment.get(..DAY)?;
        self.rows.iter().rposition(|row| row.a_partir_de.as_str() <= day)
    }
}

/// Length of `AAAA-MM-DD`.
const DAY: usize = 10;

impl RegimeRow {
    fn read(row: &Value) -> Option<RegimeRow> {
        let a_partir_de = row.get("a_partir_de")?.as_str()?.to_owned();
        let layer = Map::from_iter([("CRT".to_owned(), row.get("crt").filter(|crt| crt.is_number())?.clone())]);
        Some(RegimeRow { a_partir_de, layer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn calendar() -> RegimeCalendar {
        RegimeCalendar::of_record(&json!({ "crt": 4, "regimes": [
            { "a_partir_de": "2027-07-01", "crt": 2, "ibs_cbs_regular": true }, { "a_partir_de": "2027-01-01", "crt": 3 } ] }))
    }

    fn check(moment: &str, expected: Option<u64>) {
        let calendar = calendar();
        let found = calendar.on(moment).and_then(|layer| layer["CRT"].as_u64());
        assert_eq!(found, expected, "{moment}");
    }

    #[test]
    fn a_regime_begins_at_midnight_of_the_offset_that_the_instant_writes() {
        for offset in ["-03:00", "-05:00", "-02:00"] {
            check(&format!("2026-12-31T23:59:59{offset}"), None);
            check(&format!("2027-01-01T00:00:00{offset}"), Some(3));
            check(&format!("2027-06-30T23:59:59{offset}"), Some(3));
            check(&format!("2027-07-01T00:00:00{offset}"), Some(2));
        }
    }

    #[test]
    fn one_moment_has_two_regimes_in_two_offsets() {
        // 2027-01-01T02:30:00Z
        check("2027-01-01T00:30:00-02:00", Some(3));
        check("2026-12-31T23:30:00-03:00", None);
        check("2026-12-31T21:30:00-05:00", None);
    }

    #[test]
    fn a_date_alone_will_do_and_what_is_none_has_no_regime() {
        check("2027-01-01", Some(3));
        check("2026-12-31", None);
        check("", None);
        check("ontem", None);
    }

    #[test]
    fn moments_under_one_row_are_the_same() {
        let calendar = calendar();
        assert!(calendar.is_same_on("2025-01-01", "2026-12-31T23:59:59-03:00"));
        assert!(!calendar.is_same_on("2026-12-31T23:59:59-03:00", "2027-01-01T00:00:00-03:00"));
        assert!(RegimeCalendar::default().is_same_on("2026-12-31", "2027-01-01"));
    }
}
