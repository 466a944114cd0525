//! IBS and CBS under the contract's names, which are equal in every document.
//!
//! Law: NT 2025.002, group UB (NF-e), and the group of that name in the CT-e (NT 2025.001 RTC); `docs/contract.md`,
//! "Emission", for the names. The contract's three `valor_bc` are one `vBC` in the XML.

use crate::map::{Fill, Place};

// sums that these values are added to, beside those that a model counts itself
pub(crate) const vBCIBSCBS: u8 = 42;
pub(crate) const vIBS: u8 = 43;
pub(crate) const vIBSUF: u8 = 44;
pub(crate) const vIBSMun: u8 = 45;
pub(crate) const vCBS: u8 = 46;
pub(crate) const vDifUF: u8 = 47;
pub(crate) const vDevTribUF: u8 = 48;
pub(crate) const vDifMun: u8 = 49;
pub(crate) const vDevTribMun: u8 = 50;
pub(crate) const vDifCBS: u8 = 51;
pub(crate) const vDevTribCBS: u8 = 52;
pub(crate) const vIBSEstCred: u8 = 61;
pub(crate) const vCBSEstCred: u8 = 62;
pub(crate) const vIBSSN: u8 = 75;
pub(crate) const vCBSSN: u8 = 76;

/// Mappings of the members of `gIBSCBS`.
pub(crate) const G_IBSCBS: &[Place] = &[
    Place::of("vBC").names(&["ibs_uf/valor_bc", "ibs_mun/valor_bc", "cbs/valor_bc", "valor_bc"]).part(vBCIBSCBS),
    Place::of("gIBSUF").names(&["ibs_uf"]).also(&["valor_bc"]).places(&[
        ADJUSTMENTS_UF,
        &[Place::of("pIBSUF").names(&["aliquota"]), Place::of("vIBSUF").names(&["valor"]).part(vIBSUF)],
    ]),
    Place::of("gIBSMun").names(&["ibs_mun"]).also(&["valor_bc"]).places(&[
        ADJUSTMENTS_MUN,
        &[Place::of("pIBSMun").names(&["aliquota"]), Place::of("vIBSMun").names(&["valor"]).part(vIBSMun)],
    ]),
    Place::of("vIBS").fill(Fill::SumOf(&[vIBSUF, vIBSMun])).part(vIBS),
    Place::of("gCBS").names(&["cbs"]).also(&["valor_bc"]).places(&[
        ADJUSTMENTS_CBS,
        &[Place::of("pCBS").names(&["aliquota"]), Place::of("vCBS").names(&["valor"]).part(vCBS)],
    ]),
    Place::of("gTribRegular").names(&["trib_regular"]),
    Place::of("gTribCompraGov").names(&["compra_gov"]),
];
const REDUCTION: Place = Place::of("gRed")
    .names(&["reducao"])
    .places(&[&[Place::of("pRedAliq").names(&["percentual"]), Place::of("pAliqEfet").names(&["aliquota_efetiva"])]]);
const ADJUSTMENTS_UF: &[Place] = &[
    REDUCTION,
    Place::of("gDif")
        .names(&["diferimento"])
        .places(&[&[Place::of("pDif").names(&["percentual"]), Place::of("vDif").names(&["valor"]).part(vDifUF)]]),
    Place::of("gDevTrib").names(&["devolucao"]).places(&[&[
        Place::of("pDevTrib").names(&["percentual"]),
        Place::of("vDevTrib").names(&["valor"]).part(vDevTribUF),
    ]]),
];
const ADJUSTMENTS_MUN: &[Place] = &[
    REDUCTION,
    Place::of("gDif")
        .names(&["diferimento"])
        .places(&[&[Place::of("pDif").names(&["percentual"]), Place::of("vDif").names(&["valor"]).part(vDifMun)]]),
    Place::of("gDevTrib").names(&["devolucao"]).places(&[&[
        Place::of("pDevTrib").names(&["percentual"]),
        Place::of("vDevTrib").names(&["valor"]).part(vDevTribMun),
    ]]),
];
const ADJUSTMENTS_CBS: &[Place] = &[
    REDUCTION,
    Place::of("gDif")
        .names(&["diferimento"])
        .places(&[&[Place::of("pDif").names(&["percentual"]), Place::of("vDif").names(&["valor"]).part(vDifCBS)]]),
    Place::of("gDevTrib").names(&["devolucao"]).places(&[&[
        Place::of("pDevTrib").names(&["percentual"]),
        Place::of("vDevTrib").names(&["valor"]).part(vDevTribCBS),
    ]]),
];
/// Mappings of the members of an item's `gTribSN` (NT 2026.005).
pub(crate) const TRIB_SN: &[Place] = &[
    Place::of("gIBSSN")
        .names(&["ibs"])
        .places(&[&[Place::of("pIBSSN").names(&["aliquota"]), Place::of("vIBSSN").names(&["valor"]).part(vIBSSN)]]),
    Place::of("gCBSSN")
        .names(&["cbs"])
        .places(&[&[Place::of("pCBSSN").names(&["aliquota"]), Place::of("vCBSSN").names(&["valor"]).part(vCBSSN)]]),
];
/// Mappings of the members of `gEstornoCred`.
pub(crate) const ESTORNO: &[Place] =
    &[Place::of("vIBSEstCred").part(vIBSEstCred), Place::of("vCBSEstCred").part(vCBSEstCred)];
