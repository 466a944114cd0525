//! What is carried, in which modal, and what was carried before.

use super::parties::{of_one_base, repeats};
use super::{Rule, both, cte, when};
use crate::sefaz::cte::case::{Case, holder};
use crate::sefaz::cte::key::{self, Of};
use crate::sefaz::schema;
use fiscal::xml::Element;

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    both("G025", "H016", 579, |case| when(modal(case).is_some_and(|modal| modal.attribute("versaoModal") != Some("4.00")))),
    both("G026", "H017", 580, misshapen),
    cte("G027", 581, |case| when(case.is_whole() && case.ide("modal") != "05" && !case.has("infCTeNorm/infCarga/vCarga"))),
    cte("G036", 693, |case| when(case.is_whole() && matches!(case.ide("tpServ"), "0" | "1" | "2") && !case.has("infCTeNorm/infDoc"))),
    cte("G037", 694, |case| when(case.is_whole() && matches!(case.ide("tpServ"), "3" | "4") && case.has("infCTeNorm/infDoc"))),
    cte("G038", 601, |case| when(case.inf.at("infCTeNorm/infDoc").is_some_and(|documents| documents.children().count() > 2_000))),
    cte("G039", 527, |case| twice(notes(case), "chNFe")),
    cte("G040", 843, |case| notes(case).find_map(|chave| key::fault(chave, key::NFE, case.request.now))),
    cte("G044", 540, |case| when(case.ide("UFIni") != case.ide("UFFim") && case.has("infCTeNorm/infDoc/infNF") && case.has("rem/CNPJ")
        && case.ide("modal") != "05" && matches!(case.ide("tpServ"), "0" | "1" | "2"))),
    cte("G045", 813, |case| when(case.ide("UFIni") != case.ide("UFFim")
        && case.each("infCTeNorm/infDoc", "infOutros").any(|one| matches!(one.text_at("tpDoc"), Some("59" | "65"))))),
    cte("G057", 651, |case| when(case.ide("tpServ") == "4" && case.is_whole() && multimodal(case).next().is_none())),
    cte("G058", 814, |case| when(case.ide("tpServ") != "4" && case.has("infCTeNorm/infServVinc"))),
    cte("G059", 521, |case| when(case.is_whole() && matches!(case.ide("tpServ"), "1" | "2" | "3") && !case.has("infCTeNorm/docAnt"))),
    cte("G060", 747, |case| when(case.ide("tpServ") == "0" && case.has("infCTeNorm/docAnt"))),
    cte("G061", 543, |case| when(repeats(earlier(case).map(|(_, chave)| chave)))),
    cte("G062", 733, |case| when(earlier(case).any(|(by, chave)| by.text_at("CNPJ") != chave.get(6..20)))),
    cte("G063", 745, contracted_by_another),
    cte("G065", 844, |case| earlier(case).find_map(|(_, chave)| key::fault(chave, CTE_57, case.request.now))),
    cte("G070", 714, |case| when(repeats(multimodal(case)))),
    cte("G071", 845, |case| multimodal(case).find_map(|chave| key::fault(chave, CTE_57, case.request.now))),
    cte("G075", 667, |case| when(multimodal(case).any(|chave| {
        !of_one_base(case.tomador().map_or("", holder), chave.get(6..20).unwrap_or(""))
    }))),
    cte("G207", 729, |case| when(case.ide("indGlobalizado") != "1" && notes(case).any(|one| notes(case).next().is_some_and(|first| first.get(6..20) != one.get(6..20))))),
];

/// A CT-e of model 57.
pub(super) const CTE_57: Of = Of { models: &["57"], ..key::CTE };

fn modal<'c>(case: &Case<'c>) -> Option<&'c Element> {
    case.inf.at("infCTeNorm/infModal")
}

/// The schema of the modal, apart from that of the document.
fn misshapen(case: &Case<'_>) -> Option<String> {
    let fault = schema::first_fault_of_modal(case.request.place.wire, case.document)?;
    Some(format!(": {fault}"))
}

fn notes<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm/infDoc", "infNFe").filter_map(|one| one.text_at("chave"))
}

fn multimodal<'c>(case: &Case<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm/infServVinc", "infCTeMultimodal").filter_map(|one| one.text_at("chCTeMultimodal"))
}

/// Electronic documents of carriers before, each with the group of its emitter.
fn earlier<'c>(case: &Case<'c>) -> impl Iterator<Item = (&'c Element, &'c str)> + use<'c> {
    let children =
        |element: &'c Element, name: &'static str| element.children().filter(move |child| child.name == name);
    case.each("infCTeNorm/docAnt", "emiDocAnt").flat_map(move |by| {
        let electronic = children(by, "idDocAnt").flat_map(move |group| children(group, "idDocAntEle"));
        electronic.filter_map(move |one| one.text_at("chCTe").map(|chave| (by, chave)))
    })
}

fn contracted_by_another(case: &Case<'_>) -> Option<String> {
    let tomador = case.tomador().map_or("", holder);
    when(earlier(case).any(|(by, _)| !of_one_base(tomador, holder(by))))
}

/// The first that comes twice, named.
fn twice<'t>(keys: impl Iterator<Item = &'t str>, tag: &str) -> Option<String> {
    let mut seen = std::collections::BTreeSet::new();
    let mut keys = keys;
    keys.find(|chave| !seen.insert(*chave)).map(|chave| format!("[{tag}:{chave}]"))
}
