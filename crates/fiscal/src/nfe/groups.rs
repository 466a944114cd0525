//! The contract's names for the official elements of the NF-e and NFC-e: the only map of this model.
//!
//! Law: `docs/contract.md`, "Emission", for the groups and the values that are filled in; MOC 7.0, anexo I, for the
//! selectors. An element without an entry is found under its official tag, so that a payload can contain everything the
//! layout allows.

use super::part_numbers;
use crate::map::{ElementMapping, FallbackValue, GroupSelector};
use crate::nota::CSRT;
use crate::nota::reform::{ESTORNO, G_IBSCBS, TRIB_SN};

/// The map, from `infNFe` down.
pub(super) static INF_NFE: ElementMapping = ElementMapping::of("infNFe").also(TOTALS_BESIDE).places(&[&[
    ElementMapping::of("ide").names(&["identificacao"]).also(IDE_KNOWN).places(&[IDE]),
    ElementMapping::of("emit").names(&["emitente"]).also(&["cUF"]).places(&[DOCUMENTS, EMIT]),
    ElementMapping::of("dest").names(&["destinatario"]).places(&[DOCUMENTS, DEST]),
    ElementMapping::of("retirada").places(&[DOCUMENTS, LOCAL]),
    ElementMapping::of("entrega").places(&[DOCUMENTS, LOCAL]),
    ElementMapping::of("autXML").names(&["autorizados"]).places(&[DOCUMENTS]),
    // a caller's `nItem` is accepted and recounted (rule H02-10)
    ElementMapping::of("det").names(&["produtos", "itens"]).also(&["nItem"]).places(&[DET]),
    ElementMapping::of("total").places(&[TOTAL]),
    ElementMapping::of("transp").names(&["transportador", "transporte"]).places(&[TRANSP]),
    ElementMapping::of("cobr").names(&["cobranca"]).places(&[COBR]),
    ElementMapping::of("pag").flat().places(&[PAG]),
    ElementMapping::of("infIntermed").names(&["intermediador"]),
    ElementMapping::of("infAdic").names(&["informacoes_adicionais"]),
    // `CSRT` becomes `hashCSRT`
    ElementMapping::of("infRespTec").names(&["responsavel_tecnico"]).also(&[CSRT]).places(&[FONE]),
]]);

/// Members of `total` that the contract puts beside it.
pub(super) const TOTALS_BESIDE: &[&str] =
    &["is_total", "ISTot", "ibscbs_total", "IBSCBSTot", "issqn_total", "ISSQNtot", "ret_trib", "retTrib", "vNFTot"];

/// CNPJ and CPF under one name.
const DOCUMENTS: &[ElementMapping] = &[
    ElementMapping::of("CNPJ").names(&["CNPJCPF", "cpf_cnpj"]),
    ElementMapping::of("CPF").names(&["CNPJCPF", "cpf_cnpj"]),
];
const FONE: &[ElementMapping] = &[ElementMapping::of("fone").names(&["Fone", "telefone"])];
const LOCAL: &[ElementMapping] = FONE;

/// Members of `identificacao` that the service decides; accepted without a notice.
const IDE_KNOWN: &[&str] = &["cNF", "cDV", "tpAmb", "modelo"];
const IDE: &[ElementMapping] = &[
    ElementMapping::of("mod").names(&["modelo"]),
    ElementMapping::of("tpNF").fill(FallbackValue::Assumed("1")),
    ElementMapping::of("indFinal").fill(FallbackValue::Assumed("0")),
    ElementMapping::of("indPres").fill(FallbackValue::Assumed("0")),
    ElementMapping::of("finNFe").fill(FallbackValue::Literal("1")),
    ElementMapping::of("procEmi").fill(FallbackValue::Literal("0")),
    ElementMapping::of("NFref").names(&["NFref", "notas_referenciadas"]).places(&[NF_REF]),
];
const NF_REF: &[ElementMapping] = &[ElementMapping::of("refNFP").places(&[DOCUMENTS])];

const EMIT: &[ElementMapping] = &[ElementMapping::of("enderEmit").names(&["endereco"]).flat().places(&[FONE])];
const DEST: &[ElementMapping] = &[
    ElementMapping::of("idEstrangeiro").keeps_empty(),
    ElementMapping::of("enderDest").names(&["endereco"]).flat().places(&[FONE]),
];

const DET: &[ElementMapping] = &[
    ElementMapping::of("nItem").fill(FallbackValue::Index),
    ElementMapping::of("prod").flat().places(&[PROD]),
    ElementMapping::of("imposto").names(&["tributos"]).flat().places(&[IMPOSTO]),
    ElementMapping::of("impostoDevol").places(&[&[
        ElementMapping::of("IPI").places(&[&[ElementMapping::of("vIPIDevol").part(part_numbers::vIPIDevol)]])
    ]]),
];

const PROD: &[ElementMapping] = &[
    ElementMapping::of("cEAN").fill(FallbackValue::Literal("SEM GTIN")),
    ElementMapping::of("cEANTrib").fill(FallbackValue::Literal("SEM GTIN")),
    ElementMapping::of("uTrib").fill(FallbackValue::SameAs("uCom")),
    ElementMapping::of("qTrib").fill(FallbackValue::SameAs("qCom")),
    ElementMapping::of("vUnTrib").fill(FallbackValue::SameAs("vUnCom")),
    ElementMapping::of("indTot").fill(FallbackValue::Literal("1")).part(part_numbers::indTot),
    ElementMapping::of("vProd").part(part_numbers::vProd),
    // the two belong together (NT 2026.008): with one given, the other is not assumed to be zero
    ElementMapping::of("vUnComLiq").fill(FallbackValue::Required),
    ElementMapping::of("vProdLiq").fill(FallbackValue::Required).part(part_numbers::vProdLiq),
    ElementMapping::of("vFrete").part(part_numbers::vFrete),
    ElementMapping::of("vSeg").part(part_numbers::vSeg),
    ElementMapping::of("vDesc").part(part_numbers::vDesc),
    ElementMapping::of("vOutro").part(part_numbers::vOutro),
    ElementMapping::of("DI").places(&[DOCUMENTS]),
    ElementMapping::of("veicProd").places(&[&[ElementMapping::of("tpOp").part(part_numbers::tpOp)]]),
];

const IMPOSTO: &[ElementMapping] = &[
    ElementMapping::of("vTotTrib").part(part_numbers::vTotTrib),
    ElementMapping::of("ICMS")
        .names(&["icms"])
        .chosen_by(&ICMS_SELECTOR)
        .counted_as(part_numbers::hasICMS)
        .places(&[ICMS]),
    ElementMapping::of("IPI").names(&["ipi"]).chosen_by(&IPI_SELECTOR).places(&[IPI]),
    ElementMapping::of("II")
        .names(&["ii"])
        .counted_as(part_numbers::hasII)
        .places(&[&[ElementMapping::of("vII").part(part_numbers::vII)]]),
    ElementMapping::of("ISSQN").names(&["issqn"]).counted_as(part_numbers::hasISSQN).places(&[ISSQN]),
    ElementMapping::of("PIS").names(&["pis"]).chosen_by(&PIS_SELECTOR).places(&[PIS]),
    ElementMapping::of("PISST").names(&["pisst"]).places(&[PISST]),
    ElementMapping::of("COFINS").names(&["cofins"]).chosen_by(&COFINS_SELECTOR).places(&[COFINS]),
    ElementMapping::of("COFINSST").names(&["cofinsst"]).places(&[COFINSST]),
    ElementMapping::of("ICMSUFDest")
        .names(&["icmsufdest", "icms_uf_dest"])
        .counted_as(part_numbers::hasUFDest)
        .places(&[UF_DEST]),
    ElementMapping::of("IS").names(&["is_", "is"]).counted_as(part_numbers::hasIS).places(&[IS]),
    ElementMapping::of("IBSCBS").names(&["ibscbs"]).counted_as(part_numbers::hasIBSCBS).places(&[IBSCBS]),
];

/// Selector of the ICMS group by the code of the tax situation (MOC 7.0, anexo I, group N). With the share of another
/// state the group is ICMSPart, with the tax withheld for the state of destination ICMSST. A tax that is only expected
/// has no situation (NT 2026.008, group NB).
static ICMS_SELECTOR: GroupSelector = GroupSelector {
    asked: "CST",
    without: &[(&["vICMSPrevisto"], "ICMSPrevistoPagtoAntecip")],
    names: &["CSOSN", "CST", "cst", "csosn"],
    rows: &[
        (&[0], "ICMS00"),
        (&[2], "ICMS02"),
        (&[10], "ICMS10"),
        (&[15], "ICMS15"),
        (&[20], "ICMS20"),
        (&[30], "ICMS30"),
        (&[40, 41, 50], "ICMS40"),
        (&[51], "ICMS51"),
        (&[53], "ICMS53"),
        (&[60], "ICMS60"),
        (&[61], "ICMS61"),
        (&[70], "ICMS70"),
        (&[90], "ICMS90"),
        (&[101], "ICMSSN101"),
        (&[102, 103, 300, 400], "ICMSSN102"),
        (&[201], "ICMSSN201"),
        (&[202, 203], "ICMSSN202"),
        (&[500], "ICMSSN500"),
        (&[900], "ICMSSN900"),
    ],
    exceptions: &[
        (&[10, 20, 90], &["pBCOp", "UFST"], "ICMSPart"),
        (&[41, 60], &["vBCSTDest", "vICMSSTDest"], "ICMSST"),
    ],
};

const ICMS: &[ElementMapping] = &[
    ElementMapping::of("ICMS00").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS02").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS10").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS15").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS20").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS30").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS40").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS51").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS53").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS60").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS61").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS70").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMS90").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSPart").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSST").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSSN101").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSSN102").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSSN201").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSSN202").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSSN500").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSSN900").flat().places(&[ICMS_LEAVES]),
    ElementMapping::of("ICMSPrevistoPagtoAntecip").flat(),
];

const ICMS_LEAVES: &[ElementMapping] = &[
    ElementMapping::of("CST").names(&["CST", "cst"]),
    ElementMapping::of("CSOSN").names(&["CST", "csosn", "cst"]),
    ElementMapping::of("modBC").fill(FallbackValue::Assumed("3")),
    ElementMapping::of("modBCST").fill(FallbackValue::Assumed("4")),
    ElementMapping::of("vBC").part(part_numbers::vBC),
    ElementMapping::of("vICMS").part(part_numbers::vICMS),
    ElementMapping::of("vICMSDeson").part(part_numbers::vICMSDeson),
    ElementMapping::of("indDeduzDeson").part(part_numbers::indDeduzDeson),
    ElementMapping::of("vFCP").part(part_numbers::vFCP),
    ElementMapping::of("vBCST").part(part_numbers::vBCST),
    ElementMapping::of("vICMSST").part(part_numbers::vST),
    ElementMapping::of("vFCPST").part(part_numbers::vFCPST),
    ElementMapping::of("vFCPSTRet").part(part_numbers::vFCPSTRet),
    ElementMapping::of("qBCMono").part(part_numbers::qBCMono),
    ElementMapping::of("vICMSMono").part(part_numbers::vICMSMono),
    ElementMapping::of("qBCMonoReten").part(part_numbers::qBCMonoReten),
    ElementMapping::of("vICMSMonoReten").part(part_numbers::vICMSMonoReten),
    ElementMapping::of("qBCMonoRet").part(part_numbers::qBCMonoRet),
    ElementMapping::of("vICMSMonoRet").part(part_numbers::vICMSMonoRet),
];

static IPI_SELECTOR: GroupSelector = GroupSelector {
    asked: "CST",
    without: &[],
    names: &["CST", "cst"],
    rows: &[(&[0, 49, 50, 99], "IPITrib"), (&[1, 2, 3, 4, 5, 51, 52, 53, 54, 55], "IPINT")],
    exceptions: &[],
};
const IPI: &[ElementMapping] = &[
    ElementMapping::of("cEnq").fill(FallbackValue::Assumed("999")),
    ElementMapping::of("IPITrib").flat().places(&[CST, &[ElementMapping::of("vIPI").part(part_numbers::vIPI)]]),
    ElementMapping::of("IPINT").flat().places(&[CST]),
];
/// The tag itself is the contract's name. It is listed first so that messages and the reference use it.
const CST: &[ElementMapping] = &[ElementMapping::of("CST").names(&["CST", "cst"])];

static PIS_SELECTOR: GroupSelector = GroupSelector {
    asked: "CST",
    without: &[],
    names: &["CST", "cst"],
    rows: &[(&[1, 2], "PISAliq"), (&[3], "PISQtde"), (&[4, 5, 6, 7, 8, 9], "PISNT"), (OTHER_OPERATIONS, "PISOutr")],
    exceptions: &[],
};
const PIS: &[ElementMapping] = &[
    ElementMapping::of("PISAliq").flat().places(&[CST, PIS_LEAVES]),
    ElementMapping::of("PISQtde").flat().places(&[CST, PIS_LEAVES]),
    ElementMapping::of("PISNT").flat().places(&[CST]),
    ElementMapping::of("PISOutr").flat().places(&[CST, PIS_LEAVES]),
];
const PIS_LEAVES: &[ElementMapping] = &[ElementMapping::of("vPIS").part(part_numbers::vPIS)];
const PISST: &[ElementMapping] = &[
    ElementMapping::of("vPIS").part(part_numbers::vPISST),
    ElementMapping::of("indSomaPISST").part(part_numbers::indSomaPISST),
];

static COFINS_SELECTOR: GroupSelector = GroupSelector {
    asked: "CST",
    without: &[],
    names: &["CST", "cst"],
    rows: &[
        (&[1, 2], "COFINSAliq"),
        (&[3], "COFINSQtde"),
        (&[4, 5, 6, 7, 8, 9], "COFINSNT"),
        (OTHER_OPERATIONS, "COFINSOutr"),
    ],
    exceptions: &[],
};
const COFINS: &[ElementMapping] = &[
    ElementMapping::of("COFINSAliq").flat().places(&[CST, COFINS_LEAVES]),
    ElementMapping::of("COFINSQtde").flat().places(&[CST, COFINS_LEAVES]),
    ElementMapping::of("COFINSNT").flat().places(&[CST]),
    ElementMapping::of("COFINSOutr").flat().places(&[CST, COFINS_LEAVES]),
];
const COFINS_LEAVES: &[ElementMapping] = &[ElementMapping::of("vCOFINS").part(part_numbers::vCOFINS)];
const COFINSST: &[ElementMapping] = &[
    ElementMapping::of("vCOFINS").part(part_numbers::vCOFINSST),
    ElementMapping::of("indSomaCOFINSST").part(part_numbers::indSomaCOFINSST),
];

/// PIS and COFINS situations 49 to 99.
const OTHER_OPERATIONS: &[u16] =
    &[49, 50, 51, 52, 53, 54, 55, 56, 60, 61, 62, 63, 64, 65, 66, 67, 70, 71, 72, 73, 74, 75, 98, 99];

const ISSQN: &[ElementMapping] = &[
    ElementMapping::of("vBC").part(part_numbers::vBCISS),
    ElementMapping::of("vISSQN").part(part_numbers::vISS),
    ElementMapping::of("vDeducao").part(part_numbers::vDeducao),
    ElementMapping::of("vOutro").part(part_numbers::vOutroISS),
    ElementMapping::of("vDescIncond").part(part_numbers::vDescIncond),
    ElementMapping::of("vDescCond").part(part_numbers::vDescCond),
    ElementMapping::of("vISSRet").part(part_numbers::vISSRet),
];

const UF_DEST: &[ElementMapping] = &[
    ElementMapping::of("vFCPUFDest").part(part_numbers::vFCPUFDest),
    ElementMapping::of("vICMSUFDest").part(part_numbers::vICMSUFDest),
    ElementMapping::of("vICMSUFRemet").part(part_numbers::vICMSUFRemet),
];

const IS: &[ElementMapping] = &[
    ElementMapping::of("CSTIS").names(&["cst", "CST"]),
    ElementMapping::of("cClassTribIS").names(&["classificacao"]),
    ElementMapping::of("vBCIS").names(&["valor_bc"]),
    ElementMapping::of("pIS").names(&["aliquota"]),
    ElementMapping::of("adRemIS").names(&["aliquota_especifica", "pISEspec"]),
    ElementMapping::of("uTrib").names(&["unidade"]),
    ElementMapping::of("qTrib").names(&["quantidade"]),
    ElementMapping::of("vIS").names(&["valor"]).part(part_numbers::vIS),
];

/// Mappings of NT 2025.002, group UB, and of `gTribSN` of NT 2026.005.
const IBSCBS: &[ElementMapping] = &[
    ElementMapping::of("CST").names(&["cst"]),
    ElementMapping::of("cClassTrib").names(&["classificacao"]),
    ElementMapping::of("gIBSCBS").flat().counted_as(part_numbers::hasGIBSCBS).places(&[G_IBSCBS]),
    ElementMapping::of("gIBSCBSMono").names(&["monofasico"]).counted_as(part_numbers::hasMono).places(&[MONO]),
    ElementMapping::of("gTransfCred").names(&["transferencia"]),
    ElementMapping::of("gTribSN").names(&["simples"]).counted_as(part_numbers::hasTribSN).places(&[TRIB_SN]),
    ElementMapping::of("gEstornoCred").names(&["estorno"]).places(&[ESTORNO]),
    ElementMapping::of("gCredPresOper").names(&["credito_presumido"]).places(&[CRED_PRES]),
];
const MONO: &[ElementMapping] = &[
    ElementMapping::of("vTotIBSMonoItem").part(part_numbers::vIBSMonoItem),
    ElementMapping::of("vTotCBSMonoItem").part(part_numbers::vCBSMonoItem),
    ElementMapping::of("gIBSMonoAdRem").places(&[MONO_GROUPS]),
    ElementMapping::of("gIBSMonoAdValorem").places(&[MONO_GROUPS]),
    ElementMapping::of("gCBSMonoAdRem").places(&[MONO_GROUPS]),
    ElementMapping::of("gCBSMonoAdValorem").places(&[MONO_GROUPS]),
];
const MONO_GROUPS: &[ElementMapping] = &[
    ElementMapping::of("gMonoPadrao").places(&[MONO_LEAVES]),
    ElementMapping::of("gMonoReten").places(&[MONO_LEAVES]),
    ElementMapping::of("gMonoRet").places(&[MONO_LEAVES]),
];
const MONO_LEAVES: &[ElementMapping] = &[
    ElementMapping::of("vIBSMono").part(part_numbers::vIBSMono),
    ElementMapping::of("vCBSMono").part(part_numbers::vCBSMono),
    ElementMapping::of("vIBSMonoReten").part(part_numbers::vIBSMonoReten),
    ElementMapping::of("vCBSMonoReten").part(part_numbers::vCBSMonoReten),
    ElementMapping::of("vIBSMonoRet").part(part_numbers::vIBSMonoRet),
    ElementMapping::of("vCBSMonoRet").part(part_numbers::vCBSMonoRet),
];
const CRED_PRES: &[ElementMapping] = &[
    ElementMapping::of("gIBSCredPres").places(&[&[
        ElementMapping::of("vCredPres").part(part_numbers::vCredPresIBS),
        ElementMapping::of("vCredPresCondSus").part(part_numbers::vCredPresCondSusIBS),
    ]]),
    ElementMapping::of("gCBSCredPres").places(&[&[
        ElementMapping::of("vCredPres").part(part_numbers::vCredPresCBS),
        ElementMapping::of("vCredPresCondSus").part(part_numbers::vCredPresCondSusCBS),
    ]]),
];

const TOTAL: &[ElementMapping] = &[
    ElementMapping::of("ICMSTot").flat(),
    ElementMapping::of("ISSQNtot").names(&["issqn_total"]),
    ElementMapping::of("retTrib").names(&["ret_trib"]),
    ElementMapping::of("ISTot").names(&["is_total"]),
    ElementMapping::of("IBSCBSTot").names(&["ibscbs_total"]).places(&[&[
        ElementMapping::of("gIBS")
            .names(&["ibs"])
            .places(&[&[ElementMapping::of("gIBSUF").names(&["uf"]), ElementMapping::of("gIBSMun").names(&["mun"])]]),
        ElementMapping::of("gCBS").names(&["cbs"]),
        ElementMapping::of("gMono").names(&["monofasico"]),
        ElementMapping::of("gTribSN").names(&["simples"]),
        ElementMapping::of("gEstornoCred").names(&["estorno"]),
    ]]),
];

const TRANSP: &[ElementMapping] = &[
    ElementMapping::of("modFrete").fill(FallbackValue::Literal("9")),
    ElementMapping::of("transporta").flat().places(&[DOCUMENTS]),
    ElementMapping::of("veicTransp").names(&["veiculo"]),
    ElementMapping::of("reboque").names(&["reboques"]),
    ElementMapping::of("vol").names(&["volumes"]).places(&[&[ElementMapping::of("lacres").names(&["lacre"])]]),
];

const COBR: &[ElementMapping] =
    &[ElementMapping::of("fat").names(&["fatura"]), ElementMapping::of("dup").names(&["duplicatas"])];

const PAG: &[ElementMapping] =
    &[ElementMapping::of("detPag").names(&["pagamentos"]), ElementMapping::of("vTroco").names(&["troco"])];
