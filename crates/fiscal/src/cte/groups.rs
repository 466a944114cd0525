//! The contract's names for the official elements of the CT-e and CT-e OS: one map per model, of shared tables.
//!
//! Law: `docs/contract.md`, "CT-e" for the groups; MOC CT-e 4.00 anexo I for their content. An element without an entry
//! is accepted under its official tag, so a payload can hold everything the layout allows.

use crate::map::{Fill, Place, Selector};
use crate::nota::CSRT;
use crate::nota::reform::{ESTORNO, G_IBSCBS};

/// The map of model 57, from `infCte` down.
pub(super) static INF_CTE: Place = Place::of("infCte").places(&[
    &[
        Place::of("ide").names(&["identificacao"]).also(IDE_KNOWN).chosen_by(&TOMADOR).places(&[IDE, IDE_CARGO]),
        Place::of("compl").names(&["complemento"]).places(&[COMPL]),
        Place::of("rem").names(&["remetente"]).places(&[DOCUMENTS, &[address("enderReme")], FONE]),
        Place::of("exped").names(&["expedidor"]).places(&[DOCUMENTS, &[address("enderExped")], FONE]),
        Place::of("receb").names(&["recebedor"]).places(&[DOCUMENTS, &[address("enderReceb")], FONE]),
        Place::of("dest").names(&["destinatario"]).places(&[DOCUMENTS, &[address("enderDest")], FONE]),
        Place::of("imp").names(&["imposto"]).places(&[&[ICMS_OF_CARGO], IMP]),
        Place::of("infCTeNorm").flat().places(&[NORMAL_CARGO, NORMAL]),
    ],
    INF,
]);

/// The map of model 67, from `infCte` down.
pub(super) static INF_CTE_OS: Place = Place::of("infCte").places(&[
    &[
        Place::of("ide").names(&["identificacao"]).also(IDE_KNOWN).places(&[IDE, IDE_OS]),
        Place::of("compl").names(&["complemento"]).places(&[COMPL]),
        Place::of("toma").names(&["tomador"]).also(&["indice"]).places(&[DOCUMENTS, &[address("enderToma")], FONE]),
        Place::of("imp").names(&["imposto"]).places(&[&[ICMS_OF_SERVICES], IMP]),
        Place::of("infCTeNorm").flat().places(&[NORMAL_SERVICES, NORMAL]),
    ],
    INF,
]);

/// Members of `infCte` in both models.
const INF: &[Place] = &[
    Place::of("emit").names(&["emitente"]).also(&["cUF"]).places(&[DOCUMENTS, EMIT]),
    Place::of("vPrest").names(&["valores", "prestacao"]).places(&[&[
        needed("vTPrest"),
        needed("vRec"),
        Place::of("Comp").names(&["componentes"]).places(&[&[needed("vComp")]]),
    ]]),
    Place::of("pgtoVinc").flat().places(&[&[Place::of("pgto").names(&["pagamentos_vinculados"]).places(&[PGTO])]]),
    Place::of("infCteComp").names(&["complementado"]).alone_as("chCTe"),
    Place::of("autXML").names(&["autXML", "autorizados"]).alone_as("CNPJCPF").places(&[DOCUMENTS]),
    // `CSRT` becomes `hashCSRT`
    Place::of("infRespTec").names(&["responsavel_tecnico"]).also(&[CSRT]).places(&[FONE]),
];

/// CNPJ and CPF under one name.
const DOCUMENTS: &[Place] =
    &[Place::of("CNPJ").names(&["CNPJCPF", "cpf_cnpj"]), Place::of("CPF").names(&["CNPJCPF", "cpf_cnpj"])];
const FONE: &[Place] = &[Place::of("fone").names(&["fone", "Fone", "telefone"])];
const EMIT: &[Place] = &[address("enderEmit").places(&[FONE])];

/// An address, whose members the contract writes into the party.
const fn address(tag: &'static str) -> Place {
    Place::of(tag).names(&["endereco"]).flat()
}

/// A number that has no default of zero: a price, a quantity, a tax.
const fn needed(tag: &'static str) -> Place {
    Place::of(tag).fill(Fill::Required)
}

/// Members of `identificacao` that the service decides; accepted without a notice.
const IDE_KNOWN: &[&str] = &["cCT", "cDV", "tpAmb", "modelo", "UF"];
const IDE: &[Place] = &[
    Place::of("mod").names(&["modelo"]),
    Place::of("nCT").names(&["nCT", "numero", "nNF"]),
    Place::of("modal").fill(Fill::Literal("01")),
];
const IDE_CARGO: &[Place] = &[
    Place::of("tpServ").fill(Fill::Assumed("0")),
    Place::of("retira").fill(Fill::Assumed("1")),
    Place::of("toma3").names(&["tomador"]).places(&[&[Place::of("toma").names(&["indice"])]]),
    Place::of("toma4").names(&["tomador"]).places(&[
        &[Place::of("toma").names(&["indice"]).fill(Fill::Literal("4")), address("enderToma")],
        DOCUMENTS,
        FONE,
    ]),
];
const IDE_OS: &[Place] = &[Place::of("infPercurso").names(&["percurso"]).alone_as("UFPer")];

/// `toma3` by an index, `toma4` by the data of another party.
static TOMADOR: Selector = Selector {
    asked: "tomador",
    names: &["tomador/indice", "tomador/toma"],
    rows: &[(&[0, 1, 2, 3], "toma3"), (&[4], "toma4")],
    without: &[(&["tomador"], "toma4")],
    exceptions: &[],
};

const COMPL: &[Place] = &[
    Place::of("fluxo").places(&[&[Place::of("pass").alone_as("xPass")]]),
    Place::of("xObs").names(&["xObs", "observacao", "observacoes"]),
];

const PGTO: &[Place] = &[Place::of("nPag").fill(Fill::Position)];

const IMP: &[Place] = &[
    Place::of("vTotTrib").zero_is_nothing(),
    Place::of("ICMSUFFim").names(&["icms_uf_fim"]),
    Place::of("infTribFed").names(&["federais"]),
    Place::of("IBSCBS").names(&["ibscbs"]).places(&[IBSCBS]),
];
const IBSCBS: &[Place] = &[
    Place::of("CST").names(&["cst"]),
    Place::of("cClassTrib").names(&["classificacao"]),
    Place::of("gIBSCBS").flat().places(&[G_IBSCBS]),
    Place::of("gEstornoCred").names(&["estorno"]).places(&[ESTORNO]),
];

const ICMS_OF_CARGO: Place = Place::of("ICMS").names(&["icms"]).chosen_by(&ICMS_SELECTOR).places(&[ICMS]);
const ICMS_OF_SERVICES: Place = Place::of("ICMS").names(&["icms"]).chosen_by(&ICMS_OS_SELECTOR).places(&[ICMS]);

/// MOC CT-e 4.00 anexo I, group `ICMS`: the code selects the group; 90 with the tax of another state is ICMSOutraUF,
/// and with `indSN` ICMSSN.
static ICMS_SELECTOR: Selector = Selector {
    asked: "CST",
    names: &["CST", "cst"],
    rows: &[(&[0], "ICMS00"), (&[20], "ICMS20"), (&[40, 41, 51], "ICMS45"), (&[60], "ICMS60"), (&[90], "ICMS90")],
    without: WITHOUT_CST,
    exceptions: OF_90,
};
/// As [`ICMS_SELECTOR`] without 60, because the tax of a CT-e OS is never withheld.
static ICMS_OS_SELECTOR: Selector = Selector {
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

const ICMS: &[Place] = &[
    Place::of("ICMS00").flat().places(&[CST, TAX]),
    Place::of("ICMS20").flat().places(&[CST, TAX]),
    Place::of("ICMS45").flat().places(&[CST]),
    Place::of("ICMS60").flat().places(&[CST, TAX]),
    Place::of("ICMS90").flat().places(&[CST, TAX]),
    Place::of("ICMSOutraUF").flat().places(&[CST_90, TAX]),
    Place::of("ICMSSN").flat().places(&[CST_90, &[Place::of("indSN").fill(Fill::Literal("1"))]]),
    Place::of("gICMSPrevistoPagtoAntecip").flat().places(&[TAX]),
];
const TAX: &[Place] = &[
    needed("pRedBC"),
    needed("vBC"),
    needed("pICMS"),
    needed("vICMS"),
    needed("vBCSTRet"),
    needed("vICMSSTRet"),
    needed("pICMSSTRet"),
    needed("vBCOutraUF"),
    needed("pICMSOutraUF"),
    needed("vICMSOutraUF"),
    needed("vICMSPrevisto"),
];
const CST: &[Place] = &[Place::of("CST").names(&["CST", "cst"])];
const CST_90: &[Place] = &[Place::of("CST").names(&["CST", "cst"]).fill(Fill::Literal("90"))];

/// Members of `infCTeNorm` in both models.
const NORMAL: &[Place] = &[
    Place::of("cobr")
        .names(&["cobranca"])
        .places(&[&[Place::of("fat").names(&["fat", "fatura"]), Place::of("dup").names(&["dup", "duplicatas"])]]),
    Place::of("infCteSub").names(&["substituicao"]).places(&[&[Place::of("chCte").names(&["chCte", "chCTe"])]]),
];

const NORMAL_CARGO: &[Place] = &[
    Place::of("infCarga")
        .names(&["carga"])
        .places(&[&[Place::of("infQ").names(&["quantidades"]).places(&[&[needed("qCarga")]])]]),
    Place::of("infDoc").names(&["documentos"]).places(&[&[
        Place::of("infNF").names(&["nf"]),
        Place::of("infNFe").names(&["nfe"]).alone_as("chave"),
        Place::of("infOutros").names(&["outros"]),
        Place::of("infDCe").names(&["dce"]).alone_as("chave"),
    ]]),
    Place::of("docAnt").flat().places(&[&[Place::of("emiDocAnt").names(&["documentos_anteriores"]).places(&[
        DOCUMENTS,
        &[Place::of("idDocAnt").flat().places(&[&[
            Place::of("idDocAntPap").names(&["papel"]),
            Place::of("idDocAntEle").names(&["cte"]).alone_as("chCTe"),
        ]])],
    ])]]),
    Place::of("infModal").flat().places(&[
        MODAL_VERSION,
        &[
            Place::of("rodo").names(&["rodoviario"]).places(&[RODO]),
            Place::of("aquav").names(&["aquaviario"]),
            Place::of("ferrov").names(&["ferroviario"]),
            Place::of("duto").names(&["dutoviario"]),
        ],
    ]),
    Place::of("veicNovos").names(&["veiculos_novos"]),
    Place::of("infGlobalizado").names(&["globalizado"]),
    Place::of("infServVinc")
        .flat()
        .places(&[&[Place::of("infCTeMultimodal").names(&["servico_vinculado"]).alone_as("chCTeMultimodal")]]),
];
const MODAL_VERSION: &[Place] = &[Place::of("versaoModal").fill(Fill::Literal("4.00"))];
const RODO: &[Place] = &[
    Place::of("RNTRC").names(&["rntrc"]),
    Place::of("occ").places(&[&[Place::of("emiOcc").places(&[DOCUMENTS, FONE])]]),
];

const NORMAL_SERVICES: &[Place] = &[
    Place::of("infServico")
        .names(&["servico"])
        .places(&[&[Place::of("infQ").flat().places(&[&[Place::of("qCarga").names(&["quantidade"])]])]]),
    Place::of("infDocRef").names(&["documentos_referenciados"]),
    Place::of("seg").names(&["seguros"]),
    Place::of("infModal")
        .flat()
        .places(&[MODAL_VERSION, &[Place::of("rodoOS").names(&["rodoviario"]).places(&[PERMIT, RODO_OS])]]),
    Place::of("refCTeCanc").names(&["cancelado_referenciado"]),
    Place::of("infGTVe").names(&["gtve"]).alone_as("chCTe"),
];
/// Permit to carry passengers: the Union's or a state's.
const PERMIT: &[Place] = &[Place::of("TAF").names(&["taf"]), Place::of("NroRegEstadual").names(&["nro_reg_estadual"])];
const RODO_OS: &[Place] = &[
    Place::of("veic")
        .names(&["veiculo"])
        .places(&[&[Place::of("prop").names(&["proprietario"]).places(&[DOCUMENTS, PERMIT])]]),
    Place::of("infFretamento").names(&["fretamento"]),
];
