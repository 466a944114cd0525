//! Rules about time and place of reception: moment, environment, kind of authority, choices of the state.
//!
//! Law: MOC 7.0, anexo I, B06 to B24; NT 2026.002 (B09-20, B09-40).

use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::NfeView;
use super::options::StateChoice;
use super::{AuthorizerKind, NfeRuleContext};
use jiff::{SignedDuration, Timestamp};

/// B06-10.
pub(super) fn state_takes_nfce(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(facts.options(note).has(StateChoice::SemNfce).then(|| BrokenField::at("ide/mod")));
}

/// B09-10: five minutes of tolerance.
pub(super) fn emission_is_not_ahead(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let ahead = emission(note).is_some_and(|emission| emission.duration_since(facts.now) > FIVE_MINUTES);
    found.extend(ahead.then(|| BrokenField::at("ide/dhEmi")));
}

/// B09-20: thirty days, except for documents issued in contingency.
pub(super) fn emission_is_recent(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let old = age(note, facts).is_some_and(|age| age > THIRTY_DAYS);
    found.extend((old && matches!(note.ide.tpEmis, "1" | "6" | "7")).then(|| BrokenField::at("ide/dhEmi")));
}

/// B09-40: a retail document is transmitted at the sale.
pub(super) fn retail_is_sent_at_once(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let late = age(note, facts).is_some_and(|age| age > FIVE_MINUTES);
    found.extend((late && matches!(note.ide.tpEmis, "1" | "6" | "7")).then(|| BrokenField::at("ide/dhEmi")));
}

/// B22-20.
pub(super) fn state_knows_offline(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let refused = note.ide.tpEmis == "9" && facts.options(note).has(StateChoice::SemOffline);
    found.extend(refused.then(|| BrokenField::at("ide/tpEmis")));
}

/// B22-30: a document meant for a contingency authority reached the normal one.
pub(super) fn contingency_goes_to_its_authority(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let astray = facts.asked == AuthorizerKind::Normal && matches!(note.ide.tpEmis, "6" | "7");
    found.extend(astray.then(|| BrokenField::at("ide/tpEmis")));
}

/// B22-34.
pub(super) fn retail_has_its_own_contingency(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = match note.ide.tpEmis {
        "4" => !facts.options(note).has(StateChoice::EpecNfce),
        tpEmis => matches!(tpEmis, "2" | "5"),
    };
    found.extend((facts.asked == AuthorizerKind::Normal && wrong).then(|| BrokenField::at("ide/tpEmis")));
}

/// B22-60.
pub(super) fn authority_of_contingency_is_meant(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let other = facts.asked.tpEmis().is_some_and(|expected| note.ide.tpEmis != expected.to_string());
    found.extend(other.then(|| BrokenField::at("ide/tpEmis")));
}

/// B22-70.
pub(super) fn contingency_takes_no_nfce(_: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((facts.asked != AuthorizerKind::Normal).then(|| BrokenField::at("ide/mod")));
}

/// B24-10.
pub(super) fn environment_is_the_authoritys(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.tpAmb != facts.ambiente.code()).then(|| BrokenField::at("ide/tpAmb")));
}

fn emission(note: &NfeView<'_>) -> Option<Timestamp> {
    note.ide.dhEmi.parse().ok()
}

fn age(note: &NfeView<'_>, facts: &NfeRuleContext) -> Option<SignedDuration> {
    emission(note).map(|emission| facts.now.duration_since(emission))
}

const THIRTY_DAYS: SignedDuration = SignedDuration::from_hours(30 * 24);
const FIVE_MINUTES: SignedDuration = SignedDuration::from_mins(5);
