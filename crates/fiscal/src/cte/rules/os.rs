//! Rules of the CT-e OS alone: passengers, valuables, excess baggage.

use super::case::Case;
use super::key::{self, Of};
use super::parties::repeats;
use super::{Found, Rule, foreign_key, os, when};
use crate::value::amount;
use crate::xml::Element;
use rust_decimal::Decimal;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    os("H015", 798, "infCTeNorm/infModal/rodoOS", |case| when(case.is_whole() && by_road(case) && matches!(case.ide("tpServ"), "6" | "8") && !has_modal(case))),
    os("H018", 829, "infCTeNorm/infModal/rodoOS", |case| when(has_modal(case) && (case.ide("tpServ") == "7" || !by_road(case)))),
    os("H019", 751, "ide/UFIni", |case| when(carries_people(case) && (case.ide("UFIni").is_empty() || case.ide("UFFim").is_empty()))),
    os("H020", 752, "ide/cMunIni", |case| when(carries_people(case) && (case.ide("cMunIni").is_empty() || case.ide("cMunFim").is_empty()))),
    os("H020a", 380, "ide/UFFim", |case| when(case.ide("tpServ") == "7" && (case.ide("UFFim").is_empty() || case.ide("cMunFim").is_empty()))),
    os("H023", 839, "infCTeNorm/infModal/rodoOS/NroRegEstadual", |case| when(carries_people(case) && has_modal(case) && inside(case) && !modal_has(case, "NroRegEstadual"))),
    os("H024", 840, "infCTeNorm/infModal/rodoOS/TAF", |case| when(carries_people(case) && has_modal(case) && between(case) && !modal_has(case, "TAF"))),
    os("H025", 841, "infCTeNorm/infModal/rodoOS/infFretamento", |case| when(carries_people(case) && by_road(case) && has_modal(case) && !modal_has(case, "infFretamento"))),
    os("H026", 837, "infCTeNorm/infModal/rodoOS/infFretamento/dhViagem", |case| when(case.text("infCTeNorm/infModal/rodoOS/infFretamento/tpFretamento") == "1" && !modal_has(case, "infFretamento/dhViagem"))),
    os("H027", 838, "infCTeNorm/infModal/rodoOS/infFretamento/dhViagem", |case| when(case.ide("tpCTe") == "0" && case.instant(TRIP).is_some_and(|at| Some(at) <= case.instant("ide/dhEmi")))),
    os("H028", 754, "infCTeNorm/infDocRef", |case| when(case.ide("tpServ") == "8" && case.is_whole() && !case.has("infCTeNorm/infDocRef"))),
    os("H029", 891, "infCTeNorm/infDocRef", |case| foreign_key(tickets(case), "infCTeNorm/infDocRef", "chBPe", BPE, case)),
    os("H035", 897, "infCTeNorm/infDocRef", |case| when(tickets(case).any(|chave| !chave.is_empty() && chave.get(6..20) != Some(case.key(6..20))))),
    os("H037", 815, "infCTeNorm/refCTeCanc", |case| when(carries_people(case) && case.has("infCTeNorm/refCTeCanc"))),
    os("H038", 856, "infCTeNorm/refCTeCanc", |case| key_of(case, "infCTeNorm/refCTeCanc")),
    os("H042", 827, "infCTeNorm/refCTeCanc", |case| when(case.inf.text_at("infCTeNorm/refCTeCanc").is_some_and(|chave| chave.get(6..20) != Some(case.key(6..20))))),
    os("H045", 881, "infCTeNorm/infGTVe", |case| when(case.ide("tpServ") != "7" && case.has("infCTeNorm/infGTVe"))),
    os("H046", 882, "infCTeNorm/infGTVe", |case| foreign_key(escorts(case), "infCTeNorm/infGTVe", "chCTe", GTVE, case)),
    os("H050", 886, "infCTeNorm/infGTVe", |case| when(escorts(case).any(|chave| chave.get(6..20) != Some(case.key(6..20))))),
    os("H051", 887, "infCTeNorm/infGTVe", |case| when(repeats(escorts(case)))),
    os("H052", 898, "infCTeNorm/infGTVe", |case| when(components(case).any(|one| one.text_at("tpComp") == Some("6") && one.text_at("xComp").is_none()))),
    os("H053", 899, "infCTeNorm/infGTVe", another_sum),
];

const TRIP: &str = "infCTeNorm/infModal/rodoOS/infFretamento/dhViagem";
const BPE: Of = Of { models: &["63"], since: 17, tpEmis: "12" };
const GTVE: Of = Of { models: &["64"], since: 20, tpEmis: "12" };
/// A CT-e OS.
pub(super) const CTE_67: Of = Of { models: &["67"], ..key::CTE };
/// Ten cents.
const TOLERANCE: Decimal = Decimal::from_parts(10, 0, 0, false, 2);

fn carries_people(case: &Case<'_>) -> bool {
    case.ide("tpServ") == "6"
}

fn by_road(case: &Case<'_>) -> bool {
    case.ide("modal") == "01"
}

fn has_modal(case: &Case<'_>) -> bool {
    case.has("infCTeNorm/infModal")
}

fn modal_has(case: &Case<'_>, path: &str) -> bool {
    case.has(&format!("infCTeNorm/infModal/rodoOS/{path}"))
}

fn inside(case: &Case<'_>) -> bool {
    case.ide("UFIni") == case.ide("UFFim")
}

fn between(case: &Case<'_>) -> bool {
    !inside(case) && ![case.ide("UFIni"), case.ide("UFFim")].contains(&"EX")
}

fn key_of(case: &Case<'_>, path: &str) -> Option<Found> {
    key::fault(case.inf.text_at(path)?, CTE_67, case.facts.now).map(Found::saying)
}

fn tickets<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm", "infDocRef").map(|one| one.text_at("chBPe").unwrap_or(""))
}

fn escorts<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm", "infGTVe").filter_map(|one| one.text_at("chCTe"))
}

fn components<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c Element> + use<'c> {
    case.each("infCTeNorm", "infGTVe").flat_map(|one| one.children().filter(|child| child.name == "Comp"))
}

fn another_sum(case: &Case<'_>) -> Option<Found> {
    let sum: Decimal = components(case).filter_map(|one| one.text_at("vComp").and_then(amount)).sum();
    let total = case.amount("vPrest/vTPrest").filter(|_| case.has("infCTeNorm/infGTVe"))?;
    when((sum - total).abs() > TOLERANCE)
}
