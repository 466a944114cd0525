//! Groups B and BA: identification, contingency, referenced documents; the key (A03, B02–B23).

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeItem, NfeView};
use crate::value::municipio;
use crate::value::{ChaveAcesso, ChaveParts, CnpjCpf, Uf};
use jiff::{SignedDuration, Timestamp};

/// A03-10: the Id differs from the concatenation of its fields.
pub(super) fn id_is_the_key(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let id = note.inf().attribute("Id").unwrap_or_default();
    let stated = id.strip_prefix("NFe").unwrap_or_default();
    let differs = composed(note).is_none_or(|key| stated.get(..43) != key.as_str().get(..43));
    found.extend(differs.then(|| BrokenField::at("@Id")));
}

/// B23-10: the check digit.
pub(super) fn key_check_digit(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let right = composed(note).is_some_and(|key| key.as_str().get(43..) == Some(note.ide.cDV));
    found.extend((!right).then(|| BrokenField::at("ide/cDV")));
}

/// Composes the key from `ide` and `emit`.
fn composed(note: &NfeView<'_>) -> Option<ChaveAcesso> {
    let dhEmi = note.ide.dhEmi;
    let aamm = format!("{}{}", dhEmi.get(2..4)?, dhEmi.get(5..7)?);
    let emitente = [note.text("emit/CNPJ"), note.text("emit/CPF")].into_iter().find(|text| !text.is_empty())?;
    Some(ChaveAcesso::compose(&ChaveParts {
        uf: note.ide.cUF.parse().ok().and_then(Uf::from_code)?,
        aamm: aamm.parse().ok()?,
        emitente: CnpjCpf::parse(emitente).ok()?,
        modelo: note.ide.r#mod.parse().ok()?,
        serie: note.ide.serie.parse().ok()?,
        nNF: note.ide.nNF.parse().ok()?,
        tpEmis: note.ide.tpEmis.parse().ok()?,
        cNF: note.ide.cNF.parse().ok()?,
    }))
}

/// B03-10: an easily guessed cNF.
pub(super) fn cnf_is_random(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let (Ok(cNF), Ok(nNF)) = (note.ide.cNF.parse(), note.ide.nNF.parse()) else { return };
    found.extend((!ChaveAcesso::code_is_allowed(cNF, nNF)).then(|| BrokenField::at("ide/cNF")));
}

/// B10-20: an exit more than 30 days ahead.
pub(super) fn exit_is_not_far_ahead(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let far = instant(note.ide.dhSaiEnt).is_some_and(|exit| exit.duration_since(facts.now) > THIRTY_DAYS);
    found.extend(far.then(|| BrokenField::at("ide/dhSaiEnt")));
}

/// B10-30: an exit more than 30 days ago.
pub(super) fn exit_is_not_long_ago(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let old = instant(note.ide.dhSaiEnt).is_some_and(|exit| facts.now.duration_since(exit) > THIRTY_DAYS);
    found.extend(old.then(|| BrokenField::at("ide/dhSaiEnt")));
}

/// B10-40: an exit before the emission.
pub(super) fn exit_follows_emission(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let dates = instant(note.ide.dhSaiEnt).zip(instant(note.ide.dhEmi));
    let before = note.ide.tpNF == "1" && dates.is_some_and(|(exit, emission)| exit < emission);
    found.extend(before.then(|| BrokenField::at("ide/dhSaiEnt")));
}

/// B12-10: the município of the taxable event exists.
pub(super) fn cmunfg_exists(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((!exists(note.ide.cMunFG)).then(|| BrokenField::at("ide/cMunFG")));
}

/// B12-20: that município is in the issuer's state.
pub(super) fn cmunfg_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.cMunFG.get(..2) != Some(note.ide.cUF)).then(|| BrokenField::at("ide/cMunFG")));
}

/// True for a code of the IBGE table.
pub(super) fn exists(cMun: &str) -> bool {
    cMun.parse().ok().and_then(municipio::find).is_some()
}

/// B21-20: an NF-e printed as an NFC-e.
pub(super) fn danfe_format_of_nfe(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend(matches!(note.ide.tpImp, "4" | "5").then(|| BrokenField::at("ide/tpImp")));
}

/// B22-10: offline contingency, which only the NFC-e and the simplified DANFE type 2 have (NT 2026.002).
pub(super) fn offline_is_for_nfce(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.tpEmis == "9" && note.ide.tpImp != "6").then(|| BrokenField::at("ide/tpEmis")));
}

/// B25-70: a return without a reference. References per item count (NT 2025.002, `DFeReferenciado`).
pub(super) fn return_refers(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let exempt = ["1201", "1202", "1410", "1411", "5921", "6921"];
    let applies = note.ide.finNFe == "4" && !note.items.iter().any(|item| exempt.contains(&item.prod.CFOP));
    let lacks = note.references.is_empty() && !note.items.iter().any(|item| item.has("DFeReferenciado"));
    found.extend((applies && lacks).then(|| BrokenField::at("ide/NFref")));
}

/// B25b-10: home delivery is for retail (NT 2026.002 extends it to the DANFE simplificado tipo 2).
pub(super) fn home_delivery_is_for_nfce(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    found.extend((note.ide.indPres == "4" && !note.is_retail()).then(|| BrokenField::at("ide/indPres")));
}

/// B25b-40: a sale outside the establishment refers to the document the goods left with.
pub(super) fn outside_sale_refers(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let refers = note.references.iter().any(|one| one.child("refNFe").or(one.child("refNF")).is_some());
    found.extend((note.ide.indPres == "5" && !refers).then(|| BrokenField::at("ide/NFref")));
}

/// B25c-10: a distance sale states `indIntermed`. Electricity and communication are excepted.
pub(super) fn intermediary_is_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let distant = matches!(note.ide.indPres, "2" | "3" | "4" | "9");
    let applies = distant && note.ide.tpNF == "1" && note.ide.finNFe == "1" && !note.has("ide/indIntermed");
    let excepted = |item: &NfeItem<'_>| {
        let CFOP = item.prod.CFOP.parse().unwrap_or_default();
        matches!(CFOP, 5205..=5207 | 5251..=5258 | 5301..=5307)
    };
    found.extend((applies && !note.items.iter().any(excepted)).then(|| BrokenField::at("ide/indIntermed")));
}

/// B25c-20: `indIntermed` only where an intermediary is possible.
pub(super) fn intermediary_is_not_told(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let fits = matches!(note.ide.indPres, "1" | "2" | "3" | "4" | "9");
    found.extend((note.ide.indIntermed == "1" && !fits).then(|| BrokenField::at("ide/indIntermed")));
}

/// B26-10: series of an issuer's own emission.
pub(super) fn series_is_of_own_emission(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let Ok(serie) = note.ide.serie.parse::<u16>() else { return };
    let own = matches!(note.ide.procEmi, "0" | "3");
    found.extend((own && !matches!(serie, 0..=889 | 920..=969)).then(|| BrokenField::at("ide/serie")));
}

/// B28-10: no justification without contingency.
pub(super) fn normal_emission_has_no_reason(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.has("ide/dhCont") || note.has("ide/xJust");
    found.extend((note.ide.tpEmis == "1" && told).then(|| BrokenField::at("ide/xJust")));
}

/// B28-20: no contingency without justification.
pub(super) fn contingency_has_a_reason(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let told = note.has("ide/dhCont") && note.has("ide/xJust");
    found.extend((matches!(note.ide.tpEmis, "2" | "4" | "5" | "9") && !told).then(|| BrokenField::at("ide/xJust")));
}

/// B28-30: contingency begins before reception.
pub(super) fn contingency_has_begun(note: &NfeView<'_>, facts: &NfeRuleContext, found: &mut BrokenFields) {
    let ahead = instant(note.ide.dhCont).is_some_and(|begin| begin.duration_since(facts.now) > FIVE_MINUTES);
    found.extend(ahead.then(|| BrokenField::at("ide/dhCont")));
}

/// B28-40: contingency began at most 30 days before emission.
pub(super) fn contingency_is_recent(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let dates = instant(note.ide.dhCont).zip(instant(note.ide.dhEmi));
    let old = dates.is_some_and(|(begin, emission)| emission.duration_since(begin) > THIRTY_DAYS);
    found.extend(old.then(|| BrokenField::at("ide/dhCont")));
}

fn instant(text: &str) -> Option<Timestamp> {
    text.parse().ok()
}

const THIRTY_DAYS: SignedDuration = SignedDuration::from_hours(30 * 24);
const FIVE_MINUTES: SignedDuration = SignedDuration::from_mins(5);
