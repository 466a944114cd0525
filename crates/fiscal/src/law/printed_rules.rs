//! Rules of all families with their printed terms.

use super::{RuleKey, RuleTerms};
use crate::cte::rules as cte;
use crate::nfe::rules as nfe;
use crate::nfse::rules as nfse;

/// Every rule with a function here or in the simulator, with its printed terms.
pub(super) fn rules() -> impl Iterator<Item = (RuleKey, &'static RuleTerms)> {
    let of_the_authority = nfe::book::OF_THE_AUTHORITY.iter().filter_map(|(id, cStat)| nfe::book::entry(id, *cStat));
    let of_transport = cte::all().map(|rule| (rule.key(), rule.terms()));
    let of_services = nfse::printed().map(|rule| (rule.key(), rule.terms()));
    nfe::RULES
        .iter()
        .zip(nfe::printed())
        .map(|(rule, terms)| (rule.key(), *terms))
        .chain(of_the_authority.map(|entry| (entry.key(), &entry.terms)))
        .chain(of_transport)
        .chain(of_services)
}
