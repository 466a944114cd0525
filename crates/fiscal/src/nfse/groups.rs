//! Names of a DPS beside its official tags.
//!
//! Law: the layout of the DPS 1.01; `docs/contract.md`, "NFS-e" (the tree is the official one). Small groups may be
//! left out around their members.

use super::layouts::DpsLayout;
use crate::map::{self, Fill, Place, Scope};
use crate::nota::root_scope;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The map, from `infDPS` down, for both layouts.
pub(super) static INF_DPS: Place = Place::of("infDPS").places(&[&[
    Place::of("subst").names(&["subst", "substituicao"]),
    Place::of("prest").names(&["prest", "prestador"]).places(&[DOCUMENTS, ADDRESS]),
    Place::of("toma").names(&["toma", "tomador"]).places(&[DOCUMENTS, ADDRESS]),
    Place::of("interm").names(&["interm", "intermediario"]).places(&[DOCUMENTS, ADDRESS]),
    Place::of("dest").places(&[DOCUMENTS, ADDRESS]),
    Place::of("serv").names(&["serv", "servico"]).places(&[&[
        Place::of("locPrest").flat(),
        Place::of("cServ").flat(),
        Place::of("infoCompl").places(&[&[Place::of("gItemPed").places(&[&[Place::of("xItemPed")]])]]),
    ]]),
    Place::of("valores").places(&[&[
        Place::of("vServPrest").flat().places(&[&[needed("vServ")]]),
        Place::of("vDescCondIncond").flat(),
        Place::of("vDedRed").places(&[&[Place::of("documentos").places(&[&[
            Place::of("docDedRed").places(&[&[needed("vDedutivelRedutivel"), needed("vDeducaoReducao")]])
        ]])]]),
    ]]),
    Place::of("IBSCBS").names(&["IBSCBS", "ibscbs"]).places(&[&[Place::of("dest").places(&[DOCUMENTS, ADDRESS])]]),
]]);

/// CNPJ and CPF under one name.
const DOCUMENTS: &[Place] =
    &[Place::of("CNPJ").names(&["CNPJ", "CNPJCPF", "cpf_cnpj"]), Place::of("CPF").names(&["CNPJCPF", "cpf_cnpj"])];
/// Mapping of a party's `end`. `cMun` and `CEP` may stand beside the street.
const ADDRESS: &[Place] = &[
    Place::of("end").names(&["end", "endereco"]).places(&[&[Place::of("endNac").flat()]]),
    Place::of("fone").names(&["fone", "telefone"]),
];

/// A number that is never assumed to be zero.
const fn needed(tag: &'static str) -> Place {
    Place::of(tag).fill(Fill::Required)
}

/// Returns every name that may stand directly below `infDPS` in a layout.
pub(super) fn root_names(layout: DpsLayout) -> &'static [&'static str] {
    static NAMES: [OnceLock<Vec<&'static str>>; 2] = [const { OnceLock::new() }; 2];
    let [current, nt009] = &NAMES;
    let names = if layout == DpsLayout::Nt009 { nt009 } else { current };
    names.get_or_init(|| layout.inf_dps().map_or_else(Vec::new, |complex| map::valid_names(complex, Some(&INF_DPS))))
}

/// Returns the scope of a group by its path of tags.
pub(super) fn scope<'a>(root: &'a Map<String, Value>, path: &[&'static str]) -> Scope<'a> {
    let (mut scope, mut place) = (root_scope(root), Some(&INF_DPS));
    for tag in path {
        place = place.and_then(|place| place.child(tag));
        scope = scope.below(place, tag);
    }
    scope
}
