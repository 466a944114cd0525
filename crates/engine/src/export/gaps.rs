//! Numbers of the period that no valid document has, and ranges that were voided in it.

use super::ExportError;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;
use std::collections::BTreeMap;
use store::exports::{ExportScope, NumberUse};
use store::jobs::{JobAct, StoredFile, VoidAct};
use store::notes::{ListWindow, NoteFilter, Period};
use store::numbers::{NumberState, NumberedKind, Series};
use store::{Store, Visibility};

/// Numbers of a page.
const PAGE: u32 = 1_000;
/// Most rows of gaps in an archive.
pub(super) const MOST_GAPS: usize = 200_000;
/// Voided ranges of a page.
const VOIDS: usize = 50;
/// Days of the period of voided ranges are days of Brasília.
const BRASILIA: Offset = Offset::constant(-3);

/// Lowest and highest number of each series among the documents of the period. Two kinds of a type, as the models 57
/// and 67, count apart.
pub(super) type SeriesSpans = BTreeMap<(NumberedKind, String), SeriesSpan>;

/// Numbers of a series in the period.
#[derive(Debug, Clone)]
pub(super) struct SeriesSpan {
    pub(super) tipo: &'static str,
    pub(super) series: Series,
    pub(super) lowest: u64,
    pub(super) highest: u64,
}

/// Successive numbers with one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NumberGap {
    pub(super) tipo: &'static str,
    pub(super) serie: String,
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) reason: &'static str,
}

/// A voided range with its registration.
#[derive(Debug, Clone)]
pub(super) struct VoidedRange {
    pub(super) tipo: Tipo,
    pub(super) range: VoidAct,
    pub(super) xml: Option<String>,
}

const ABSENT: &str = "não usado por este serviço";

/// Reason why a number is listed; `None` for that of a valid document.
fn reason(number: &NumberUse) -> Option<&'static str> {
    match (number.state, number.document) {
        (NumberState::Used, Some(DocumentState::Denied)) => Some("denegado"),
        (NumberState::Used, Some(_)) => None,
        (NumberState::Used, None) => Some("usado por um documento que este serviço não tem"),
        (NumberState::Reserved | NumberState::Kept, _) => Some("reservado por um documento em andamento"),
        (NumberState::Released, _) => Some("livre: o próximo documento o usa"),
        (NumberState::Voiding, _) => Some("em inutilização"),
        (NumberState::Voided, _) => Some("inutilizado"),
    }
}

/// Finds the gaps of each series, from the number after the last one before the period to the highest of the period.
pub(super) async fn found(
    store: &Store,
    scope: &ExportScope,
    spans: SeriesSpans,
) -> Result<Vec<NumberGap>, ExportError> {
    let mut gaps = Vec::new();
    for ((_, serie), span) in spans {
        let before = store.number_used_before(scope.tenant, span.series, span.lowest).await?;
        let mut next = before.map_or(span.lowest, |number| number + 1);
        let mut found = GapFinder { tipo: span.tipo, serie, gaps: &mut gaps };
        while next <= span.highest {
            let page = store.number_uses(scope.tenant, span.series, next..=span.highest, PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            for number in &page {
                found.add(next, number.numero, ABSENT);
                next = number.numero + 1;
                if let Some(reason) = reason(number) {
                    found.add(number.numero, next, reason);
                }
            }
            if is_last {
                found.add(next, span.highest + 1, ABSENT);
                break;
            }
        }
    }
    Ok(gaps)
}

struct GapFinder<'g> {
    tipo: &'static str,
    serie: String,
    gaps: &'g mut Vec<NumberGap>,
}

impl GapFinder<'_> {
    /// Adds the numbers from one up to another, if any; joins them to the gap before when its reason is equal.
    fn add(&mut self, from: u64, until: u64, reason: &'static str) {
        if from >= until {
            return;
        }
        if let Some(last) = self.gaps.last_mut() {
            let joins = last.tipo == self.tipo && last.serie == self.serie && last.reason == reason;
            if joins && last.to + 1 == from {
                last.to = until - 1;
                return;
            }
        }
        if self.gaps.len() >= MOST_GAPS {
            return;
        }
        let (tipo, serie) = (self.tipo, self.serie.clone());
        self.gaps.push(NumberGap { tipo, serie, from, to: until - 1, reason });
    }
}

/// Reads the ranges that were voided in the period.
pub(super) async fn voided(store: &Store, scope: &ExportScope) -> Result<Vec<VoidedRange>, ExportError> {
    let filter = NoteFilter {
        emitente: Some(scope.cpf_cnpj),
        ambiente: Some(scope.ambiente),
        periodo: Period { from: Some(second(&scope.from)?), until: Some(second(&scope.until)?) },
        ..NoteFilter::default()
    };
    let (mut ranges, mut skip) = (Vec::new(), 0);
    loop {
        let window = ListWindow { limit: VOIDS, skip };
        let (jobs, total) = store.voided(Visibility::whole(scope.tenant), filter.clone(), window).await?;
        let is_last = jobs.is_empty() || (skip + jobs.len()) as u64 >= total;
        skip += jobs.len();
        for job in jobs {
            let Some(JobAct::Void(range)) = job.act else { continue };
            if scope.tipos.is_empty() || scope.tipos.contains(&job.tipo) {
                let xml = match store.file(job.tenant_id, job.id, StoredFile::Event).await {
                    Err(store::Error::NotFound) => None,
                    xml => Some(xml?),
                };
                ranges.push(VoidedRange { tipo: job.tipo, range, xml });
            }
        }
        if is_last {
            return Ok(ranges);
        }
    }
}

/// First second of a date.
fn second(date: &str) -> Result<i64, ExportError> {
    let date: Date = date.parse().map_err(|_| ExportError::Period)?;
    let midnight = BRASILIA.to_timestamp(date.to_datetime(Time::midnight()));
    midnight.map(|at| at.as_second()).map_err(|_| ExportError::Period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successive_numbers_with_one_reason_are_one_gap() {
        let mut gaps = Vec::new();
        let mut finder = GapFinder { tipo: "nfe", serie: "1".to_owned(), gaps: &mut gaps };
        for (from, until, reason) in
            [(3, 3, ABSENT), (3, 5, ABSENT), (5, 6, ABSENT), (6, 7, "inutilizado"), (9, 10, ABSENT)]
        {
            finder.add(from, until, reason);
        }
        let found: Vec<_> = gaps.iter().map(|gap| (gap.from, gap.to, gap.reason)).collect();
        assert_eq!(found, [(3, 5, ABSENT), (6, 6, "inutilizado"), (9, 9, ABSENT)]);
    }

    #[test]
    fn a_date_begins_at_midnight_of_brasilia() {
        assert_eq!(second("2026-11-20").unwrap(), 1_795_143_600);
        assert!(second("2026-13-01").is_err());
    }
}
