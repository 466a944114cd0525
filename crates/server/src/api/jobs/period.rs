//! `de` and `ate` of a query: civil days, both included.
//!
//! Law: `docs/contract.md`, "Limits" (at most 90 days; without dates the last 7). The days are those of the issuer's
//! state when one is named, else Brasília's; an absent `ate` is today, an absent `de` is seven days before `ate`.

use jiff::ToSpan as _;
use jiff::civil::Date;
use store::notes::Period;

use crate::api::error::{ApiError, FieldProblem};
use crate::api::error_code;
use crate::api::instant::CivilTime;
use crate::api::query::Query;

/// The two dates of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestedPeriod {
    de: Option<Date>,
    ate: Option<Date>,
}

/// A period with both its ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundedPeriod {
    /// First day.
    pub(crate) de: Date,
    /// Last day.
    pub(crate) ate: Date,
    /// The period as instants.
    pub(crate) periodo: Period,
}

impl RequestedPeriod {
    /// Reads both parameters.
    pub(crate) fn read(query: &mut Query<'_>) -> RequestedPeriod {
        let asked = RequestedPeriod { de: query.date("de"), ate: query.date("ate") };
        if asked.de.zip(asked.ate).is_some_and(|(de, ate)| ate < de) {
            query.refuse("ate", "ate deve ser o mesmo dia de de ou um dia depois.".to_owned());
        }
        asked
    }

    /// The requested period without defaults or bounds.
    pub(crate) fn open(self, time: CivilTime) -> Period {
        time.days(self.de, self.ate)
    }

    /// The period with its defaults; refuses one that is longer than a report allows.
    pub(crate) fn bounded(self, time: CivilTime, now: i64) -> Result<BoundedPeriod, ApiError> {
        let ate = self.ate.unwrap_or_else(|| time.date(now).max(self.de.unwrap_or(Date::MIN)));
        let de = self.de.unwrap_or_else(|| ate.saturating_sub(WITHOUT_DATES.days()));
        if de.saturating_add(LONGEST.days()) < ate {
            return Err(ApiError::from_problems(vec![FieldProblem::new(
                &error_code::PERIODO_EXCEDIDO,
                "de",
                too_long(self),
            )]));
        }
        let after = ate.tomorrow().unwrap_or(ate);
        Ok(BoundedPeriod { de, ate, periodo: Period { from: Some(time.begins(de)), until: Some(time.begins(after)) } })
    }
}

fn too_long(asked: RequestedPeriod) -> String {
    let hint = if asked.ate.is_none() { " Sem ate, o período vai até hoje: informe também ate." } else { "" };
    format!("O período de de a ate pode ter no máximo {LONGEST} dias. Divida a consulta em períodos menores.{hint}")
}

const LONGEST: i64 = 90;
const WITHOUT_DATES: i64 = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use fiscal::value::Uf;

    /// 2026-11-21, 02:30 UTC: still the 20th in Brasília and in Acre.
    const NOW: i64 = 1_795_228_200;

    fn days(query: &str) -> Result<(String, String), u16> {
        let mut read = Query::new(Some(query));
        let asked = RequestedPeriod::read(&mut read);
        let bounded = read.finish().and_then(|_| asked.bounded(CivilTime::in_state(Uf::SP), NOW));
        bounded.map(|days| (days.de.to_string(), days.ate.to_string())).map_err(|error| error.code().status)
    }

    fn both(de: &str, ate: &str) -> Result<(String, String), u16> {
        Ok((de.to_owned(), ate.to_owned()))
    }

    #[test]
    fn what_is_left_out_is_filled_in() {
        assert_eq!(days(""), both("2026-11-13", "2026-11-20"));
        assert_eq!(days("de=2026-10-01"), both("2026-10-01", "2026-11-20"));
        assert_eq!(days("ate=2026-03-10"), both("2026-03-03", "2026-03-10"));
        assert_eq!(days("de=2026-12-24"), both("2026-12-24", "2026-12-24"));
    }

    #[test]
    fn ninety_days_are_taken_and_not_ninety_one() {
        assert_eq!(days("de=2026-01-01&ate=2026-04-01"), both("2026-01-01", "2026-04-01"));
        assert_eq!(days("de=2026-01-01&ate=2026-04-02"), Err(400));
        assert_eq!(days("de=2026-01-01"), Err(400));
        assert_eq!(days("de=2026-01-02&ate=2026-01-01"), Err(400));
        assert_eq!(days("de=-9999-01-01&ate=9999-12-31"), Err(400));
    }

    #[test]
    fn a_day_begins_at_midnight_of_the_state() {
        let asked = RequestedPeriod { de: "2026-11-20".parse().ok(), ate: "2026-11-20".parse().ok() };
        let sp = asked.open(CivilTime::in_state(Uf::SP));
        let ac = asked.open(CivilTime::in_state(Uf::AC));
        assert_eq!((sp.from, sp.until), (Some(1_795_143_600), Some(1_795_230_000)));
        assert_eq!(ac.from, Some(1_795_143_600 + 2 * 3_600));
    }
}
