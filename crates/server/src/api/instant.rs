//! Instants of answers: RFC 3339 in the civil time of the issuing company's município.

use engine::process::local_time;
use fiscal::value::{CivilOffset, CnpjCpf, Uf};
use jiff::civil::Date;
use jiff::tz::Offset;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use store::Store;
use store::companies::Company;
use store::notes::Period;
use uuid::Uuid;

/// `2026-11-20T14:03:11-03:00`
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Moment(String);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Civil time of a company's município; Brasília's when the record names none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CivilTime(CivilOffset);

impl CivilTime {
    /// Civil time of a company.
    pub(crate) fn of(company: Option<&Company>) -> CivilTime {
        CivilTime::of_record(company.map(|company| &company.dados))
    }

    /// Civil time of a company's record.
    pub(crate) fn of_record(dados: Option<&Value>) -> CivilTime {
        CivilTime(dados.map_or(CivilOffset::BRASILIA, |dados| local_time::civil_of_record(dados, Uf::DF)))
    }

    /// Civil time of the company that a query names, Brasília's when it names none.
    pub(crate) async fn of_issuer(
        store: &Store,
        tenant: Uuid,
        emitente: Option<CnpjCpf>,
    ) -> Result<CivilTime, store::Error> {
        let Some(cpf_cnpj) = emitente else { return Ok(CivilTime(CivilOffset::BRASILIA)) };
        let records = store.company_records(tenant, vec![cpf_cnpj]).await?;
        Ok(CivilTime::of_record(records.get(&cpf_cnpj)))
    }

    /// Civil time of a state.
    pub(crate) fn in_state(uf: Uf) -> CivilTime {
        CivilTime(uf.into())
    }

    /// The first second of a day.
    pub(crate) fn begins(self, day: Date) -> i64 {
        self.offset().to_timestamp(day.at(0, 0, 0, 0)).map(|at| at.as_second()).unwrap_or_default()
    }

    /// The days from the first to the last, both included; open where there is none.
    pub(crate) fn days(self, de: Option<Date>, ate: Option<Date>) -> Period {
        let after = ate.and_then(|ate| ate.tomorrow().ok());
        Period { from: de.map(|de| self.begins(de)), until: after.map(|day| self.begins(day)) }
    }

    /// The day of an instant.
    pub(crate) fn date(self, seconds: i64) -> Date {
        self.offset().to_datetime(jiff::Timestamp::from_second(seconds).unwrap_or_default()).date()
    }

    fn offset(self) -> Offset {
        self.0.offset()
    }

    /// An instant of answers.
    pub(crate) fn at(self, seconds: i64) -> Moment {
        let at = jiff::Timestamp::from_second(seconds).unwrap_or_default();
        Moment(local_time::written(at, self.0))
    }
}
