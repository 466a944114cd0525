//! Whether the rate is to be said: the decision by regime and by the convênio of the município the ISSQN is due to.
//!
//! Law: E0617 to E0640, which come after what the DPS alone decides (E0600, E0602, E0604: the table of rules) and after the benefit (E0612).

use super::{Facts, Rule};
use crate::nfse::amounts::number;
use crate::nfse::municipality::Benefit;
use rust_decimal::Decimal;

/// Lowest rate of who is in the Simples and has the ISSQN withheld, in per cent.
const LOWEST_IN_SIMPLES: Decimal = Decimal::from_parts(180, 0, 0, false, 2);

pub(super) fn rules(facts: &Facts<'_>) -> Vec<Rule> {
    let decided_before = facts.text("valores/trib/tribMun/tribISSQN") != "1"
        || facts.text("prest/regTrib/regEspTrib") != "0"
        || has_deciding_benefit(facts);
    let rate = number(facts.inf, "valores/trib/tribMun/pAliq");
    let withheld = matches!(facts.text("valores/trib/tribMun/tpRetISSQN"), "2" | "3");
    let (said, missing) = (rate.is_some(), rate.is_none());
    let too_low = rate.is_none_or(|rate| rate < LOWEST_IN_SIMPLES);
    let inside = facts.text("prest/regTrib/regApTribSN") == "1";
    if decided_before || facts.due.is_none() {
        return Vec::new();
    }
    let rule = match (facts.regime(), inside, facts.is_active(), withheld) {
        ("1", _, true, _) => ("E0617", said),
        ("1", _, false, _) => ("E0619", missing),
        ("3", true, true, true) => ("E0621", too_low),
        ("3", true, true, false) => ("E0625", said),
        ("3", true, false, true) => ("E0628", too_low),
        ("3", true, false, false) => ("E0631", said),
        ("3", false, true, _) => ("E0635", said),
        ("3", false, false, _) => ("E0640", missing),
        _ => return Vec::new(),
    };
    vec![rule]
}

/// Exemption and a rate of its own decide the rate (E0612).
fn has_deciding_benefit(facts: &Facts<'_>) -> bool {
    let benefit = facts.due.as_deref().and_then(|due| due.beneficios.get(facts.text("valores/trib/tribMun/BM/nBM")));
    benefit.is_some_and(|benefit| matches!(benefit.tipo, Benefit::EXEMPTION | Benefit::RATE))
}
