//! Calendar of dated changes for integrators (`calendar.tsv`). The rules' own days are those of the rule books; a test
//! compares both.

use jiff::civil::Date;
use std::sync::LazyLock;

/// A change and its days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarEntry {
    /// First day in homologação, where it differs.
    pub homologacao: Option<Date>,
    /// First day in production.
    pub producao: Date,
    /// Documents: `NF-e, NFC-e`.
    pub documentos: &'static str,
    /// Title of the change.
    pub titulo: &'static str,
    /// Form before the change.
    pub antes: &'static str,
    /// Form from the day on.
    pub depois: &'static str,
    /// Part that the service does by itself.
    pub servico: &'static str,
    /// Rules with these first days, by id and code.
    pub regras: Vec<(&'static str, u16)>,
    /// Source.
    pub fonte: &'static str,
}

/// Every change, by its day in production.
pub fn calendar() -> &'static [CalendarEntry] {
    static CALENDAR: LazyLock<Vec<CalendarEntry>> = LazyLock::new(|| {
        let rows = include_str!("calendar.tsv").lines().filter(|line| !line.starts_with('#'));
        rows.filter_map(read).collect()
    });
    &CALENDAR
}

/// `None` for an unreadable row, which a test refuses.
fn read(row: &'static str) -> Option<CalendarEntry> {
    let mut columns = row.split('\t');
    let mut next = || columns.next();
    Some(CalendarEntry {
        homologacao: next().filter(|day| *day != "-").map(str::parse).transpose().ok()?,
        producao: next()?.parse().ok()?,
        documentos: next()?,
        titulo: next()?,
        antes: next()?,
        depois: next()?,
        servico: next()?,
        regras: next()?.split(',').filter(|one| !one.is_empty()).map(rule).collect::<Option<_>>()?,
        fonte: next()?,
    })
}

/// `UB12-10/1115`.
fn rule(text: &'static str) -> Option<(&'static str, u16)> {
    let (id, codigo) = text.split_once('/')?;
    Some((id, codigo.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::RuleStart;
    use crate::nfe::rules::book;

    #[test]
    fn every_row_is_read_in_the_order_of_its_day() {
        let rows = include_str!("calendar.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(calendar().len(), rows, "a row is none");
        assert!(calendar().is_sorted_by_key(|entry| entry.producao));
    }

    #[test]
    fn days_are_those_of_the_book() {
        for entry in calendar() {
            for (id, codigo) in &entry.regras {
                let terms = &book::entry(id, *codigo).unwrap_or_else(|| panic!("{id} {codigo}")).terms;
                let printed = [&terms.homologacao, &terms.producao].map(|term| term.onset);
                let told = [entry.homologacao, Some(entry.producao)].map(|day| day.map(RuleStart::Day));
                // 1115 is listed although it has no day
                let has_none = printed[1] == RuleStart::Never;
                assert!(has_none || printed.map(Some) == told, "{id} {codigo}: {printed:?}, told {told:?}");
            }
        }
    }
}
