//! Works and events: services that require their groups, and their addresses against the place of the service.

use super::case::{DONE, DONE_ABROAD, DpsCase, is_elsewhere};
use super::{NfseRule, rule};
use crate::nfse::incidence::{NOT_TAXED, SEA};

const WORK: &str = "serv/obra";
const WORK_CEP: &str = "serv/obra/end/CEP";
const WORK_ABROAD: &str = "serv/obra/end/endExt";
const EVENT: &str = "serv/atvEvento";
const EVENT_CEP: &str = "serv/atvEvento/end/CEP";
const EVENT_ABROAD: &str = "serv/atvEvento/end/endExt";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0370", WORK, |case| is_work(case) && !case.has(WORK)),
    rule("E0372", WORK, |case| !is_work(case) && case.cTribNac() != NOT_TAXED && case.has(WORK)),
    rule("E0380", WORK_CEP, |case| has_cep_of_another_place(case, WORK_CEP)),
    rule("E0382", WORK_CEP, |case| case.has(DONE_ABROAD) && case.has(WORK_CEP)),
    rule("E0384", WORK_ABROAD, |case| case.has(DONE_ABROAD) && case.has("serv/obra/end") && !case.has(WORK_ABROAD)),
    rule("E0386", WORK_ABROAD, |case| case.has(DONE) && case.has(WORK_ABROAD)),
    rule("E0390", EVENT, |case| is_event(case) && !case.has(EVENT)),
    rule("E0392", EVENT, |case| !is_event(case) && case.cTribNac() != NOT_TAXED && case.has(EVENT)),
    rule("E0398", EVENT_CEP, |case| has_cep_of_another_place(case, EVENT_CEP)),
    rule("E0400", EVENT_CEP, |case| case.has(DONE_ABROAD) && case.has(EVENT_CEP)),
    rule("E0402", EVENT_ABROAD, |case| {
        case.has(DONE_ABROAD) && case.has("serv/atvEvento/end") && !case.has(EVENT_ABROAD)
    }),
    rule("E0404", EVENT_ABROAD, |case| case.has(DONE) && case.has(EVENT_ABROAD)),
];

/// Services that are works. The last two are not of item 7.
#[rustfmt::skip]
static WORKS: [&str; 13] = [
    "070201", "070202", "070401", "070501", "070502", "070601", "070602", "070701", "070801", "071701", "071901", "141403", "141404",
];

fn is_work(case: &DpsCase<'_>) -> bool {
    WORKS.binary_search(&case.cTribNac()).is_ok()
}

/// True for a work of item 7, which has no real estate group (E0931).
pub(super) fn is_construction(case: &DpsCase<'_>) -> bool {
    is_work(case) && case.cTribNac().starts_with("07")
}

/// True for services of item 12.
fn is_event(case: &DpsCase<'_>) -> bool {
    case.cTribNac().starts_with("12")
}

fn has_cep_of_another_place(case: &DpsCase<'_>, path: &str) -> bool {
    let place = case.inf.text_at(DONE).filter(|place| *place != SEA);
    place.zip(case.inf.text_at(path)).is_some_and(|(place, CEP)| is_elsewhere(CEP, place))
}
