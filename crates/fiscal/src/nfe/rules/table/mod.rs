//! All rules in the authority's order: by the groups of the layout, as the manual lists them. A row has one line; its
//! text is in `cstat::motivo`.

mod document;
mod products;
mod reform;
mod taxes;
mod totals;

use super::{NfeRule, RuleCheck, RuleModels};

/// Every rule.
pub const RULES: &[NfeRule] = &ALL;

static ALL: [NfeRule; COUNT] = joined();

const PARTS: [&[NfeRule]; 5] = [document::RULES, products::RULES, taxes::RULES, reform::RULES, totals::RULES];

const COUNT: usize = {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

/// Concatenates the parts. A `const fn` has no iterators.
const fn joined() -> [NfeRule; COUNT] {
    let mut all = [document::RULES[0]; COUNT];
    let (mut filled, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut at = 0;
        while at < PARTS[part].len() {
            all[filled] = PARTS[part][at];
            filled += 1;
            at += 1;
        }
        part += 1;
    }
    all
}

const fn rule(id: &'static str, cStat: u16, on: RuleModels, check: RuleCheck) -> NfeRule {
    NfeRule { id, cStat, on, of_reform: false, check }
}

/// Creates a rule that applies only to items with `IBSCBS`.
const fn of_reform(id: &'static str, cStat: u16, on: RuleModels, check: RuleCheck) -> NfeRule {
    NfeRule { id, cStat, on, of_reform: true, check }
}
