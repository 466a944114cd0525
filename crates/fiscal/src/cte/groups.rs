//! The contract's names for the official elements of the CT-e and CT-e OS: one map per model, of shared tables.
//!
//! Law: `docs/contract.md`, "CT-e" for the groups; MOC CT-e 4.00 anexo I for their content. An element without an entry
//! is accepted under its official tag, so a payload can hold everything the layout allows.

use crate::map::{ElementMapping, FallbackValue, GroupSelector};
use crate::nota::CSRT;
use crate::nota::reform::{ESTORNO, G_IBSCBS};

/// The map of model 57, from `infCte` down.
pub(super) static INF_CTE: ElementMapping = ElementMapping::of("infCte").places(&[
    &[
        ElementMapping::of("ide")
            .names(&["identificacao"])
            .also(IDE_IGNORED)
            .chosen_by(&TOMADOR)
            .places(&[IDE, IDE_CARGO]),
        ElementMapping::of("compl").names(&["complemento"]).places(&[COMPL]),
        ElementMapping::of("rem").names(&["remetente"]).places(&[DOCUMENTS, &[address("enderReme")], FONE]),
        ElementMapping::of("exped").names(&["expedidor"]).places(&[DOCUMENTS, &[address("enderExped")], FONE]),
        ElementMapping::of("receb").names(&["recebedor"]).places(&[DOCUMENTS, &[address("enderReceb")], FONE]),
        ElementMapping::of("dest").names(&["destinatario"]).places(&[DOCUMENTS, &[address("enderDest")], FONE]),
        ElementMapping::of("imp").names(&["imposto"]).places(&[&[ICMS_OF_CARGO], IMP]),
        ElementMapping::of("infCTeNorm").flat().places(&[NORMAL_CARGO, NORMAL]),
    ],
    INF,
]);

/// The map of model 67, from `infCte` down.
pub(super) static INF_CTE_OS: ElementMapping = ElementMapping::of("infCte").places(&[
    &[
        ElementMapping::of("ide").names(&["identificacao"]).also(IDE_IGNORED).places(&[IDE, IDE_OS]),
        ElementMapping::of("compl").names(&["complemento"]).places(&[COMPL]),
        ElementMapping::of("toma").names(&["tomador"]).also(&["indice"]).places(&[
            DOCUMENTS,
            &[address("enderToma")],
            FONE,
        ]),
        ElementMapping::of("imp").names(&["imposto"]).places(&[&[ICMS_OF_SERVICES], IMP]),
        ElementMapping::of("infCTeNorm").flat().places(&[NORMAL_SERVICES, NORMAL]),
    ],
    INF,
]);

/// Members of `infCte` in both models.
const INF: &[ElementMapping] = &[
    ElementMapping::of("emit").names(&["emitente"]).also(&["cUF"]).places(&[DOCUMENTS, EMIT]),
    ElementMapping::of("vPrest").names(&["valores", "prestacao"]).places(&[&[
        required_number("vTPrest"),
        required_number("vRec"),
        ElementMapping::of("Comp").names(&["componentes"]).places(&[&[required_number("vComp")]]),
    ]]),
    ElementMapping::of("pgtoVinc")
        .flat()
        .places(&[&[ElementMapping::of("pgto").names(&["pagamentos_vinculados"]).places(&[PGTO])]]),
    ElementMapping::of("infCteComp").names(&["complementado"]).alone_as("chCTe"),
    ElementMapping::of("autXML").names(&["autXML", "autorizados"]).alone_as("CNPJCPF").places(&[DOCUMENTS]),
    // `CSRT` becomes `hashCSRT`
    ElementMapping::of("infRespTec").names(&["responsavel_tecnico"]).also(&[CSRT]).places(&[FONE]),
];

/// CNPJ and CPF under one name.
const DOCUMENTS: &[ElementMapping] = &[
    ElementMapping::of("CNPJ").names(&["CNPJCPF", "cpf_cnpj"]),
    ElementMapping::of("CPF").names(&["CNPJCPF", "cpf_cnpj"]),
];
const FONE: &[ElementMapping] = &[ElementMapping::of("fone").names(&["fone", "Fone", "telefone"])];
const EMIT: &[ElementMapping] = &[address("enderEmit").places(&[FONE])];

/// An address, whose members the contract writes into the party.
const fn address(tag: &'static str) -> ElementMapping {
    ElementMapping::of(tag).names(&["endereco"]).flat()
}

/// A number that has no default of zero: a price, a quantity, a tax.
const fn required_number(tag: &'static str) -> ElementMapping {
    ElementMapping::of(tag).fill(FallbackValue::Required)
}

/// Members of `identificacao` that the service decides; accepted without a notice.
const IDE_IGNORED: &[&str] = &["cCT", "cDV", "tpAmb", "modelo", "UF"];
const IDE: &[ElementMapping] = &[
    ElementMapping::of("mod").names(&["modelo"]),
    ElementMapping::of("nCT").names(&["nCT", "numero", "nNF"]),
    ElementMapping::of("modal").fill(FallbackValue::Literal("01")),
];
const IDE_CARGO: &[ElementMapping] = &[
    ElementMapping::of("tpServ").fill(FallbackValue::Assumed("0")),
    ElementMapping::of("retira").fill(FallbackValue::Assumed("1")),
    ElementMapping::of("toma3").names(&["tomador"]).places(&[&[ElementMapping::of("toma").names(&["indice"])]]),
    ElementMapping::of("toma4").names(&["tomador"]).places(&[
        &[ElementMapping::of("toma").names(&["indice"]).fill(FallbackValue::Literal("4")), address("enderToma")],
        DOCUMENTS,
        FONE,
    ]),
];
const IDE_OS: &[ElementMapping] = &[ElementMapping::of("infPercurso").names(&["percurso"]).alone_as("UFPer")];

/// `toma3` by an index, `toma4` by the data of another party.
static TOMADOR: GroupSelector = GroupSelector {
    asked: "tomador",
    names: &["tomador/indice", "tomador/toma"],
    rows: &[(&[0, 1, 2, 3], "toma3"), (&[4], "toma4")],
    without: &[(&["tomador"], "toma4")],
    exceptions: &[],
};

const COMPL: &[ElementMapping] = &[
    ElementMapping::of("fluxo").places(&[&[ElementMapping::of("pass").alone_as("xPass")]]),
    ElementMapping::of("xObs").names(&["xObs", "observacao", "observacoes"]),
];

const PGTO: &[ElementMapping] = &[ElementMapping::of("nPag").fill(FallbackValue::Position)];

const IMP: &[ElementMapping] = &[
    ElementMapping::of("vTotTrib").zero_is_nothing(),
    ElementMapping::of("ICMSUFFim").names(&["icms_uf_fim"]),
    ElementMapping::of("infTribFed").names(&["federais"]),
    ElementMapping::of("IBSCBS").names(&["ibscbs"]).places(&[IBSCBS]),
];
const IBSCBS: &[ElementMapping] = &[
    ElementMapping::of("CST").names(&["cst"]),
    ElementMapping::of("cClassTrib").names(&["classificacao"]),
    ElementMapping::of("gIBSCBS").flat().places(&[G_IBSCBS]),
    ElementMapping::of("gEstornoCred").names(&["estorno"]).places(&[ESTORNO]),
];

const ICMS_OF_CARGO: ElementMapping =
    ElementMapping::of("ICMS").names(&["icms"]).chosen_by(&ICMS_SELECTOR).places(&[ICMS]);
const ICMS_OF_SERVICES: ElementMapping =
    ElementMapping::of("ICMS").names(&["icms"]).chosen_by(&ICMS_OS_SELECTOR).places(&[ICMS]);

/// MOC CT-e 4.00 anexo I, group `ICMS`: the code selects the group; 90 with the tax of another state is ICMSOutraUF,
/// and with `indSN` ICMSSN.
static ICMS_SELECTOR: GroupSelector = GroupSelector {
    asked: "CST",
    names: &["CST", "cst"],
    rows: &[(&[0], "ICMS00"), (&[20], "ICMS20"), (&[40, 41, 51], "ICMS45"), (&[60], "ICMS60"), (&[90], "ICMS90")],
    without: WITHOUT_CST,
    exceptions: OF_90,
};
/// As [`ICMS_SELECTOR`] without 60, because the tax of a CT-e OS is never withheld.
static ICMS_OS_SELECTOR: GroupSelector = GroupSelector {
    asked: "CST",
    names: &["CST", "cst"],
    rows: &[(&[0], "ICMS00"), (&[20], "ICMS20"), (&[40, 41, 51], "ICMS45"), (&[90], "ICMS90")],
    without: WITHOUT_CST,
    exceptions: OF_90,
};
const WITHOUT_CST: &[(&[&str], &str)] =
    &[(&["indSN"], "ICMSSN"), (&["vICMSPrevisto"], "gICMSPrevistoPagtoAntecip"), (OTHER_STATE, "ICMSOutraUF")];
const OF_90: &[(&[u16], &[&str], &str)] = &[(&[90], OTHER_STATE, "ICMSOutraUF"), (&[90], &["indSN"], "ICMSSN")];
const OTHER_STATE: &[&str] = &["vBCOutraUF", "pICMSOutraUF", "vICMSOutraUF", "pRedBCOutraUF"];

const ICMS: &[ElementMapping] = &[
    ElementMapping::of("ICMS00").flat().places(&[CST, TAX]),
    ElementMapping::of("ICMS20").flat().places(&[CST, TAX]),
    ElementMapping::of("ICMS45").flat().places(&[CST]),
    ElementMapping::of("ICMS60").flat().places(&[CST, TAX]),
    ElementMapping::of("ICMS90").flat().places(&[CST, TAX]),
    ElementMapping::of("ICMSOutraUF").flat().places(&[CST_90, TAX]),
    ElementMapping::of("ICMSSN")
        .flat()
        .places(&[CST_90, &[ElementMapping::of("indSN").fill(FallbackValue::Literal("1"))]]),
    ElementMapping::of("gICMSPrevistoPagtoAntecip").flat().places(&[TAX]),
];
const TAX: &[ElementMapping] = &[
    required_number("pRedBC"),
    required_number("vBC"),
    required_number("pICMS"),
    required_number("vICMS"),
    required_number("vBCSTRet"),
    required_number("vICMSSTRet"),
    required_number("pICMSSTRet"),
    required_number("vBCOutraUF"),
    required_number("pICMSOutraUF"),
    required_number("vICMSOutraUF"),
    required_number("vICMSPrevisto"),
];
const CST: &[ElementMapping] = &[ElementMapping::of("CST").names(&["CST", "cst"])];
const CST_90: &[ElementMapping] =
    &[ElementMapping::of("CST").names(&["CST", "cst"]).fill(FallbackValue::Literal("90"))];

/// Members of `infCTeNorm` in both models.
const NORMAL: &[ElementMapping] = &[
    ElementMapping::of("cobr").names(&["cobranca"]).places(&[&[
        ElementMapping::of("fat").names(&["fat", "fatura"]),
        ElementMapping::of("dup").names(&["dup", "duplicatas"]),
    ]]),
    ElementMapping::of("infCteSub")
        .names(&["substituicao"])
        .places(&[&[ElementMapping::of("chCte").names(&["chCte", "chCTe"])]]),
];

const NORMAL_CARGO: &[ElementMapping] = &[
    ElementMapping::of("infCarga")
        .names(&["carga"])
        .places(&[&[ElementMapping::of("infQ").names(&["quantidades"]).places(&[&[required_number("qCarga")]])]]),
    ElementMapping::of("infDoc").names(&["documentos"]).places(&[&[
        ElementMapping::of("infNF").names(&["nf"]),
        ElementMapping::of("infNFe").names(&["nfe"]).alone_as("chave"),
        ElementMapping::of("infOutros").names(&["outros"]),
        ElementMapping::of("infDCe").names(&["dce"]).alone_as("chave"),
    ]]),
    ElementMapping::of("docAnt").flat().places(&[&[ElementMapping::of("emiDocAnt")
        .names(&["documentos_anteriores"])
        .places(&[
            DOCUMENTS,
            &[ElementMapping::of("idDocAnt").flat().places(&[&[
                ElementMapping::of("idDocAntPap").names(&["papel"]),
                ElementMapping::of("idDocAntEle").names(&["cte"]).alone_as("chCTe"),
            ]])],
        ])]]),
    ElementMapping::of("infModal").flat().places(&[
        MODAL_VERSION,
        &[
            ElementMapping::of("rodo").names(&["rodoviario"]).places(&[RODO]),
            ElementMapping::of("aquav").names(&["aquaviario"]),
            ElementMapping::of("ferrov").names(&["ferroviario"]),
            ElementMapping::of("duto").names(&["dutoviario"]),
        ],
    ]),
    ElementMapping::of("veicNovos").names(&["veiculos_novos"]),
    ElementMapping::of("infGlobalizado").names(&["globalizado"]),
    ElementMapping::of("infServVinc")
        .flat()
        .places(&[&[ElementMapping::of("infCTeMultimodal").names(&["servico_vinculado"]).alone_as("chCTeMultimodal")]]),
];
const MODAL_VERSION: &[ElementMapping] = &[ElementMapping::of("versaoModal").fill(FallbackValue::Literal("4.00"))];
const RODO: &[ElementMapping] = &[
    ElementMapping::of("RNTRC").names(&["rntrc"]),
    ElementMapping::of("occ").places(&[&[ElementMapping::of("emiOcc").places(&[DOCUMENTS, FONE])]]),
];

const NORMAL_SERVICES: &[ElementMapping] = &[
    ElementMapping::of("infServico").names(&["servico"]).places(&[&[ElementMapping::of("infQ")
        .flat()
        .places(&[&[ElementMapping::of("qCarga").names(&["quantidade"])]])]]),
    ElementMapping::of("infDocRef").names(&["documentos_referenciados"]),
    ElementMapping::of("seg").names(&["seguros"]),
    ElementMapping::of("infModal")
        .flat()
        .places(&[MODAL_VERSION, &[ElementMapping::of("rodoOS").names(&["rodoviario"]).places(&[PERMIT, RODO_OS])]]),
    ElementMapping::of("refCTeCanc").names(&["cancelado_referenciado"]),
    ElementMapping::of("infGTVe").names(&["gtve"]).alone_as("chCTe"),
];
/// Permit to carry passengers: the Union's or a state's.
const PERMIT: &[ElementMapping] =
    &[ElementMapping::of("TAF").names(&["taf"]), ElementMapping::of("NroRegEstadual").names(&["nro_reg_estadual"])];
const RODO_OS: &[ElementMapping] = &[
    ElementMapping::of("veic")
        .names(&["veiculo"])
        .places(&[&[ElementMapping::of("prop").names(&["proprietario"]).places(&[DOCUMENTS, PERMIT])]]),
    ElementMapping::of("infFretamento").names(&["fretamento"]),
];
