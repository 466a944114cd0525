//! Rules about time and place of reception: moment, environment, kind of authority, choices of the state.
//!
//! Law: MOC 7.0, anexo I, B06 to B24; NT 2026.002 (B09-20, B09-40).

use super::note::Note;
use super::options::Choice;
use super::{Authorizer, Broken, Facts};
use jiff::{SignedDuration, Timestamp};

type Found = Vec<Broken>;

/// B06-10.
pub(super) fn state_takes_nfce(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    found.extend(facts.options(note).has(Choice::SemNfce).then(|| Broken::at("ide/mod")));
}

/// B09-10: five minutes of tolerance.
pub(super) fn emission_is_not_ahead(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let ahead = emission(note).is_some_and(|emission| emission.duration_since(facts.now) > FIVE_MINUTES);
    found.extend(ahead.then(|| Broken::at("ide/dhEmi")));
}

/// B09-20: thirty days, except for documents issued in contingency.
pub(super) fn emission_is_recent(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let old = age(note, facts).is_some_and(|age| age > THIRTY_DAYS);
    found.extend((old && matches!(note.ide.tpEmis, "1" | "6" | "7")).then(|| Broken::at("ide/dhEmi")));
}

/// B09-40: a retail document is transmitted at the sale.
pub(super) fn retail_is_sent_at_once(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let late = age(note, facts).is_some_and(|age| age > FIVE_MINUTES);
    found.extend((late && matches!(note.ide.tpEmis, "1" | "6" | "7")).then(|| Broken::at("ide/dhEmi")));
}

/// B22-20.
pub(super) fn state_knows_offline(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let refused = note.ide.tpEmis == "9" && facts.options(note).has(Choice::SemOffline);
    found.extend(refused.then(|| Broken::at("ide/tpEmis")));
}

/// B22-30: a document meant for a contingency authority reached the normal one.
pub(super) fn contingency_goes_to_its_authority(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let astray = facts.asked == Authorizer::Normal && matches!(note.ide.tpEmis, "6" | "7");
    found.extend(astray.then(|| Broken::at("ide/tpEmis")));
}

/// B22-34.
pub(super) fn retail_has_its_own_contingency(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let wrong = match note.ide.tpEmis {
        "4" => !facts.options(note).has(Choice::EpecNfce),
        tpEmis => matches!(tpEmis, "2" | "5"),
    };
    found.extend((facts.asked == Authorizer::Normal && wrong).then(|| Broken::at("ide/tpEmis")));
}

/// B22-60.
pub(super) fn authority_of_contingency_is_meant(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let other = facts.asked.tpEmis().is_some_and(|expected| note.ide.tpEmis != expected.to_string());
    found.extend(other.then(|| Broken::at("ide/tpEmis")));
}

/// B22-70.
pub(super) fn contingency_takes_no_nfce(_: &Note<'_>, facts: &Facts, found: &mut Found) {
    found.extend((facts.asked != Authorizer::Normal).then(|| Broken::at("ide/mod")));
}

/// B24-10.
pub(super) fn environment_is_the_authoritys(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    found.extend((note.ide.tpAmb != facts.ambiente.code()).then(|| Broken::at("ide/tpAmb")));
}

fn emission(note: &Note<'_>) -> Option<Timestamp> {
    note.ide.dhEmi.parse().ok()
}

fn age(note: &Note<'_>, facts: &Facts) -> Option<SignedDuration> {
    emission(note).map(|emission| facts.now.duration_since(emission))
}

const THIRTY_DAYS: SignedDuration = SignedDuration::from_hours(30 * 24);
const FIVE_MINUTES: SignedDuration = SignedDuration::from_mins(5);
