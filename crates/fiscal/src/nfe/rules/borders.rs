//! Addressees abroad and in other states (`idDest`, E03a, E12, E14, E16a, I08-70).
//!
//! Law: MOC 7.0, anexo I; NT 2022.002 v1.30a for the exceptions of operations with the exterior.

use super::NfeRuleContext;
use super::broken_field::{BrokenField, BrokenFields};
use super::nfe_view::{NfeItem, NfeView, text_in};
use super::parties::is_abroad;

/// E03a-10: an addressee abroad has a foreign identification, possibly empty. Fuel that a Brazilian company burns
/// abroad is issued to its CNPJ.
pub(super) fn foreigner_is_identified(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let lacks = is_abroad(note) && note.dest().is_some() && !note.has("dest/idEstrangeiro");
    let company = || note.has("dest/CNPJ") && note.text("dest/enderDest/cPais") == "1058" && fuels_abroad(note);
    found.extend((lacks && !company() && !is_export_by_another(note)).then(|| BrokenField::at("dest/idEstrangeiro")));
}

/// E12-10.
pub(super) fn abroad_is_ex(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = is_abroad(note) && note.has("dest/enderDest") && note.text("dest/enderDest/UF") != "EX";
    found.extend((wrong && !is_at_home(note)).then(|| BrokenField::at("dest/enderDest/UF")));
}

/// E14-10.
pub(super) fn abroad_has_a_country(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = is_abroad(note) && matches!(note.text("dest/enderDest/cPais"), "" | "1058");
    found.extend((wrong && !is_at_home(note)).then(|| BrokenField::at("dest/enderDest/cPais")));
}

/// E16a-20.
pub(super) fn abroad_is_no_contributor(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    let wrong = is_abroad(note) && note.dest().is_some() && note.text("dest/indIEDest") != "9";
    found.extend((wrong && !is_at_home(note)).then(|| BrokenField::at("dest/indIEDest")));
}

/// True for an export with a Brazilian addressee.
fn is_at_home(note: &NfeView<'_>) -> bool {
    fuels_abroad(note) || is_export_by_another(note)
}

/// Fuel for ships and aircraft (CFOP 7667) that is consumed abroad.
fn fuels_abroad(note: &NfeView<'_>) -> bool {
    let burnt = |item: &NfeItem<'_>| item.prod.CFOP == "7667" && text_in(item.prod.comb, "UFCons") == "EX";
    note.items.iter().any(burnt)
}

/// Goods received for export (7501), or consumed on board (7552).
fn is_export_by_another(note: &NfeView<'_>) -> bool {
    note.items.iter().any(|item| matches!(item.prod.CFOP, "7501" | "7552"))
}

/// States between which the goods move. For an entry: from the other party to the issuer.
struct GoodsRoute<'a> {
    from: &'a str,
    to: &'a str,
    issuer: &'a str,
    retirada: &'a str,
    entrega: &'a str,
}

impl<'a> GoodsRoute<'a> {
    fn of(note: &NfeView<'a>, tpNF: &str) -> GoodsRoute<'a> {
        let (issuer, other) = (note.text("emit/enderEmit/UF"), note.text("dest/enderDest/UF"));
        let (from, to) = if tpNF == "1" { (issuer, other) } else { (other, issuer) };
        GoodsRoute { from, to, issuer, retirada: note.text("retirada/UF"), entrega: note.text("entrega/UF") }
    }

    /// True when goods with another place of collection or delivery end in the state where they began. `None` without
    /// such a place.
    fn stays(&self) -> Option<bool> {
        match (self.retirada, self.entrega) {
            ("", "") => None,
            ("", entrega) => Some(entrega == self.from),
            (retirada, "") => Some(retirada == self.to),
            (retirada, entrega) => Some(retirada == entrega),
        }
    }
}

/// E12-30: a sale declared interstate, with both parties in one state.
pub(super) fn sale_crosses_a_border(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    crosses_a_border(note, found, "1");
}

/// E12-50: an entry declared interstate, with both parties in one state.
pub(super) fn entry_crosses_a_border(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    crosses_a_border(note, found, "0");
}

fn crosses_a_border(note: &NfeView<'_>, found: &mut BrokenFields, tpNF: &str) {
    if note.ide.idDest != "2" || note.ide.tpNF != tpNF {
        return;
    }
    let way = GoodsRoute::of(note, tpNF);
    let same_company = note.has("dest/CNPJ") && note.text("dest/CNPJ") == note.text("emit/CNPJ");
    let consumed_elsewhere = note.items.iter().map(ufcons).any(|uf| !uf.is_empty() && uf != way.issuer);
    let wrong = way.from == way.to && !same_company && !consumed_elsewhere && way.stays() != Some(false);
    found.extend(wrong.then(|| BrokenField::at("dest/enderDest/UF")));
}

/// E12-40: a sale declared internal, with parties in two states.
pub(super) fn sale_stays_inside(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    stays_inside(note, found, "1");
}

/// E12-60: an entry declared internal, with parties in two states.
pub(super) fn entry_stays_inside(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    stays_inside(note, found, "0");
}

fn stays_inside(note: &NfeView<'_>, found: &mut BrokenFields, tpNF: &str) {
    let applies = note.ide.idDest == "1" && note.ide.tpNF == tpNF && note.ide.indFinal != "1";
    if !applies || !note.has("dest/enderDest") {
        return;
    }
    let way = GoodsRoute::of(note, tpNF);
    let wrong = way.from != way.to && !is_consumed_here(note, way.issuer) && way.stays() != Some(true);
    found.extend(wrong.then(|| BrokenField::at("dest/enderDest/UF")));
}

/// I08-70: an internal operation with a contributor of another state, except over the counter.
pub(super) fn contributor_is_of_the_state(note: &NfeView<'_>, _: &NfeRuleContext, found: &mut BrokenFields) {
    if note.ide.idDest != "1" || note.text("dest/indIEDest") != "1" {
        return;
    }
    let (own, other) = (note.text("emit/enderEmit/UF"), note.text("dest/enderDest/UF"));
    let counter = note.ide.indPres == "1" && note.text("transp/modFrete") == "9";
    let wrong = !other.is_empty() && own != other && !counter && !is_consumed_here(note, own);
    found.extend(wrong.then(|| BrokenField::at("dest/enderDest/UF")));
}

fn is_consumed_here(note: &NfeView<'_>, issuer: &str) -> bool {
    note.items.iter().any(|item| ufcons(item) == issuer)
}

fn ufcons<'a>(item: &NfeItem<'a>) -> &'a str {
    text_in(item.prod.comb, "UFCons")
}
