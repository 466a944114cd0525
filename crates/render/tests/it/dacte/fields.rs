//! Every field of the official blocks is on the form of every golden document, portrait and landscape. The fields are
//! listed here by block.

use super::{drawn, lying, said, squeezed, standing};
use crate::documents::transports;
use crate::shown::{Shown, code, plain};
use render::form::value::{amount, cep, date, key, moment, nine, phone, quantity, rate, taxpayer};
use render::form::{Dfe, StoredElement};

type Fields = &'static [(&'static str, Shown)];

fn kind(tpCTe: &str) -> String {
    code(tpCTe, &["Normal", "Complemento de Valores", "", "Substituto"])
}

fn service(tpServ: &str) -> String {
    let names = [
        "Normal",
        "Subcontratação",
        "Redespacho",
        "Redespacho Intermediário",
        "Serviço Vinculado a Multimodal",
        "",
        "Transporte de Pessoas",
        "Transporte de Valores",
        "Excesso de Bagagem",
    ];
    code(tpServ, &names)
}

fn payer(toma: &str) -> String {
    code(toma, &["Remetente", "Expedidor", "Recebedor", "Destinatário", "Outros"])
}

fn count(text: &str) -> String {
    quantity(text, 0)
}

fn effective(text: &str) -> String {
    format!("({})", rate(text))
}

fn charter(tpFretamento: &str) -> String {
    code(tpFretamento, &["", "Eventual", "Contínuo"])
}

fn liable(respSeg: &str) -> String {
    (if respSeg == "4" { "4 - Emitente do CT-e" } else { "5 - Tomador de Serviço" }).to_owned()
}

/// Fields of the head and of blocks that occur once.
const BLOCKS: Fields = &[
    ("ide/mod", plain),
    ("ide/nCT", nine),
    ("ide/dhEmi", moment),
    ("ide/CFOP", plain),
    ("ide/natOp", plain),
    ("ide/tpCTe", kind),
    ("ide/tpServ", service),
    ("ide/toma3/toma", payer),
    ("ide/toma4/toma", payer),
    ("ide/UFIni", plain),
    ("ide/xMunIni", plain),
    ("ide/UFFim", plain),
    ("ide/cMunFim", plain),
    ("ide/xMunFim", plain),
    ("ide/dhCont", moment),
    ("ide/xJust", plain),
    ("emit/xNome", plain),
    ("emit/CNPJ", taxpayer),
    ("emit/CPF", taxpayer),
    ("emit/IE", plain),
    ("emit/enderEmit/xLgr", plain),
    ("emit/enderEmit/nro", plain),
    ("emit/enderEmit/xCpl", plain),
    ("emit/enderEmit/xBairro", plain),
    ("emit/enderEmit/xMun", plain),
    ("emit/enderEmit/UF", plain),
    ("emit/enderEmit/CEP", cep),
    ("emit/enderEmit/fone", phone),
    ("dest/ISUF", plain),
    ("infCTeNorm/infGlobalizado/xObs", plain),
    ("infCTeNorm/infCarga/proPred", plain),
    ("infCTeNorm/infCarga/xOutCat", plain),
    ("infCTeNorm/infCarga/vCarga", amount),
    ("vPrest/vTPrest", amount),
    ("vPrest/vRec", amount),
    ("imp/IBSCBS/CST", plain),
    ("imp/IBSCBS/cClassTrib", plain),
    ("imp/IBSCBS/gIBSCBS/vBC", amount),
    ("imp/IBSCBS/gIBSCBS/gIBSUF/vIBSUF", amount),
    ("imp/IBSCBS/gIBSCBS/gIBSUF/gRed/pAliqEfet", effective),
    ("imp/IBSCBS/gIBSCBS/gIBSMun/vIBSMun", amount),
    ("imp/IBSCBS/gIBSCBS/gIBSMun/gRed/pAliqEfet", effective),
    ("imp/IBSCBS/gIBSCBS/gCBS/vCBS", amount),
    ("imp/IBSCBS/gIBSCBS/gCBS/gRed/pAliqEfet", effective),
    ("imp/vTotDFe", amount),
    ("imp/vTotTrib", amount),
    ("imp/infAdFisco", plain),
    ("imp/infTribFed/vPIS", amount),
    ("imp/infTribFed/vCOFINS", amount),
    ("imp/infTribFed/vIR", amount),
    ("imp/infTribFed/vINSS", amount),
    ("imp/infTribFed/vCSLL", amount),
    ("imp/ICMSUFFim/vICMSUFFim", amount),
    ("imp/ICMSUFFim/vFCPUFFim", amount),
    ("compl/fluxo/xOrig", plain),
    ("compl/fluxo/xDest", plain),
    ("compl/fluxo/xRota", plain),
    ("compl/xObs", plain),
    ("compl/xCaracAd", plain),
    ("compl/xCaracSer", plain),
    ("compl/Entrega/comData/dProg", date),
    ("compl/Entrega/noInter/hIni", plain),
    ("infCTeNorm/infCteSub/chCte", key),
    ("infCTeNorm/refCTeCanc", key),
    ("infCTeNorm/infServico/xDescServ", plain),
    ("infCTeNorm/infServico/infQ/qCarga", count),
    ("infCTeNorm/infModal/rodo/RNTRC", plain),
    ("infCTeNorm/infModal/rodoOS/TAF", plain),
    ("infCTeNorm/infModal/rodoOS/NroRegEstadual", plain),
    ("infCTeNorm/infModal/rodoOS/veic/placa", plain),
    ("infCTeNorm/infModal/rodoOS/veic/RENAVAM", plain),
    ("infCTeNorm/infModal/rodoOS/veic/UF", plain),
    ("infCTeNorm/infModal/rodoOS/veic/prop/xNome", plain),
    ("infCTeNorm/infModal/rodoOS/veic/prop/CNPJ", taxpayer),
    ("infCTeNorm/infModal/rodoOS/veic/prop/CPF", taxpayer),
    ("infCTeNorm/infModal/rodoOS/veic/prop/TAF", plain),
    ("infCTeNorm/infModal/rodoOS/infFretamento/tpFretamento", charter),
    ("infCTeNorm/infModal/rodoOS/infFretamento/dhViagem", moment),
];

/// Parties, and the groups of their addresses.
const PARTIES: &[(&str, &str)] = &[
    ("rem", "enderReme"),
    ("dest", "enderDest"),
    ("exped", "enderExped"),
    ("receb", "enderReceb"),
    ("ide/toma4", "enderToma"),
    ("toma", "enderToma"),
];
const PARTY: Fields = &[("xNome", plain), ("CNPJ", taxpayer), ("CPF", taxpayer), ("IE", plain), ("fone", phone)];
const ADDRESS: Fields = &[
    ("xLgr", plain),
    ("nro", plain),
    ("xCpl", plain),
    ("xBairro", plain),
    ("xMun", plain),
    ("UF", plain),
    ("CEP", cep),
    ("xPais", plain),
];

/// Groups that may repeat, and the fields shown of each.
const MANY: &[(&str, &str, Fields)] = &[
    ("vPrest", "Comp", &[("xNome", plain), ("vComp", amount)]),
    ("infCTeNorm/infDoc", "infNFe", &[("chave", key)]),
    ("infCTeNorm/infDoc", "infDCe", &[("chave", key)]),
    ("infCTeNorm/infDoc", "infNF", &[("serie", plain), ("nDoc", plain)]),
    ("infCTeNorm/infDoc", "infOutros", &[("nDoc", plain), ("descOutros", plain)]),
    ("infCTeNorm/docAnt", "emiDocAnt", &[("xNome", plain), ("CNPJ", taxpayer), ("IE", plain)]),
    ("infCTeNorm/docAnt/emiDocAnt", "idDocAnt", &[("idDocAntEle/chCTe", key), ("idDocAntPap/nDoc", plain)]),
    ("infCTeNorm/infServVinc", "infCTeMultimodal", &[("chCTeMultimodal", key)]),
    ("", "infCteComp", &[("chCTe", key)]),
    (
        "infCTeNorm",
        "veicNovos",
        &[("chassi", plain), ("cCor", plain), ("xCor", plain), ("cMod", plain), ("vUnit", amount), ("vFrete", amount)],
    ),
    (
        "infCTeNorm",
        "infDocRef",
        &[("nDoc", plain), ("serie", plain), ("subserie", plain), ("dEmi", date), ("vDoc", amount), ("chBPe", key)],
    ),
    ("infCTeNorm", "infGTVe", &[("chCTe", key)]),
    ("infCTeNorm", "seg", &[("respSeg", liable), ("xSeg", plain), ("nApol", plain)]),
    ("infCTeNorm/infModal/rodo", "occ", &[("nOcc", plain), ("dEmi", date), ("emiOcc/CNPJ", taxpayer)]),
    ("compl/fluxo", "pass", &[("xPass", plain)]),
    ("compl", "ObsCont", &[("xTexto", plain)]),
    ("compl", "ObsFisco", &[("xTexto", plain)]),
    ("ide", "infPercurso", &[("UFPer", plain)]),
];

const ICMS: Fields = &[
    ("vBC", amount),
    ("pICMS", rate),
    ("vICMS", amount),
    ("pRedBC", rate),
    ("vBCSTRet", amount),
    ("pICMSSTRet", rate),
    ("vICMSSTRet", amount),
    ("vCred", amount),
    ("vBCOutraUF", amount),
    ("pICMSOutraUF", rate),
    ("vICMSOutraUF", amount),
    ("pRedBCOutraUF", rate),
    ("vICMSDeson", amount),
    ("vICMSPrevisto", amount),
];

/// Text of each group's situation.
const SITUATIONS: &[(&str, &str)] = &[
    ("00", "Tributação normal do ICMS"),
    ("20", "Tributação com BC reduzida do ICMS"),
    ("40", "ICMS isento"),
    ("41", "ICMS não tributado"),
    ("51", "ICMS diferido"),
    ("60", "ICMS cobrado por substituição tributária"),
];

fn told(within: StoredElement<'_>, fields: Fields, all: &mut Vec<(String, String)>) {
    for (path, shown) in fields {
        if let Some(text) = within.text_at(path).filter(|text| !text.is_empty()) {
            all.push((format!("{}/{path}", within.name()), shown(text)));
        }
    }
}

fn fields(cte: Dfe<'_>) -> Vec<(String, String)> {
    let mut all = vec![("chave".to_owned(), key(cte.chave()))];
    for (path, shown) in BLOCKS.iter().filter(|(path, _)| !cte.text(path).is_empty()) {
        all.push(((*path).to_owned(), shown(cte.text(path))));
    }
    for (party, address) in PARTIES {
        let Some(group) = cte.group(party) else { continue };
        told(group, PARTY, &mut all);
        told(group.child(address).unwrap(), ADDRESS, &mut all);
    }
    for (group, name, fields) in MANY {
        cte.all(group, name).for_each(|each| told(each, fields, &mut all));
    }
    for infQ in cte.all("infCTeNorm/infCarga", "infQ") {
        let (unit, amount) = (infQ.text_at("cUnid").unwrap(), infQ.text_at("qCarga").unwrap());
        let kilograms = amount.replace(".0000", "000");
        all.push(("qCarga".to_owned(), quantity(if unit == "02" { &kilograms } else { amount }, 3)));
    }
    if let Some(icms) = cte.group("imp/ICMS").and_then(|group| group.children().next()) {
        told(icms, ICMS, &mut all);
        let cst = icms.text_at("CST").unwrap_or_default();
        let words = match (icms.name(), SITUATIONS.iter().find(|(code, _)| *code == cst)) {
            ("ICMSSN", _) => "Simples Nacional",
            ("gICMSPrevistoPagtoAntecip", _) => "ICMS previsto no pagamento antecipado",
            ("ICMSOutraUF", _) => "ICMS devido à UF de início da prestação",
            (_, Some((_, words))) => words,
            _ => "ICMS outros",
        };
        all.push(("CST".to_owned(), words.to_owned()));
    }
    all
}

#[test]
fn every_field_of_the_official_blocks_is_shown() {
    let mut shown = 0;
    for (name, xml) in transports() {
        for options in [standing(), lying()] {
            drawn(&xml, &options, |cte, sheets| {
                let all = said(sheets);
                for (path, text) in fields(cte) {
                    let told = squeezed(&text);
                    assert!(all.contains(&told), "{name} {:?}: {path} {text:?} is not in {all}", options.landscape);
                    shown += 1;
                }
            });
        }
    }
    assert!(shown > 5_000, "{shown}");
}

/// Fields of other modals' layouts, on a document of cargo.
#[test]
fn fields_of_other_modals_are_shown() {
    let modals = [
        (
            "02",
            "<aereo><nMinu>123456789</nMinu><nOCA>12345678901</nOCA><dPrevAereo>2026-11-25</dPrevAereo><natCarga><xDime>0100X0050X0020</xDime>\
             <cInfManu>01</cInfManu><cInfManu>07</cInfManu></natCarga><tarifa><CL>M</CL><cTar>TX9</cTar><vTar>77.10</vTar></tarifa><peri>\
             <nONU>1203</nONU><qTotEmb>4</qTotEmb><infTotAP><qTotProd>12.5</qTotProd><uniAP>3</uniAP></infTotAP></peri></aereo>",
            "Aéreo|123456789|12345678901|25/11/2026|0100X0050X0020|01, 07|TX9|77,10|ONU 1203",
        ),
        (
            "03",
            "<aquav><vPrest>900.00</vPrest><vAFRMM>72.00</vAFRMM><xNavio>NAVIO AURORA</xNavio><balsa><xBalsa>BALSA UM</xBalsa></balsa>\
             <nViag>42</nViag><direc>N</direc><irin>IRIN77</irin><detCont><nCont>CONT4711</nCont><lacre><nLacre>LACRE9</nLacre></lacre></detCont></aquav>",
            "Aquaviário|900,00|72,00|NAVIO AURORA|BALSA UM|42|IRIN77|CONT4711|LACRE9",
        ),
        (
            "04",
            "<ferrov><tpTraf>1</tpTraf><trafMut><respFat>2</respFat><ferrEmi>1</ferrEmi><vFrete>55.30</vFrete><ferroEnv><CNPJ>11222333000181</CNPJ>\
             <xNome>FERROVIA SUL</xNome></ferroEnv></trafMut><fluxo>FLUXO 7</fluxo></ferrov>",
            "Ferroviário|Mútuo|Ferrovia de destino|Ferrovia de origem|55,30|FERROVIA SUL|FLUXO 7",
        ),
        (
            "05",
            "<duto><vTar>1.500000</vTar><dIni>2026-11-01</dIni><dFim>2026-11-30</dFim><codPontoEntrada>PE1</codPontoEntrada><nContrato>C9</nContrato></duto>",
            "Dutoviário|1.500000|01/11/2026|30/11/2026|PE1|C9",
        ),
        (
            "06",
            "<multimodal><COTM>OTM123</COTM><indNegociavel>1</indNegociavel><seg><infSeg><xSeg>SEGURADORA Y</xSeg><CNPJ>11222333000181</CNPJ></infSeg>\
             <nApol>AP77</nApol><nAver>AV88</nAver></seg></multimodal>",
            "Multimodal|OTM123|Sim|SEGURADORA Y|11.222.333/0001-81|AP77|AV88",
        ),
    ];
    let xml = super::case("exemplo_interestadual");
    let (before, after) = xml.split_once("<rodo>").unwrap();
    let (_, after) = after.split_once("</rodo>").unwrap();
    for (code, modal, words) in modals {
        let xml = crate::documents::replaced(&format!("{before}{modal}{after}"), "modal", code);
        for options in [standing(), lying()] {
            drawn(&xml, &options, |_, sheets| {
                crate::geometry::judged(code, sheets);
                let all = said(sheets);
                for word in words.split('|') {
                    assert!(all.contains(&squeezed(word)), "{code}: {word} is not in {all}");
                }
            });
        }
    }
}
