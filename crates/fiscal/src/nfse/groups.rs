//! The names of a DPS beside its official tags.
//!
//! Law: the layout of the DPS 1.01; `spec/not-shown.md` 11.2 (the tree is the official one). Groups that hold little may be left out around their members.

use crate::layout::{self, Body, Complex, ContentModel, Particle};
use crate::map::{self, Fill, Place, Scope, members};
use crate::nota::root_scope;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The map, from `infDPS` down.
pub(super) static INF_DPS: Place = Place::of("infDPS").places(&[&[
    Place::of("subst").names(&["subst", "substituicao"]),
    Place::of("prest").names(&["prest", "prestador"]).places(&[DOCUMENTS, ADDRESS]),
    Place::of("toma").names(&["toma", "tomador"]).places(&[DOCUMENTS, ADDRESS]),
    Place::of("interm").names(&["interm", "intermediario"]).places(&[DOCUMENTS, ADDRESS]),
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

/// Both documents under one name.
const DOCUMENTS: &[Place] =
    &[Place::of("CNPJ").names(&["CNPJ", "CNPJCPF", "cpf_cnpj"]), Place::of("CPF").names(&["CNPJCPF", "cpf_cnpj"])];
/// `end` of a party; `cMun` and `CEP` may stand beside the street.
const ADDRESS: &[Place] = &[
    Place::of("end").names(&["end", "endereco"]).places(&[&[Place::of("endNac").flat()]]),
    Place::of("fone").names(&["fone", "telefone"]),
];

/// A number that is never taken for zero.
const fn needed(tag: &'static str) -> Place {
    Place::of(tag).fill(Fill::Required)
}

/// The content of `infDPS`.
pub(super) fn inf_dps() -> Option<&'static Complex> {
    let ContentModel::Group(root) = &layout::DPS.root.kind else { return None };
    let element = members(root).into_iter().find(|element| element.name == "infDPS")?;
    match &element.kind {
        ContentModel::Group(complex) => Some(complex),
        ContentModel::Leaf(_) | ContentModel::Foreign(_) => None,
    }
}

/// Its members in order.
pub(super) fn parts() -> &'static [Particle] {
    match inf_dps().and_then(|complex| complex.content.as_ref()).map(|content| &content.body) {
        Some(Body::Sequence(parts)) => parts,
        _ => &[],
    }
}

/// Every name that may stand right below `infDPS`.
pub(super) fn root_names() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| inf_dps().map_or_else(Vec::new, |complex| map::valid_names(complex, Some(&INF_DPS))))
}

/// The scope of a group by its path of tags.
pub(super) fn scope<'a>(root: &'a Map<String, Value>, path: &[&'static str]) -> Scope<'a> {
    let (mut scope, mut place) = (root_scope(root), Some(&INF_DPS));
    for tag in path {
        place = place.and_then(|place| place.child(tag));
        scope = scope.below(place, tag);
    }
    scope
}
