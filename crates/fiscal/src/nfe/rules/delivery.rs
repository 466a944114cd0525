//! Places of collection and delivery (groups F and G), and the promised day of delivery (B10a).
//!
//! Law: MOC 7.0, anexo I, F07 to G15; NT 2025.002 v1.51, B10a.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::identification::exists;
use super::nfe_view::{NfeView, text};
use super::parties::wrong_ie;
use crate::reference::pais;
use crate::value::Uf;
use crate::xml::ElementView;
use jiff::Span;
use jiff::civil::Date;

/// A place of collection or delivery apart from the parties' addresses.
pub(super) trait DeliveryPlace {
    /// Tag of the group.
    const GROUP: &'static str;
}

/// Place of collection.
pub(super) struct Retirada;
/// Place of delivery.
pub(super) struct Entrega;

impl DeliveryPlace for Retirada {
    const GROUP: &'static str = "retirada";
}

impl DeliveryPlace for Entrega {
    const GROUP: &'static str = "entrega";
}

/// F07-10, G07-10.
pub(super) fn foreign_cmun<P: DeliveryPlace>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    check_place::<P>(note, found, "cMun", |place| text(place, "UF") == "EX" && text(place, "cMun") != "9999999");
}

/// F07-20, G07-20.
pub(super) fn cmun_exists<P: DeliveryPlace>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    check_place::<P>(note, found, "cMun", |place| text(place, "UF") != "EX" && !exists(text(place, "cMun")));
}

/// F07-30, G07-30.
pub(super) fn cmun_is_of_the_state<P: DeliveryPlace>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    check_place::<P>(note, found, "cMun", |place| {
        let state = text(place, "cMun").get(..2).and_then(|code| code.parse().ok()).and_then(Uf::from_code);
        text(place, "UF") != "EX" && state.is_none_or(|uf| uf.sigla() != text(place, "UF"))
    });
}

/// F11-10, G11-10.
pub(super) fn country_exists<P: DeliveryPlace>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    check_place::<P>(note, found, "cPais", |place| {
        place.child("cPais").is_some_and(|cPais| pais::find(cPais.text()).is_none())
    });
}

/// F15-10, G15-10.
pub(super) fn ie_is_right<P: DeliveryPlace>(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    check_place::<P>(note, found, "IE", |place| wrong_ie(text(place, "UF"), text(place, "IE")));
}

fn check_place<P: DeliveryPlace>(
    note: &NfeView<'_>,
    found: &mut BrokenFields,
    tag: &str,
    breaks: impl Fn(ElementView<'_>) -> bool,
) {
    let broken = note.inf().child(P::GROUP).is_some_and(breaks);
    found.extend(broken.then(|| BrokenField::at(&format!("{}/{tag}", P::GROUP))));
}

const PROMISED: &str = "ide/dPrevEntrega";

/// B10a-10.
pub(super) fn nfce_promises_no_day(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(note.has(PROMISED).then(|| BrokenField::at(PROMISED)));
}

/// B10a-20: at most three months after the exit, or after the emission.
pub(super) fn promised_day_is_near(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let far = promised(note)
        .is_some_and(|(day, exit)| exit.checked_add(Span::new().months(3)).is_ok_and(|latest| day > latest));
    found.extend(far.then(|| BrokenField::at(PROMISED)));
}

/// B10a-30.
pub(super) fn promised_day_follows_the_exit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(promised(note).is_some_and(|(day, exit)| day < exit).then(|| BrokenField::at(PROMISED)));
}

/// Returns the promised day and the day of exit.
fn promised(note: &NfeView<'_>) -> Option<(Date, Date)> {
    let day = note.ide.dPrevEntrega.parse().ok()?;
    let exit = match note.ide.dhSaiEnt {
        "" => note.day()?,
        dhSaiEnt => dhSaiEnt.get(..10)?.parse().ok()?,
    };
    Some((day, exit))
}

/// B10a-40.
pub(super) fn promise_is_of_goods(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.has(PROMISED) && !matches!(note.ide.finNFe, "1" | "4");
    found.extend(other.then(|| BrokenField::at(PROMISED)));
}

/// B10a-50: a party that does not arrange the freight promises no day.
pub(super) fn promise_is_of_who_delivers(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let other = note.has(PROMISED) && matches!(note.text("transp/modFrete"), "1" | "4" | "9");
    found.extend(other.then(|| BrokenField::at(PROMISED)));
}
