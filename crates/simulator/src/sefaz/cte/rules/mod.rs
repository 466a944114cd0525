//! The rules that a document of CT-e or CT-e OS breaks by itself: a row each, in files by their subject.
//!
//! Law: MOC CT-e 4.00 anexo I, 2.1 and 2.2, with the notes up to NT 2026.004; `reference/cte-rules.md` §§2–7 and 9. A row carries its number in
//! the table of each model, and their order is that of the numbers.

mod cargo;
mod identification;
mod key;
mod os;
mod parties;
mod places;
mod qr;
mod reform;
mod related;
mod values;

use super::case::Case;
use crate::sefaz::Refusal;
use crate::settings::Settings;

/// One rule.
pub(super) struct Rule {
    /// Number in the table of 57 (`G…`), in that of 67 (`H…`); empty where the model does not have it.
    id: [&'static str; 2],
    cStat: u16,
    /// What is appended to its text when the document breaks it.
    look: fn(&Case<'_>) -> Option<String>,
}

/// The first rule that is broken and not switched off.
pub(super) fn first_broken(case: &Case<'_>, settings: &Settings) -> Option<Refusal> {
    let column = usize::from(case.document.name == "CTeOS");
    let mut rules: Vec<&Rule> = all().filter(|rule| !rule.id[column].is_empty()).collect();
    rules.sort_by_key(|rule| rule.id[column]);
    let on = rules.into_iter().filter(|rule| settings.first_on(&[rule.cStat]).is_some());
    on.into_iter().find_map(|rule| Some(Refusal::with(rule.cStat, (rule.look)(case)?)))
}

/// Every rule.
fn all() -> impl Iterator<Item = &'static Rule> {
    let subjects: [&[Rule]; 10] = [
        identification::RULES,
        key::RULES,
        places::RULES,
        qr::RULES,
        parties::RULES,
        cargo::RULES,
        values::RULES,
        os::RULES,
        related::RULES,
        reform::RULES,
    ];
    subjects.into_iter().flatten()
}

/// A rule of both tables.
const fn both(g: &'static str, h: &'static str, cStat: u16, look: fn(&Case<'_>) -> Option<String>) -> Rule {
    Rule { id: [g, h], cStat, look }
}

/// A rule of 57 alone.
const fn cte(g: &'static str, cStat: u16, look: fn(&Case<'_>) -> Option<String>) -> Rule {
    both(g, "", cStat, look)
}

/// A rule of 67 alone.
const fn os(h: &'static str, cStat: u16, look: fn(&Case<'_>) -> Option<String>) -> Rule {
    both("", h, cStat, look)
}

/// Broken, with nothing to append.
fn when(broken: bool) -> Option<String> {
    broken.then(String::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_has_a_number_of_its_own_and_an_official_text() {
        for column in 0..2 {
            let ids: Vec<&str> = all().map(|rule| rule.id[column]).filter(|id| !id.is_empty()).collect();
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        }
        let silent: Vec<u16> =
            all().map(|rule| rule.cStat).filter(|cStat| fiscal::cstat::cte::motivo(*cStat).is_none()).collect();
        // no source at hand has the whole text of NT 2025.001's
        assert_eq!(silent, [380]);
    }
}
