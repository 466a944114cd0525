//! Referenced paper documents: models 1 and 2, the producer's, and cash register coupons (BA03 to BA20).
//!
//! Law: MOC 7.0, anexo I; NT 2016.002 (BA03-10), NT 2019.001 (BA20-20).

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeView, text};
use super::parties::{wrong_cnpj, wrong_cpf, wrong_ie};
use crate::value::Uf;
use crate::xml::ElementView;

/// BA03-10.
pub(super) fn model_1_stands_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    stands_once(note, found, "refNF", ["CNPJ", "mod", "serie", "nNF"]);
}

/// BA10-10.
pub(super) fn producers_stands_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    stands_once(note, found, "refNFP", ["IE", "mod", "serie", "nNF"]);
}

/// BA20-10.
pub(super) fn coupon_stands_once(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    stands_once(note, found, "refECF", ["mod", "nECF", "nCOO"]);
}

/// Adds a document that is listed twice: all of these fields are equal.
fn stands_once<const FIELDS: usize>(note: &NfeView<'_>, found: &mut BrokenFields, group: &str, tags: [&str; FIELDS]) {
    let mut seen: Vec<[&str; FIELDS]> = Vec::new();
    for (index, paper) in papers(note, group) {
        let own = tags.map(|tag| text(paper, tag));
        found.extend(seen.contains(&own).then(|| BrokenField::at(&format!("ide/NFref[{index}]/{group}"))));
        seen.push(own);
    }
}

/// BA12-10.
pub(super) fn producers_has_its_month(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "refNFP", "AAMM", |paper| is_out_of_time(paper, facts));
}

/// True for a month after this one, or more than twenty years before it.
fn is_out_of_time(paper: ElementView<'_>, facts: &NfeRuleContext) -> bool {
    let Ok(aamm) = text(paper, "AAMM").parse::<i32>() else { return false };
    let today = facts.today();
    let now = i32::from(today.year()) * 12 + i32::from(today.month());
    let issued = (2000 + aamm / 100) * 12 + aamm % 100;
    issued > now || issued < now - 20 * 12
}

/// BA13-10.
pub(super) fn producers_cnpj_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "refNFP", "CNPJ", |paper| wrong_cnpj(text(paper, "CNPJ")));
}

/// BA14-10.
pub(super) fn producers_cpf_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "refNFP", "CPF", |paper| wrong_cpf(text(paper, "CPF")));
}

/// BA15-10.
pub(super) fn producers_ie_is_right(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    each(note, found, "refNFP", "IE", |paper| {
        let uf = text(paper, "cUF").parse().ok().and_then(Uf::from_code);
        uf.is_some_and(|uf| wrong_ie(uf.sigla(), text(paper, "IE")))
    });
}

/// BA20-20: only internal operations (`idDest` 1) refer to coupons and to documents of model 1 or 2.
pub(super) fn paper_stays_inside(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    if note.ide.idDest != "1" {
        each(note, found, "refECF", "mod", |_| true);
        each(note, found, "refNF", "mod", |_| true);
    }
}

/// Adds each paper document of a group that breaks a condition.
fn each(note: &NfeView<'_>, found: &mut BrokenFields, group: &str, tag: &str, wrong: impl Fn(ElementView<'_>) -> bool) {
    let wrong = papers(note, group).filter(|(_, paper)| wrong(*paper));
    found.extend(wrong.map(|(index, _)| BrokenField::at(&format!("ide/NFref[{index}]/{group}/{tag}"))));
}

fn papers<'a>(note: &NfeView<'a>, group: &str) -> impl Iterator<Item = (usize, ElementView<'a>)> {
    note.references.iter().enumerate().filter_map(move |(index, one)| Some((index, one.child(group)?)))
}
