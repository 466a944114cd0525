//! Every field of the official blocks is on the form of every golden document. The fields are listed here by block,
//! after MOC 7.0 (Anexo II, 3.1 and 3.8) and NT 2026.010 (4.1 to 4.4).

use crate::documents::{answered, case, golden, replaced, within};
use render::form::nfe::danfe;
use render::form::value::{amount, cep, date, key, moment, nine, phone, quantity, rate, taxpayer, time};
use render::form::{DanfeLayout, Dfe, ParsedDocument, PrintOptions, StoredElement};

type Shown = fn(&str) -> String;
type Fields = &'static [(&'static str, Shown)];

fn plain(text: &str) -> String {
    text.to_owned()
}

fn weight(text: &str) -> String {
    quantity(text, 3)
}

fn price(text: &str) -> String {
    quantity(text, 2)
}

fn count(text: &str) -> String {
    quantity(text, 0)
}

fn class_code(text: &str) -> String {
    format!("[cClassTrib {text}]")
}

/// Blocks of both layouts.
const BLOCKS: &[(&str, Shown)] = &[
    ("ide/natOp", plain),
    ("ide/tpNF", plain),
    ("ide/nNF", nine),
    ("emit/xNome", plain),
    ("emit/CNPJ", taxpayer),
    ("emit/CPF", taxpayer),
    ("emit/IE", plain),
    ("emit/IEST", plain),
    ("emit/enderEmit/xLgr", plain),
    ("emit/enderEmit/nro", plain),
    ("emit/enderEmit/xCpl", plain),
    ("emit/enderEmit/xBairro", plain),
    ("emit/enderEmit/xMun", plain),
    ("emit/enderEmit/UF", plain),
    ("emit/enderEmit/CEP", cep),
    ("emit/enderEmit/fone", phone),
    ("dest/xNome", plain),
    ("dest/CNPJ", taxpayer),
    ("dest/CPF", taxpayer),
    ("dest/idEstrangeiro", plain),
    ("dest/IE", plain),
    ("dest/enderDest/xLgr", plain),
    ("dest/enderDest/nro", plain),
    ("dest/enderDest/xCpl", plain),
    ("dest/enderDest/xBairro", plain),
    ("dest/enderDest/xMun", plain),
    ("dest/enderDest/UF", plain),
    ("dest/enderDest/CEP", cep),
    ("dest/enderDest/fone", phone),
    ("ide/dhEmi", date),
    ("ide/dhSaiEnt", date),
    ("ide/dhSaiEnt", time),
    ("retirada/xNome", plain),
    ("retirada/CNPJ", taxpayer),
    ("retirada/CPF", taxpayer),
    ("retirada/xLgr", plain),
    ("retirada/nro", plain),
    ("retirada/xBairro", plain),
    ("retirada/xMun", plain),
    ("retirada/UF", plain),
    ("retirada/CEP", cep),
    ("retirada/fone", phone),
    ("retirada/IE", plain),
    ("entrega/xNome", plain),
    ("entrega/CNPJ", taxpayer),
    ("entrega/CPF", taxpayer),
    ("entrega/xLgr", plain),
    ("entrega/nro", plain),
    ("entrega/xBairro", plain),
    ("entrega/xMun", plain),
    ("entrega/UF", plain),
    ("entrega/CEP", cep),
    ("entrega/fone", phone),
    ("entrega/IE", plain),
    ("cobr/fat/nFat", plain),
    ("cobr/fat/vOrig", amount),
    ("cobr/fat/vDesc", amount),
    ("cobr/fat/vLiq", amount),
    ("total/ICMSTot/vBC", amount),
    ("total/ICMSTot/vICMS", amount),
    ("total/ICMSTot/vBCST", amount),
    ("total/ICMSTot/vST", amount),
    ("total/ICMSTot/vProd", amount),
    ("total/ICMSTot/vFrete", amount),
    ("total/ICMSTot/vSeg", amount),
    ("total/ICMSTot/vDesc", amount),
    ("total/ICMSTot/vII", amount),
    ("total/ICMSTot/vIPI", amount),
    ("total/ICMSTot/vPIS", amount),
    ("total/ICMSTot/vCOFINS", amount),
    ("total/ICMSTot/vOutro", amount),
    ("total/ICMSTot/vNF", amount),
    ("total/ICMSTot/vTotTrib", amount),
    ("total/ICMSTot/vFCP", amount),
    ("total/ICMSTot/vFCPST", amount),
    ("total/ICMSTot/vICMSUFDest", amount),
    ("total/ICMSTot/vFCPUFDest", amount),
    ("total/ISSQNtot/vServ", amount),
    ("total/ISSQNtot/vBC", amount),
    ("total/ISSQNtot/vISS", amount),
    ("total/IBSCBSTot/gCBS/vCBS", amount),
    ("total/IBSCBSTot/gIBS/gIBSUF/vIBSUF", amount),
    ("total/IBSCBSTot/gIBS/gIBSMun/vIBSMun", amount),
    ("total/ISTot/vIS", amount),
    ("transp/modFrete", plain),
    ("transp/transporta/xNome", plain),
    ("transp/transporta/CNPJ", taxpayer),
    ("transp/transporta/CPF", taxpayer),
    ("transp/transporta/IE", plain),
    ("transp/transporta/xEnder", plain),
    ("transp/transporta/xMun", plain),
    ("transp/transporta/UF", plain),
    ("transp/veicTransp/placa", plain),
    ("transp/veicTransp/UF", plain),
    ("transp/veicTransp/RNTC", plain),
    ("infAdic/infCpl", plain),
    ("infAdic/infAdFisco", plain),
];

/// Blocks of NT 2026.010 only.
const REFORM_BLOCKS: &[(&str, Shown)] = &[
    ("emit/CRT", plain),
    ("total/ICMSTot/qBCMono", amount),
    ("total/ICMSTot/vICMSMono", amount),
    ("total/ICMSTot/qBCMonoReten", amount),
    ("total/ICMSTot/vICMSMonoReten", amount),
    ("total/IBSCBSTot/gMono/vIBSMono", amount),
    ("total/IBSCBSTot/gMono/vCBSMono", amount),
    ("total/IBSCBSTot/gMono/vIBSMonoReten", amount),
    ("total/IBSCBSTot/gMono/vCBSMonoReten", amount),
];

/// Groups that may repeat, and the fields shown of each.
const MANY: &[(&str, &str, Fields)] = &[
    ("cobr", "dup", &[("nDup", plain), ("dVenc", date), ("vDup", amount)]),
    (
        "transp",
        "vol",
        &[("qVol", plain), ("esp", plain), ("marca", plain), ("nVol", plain), ("pesoB", weight), ("pesoL", weight)],
    ),
    ("infAdic", "obsCont", &[("xTexto", plain)]),
    ("infAdic", "obsFisco", &[("xTexto", plain)]),
    ("ide", "NFref", &[("refNFe", plain), ("refNFeSig", plain), ("refCTe", plain)]),
];

const ITEM: &[(&str, Shown)] = &[
    ("prod/cProd", plain),
    ("prod/xProd", plain),
    ("prod/NCM", plain),
    ("prod/CFOP", plain),
    ("prod/uCom", plain),
    ("prod/qCom", count),
    ("prod/vUnCom", price),
    ("prod/vProd", amount),
    ("prod/vDesc", amount),
    ("infAdProd", plain),
    ("imposto/IPI/IPITrib/vIPI", amount),
    ("prod/rastro/nLote", plain),
    ("prod/rastro/qLote", count),
    ("prod/nFCI", plain),
    ("prod/DI/nDI", plain),
];

const ICMS: &[(&str, Shown)] =
    &[("vBC", amount), ("vICMS", amount), ("pICMS", price), ("vFCP", positive), ("vFCPST", positive)];

const REFORM_ITEM: &[(&str, Shown)] = &[
    ("imposto/IBSCBS/cClassTrib", class_code),
    ("imposto/IBSCBS/gIBSCBS/vBC", amount),
    ("imposto/IBSCBS/gIBSCBS/gIBSUF/vIBSUF", amount),
    ("imposto/IBSCBS/gIBSCBS/gIBSMun/vIBSMun", amount),
    ("imposto/IBSCBS/gIBSCBS/gCBS/vCBS", amount),
    ("imposto/IS/vBCIS", amount),
    ("imposto/IS/vIS", amount),
    ("imposto/IS/pIS", rate),
];

/// An amount that is shown only when it is positive.
fn positive(text: &str) -> String {
    if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { amount(text) } else { String::new() }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn told(within: StoredElement<'_>, fields: &[(&str, Shown)], all: &mut Vec<(String, String)>) {
    for (path, shown) in fields {
        if let Some(text) = within.text_at(path) {
            all.push(((*path).to_owned(), shown(text)));
        }
    }
}

fn fields(note: Dfe<'_>, layout: DanfeLayout) -> Vec<(String, String)> {
    let reform = layout == DanfeLayout::Reform;
    let mut all = vec![("chave".to_owned(), key(note.chave()))];
    let blocks = BLOCKS.iter().chain(REFORM_BLOCKS.iter().filter(|_| reform));
    all.extend(blocks.map(|(path, shown)| ((*path).to_owned(), shown(note.text(path)))));
    for (group, name, fields) in MANY {
        note.all(group, name).for_each(|each| told(each, fields, &mut all));
    }
    for det in note.all("", "det") {
        told(det, ITEM, &mut all);
        if let Some(icms) = det.at("imposto/ICMS").and_then(|group| group.children().next()) {
            let code = [icms.text_at("orig"), icms.text_at("CST"), icms.text_at("CSOSN")];
            all.push(("CST".to_owned(), code.into_iter().flatten().collect()));
            let told_rates = icms.text_at("vICMS").is_some() || !reform;
            told(icms, if told_rates { ICMS } else { &ICMS[3..] }, &mut all);
        }
        if reform {
            told(det, REFORM_ITEM, &mut all);
        }
    }
    all
}

#[test]
fn every_field_of_the_official_blocks_is_shown() {
    let mut shown = 0;
    for (name, xml) in golden() {
        let xml = replaced(&xml, "tpImp", "1");
        let root = ParsedDocument::read(xml.as_bytes()).unwrap();
        let note = Dfe::of(&root).unwrap();
        if note.text("ide/mod") != "55" {
            continue;
        }
        for layout in [DanfeLayout::Classic, DanfeLayout::Reform] {
            for landscape in [false, true] {
                let options =
                    PrintOptions { layout: Some(layout), landscape: Some(landscape), ..PrintOptions::default() };
                let sheets = danfe::sheets(note, &options).unwrap();
                let all: String =
                    sheets.iter().flat_map(render::paper::Sheet::texts).map(|line| squeezed(&line.text)).collect();
                for (path, text) in fields(note, layout) {
                    assert!(all.contains(&squeezed(&text)), "{name} {layout:?}: {path} {text:?} is not in {all}");
                    shown += usize::from(!text.is_empty());
                }
            }
        }
    }
    assert!(shown > 20_000, "{shown}");
}

/// Text in an outlined frame below a label.
fn beside(xml: &str, label: &str) -> String {
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let options = PrintOptions::default();
    let sheets = danfe::sheets(Dfe::of(&root).unwrap(), &options).unwrap();
    let found = sheets[0].texts().find(|line| line.text == label).unwrap();
    let (left, right) = (found.room.x, found.room.right());
    let below = sheets[0].texts().filter(|line| line.at.1 > found.at.1 && line.at.0 >= left && line.at.0 < right);
    below.map(|line| line.text.clone()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_field_of_the_tax_office_is_left_to_it() {
    let own = "<infAdic><infAdFisco>PALAVRAS AO FISCO</infAdFisco><infCpl>PALAVRAS DO EMITENTE</infCpl></infAdic>";
    let xml = case("producao");
    let xml = match xml.split_once("<infAdic>") {
        Some((before, after)) => format!("{before}{own}{}", after.split_once("</infAdic>").unwrap().1),
        None => within(&xml, "infNFe", own),
    };
    let xml = answered(&xml, "100", "135260000000001", "2026-11-20T10:00:01-03:00");
    let words = beside(&xml, "INFORMAÇÕES COMPLEMENTARES");
    assert!(words.starts_with("PALAVRAS AO FISCO PALAVRAS DO EMITENTE"), "{words}");
    assert_eq!(beside(&xml, "RESERVADO AO FISCO"), "");
    let message = within(&xml, "infProt", "<cMsg>200</cMsg><xMsg>Mensagem da Sefaz</xMsg>");
    assert_eq!(beside(&message, "RESERVADO AO FISCO"), "Mensagem da Sefaz");
}

#[test]
fn a_price_of_the_tributable_unit_is_told_in_both_layouts() {
    let xml = case("produto_unidade_tributavel");
    let root = ParsedDocument::read(xml.as_bytes()).unwrap();
    let note = Dfe::of(&root).unwrap();
    for (layout, told) in [(DanfeLayout::Classic, "Unid.tributável:50KGx20,00"), (DanfeLayout::Reform, "20,00")] {
        let options = PrintOptions { layout: Some(layout), ..PrintOptions::default() };
        let sheets = danfe::sheets(note, &options).unwrap();
        let all: String =
            sheets.iter().flat_map(render::paper::Sheet::texts).map(|line| squeezed(&line.text)).collect();
        assert!(all.contains(told), "{all}");
    }
}

#[test]
fn the_moment_of_the_answer_stands_beside_its_protocol() {
    let xml = answered(&case("producao"), "100", "135260000000001", "2026-11-20T10:00:01-03:00");
    let told = format!("135260000000001 - {}", moment("2026-11-20T10:00:01-03:00"));
    assert!(beside(&xml, "PROTOCOLO DE AUTORIZAÇÃO DE USO").starts_with(&told));
}
