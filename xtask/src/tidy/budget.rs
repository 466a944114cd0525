//! Budgets: counts of faults that are not mended yet. A count may only fall.
//!
//! `budget.toml` holds the count of each measure. A count above it fails with the places; a count below it fails until
//! the file is lowered, so that a mended fault cannot come back unnoticed.

use super::sources::Sources;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;

const FILE: &str = "xtask/src/tidy/budget.toml";
/// Places that a finding lists.
const MOST_PLACES: usize = 40;

/// Counted faults of one kind.
pub(crate) struct Measure {
    pub(crate) name: &'static str,
    pub(crate) count: usize,
    /// Faults are a share of so many; zero where a share means nothing.
    pub(crate) of: usize,
    /// `file:line: …` of each fault.
    pub(crate) places: Vec<String>,
}

impl Measure {
    /// Counts its places.
    pub(crate) fn of_places(name: &'static str, places: Vec<String>, of: usize) -> Measure {
        Measure { name, count: places.len(), of, places }
    }
}

/// Prints the figures of a check and compares them with its budgets.
pub(crate) fn compare(sources: &Sources, check: &str, measures: &[Measure]) -> Result<Vec<String>> {
    let text = fs::read_to_string(sources.root.join(FILE)).context(FILE)?;
    let budgets: BTreeMap<String, BTreeMap<String, usize>> = toml::from_str(&text).context(FILE)?;
    let of_check = budgets.get(check).with_context(|| format!("{FILE} has no table [{check}]"))?;
    measures.iter().for_each(|measure| println!("    {}", figure(measure)));
    Ok(measures.iter().flat_map(|measure| differences(check, measure, of_check.get(measure.name))).collect())
}

fn figure(measure: &Measure) -> String {
    let Measure { name, count, of, .. } = measure;
    match of {
        0 => format!("{name}: {count}"),
        // whole numbers: tenths of a per mille are enough, and floats stay out
        _ => format!("{name}: {count} of {of} ({}.{} ‰)", count * 1_000 / of, count * 10_000 / of % 10),
    }
}

fn differences(check: &str, measure: &Measure, budget: Option<&usize>) -> Vec<String> {
    let (name, count) = (measure.name, measure.count);
    match budget {
        None => vec![format!("{FILE}: [{check}] has no `{name}`; it is {count}")],
        Some(budget) if count > *budget => {
            let head = format!("{name}: {count}, the budget is {budget}; mend what is new among");
            std::iter::once(head).chain(measure.places.iter().take(MOST_PLACES).cloned()).collect()
        }
        Some(budget) if count < *budget => vec![format!("{FILE}: lower [{check}] {name} from {budget} to {count}")],
        Some(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, budget: Option<usize>, findings: usize) {
        let places = vec!["a.rs:1".to_owned(); count];
        let measure = Measure::of_places("people", places, 100);
        let found = differences("voice", &measure, budget.as_ref());
        assert_eq!(found.len(), findings, "{found:?}");
    }

    #[test]
    fn a_count_is_its_budget() {
        check(2, Some(2), 0);
        check(2, Some(1), 3);
        check(2, Some(3), 1);
        check(2, None, 1);
    }

    #[test]
    fn a_figure_has_its_share() {
        assert_eq!(figure(&Measure::of_places("people", vec![String::new(); 3], 200)), "people: 3 of 200 (15.0 ‰)");
        assert_eq!(figure(&Measure::of_places("circles", Vec::new(), 0)), "circles: 0");
    }
}
