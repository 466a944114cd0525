//! Groups X, Y, YA, YB, ZA, ZX: transport, billing, payment, intermediary, export.

use super::note::{Note, decimal, text};
use super::options::Choice;
use super::parties::{wrong_cnpj, wrong_cpf, wrong_ie};
use super::{Broken, Facts};
use crate::xml::Element;
use rust_decimal::Decimal;

type Found = Vec<Broken>;

/// X02-20: an interstate load tells its vehicle in the MDF-e.
pub(super) fn interstate_has_no_vehicle(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let told = note.has("transp/veicTransp") || note.has("transp/reboque");
    found.extend((note.ide("idDest") == "2" && told).then(|| Broken::at("transp/veicTransp")));
}

/// X04-20.
pub(super) fn carrier_cnpj_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    found.extend(wrong_cnpj(note.text("transp/transporta/CNPJ")).then(|| Broken::at("transp/transporta/CNPJ")));
}

/// X05-10.
pub(super) fn carrier_cpf_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    found.extend(wrong_cpf(note.text("transp/transporta/CPF")).then(|| Broken::at("transp/transporta/CPF")));
}

/// X07-10.
pub(super) fn carrier_ie_has_a_state(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let lacks = note.has("transp/transporta/IE") && !note.has("transp/transporta/UF");
    found.extend(lacks.then(|| Broken::at("transp/transporta/UF")));
}

/// X07-20.
pub(super) fn carrier_ie_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let wrong = wrong_ie(note.text("transp/transporta/UF"), note.text("transp/transporta/IE"));
    found.extend(wrong.then(|| Broken::at("transp/transporta/IE")));
}

/// Y01-20.
pub(super) fn invoice_is_complete(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let complete = ["nFat", "vOrig", "vLiq"].iter().all(|tag| note.has(&format!("cobr/fat/{tag}")));
    found.extend((note.has("cobr") && !complete).then(|| Broken::at("cobr/fat")));
}

/// Y05-10.
pub(super) fn invoice_discount_is_not_above_it(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let above = invoice(note).is_some_and(|fat| decimal(fat, "vDesc") > decimal(fat, "vOrig"));
    found.extend(above.then(|| Broken::at("cobr/fat/vDesc")));
}

/// Y06-10.
pub(super) fn net_is_gross_less_discount(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let differs = |fat: &Element| decimal(fat, "vLiq") != decimal(fat, "vOrig") - decimal(fat, "vDesc");
    let told = invoice(note).filter(|fat| fat.child("vLiq").is_some());
    found.extend(told.is_some_and(differs).then(|| Broken::at("cobr/fat/vLiq")));
}

fn invoice<'a>(note: &Note<'a>) -> Option<&'a Element> {
    note.inf().at("cobr/fat")
}

/// Y08-10: 001, 002, 003…
pub(super) fn instalments_are_numbered(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let instalments = note.each("cobr", "dup");
    let wrong = instalments.iter().zip(1..).filter(|((_, dup), number)| text(dup, "nDup") != format!("{number:03}"));
    found.extend(wrong.map(|((path, _), _)| Broken::under(format!("{path}/nDup"))));
}

/// Y09-20: due before emission.
pub(super) fn instalments_follow_emission(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let emission = note.ide("dhEmi").get(..10).unwrap_or_default();
    let early = |due: &str| !due.is_empty() && due < emission;
    let dups = note.each("cobr", "dup").into_iter().filter(|(_, dup)| early(text(dup, "dVenc")));
    found.extend(dups.map(|(path, _)| Broken::under(format!("{path}/dVenc"))));
}

/// Y09-30: no due date, or before the one above.
pub(super) fn instalments_are_in_order(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let mut last = "";
    for (path, dup) in note.each("cobr", "dup") {
        let due = text(dup, "dVenc");
        found.extend((due.is_empty() || due < last).then(|| Broken::under(format!("{path}/dVenc"))));
        last = due;
    }
}

/// Y09-40: one instalment due on the day is no credit.
pub(super) fn instalment_is_not_due_at_once(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let emission = note.ide("dhEmi").get(..10).unwrap_or_default();
    if let [(path, dup)] = note.each("cobr", "dup").as_slice() {
        found.extend((text(dup, "dVenc") == emission).then(|| Broken::under(format!("{path}/dVenc"))));
    }
}

/// Y09-50: ten years from now.
pub(super) fn instalments_are_not_far_ahead(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let brasilia = jiff::tz::TimeZone::fixed(jiff::tz::Offset::constant(-3));
    let today = facts.now.to_zoned(brasilia).date();
    let Ok(latest) = today.checked_add(jiff::Span::new().years(10)) else { return };
    let far = |due: &str| due.parse::<jiff::civil::Date>().is_ok_and(|due| due > latest);
    let dups = note.each("cobr", "dup").into_iter().filter(|(_, dup)| far(text(dup, "dVenc")));
    found.extend(dups.map(|(path, _)| Broken::under(format!("{path}/dVenc"))));
}

/// Y10-10.
pub(super) fn instalments_make_the_net(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let instalments = note.each("cobr", "dup");
    let sum: Decimal = instalments.iter().map(|(_, dup)| decimal(dup, "vDup")).sum();
    let differs = !instalments.is_empty() && invoice(note).is_some_and(|fat| decimal(fat, "vLiq") != sum);
    found.extend(differs.then(|| Broken::at("cobr/dup")));
}

/// YA02-04: adjustments and returns are not paid.
pub(super) fn returns_are_not_paid(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let applies = matches!(note.ide("finNFe"), "3" | "4");
    payments(note, found, "tPag", |payment| applies && text(payment, "tPag") != "90");
}

/// YA02a-10 (NT 2020.006): "other" says which.
pub(super) fn other_payment_is_described(note: &Note<'_>, _: &Facts, found: &mut Found) {
    payments(note, found, "xPag", |payment| text(payment, "tPag") == "99" && text(payment, "xPag").is_empty());
}

/// YA02a-20 (NT 2020.006): and no other does.
pub(super) fn known_payment_is_not_described(note: &Note<'_>, _: &Facts, found: &mut Found) {
    payments(note, found, "xPag", |payment| text(payment, "tPag") != "99" && payment.child("xPag").is_some());
}

/// YA03-20.
pub(super) fn overpayment_has_change(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let above = paid(note) > note.total("vNF");
    found.extend((above && !note.has("pag/vTroco")).then(|| Broken::at("pag/vTroco")));
}

/// YA03-30.
pub(super) fn unpaid_has_no_value(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let unpaid = |payment: &Element| matches!(text(payment, "tPag"), "90" | "91");
    payments(note, found, "vPag", |payment| unpaid(payment) && !decimal(payment, "vPag").is_zero());
}

/// YA05-10.
pub(super) fn integrated_card_is_identified(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let lacks = |payment: &Element| {
        let integrated = payment.text_at("card/tpIntegra") == Some("1");
        integrated && (text(payment, "card/CNPJ").is_empty() || text(payment, "card/cAut").is_empty())
    };
    payments(note, found, "card", lacks);
}

/// YA05-20.
pub(super) fn payment_institution_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    payments(note, found, "card/CNPJ", |payment| wrong_cnpj(text(payment, "card/CNPJ")));
}

/// YA09-10.
pub(super) fn change_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let stated = note.inf().at("pag").filter(|pag| pag.child("vTroco").is_some()).map(|pag| decimal(pag, "vTroco"));
    let wrong = stated.is_some_and(|change| change != paid(note) - note.total("vNF"));
    found.extend(wrong.then(|| Broken::at("pag/vTroco")));
}

fn paid(note: &Note<'_>) -> Decimal {
    note.each("pag", "detPag").iter().map(|(_, payment)| decimal(payment, "vPag")).sum()
}

fn payments(note: &Note<'_>, found: &mut Found, tag: &str, breaks: impl Fn(&Element) -> bool) {
    let bad = note.each("pag", "detPag").into_iter().filter(|(_, payment)| breaks(payment));
    found.extend(bad.map(|(path, _)| Broken::under(format!("{path}/{tag}"))));
}

/// YB01-10.
pub(super) fn marketplace_is_identified(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let lacks = note.ide("indIntermed") == "1" && !note.has("infIntermed");
    found.extend(lacks.then(|| Broken::at("infIntermed")));
}

/// YB01-20.
pub(super) fn no_marketplace_is_identified(note: &Note<'_>, _: &Facts, found: &mut Found) {
    let has = note.ide("indIntermed") != "1" && note.has("infIntermed");
    found.extend(has.then(|| Broken::at("infIntermed")));
}

/// YB02-10.
pub(super) fn marketplace_cnpj_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    found.extend(wrong_cnpj(note.text("infIntermed/CNPJ")).then(|| Broken::at("infIntermed/CNPJ")));
}

/// ZA01-10.
pub(super) fn export_tells_where_it_leaves(note: &Note<'_>, _: &Facts, found: &mut Found) {
    found.extend((is_export(note) && !note.has("exporta")).then(|| Broken::at("exporta")));
}

/// ZA01-20.
pub(super) fn only_exports_leave(note: &Note<'_>, _: &Facts, found: &mut Found) {
    found.extend((!is_export(note) && note.has("exporta")).then(|| Broken::at("exporta")));
}

fn is_export(note: &Note<'_>) -> bool {
    note.ide("tpNF") == "1" && note.ide("idDest") == "3"
}

/// ZD01-10: where the state wants it.
pub(super) fn software_house_is_told(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let lacks = facts.options(note).has(Choice::ExigeRespTec) && !note.has("infRespTec");
    found.extend(lacks.then(|| Broken::at("infRespTec")));
}

/// ZD02-10.
pub(super) fn software_house_cnpj_is_right(note: &Note<'_>, _: &Facts, found: &mut Found) {
    found.extend(wrong_cnpj(note.text("infRespTec/CNPJ")).then(|| Broken::at("infRespTec/CNPJ")));
}

/// ZD07-10: where the state wants it.
pub(super) fn software_house_proves_itself(note: &Note<'_>, facts: &Facts, found: &mut Found) {
    let told = note.has("infRespTec/idCSRT") && note.has("infRespTec/hashCSRT");
    found.extend((facts.options(note).has(Choice::ExigeCsrt) && !told).then(|| Broken::at("infRespTec/idCSRT")));
}
