//! Rules of the CT-e OS alone: passengers, valuables, excess baggage.

use super::case::CteCase;
use super::key::{self, KeyKind};
use super::parties::has_duplicates;
use super::{CteFinding, CteRule, breach_if, os, wrong_key};
use crate::value::amount;
use crate::xml::Element;
use rust_decimal::Decimal;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    os("H015", 798, "infCTeNorm/infModal/rodoOS", |case| breach_if(case.is_whole() && by_road(case) && matches!(case.ide("tpServ"), "6" | "8") && !has_modal(case))),
    os("H018", 829, "infCTeNorm/infModal/rodoOS", |case| breach_if(has_modal(case) && (case.ide("tpServ") == "7" || !by_road(case)))),
    os("H019", 751, "ide/UFIni", |case| breach_if(carries_people(case) && (case.ide("UFIni").is_empty() || case.ide("UFFim").is_empty()))),
    os("H020", 752, "ide/cMunIni", |case| breach_if(carries_people(case) && (case.ide("cMunIni").is_empty() || case.ide("cMunFim").is_empty()))),
    os("H020a", 380, "ide/UFFim", |case| breach_if(case.ide("tpServ") == "7" && (case.ide("UFFim").is_empty() || case.ide("cMunFim").is_empty()))),
    os("H023", 839, "infCTeNorm/infModal/rodoOS/NroRegEstadual", |case| breach_if(carries_people(case) && has_modal(case) && inside(case) && !modal_has(case, "NroRegEstadual"))),
    os("H024", 840, "infCTeNorm/infModal/rodoOS/TAF", |case| breach_if(carries_people(case) && has_modal(case) && between(case) && !modal_has(case, "TAF"))),
    os("H025", 841, "infCTeNorm/infModal/rodoOS/infFretamento", |case| breach_if(carries_people(case) && by_road(case) && has_modal(case) && !modal_has(case, "infFretamento"))),
    os("H026", 837, "infCTeNorm/infModal/rodoOS/infFretamento/dhViagem", |case| breach_if(case.text("infCTeNorm/infModal/rodoOS/infFretamento/tpFretamento") == "1" && !modal_has(case, "infFretamento/dhViagem"))),
    os("H027", 838, "infCTeNorm/infModal/rodoOS/infFretamento/dhViagem", |case| breach_if(case.ide("tpCTe") == "0" && case.instant(TRIP).is_some_and(|at| Some(at) <= case.instant("ide/dhEmi")))),
    os("H028", 754, "infCTeNorm/infDocRef", |case| breach_if(case.ide("tpServ") == "8" && case.is_whole() && !case.has("infCTeNorm/infDocRef"))),
    os("H029", 891, "infCTeNorm/infDocRef", |case| wrong_key(tickets(case), "infCTeNorm/infDocRef", "chBPe", BPE, case)),
    os("H035", 897, "infCTeNorm/infDocRef", |case| breach_if(tickets(case).any(|chave| !chave.is_empty() && chave.get(6..20) != Some(case.key(6..20))))),
    os("H037", 815, "infCTeNorm/refCTeCanc", |case| breach_if(carries_people(case) && case.has("infCTeNorm/refCTeCanc"))),
    os("H038", 856, "infCTeNorm/refCTeCanc", |case| key_of(case, "infCTeNorm/refCTeCanc")),
    os("H042", 827, "infCTeNorm/refCTeCanc", |case| breach_if(case.inf.text_at("infCTeNorm/refCTeCanc").is_some_and(|chave| chave.get(6..20) != Some(case.key(6..20))))),
    os("H045", 881, "infCTeNorm/infGTVe", |case| breach_if(case.ide("tpServ") != "7" && case.has("infCTeNorm/infGTVe"))),
    os("H046", 882, "infCTeNorm/infGTVe", |case| wrong_key(escorts(case), "infCTeNorm/infGTVe", "chCTe", GTVE, case)),
    os("H050", 886, "infCTeNorm/infGTVe", |case| breach_if(escorts(case).any(|chave| chave.get(6..20) != Some(case.key(6..20))))),
    os("H051", 887, "infCTeNorm/infGTVe", |case| breach_if(has_duplicates(escorts(case)))),
    os("H052", 898, "infCTeNorm/infGTVe", |case| breach_if(components(case).any(|one| one.text_at("tpComp") == Some("6") && one.text_at("xComp").is_none()))),
    os("H053", 899, "infCTeNorm/infGTVe", another_sum),
];

const TRIP: &str = "infCTeNorm/infModal/rodoOS/infFretamento/dhViagem";
const BPE: KeyKind = KeyKind { models: &["63"], since: 17, tpEmis: "12" };
const GTVE: KeyKind = KeyKind { models: &["64"], since: 20, tpEmis: "12" };
/// A CT-e OS.
pub(super) const CTE_67: KeyKind = KeyKind { models: &["67"], ..key::CTE };
/// Ten cents.
const TOLERANCE: Decimal = Decimal::from_parts(10, 0, 0, false, 2);

fn carries_people(case: &CteCase<'_>) -> bool {
    case.ide("tpServ") == "6"
}

fn by_road(case: &CteCase<'_>) -> bool {
    case.ide("modal") == "01"
}

fn has_modal(case: &CteCase<'_>) -> bool {
    case.has("infCTeNorm/infModal")
}

fn modal_has(case: &CteCase<'_>, path: &str) -> bool {
    case.has(&format!("infCTeNorm/infModal/rodoOS/{path}"))
}

fn inside(case: &CteCase<'_>) -> bool {
    case.ide("UFIni") == case.ide("UFFim")
}

fn between(case: &CteCase<'_>) -> bool {
    !inside(case) && ![case.ide("UFIni"), case.ide("UFFim")].contains(&"EX")
}

fn key_of(case: &CteCase<'_>, path: &str) -> Option<CteFinding> {
    key::fault(case.inf.text_at(path)?, CTE_67, case.facts.now).map(CteFinding::with_extra)
}

fn tickets<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm", "infDocRef").map(|one| one.text_at("chBPe").unwrap_or(""))
}

fn escorts<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm", "infGTVe").filter_map(|one| one.text_at("chCTe"))
}

fn components<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c Element> + use<'c> {
    case.each("infCTeNorm", "infGTVe").flat_map(|one| one.children().filter(|child| child.name == "Comp"))
}

fn another_sum(case: &CteCase<'_>) -> Option<CteFinding> {
    let sum: Decimal = components(case).filter_map(|one| one.text_at("vComp").and_then(amount)).sum();
    let total = case.amount("vPrest/vTPrest").filter(|_| case.has("infCTeNorm/infGTVe"))?;
    breach_if((sum - total).abs() > TOLERANCE)
}
