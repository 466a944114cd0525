//! IBS and CBS under the contract's names, which are equal in every document.
//!
//! Law: NT 2025.002, group UB (NF-e), and the group of that name in the CT-e (NT 2025.001 RTC); `docs/contract.md`,
//! "Emission", for the names. The contract's three `valor_bc` are one `vBC` in the XML.

use crate::map::{ElementMapping, FallbackValue};

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
pub(crate) const G_IBSCBS: &[ElementMapping] = &[
    ElementMapping::of("vBC")
        .names(&["ibs_uf/valor_bc", "ibs_mun/valor_bc", "cbs/valor_bc", "valor_bc"])
        .part(vBCIBSCBS),
    ElementMapping::of("gIBSUF").names(&["ibs_uf"]).also(&["valor_bc"]).places(&[
        ADJUSTMENTS_UF,
        &[
            ElementMapping::of("pIBSUF").names(&["aliquota"]),
            ElementMapping::of("vIBSUF").names(&["valor"]).part(vIBSUF),
        ],
    ]),
    ElementMapping::of("gIBSMun").names(&["ibs_mun"]).also(&["valor_bc"]).places(&[
        ADJUSTMENTS_MUN,
        &[
            ElementMapping::of("pIBSMun").names(&["aliquota"]),
            ElementMapping::of("vIBSMun").names(&["valor"]).part(vIBSMun),
        ],
    ]),
    ElementMapping::of("vIBS").fill(FallbackValue::SumOf(&[vIBSUF, vIBSMun])).part(vIBS),
    ElementMapping::of("gCBS").names(&["cbs"]).also(&["valor_bc"]).places(&[
        ADJUSTMENTS_CBS,
        &[ElementMapping::of("pCBS").names(&["aliquota"]), ElementMapping::of("vCBS").names(&["valor"]).part(vCBS)],
    ]),
    ElementMapping::of("gTribRegular").names(&["trib_regular"]),
    ElementMapping::of("gTribCompraGov").names(&["compra_gov"]),
];
const REDUCTION: ElementMapping = ElementMapping::of("gRed").names(&["reducao"]).places(&[&[
    ElementMapping::of("pRedAliq").names(&["percentual"]),
    ElementMapping::of("pAliqEfet").names(&["aliquota_efetiva"]),
]]);
const ADJUSTMENTS_UF: &[ElementMapping] = &[
    REDUCTION,
    ElementMapping::of("gDif").names(&["diferimento"]).places(&[&[
        ElementMapping::of("pDif").names(&["percentual"]),
        ElementMapping::of("vDif").names(&["valor"]).part(vDifUF),
    ]]),
    ElementMapping::of("gDevTrib").names(&["devolucao"]).places(&[&[
        ElementMapping::of("pDevTrib").names(&["percentual"]),
        ElementMapping::of("vDevTrib").names(&["valor"]).part(vDevTribUF),
    ]]),
];
const ADJUSTMENTS_MUN: &[ElementMapping] = &[
    REDUCTION,
    ElementMapping::of("gDif").names(&["diferimento"]).places(&[&[
        ElementMapping::of("pDif").names(&["percentual"]),
        ElementMapping::of("vDif").names(&["valor"]).part(vDifMun),
    ]]),
    ElementMapping::of("gDevTrib").names(&["devolucao"]).places(&[&[
        ElementMapping::of("pDevTrib").names(&["percentual"]),
        ElementMapping::of("vDevTrib").names(&["valor"]).part(vDevTribMun),
    ]]),
];
const ADJUSTMENTS_CBS: &[ElementMapping] = &[
    REDUCTION,
    ElementMapping::of("gDif").names(&["diferimento"]).places(&[&[
        ElementMapping::of("pDif").names(&["percentual"]),
        ElementMapping::of("vDif").names(&["valor"]).part(vDifCBS),
    ]]),
    ElementMapping::of("gDevTrib").names(&["devolucao"]).places(&[&[
        ElementMapping::of("pDevTrib").names(&["percentual"]),
        ElementMapping::of("vDevTrib").names(&["valor"]).part(vDevTribCBS),
    ]]),
];
/// Mappings of the members of an item's `gTribSN` (NT 2026.005).
pub(crate) const TRIB_SN: &[ElementMapping] = &[
    ElementMapping::of("gIBSSN").names(&["ibs"]).places(&[&[
        ElementMapping::of("pIBSSN").names(&["aliquota"]),
        ElementMapping::of("vIBSSN").names(&["valor"]).part(vIBSSN),
    ]]),
    ElementMapping::of("gCBSSN").names(&["cbs"]).places(&[&[
        ElementMapping::of("pCBSSN").names(&["aliquota"]),
        ElementMapping::of("vCBSSN").names(&["valor"]).part(vCBSSN),
    ]]),
];
/// Mappings of the members of `gEstornoCred`.
pub(crate) const ESTORNO: &[ElementMapping] =
    &[ElementMapping::of("vIBSEstCred").part(vIBSEstCred), ElementMapping::of("vCBSEstCred").part(vCBSEstCred)];
