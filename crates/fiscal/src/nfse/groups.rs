//! Names of a DPS beside its official tags.
//!
//! Law: the layout of the DPS 1.01; `docs/contract.md`, "NFS-e" (the tree is the official one). Small groups may be
//! left out around their members.

use super::layouts::DpsLayout;
use crate::map::{self, ElementMapping, FallbackValue, GroupScope};
use crate::nota::root_scope;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The map, from `infDPS` down, for both layouts.
pub(super) static INF_DPS: ElementMapping = ElementMapping::of("infDPS").places(&[&[
    ElementMapping::of("subst").names(&["subst", "substituicao"]),
    ElementMapping::of("prest").names(&["prest", "prestador"]).places(&[DOCUMENTS, ADDRESS]),
    ElementMapping::of("toma").names(&["toma", "tomador"]).places(&[DOCUMENTS, ADDRESS]),
    ElementMapping::of("interm").names(&["interm", "intermediario"]).places(&[DOCUMENTS, ADDRESS]),
    ElementMapping::of("dest").places(&[DOCUMENTS, ADDRESS]),
    ElementMapping::of("serv").names(&["serv", "servico"]).places(&[&[
        ElementMapping::of("locPrest").flat(),
        ElementMapping::of("cServ").flat(),
        ElementMapping::of("infoCompl")
            .places(&[&[ElementMapping::of("gItemPed").places(&[&[ElementMapping::of("xItemPed")]])]]),
    ]]),
    ElementMapping::of("valores").places(&[&[
        ElementMapping::of("vServPrest").flat().places(&[&[needed("vServ")]]),
        ElementMapping::of("vDescCondIncond").flat(),
        ElementMapping::of("vDedRed")
            .places(&[&[ElementMapping::of("documentos")
                .places(&[&[ElementMapping::of("docDedRed")
                    .places(&[&[needed("vDedutivelRedutivel"), needed("vDeducaoReducao")]])]])]]),
    ]]),
    ElementMapping::of("IBSCBS")
        .names(&["IBSCBS", "ibscbs"])
        .places(&[&[ElementMapping::of("dest").places(&[DOCUMENTS, ADDRESS])]]),
]]);

/// CNPJ and CPF under one name.
const DOCUMENTS: &[ElementMapping] = &[
    ElementMapping::of("CNPJ").names(&["CNPJ", "CNPJCPF", "cpf_cnpj"]),
    ElementMapping::of("CPF").names(&["CNPJCPF", "cpf_cnpj"]),
];
/// Mapping of a party's `end`. `cMun` and `CEP` may stand beside the street.
const ADDRESS: &[ElementMapping] = &[
    ElementMapping::of("end").names(&["end", "endereco"]).places(&[&[ElementMapping::of("endNac").flat()]]),
    ElementMapping::of("fone").names(&["fone", "telefone"]),
];

/// A number that is never assumed to be zero.
const fn needed(tag: &'static str) -> ElementMapping {
    ElementMapping::of(tag).fill(FallbackValue::Required)
}

/// Returns every name that may stand directly below `infDPS` in a layout.
pub(super) fn root_names(layout: DpsLayout) -> &'static [&'static str] {
    static NAMES: [OnceLock<Vec<&'static str>>; 2] = [const { OnceLock::new() }; 2];
    let [current, nt009] = &NAMES;
    let names = if layout == DpsLayout::Nt009 { nt009 } else { current };
    names.get_or_init(|| layout.inf_dps().map_or_else(Vec::new, |complex| map::valid_names(complex, Some(&INF_DPS))))
}

/// Returns the scope of a group by its path of tags.
pub(super) fn scope<'a>(root: &'a Map<String, Value>, path: &[&'static str]) -> GroupScope<'a> {
    let (mut scope, mut place) = (root_scope(root), Some(&INF_DPS));
    for tag in path {
        place = place.and_then(|place| place.child(tag));
        scope = scope.below(place, tag);
    }
    scope
}
