//! Filters of the trail in an address, kept as they were typed.

use std::collections::BTreeMap;

use fiscal::value::{CnpjCpf, brasilia};
use jiff::civil::Date;
use store::audit::{AuditAct, AuditFilter, TrailPlace};
use uuid::Uuid;

const FILTERS: &[&str] = &["pessoa", "ato", "empresa", "de", "ate"];
/// Longest value that is kept.
const LONGEST: usize = 200;

/// A request of the trail.
pub(super) struct TrailQuery {
    values: BTreeMap<&'static str, String>,
    problems: BTreeMap<&'static str, &'static str>,
    /// `None` when a filter is wrong.
    pub(super) filter: Option<AuditFilter>,
    pub(super) older_than: Option<TrailPlace>,
}

impl TrailQuery {
    pub(super) fn read(query: &str) -> TrailQuery {
        let mut values = BTreeMap::new();
        let mut older_than = None;
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if name == "antes" {
                older_than = place(&value);
            }
            let known = FILTERS.iter().find(|filter| **filter == name);
            let text: String = value.trim().chars().take(LONGEST).collect();
            if let Some(known) = known.filter(|_| !text.is_empty()) {
                values.insert(*known, text);
            }
        }
        let mut query = TrailQuery { values, problems: BTreeMap::new(), filter: None, older_than };
        query.filter = query.checked();
        query
    }

    fn checked(&mut self) -> Option<AuditFilter> {
        let by = self.parsed("pessoa", "Escolha uma pessoa da lista.", |text| Uuid::parse_str(text).ok());
        let act = self.parsed("ato", "Escolha um ato da lista.", |text| {
            AuditAct::ALL.iter().find(|(word, _)| *word == text).map(|(_, act)| *act)
        });
        let company = self.parsed("empresa", "Escreva um CNPJ ou CPF.", |text| CnpjCpf::parse(text).ok());
        let de = self.parsed("de", "Escreva uma data.", |text| text.parse::<Date>().ok());
        let ate = self.parsed("ate", "Escreva uma data.", |text| text.parse::<Date>().ok());
        if de.zip(ate).is_some_and(|(de, ate)| de > ate) {
            self.problems.insert("ate", "O fim vem antes do começo.");
        }
        let midnight = |day: Date| brasilia::midnight(day).map(jiff::Timestamp::as_second);
        let before = ate.and_then(|day| day.tomorrow().ok()).and_then(midnight);
        let filter = AuditFilter { act, by, company, since: de.and_then(midnight), before };
        Some(filter).filter(|_| self.problems.is_empty())
    }

    fn parsed<T>(&mut self, name: &'static str, problem: &'static str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let parsed = parse(self.values.get(name)?);
        if parsed.is_none() {
            self.problems.insert(name, problem);
        }
        parsed
    }

    /// A filter as it was typed; empty without one.
    pub(super) fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    pub(super) fn problem(&self, name: &str) -> Option<&'static str> {
        self.problems.get(name).copied()
    }

    pub(super) fn narrows(&self) -> bool {
        !self.values.is_empty()
    }

    /// The filters as the text of an address.
    pub(super) fn text_of_filters(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.values).finish()
    }
}

/// Instant and id of an entry, as in `1795143600.019…`.
fn place(text: &str) -> Option<TrailPlace> {
    let (em, id) = text.split_once('.')?;
    Some((em.parse().ok()?, Uuid::parse_str(id).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_filter_is_kept_and_finds_nothing() {
        let wrong = TrailQuery::read("pessoa=%3Cscript%3E&de=2026-11-02&ate=2026-11-01");
        assert!(wrong.filter.is_none());
        assert_eq!(wrong.value("pessoa"), "<script>");
        assert!(wrong.problem("pessoa").is_some() && wrong.problem("ate").is_some() && wrong.problem("de").is_none());
        let right = TrailQuery::read("de=2026-11-01&ate=2026-11-01&ato=chave_criada");
        let filter = right.filter.unwrap();
        assert_eq!(filter.before.unwrap() - filter.since.unwrap(), 86_400);
        assert_eq!(right.text_of_filters(), "ate=2026-11-01&ato=chave_criada&de=2026-11-01");
        assert_eq!(TrailQuery::read("antes=x").older_than, None);
    }
}
