//! Rules about the cargo, the modal and the earlier transport.

use super::case::{CteCase, party_document};
use super::key::{self, KeyKind};
use super::parties::{has_duplicates, of_one_base};
use super::{CteFinding, CteRule, both, breach_if, cte, wrong_key};
use crate::xml::Element;

#[rustfmt::skip]
pub(super) const RULES: &[CteRule] = &[
    both("G025", "H016", 579, "infCTeNorm/infModal", |case| breach_if(modal(case).is_some_and(|modal| modal.attribute("versaoModal") != Some("4.00")))),
    cte("G027", 581, "infCTeNorm/infCarga/vCarga", |case| breach_if(case.is_whole() && case.ide("modal") != "05" && !case.has("infCTeNorm/infCarga/vCarga"))),
    cte("G036", 693, "infCTeNorm/infDoc", |case| breach_if(case.is_whole() && matches!(case.ide("tpServ"), "0" | "1" | "2") && !case.has("infCTeNorm/infDoc"))),
    cte("G037", 694, "infCTeNorm/infDoc", |case| breach_if(case.is_whole() && matches!(case.ide("tpServ"), "3" | "4") && case.has("infCTeNorm/infDoc"))),
    cte("G038", 601, "infCTeNorm/infDoc", |case| breach_if(case.inf.at("infCTeNorm/infDoc").is_some_and(|documents| documents.children().count() > 2_000))),
    cte("G039", 527, "infCTeNorm/infDoc/infNFe", |case| repeated_key(notes(case), NOTES, "chNFe")),
    cte("G040", 843, "infCTeNorm/infDoc/infNFe", |case| wrong_key(notes(case), NOTES, "chave", key::NFE, case)),
    cte("G044", 540, "infCTeNorm/infDoc/infNF", |case| breach_if(case.ide("UFIni") != case.ide("UFFim") && case.has("infCTeNorm/infDoc/infNF") && case.has("rem/CNPJ")
        && case.ide("modal") != "05" && matches!(case.ide("tpServ"), "0" | "1" | "2"))),
    cte("G045", 813, "infCTeNorm/infDoc/infOutros", |case| breach_if(case.ide("UFIni") != case.ide("UFFim")
        && case.each("infCTeNorm/infDoc", "infOutros").any(|one| matches!(one.text_at("tpDoc"), Some("59" | "65"))))),
    cte("G057", 651, "infCTeNorm/infServVinc/infCTeMultimodal", |case| breach_if(case.ide("tpServ") == "4" && case.is_whole() && multimodal(case).next().is_none())),
    cte("G058", 814, "infCTeNorm/infServVinc/infCTeMultimodal", |case| breach_if(case.ide("tpServ") != "4" && case.has("infCTeNorm/infServVinc"))),
    cte("G059", 521, "infCTeNorm/docAnt/emiDocAnt", |case| breach_if(case.is_whole() && matches!(case.ide("tpServ"), "1" | "2" | "3") && !case.has("infCTeNorm/docAnt"))),
    cte("G060", 747, "infCTeNorm/docAnt/emiDocAnt", |case| breach_if(case.ide("tpServ") == "0" && case.has("infCTeNorm/docAnt"))),
    cte("G061", 543, "infCTeNorm/docAnt/emiDocAnt", |case| breach_if(has_duplicates(earlier_ctes(case).map(|(_, chave)| chave)))),
    cte("G062", 733, "infCTeNorm/docAnt/emiDocAnt", |case| breach_if(earlier_ctes(case).any(|(by, chave)| by.text_at("CNPJ") != chave.get(6..20)))),
    cte("G063", 745, "infCTeNorm/docAnt/emiDocAnt", contracted_by_another),
    cte("G065", 844, "infCTeNorm/docAnt/emiDocAnt", |case| earlier_ctes(case).find_map(|(_, chave)| key::fault(chave, CTE_57, case.facts.now)).map(CteFinding::with_extra)),
    cte("G070", 714, "infCTeNorm/infServVinc/infCTeMultimodal", |case| breach_if(has_duplicates(multimodal(case)))),
    cte("G071", 845, "infCTeNorm/infServVinc/infCTeMultimodal", |case| multimodal(case).find_map(|chave| key::fault(chave, CTE_57, case.facts.now)).map(CteFinding::with_extra)),
    cte("G075", 667, "infCTeNorm/infServVinc/infCTeMultimodal", |case| breach_if(multimodal(case).any(|chave| {
        !of_one_base(case.tomador().map_or("", party_document), chave.get(6..20).unwrap_or(""))
    }))),
    cte("Y020", 375, "infCTeNorm/infDoc/infDCe", |case| repeated_key(declarations(case), DECLARATIONS, "chDCe")),
    cte("Y021", 376, "infCTeNorm/infDoc/infDCe", |case| wrong_key(declarations(case), DECLARATIONS, "chave", key::DCE, case)),
    cte("G207", 729, "infCTeNorm/infDoc/infNFe", |case| breach_if(case.ide("indGlobalizado") != "1" && notes(case).any(|one| notes(case).next().is_some_and(|first| first.get(6..20) != one.get(6..20))))),
];

/// NF-e carried.
const NOTES: &str = "infCTeNorm/infDoc/infNFe";
/// Declarations of content (DC-e) carried.
const DECLARATIONS: &str = "infCTeNorm/infDoc/infDCe";
/// A key of model 57.
pub(super) const CTE_57: KeyKind = KeyKind { models: &["57"], ..key::CTE };

fn modal<'c>(case: &CteCase<'c>) -> Option<&'c Element> {
    case.inf.at("infCTeNorm/infModal")
}

pub(super) fn notes<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm/infDoc", "infNFe").filter_map(|one| one.text_at("chave"))
}

fn declarations<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm/infDoc", "infDCe").filter_map(|one| one.text_at("chave"))
}

fn multimodal<'c>(case: &CteCase<'c>) -> impl Iterator<Item = &'c str> + use<'c> {
    case.each("infCTeNorm/infServVinc", "infCTeMultimodal").filter_map(|one| one.text_at("chCTeMultimodal"))
}

/// Electronic documents of earlier carriers, each with the group of its issuer.
fn earlier_ctes<'c>(case: &CteCase<'c>) -> impl Iterator<Item = (&'c Element, &'c str)> + use<'c> {
    let children =
        |element: &'c Element, name: &'static str| element.children().filter(move |child| child.name == name);
    case.each("infCTeNorm/docAnt", "emiDocAnt").flat_map(move |by| {
        let electronic = children(by, "idDocAnt").flat_map(move |group| children(group, "idDocAntEle"));
        electronic.filter_map(move |one| one.text_at("chCTe").map(|chave| (by, chave)))
    })
}

fn contracted_by_another(case: &CteCase<'_>) -> Option<CteFinding> {
    let tomador = case.tomador().map_or("", party_document);
    breach_if(earlier_ctes(case).any(|(by, _)| !of_one_base(tomador, party_document(by))))
}

/// The first repeated key of a group, named as in the authority's text.
fn repeated_key<'k>(keys: impl Iterator<Item = &'k str>, group: &str, named: &str) -> Option<CteFinding> {
    let mut seen = std::collections::BTreeSet::new();
    let (index, chave) = keys.enumerate().find(|(_, chave)| !seen.insert(*chave))?;
    Some(CteFinding { path: Some(format!("{group}[{index}]/chave")), extra: format!("[{named}:{chave}]") })
}
