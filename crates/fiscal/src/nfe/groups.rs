//! The contract's names for the official elements of the NF-e and NFC-e: the only map of this model.
//!
//! Law: `docs/contract.md`, "Emission", for the groups and the values that are filled in; MOC 7.0, anexo I, for the
//! selectors. An element without an entry is found under its official tag, so that a payload can contain everything the
//! layout allows.

use super::part;
use crate::map::{Fill, Place, Selector};
use crate::nota::CSRT;
use crate::nota::reform::{ESTORNO, G_IBSCBS, TRIB_SN};

/// The map, from `infNFe` down.
pub(super) static INF_NFE: Place = Place::of("infNFe").also(TOTALS_BESIDE).places(&[&[
    Place::of("ide").names(&["identificacao"]).also(IDE_KNOWN).places(&[IDE]),
    Place::of("emit").names(&["emitente"]).also(&["cUF"]).places(&[DOCUMENTS, EMIT]),
    Place::of("dest").names(&["destinatario"]).places(&[DOCUMENTS, DEST]),
    Place::of("retirada").places(&[DOCUMENTS, LOCAL]),
    Place::of("entrega").places(&[DOCUMENTS, LOCAL]),
    Place::of("autXML").names(&["autorizados"]).places(&[DOCUMENTS]),
    // a caller's `nItem` is accepted and recounted (rule H02-10)
    Place::of("det").names(&["produtos", "itens"]).also(&["nItem"]).places(&[DET]),
    Place::of("total").places(&[TOTAL]),
    Place::of("transp").names(&["transportador", "transporte"]).places(&[TRANSP]),
    Place::of("cobr").names(&["cobranca"]).places(&[COBR]),
    Place::of("pag").flat().places(&[PAG]),
    Place::of("infIntermed").names(&["intermediador"]),
    Place::of("infAdic").names(&["informacoes_adicionais"]),
    // `CSRT` becomes `hashCSRT`
    Place::of("infRespTec").names(&["responsavel_tecnico"]).also(&[CSRT]).places(&[FONE]),
]]);

/// Members of `total` that the contract puts beside it.
pub(super) const TOTALS_BESIDE: &[&str] =
    &["is_total", "ISTot", "ibscbs_total", "IBSCBSTot", "issqn_total", "ISSQNtot", "ret_trib", "retTrib", "vNFTot"];

/// CNPJ and CPF under one name.
const DOCUMENTS: &[Place] =
    &[Place::of("CNPJ").names(&["CNPJCPF", "cpf_cnpj"]), Place::of("CPF").names(&["CNPJCPF", "cpf_cnpj"])];
const FONE: &[Place] = &[Place::of("fone").names(&["Fone", "telefone"])];
const LOCAL: &[Place] = FONE;

/// Members of `identificacao` that the service decides; accepted without a notice.
const IDE_KNOWN: &[&str] = &["cNF", "cDV", "tpAmb", "modelo"];
const IDE: &[Place] = &[
    Place::of("mod").names(&["modelo"]),
    Place::of("tpNF").fill(Fill::Assumed("1")),
    Place::of("indFinal").fill(Fill::Assumed("0")),
    Place::of("indPres").fill(Fill::Assumed("0")),
    Place::of("finNFe").fill(Fill::Literal("1")),
    Place::of("procEmi").fill(Fill::Literal("0")),
    Place::of("NFref").names(&["NFref", "notas_referenciadas"]).places(&[NF_REF]),
];
const NF_REF: &[Place] = &[Place::of("refNFP").places(&[DOCUMENTS])];

const EMIT: &[Place] = &[Place::of("enderEmit").names(&["endereco"]).flat().places(&[FONE])];
const DEST: &[Place] =
    &[Place::of("idEstrangeiro").keeps_empty(), Place::of("enderDest").names(&["endereco"]).flat().places(&[FONE])];

const DET: &[Place] = &[
    Place::of("nItem").fill(Fill::Index),
    Place::of("prod").flat().places(&[PROD]),
    Place::of("imposto").names(&["tributos"]).flat().places(&[IMPOSTO]),
    Place::of("impostoDevol").places(&[&[Place::of("IPI").places(&[&[Place::of("vIPIDevol").part(part::vIPIDevol)]])]]),
];

const PROD: &[Place] = &[
    Place::of("cEAN").fill(Fill::Literal("SEM GTIN")),
    Place::of("cEANTrib").fill(Fill::Literal("SEM GTIN")),
    Place::of("uTrib").fill(Fill::SameAs("uCom")),
    Place::of("qTrib").fill(Fill::SameAs("qCom")),
    Place::of("vUnTrib").fill(Fill::SameAs("vUnCom")),
    Place::of("indTot").fill(Fill::Literal("1")).part(part::indTot),
    Place::of("vProd").part(part::vProd),
    // the two belong together (NT 2026.008): with one given, the other is not assumed to be zero
    Place::of("vUnComLiq").fill(Fill::Required),
    Place::of("vProdLiq").fill(Fill::Required).part(part::vProdLiq),
    Place::of("vFrete").part(part::vFrete),
    Place::of("vSeg").part(part::vSeg),
    Place::of("vDesc").part(part::vDesc),
    Place::of("vOutro").part(part::vOutro),
    Place::of("DI").places(&[DOCUMENTS]),
    Place::of("veicProd").places(&[&[Place::of("tpOp").part(part::tpOp)]]),
];

const IMPOSTO: &[Place] = &[
    Place::of("vTotTrib").part(part::vTotTrib),
    Place::of("ICMS").names(&["icms"]).chosen_by(&ICMS_SELECTOR).counted_as(part::hasICMS).places(&[ICMS]),
    Place::of("IPI").names(&["ipi"]).chosen_by(&IPI_SELECTOR).places(&[IPI]),
    Place::of("II").names(&["ii"]).counted_as(part::hasII).places(&[&[Place::of("vII").part(part::vII)]]),
    Place::of("ISSQN").names(&["issqn"]).counted_as(part::hasISSQN).places(&[ISSQN]),
    Place::of("PIS").names(&["pis"]).chosen_by(&PIS_SELECTOR).places(&[PIS]),
    Place::of("PISST").names(&["pisst"]).places(&[PISST]),
    Place::of("COFINS").names(&["cofins"]).chosen_by(&COFINS_SELECTOR).places(&[COFINS]),
    Place::of("COFINSST").names(&["cofinsst"]).places(&[COFINSST]),
    Place::of("ICMSUFDest").names(&["icmsufdest", "icms_uf_dest"]).counted_as(part::hasUFDest).places(&[UF_DEST]),
    Place::of("IS").names(&["is_", "is"]).counted_as(part::hasIS).places(&[IS]),
    Place::of("IBSCBS").names(&["ibscbs"]).counted_as(part::hasIBSCBS).places(&[IBSCBS]),
];

/// Selector of the ICMS group by the code of the tax situation (MOC 7.0, anexo I, group N). With the share of another
/// state the group is ICMSPart, with the tax withheld for the state of destination ICMSST. A tax that is only expected
/// has no situation (NT 2026.008, group NB).
static ICMS_SELECTOR: Selector = Selector {
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

const ICMS: &[Place] = &[
    Place::of("ICMS00").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS02").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS10").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS15").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS20").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS30").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS40").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS51").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS53").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS60").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS61").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS70").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMS90").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSPart").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSST").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSSN101").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSSN102").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSSN201").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSSN202").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSSN500").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSSN900").flat().places(&[ICMS_LEAVES]),
    Place::of("ICMSPrevistoPagtoAntecip").flat(),
];

const ICMS_LEAVES: &[Place] = &[
    Place::of("CST").names(&["CST", "cst"]),
    Place::of("CSOSN").names(&["CST", "csosn", "cst"]),
    Place::of("modBC").fill(Fill::Assumed("3")),
    Place::of("modBCST").fill(Fill::Assumed("4")),
    Place::of("vBC").part(part::vBC),
    Place::of("vICMS").part(part::vICMS),
    Place::of("vICMSDeson").part(part::vICMSDeson),
    Place::of("indDeduzDeson").part(part::indDeduzDeson),
    Place::of("vFCP").part(part::vFCP),
    Place::of("vBCST").part(part::vBCST),
    Place::of("vICMSST").part(part::vST),
    Place::of("vFCPST").part(part::vFCPST),
    Place::of("vFCPSTRet").part(part::vFCPSTRet),
    Place::of("qBCMono").part(part::qBCMono),
    Place::of("vICMSMono").part(part::vICMSMono),
    Place::of("qBCMonoReten").part(part::qBCMonoReten),
    Place::of("vICMSMonoReten").part(part::vICMSMonoReten),
    Place::of("qBCMonoRet").part(part::qBCMonoRet),
    Place::of("vICMSMonoRet").part(part::vICMSMonoRet),
];

static IPI_SELECTOR: Selector = Selector {
    asked: "CST",
    without: &[],
    names: &["CST", "cst"],
    rows: &[(&[0, 49, 50, 99], "IPITrib"), (&[1, 2, 3, 4, 5, 51, 52, 53, 54, 55], "IPINT")],
    exceptions: &[],
};
const IPI: &[Place] = &[
    Place::of("cEnq").fill(Fill::Assumed("999")),
    Place::of("IPITrib").flat().places(&[CST, &[Place::of("vIPI").part(part::vIPI)]]),
    Place::of("IPINT").flat().places(&[CST]),
];
/// The tag itself is the contract's name. It is listed first so that messages and the reference use it.
const CST: &[Place] = &[Place::of("CST").names(&["CST", "cst"])];

static PIS_SELECTOR: Selector = Selector {
    asked: "CST",
    without: &[],
    names: &["CST", "cst"],
    rows: &[(&[1, 2], "PISAliq"), (&[3], "PISQtde"), (&[4, 5, 6, 7, 8, 9], "PISNT"), (OTHER_OPERATIONS, "PISOutr")],
    exceptions: &[],
};
const PIS: &[Place] = &[
    Place::of("PISAliq").flat().places(&[CST, PIS_LEAVES]),
    Place::of("PISQtde").flat().places(&[CST, PIS_LEAVES]),
    Place::of("PISNT").flat().places(&[CST]),
    Place::of("PISOutr").flat().places(&[CST, PIS_LEAVES]),
];
const PIS_LEAVES: &[Place] = &[Place::of("vPIS").part(part::vPIS)];
const PISST: &[Place] = &[Place::of("vPIS").part(part::vPISST), Place::of("indSomaPISST").part(part::indSomaPISST)];

static COFINS_SELECTOR: Selector = Selector {
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
const COFINS: &[Place] = &[
    Place::of("COFINSAliq").flat().places(&[CST, COFINS_LEAVES]),
    Place::of("COFINSQtde").flat().places(&[CST, COFINS_LEAVES]),
    Place::of("COFINSNT").flat().places(&[CST]),
    Place::of("COFINSOutr").flat().places(&[CST, COFINS_LEAVES]),
];
const COFINS_LEAVES: &[Place] = &[Place::of("vCOFINS").part(part::vCOFINS)];
const COFINSST: &[Place] =
    &[Place::of("vCOFINS").part(part::vCOFINSST), Place::of("indSomaCOFINSST").part(part::indSomaCOFINSST)];

/// PIS and COFINS situations 49 to 99.
const OTHER_OPERATIONS: &[u16] =
    &[49, 50, 51, 52, 53, 54, 55, 56, 60, 61, 62, 63, 64, 65, 66, 67, 70, 71, 72, 73, 74, 75, 98, 99];

const ISSQN: &[Place] = &[
    Place::of("vBC").part(part::vBCISS),
    Place::of("vISSQN").part(part::vISS),
    Place::of("vDeducao").part(part::vDeducao),
    Place::of("vOutro").part(part::vOutroISS),
    Place::of("vDescIncond").part(part::vDescIncond),
    Place::of("vDescCond").part(part::vDescCond),
    Place::of("vISSRet").part(part::vISSRet),
];

const UF_DEST: &[Place] = &[
    Place::of("vFCPUFDest").part(part::vFCPUFDest),
    Place::of("vICMSUFDest").part(part::vICMSUFDest),
    Place::of("vICMSUFRemet").part(part::vICMSUFRemet),
];

const IS: &[Place] = &[
    Place::of("CSTIS").names(&["cst", "CST"]),
    Place::of("cClassTribIS").names(&["classificacao"]),
    Place::of("vBCIS").names(&["valor_bc"]),
    Place::of("pIS").names(&["aliquota"]),
    Place::of("adRemIS").names(&["aliquota_especifica", "pISEspec"]),
    Place::of("uTrib").names(&["unidade"]),
    Place::of("qTrib").names(&["quantidade"]),
    Place::of("vIS").names(&["valor"]).part(part::vIS),
];

/// Mappings of NT 2025.002, group UB, and of `gTribSN` of NT 2026.005.
const IBSCBS: &[Place] = &[
    Place::of("CST").names(&["cst"]),
    Place::of("cClassTrib").names(&["classificacao"]),
    Place::of("gIBSCBS").flat().counted_as(part::hasGIBSCBS).places(&[G_IBSCBS]),
    Place::of("gIBSCBSMono").names(&["monofasico"]).counted_as(part::hasMono).places(&[MONO]),
    Place::of("gTransfCred").names(&["transferencia"]),
    Place::of("gTribSN").names(&["simples"]).counted_as(part::hasTribSN).places(&[TRIB_SN]),
    Place::of("gEstornoCred").names(&["estorno"]).places(&[ESTORNO]),
    Place::of("gCredPresOper").names(&["credito_presumido"]).places(&[CRED_PRES]),
];
const MONO: &[Place] = &[
    Place::of("vTotIBSMonoItem").part(part::vIBSMonoItem),
    Place::of("vTotCBSMonoItem").part(part::vCBSMonoItem),
    Place::of("gIBSMonoAdRem").places(&[MONO_GROUPS]),
    Place::of("gIBSMonoAdValorem").places(&[MONO_GROUPS]),
    Place::of("gCBSMonoAdRem").places(&[MONO_GROUPS]),
    Place::of("gCBSMonoAdValorem").places(&[MONO_GROUPS]),
];
const MONO_GROUPS: &[Place] = &[
    Place::of("gMonoPadrao").places(&[MONO_LEAVES]),
    Place::of("gMonoReten").places(&[MONO_LEAVES]),
    Place::of("gMonoRet").places(&[MONO_LEAVES]),
];
const MONO_LEAVES: &[Place] = &[
    Place::of("vIBSMono").part(part::vIBSMono),
    Place::of("vCBSMono").part(part::vCBSMono),
    Place::of("vIBSMonoReten").part(part::vIBSMonoReten),
    Place::of("vCBSMonoReten").part(part::vCBSMonoReten),
    Place::of("vIBSMonoRet").part(part::vIBSMonoRet),
    Place::of("vCBSMonoRet").part(part::vCBSMonoRet),
];
const CRED_PRES: &[Place] = &[
    Place::of("gIBSCredPres").places(&[&[
        Place::of("vCredPres").part(part::vCredPresIBS),
        Place::of("vCredPresCondSus").part(part::vCredPresCondSusIBS),
    ]]),
    Place::of("gCBSCredPres").places(&[&[
        Place::of("vCredPres").part(part::vCredPresCBS),
        Place::of("vCredPresCondSus").part(part::vCredPresCondSusCBS),
    ]]),
];

const TOTAL: &[Place] = &[
    Place::of("ICMSTot").flat(),
    Place::of("ISSQNtot").names(&["issqn_total"]),
    Place::of("retTrib").names(&["ret_trib"]),
    Place::of("ISTot").names(&["is_total"]),
    Place::of("IBSCBSTot").names(&["ibscbs_total"]).places(&[&[
        Place::of("gIBS")
            .names(&["ibs"])
            .places(&[&[Place::of("gIBSUF").names(&["uf"]), Place::of("gIBSMun").names(&["mun"])]]),
        Place::of("gCBS").names(&["cbs"]),
        Place::of("gMono").names(&["monofasico"]),
        Place::of("gTribSN").names(&["simples"]),
        Place::of("gEstornoCred").names(&["estorno"]),
    ]]),
];

const TRANSP: &[Place] = &[
    Place::of("modFrete").fill(Fill::Literal("9")),
    Place::of("transporta").flat().places(&[DOCUMENTS]),
    Place::of("veicTransp").names(&["veiculo"]),
    Place::of("reboque").names(&["reboques"]),
    Place::of("vol").names(&["volumes"]).places(&[&[Place::of("lacres").names(&["lacre"])]]),
];

const COBR: &[Place] = &[Place::of("fat").names(&["fatura"]), Place::of("dup").names(&["duplicatas"])];

const PAG: &[Place] = &[Place::of("detPag").names(&["pagamentos"]), Place::of("vTroco").names(&["troco"])];
