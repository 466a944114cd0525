//! A payload can express everything that the layout of models 55 and 65 accepts. Documents are drawn from the layout
//! and converted to payloads under official tags and under the contract's names. The builder must write the drawn
//! document again, and libxml2 must accept it.
//!
//! `REACH_CASES` (default 300) sets their number, `REACH_SEED` the seed.

use fiscal::document::BuildContext;
use fiscal::finding::Notice;
use fiscal::layout::{self, ContentModel, Element as ElementLayout};
use fiscal::nfe;
use fiscal::value::{Cnpj, Cpf, TpAmb, Uf};
use fiscal::xml::{self, Element};
use rust_decimal::Decimal;
use serde_json::Map;

use crate::draw;
use crate::libxml;
use crate::payload::{self, Style};
use crate::random::Random;
use crate::setting;
use crate::tour::{Outcome, Tour};
use crate::tree::{Item, Tree};
use testkit::cases::DUMMY_SIGNATURE;

#[test]
fn whatever_the_layout_takes_can_be_said_in_a_payload() {
    let (cases, seed) = (setting("REACH_CASES", 300), setting("REACH_SEED", 20_261_120));
    let declared = inf_nfe();
    let repeated = payload::repeated(declared);
    let mut seen = draw::Seen::new();
    let mut documents = Vec::new();
    let mut wrong = Vec::new();
    let mut models = [0_usize; 2];
    for case in 0..cases {
        let mut random = Random::new(seed ^ (case << 16));
        let mut inf = draw::element(declared, &mut random, &mut seen);
        let ide = settle(&mut inf, &mut random);
        models[usize::from(ide.modelo == 65)] += 1;
        for style in [Style::Official, Style::Contract] {
            let nota = payload::nota(&inf, &payload::NFE, style, &repeated, &mut random);
            match build(&nota, &ide) {
                Ok(xml) => {
                    let told = differences(&inf, &xml);
                    wrong.extend(told.into_iter().map(|told| format!("seed {seed} case {case} {style:?}: {told}")));
                    documents.push(signed(&xml));
                }
                Err(told) => wrong.push(format!("seed {seed} case {case} {style:?}: {told}\n{nota}")),
            }
        }
        if documents.len() >= 2_000 || case + 1 == cases {
            let texts: Vec<&str> = documents.iter().map(String::as_str).collect();
            let refused = libxml::verdicts("nfe-acrescido/nfe_v4.00.xsd", &texts).into_iter().zip(&documents);
            wrong.extend(refused.filter(|(valid, _)| !valid).map(|(_, xml)| format!("libxml2 refuses {xml}")));
            documents.clear();
        }
    }
    let all: draw::Seen = draw::declarations(declared).into_iter().map(std::ptr::from_ref).collect();
    println!("{cases} documents ({} of model 55, {} of model 65), each in both styles", models[0], models[1]);
    println!("{} of {} element declarations drawn; {} differences", seen.len(), all.len(), wrong.len());
    let told = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} differences, the first:\n{told}", wrong.len());
    assert!(seen.len() * 100 > all.len() * 80, "too many groups were never drawn");
    assert!(models.iter().all(|count| *count > 0));
}

const VER_PROC: &str = "reach";
/// A day on which every added field of the technical notes is accepted.
const NOW: &str = "2027-06-01T10:00:00-03:00";

/// Values that the service decides, copied from the drawn document.
struct Ide {
    modelo: u8,
    serie: u16,
    nNF: u32,
    cNF: u32,
    tpEmis: u8,
}

/// Number of documents whose positions are visited: they cover those of all.
pub(crate) const TOURED: u64 = 12;

#[test]
fn nothing_that_a_payload_says_is_passed_over() {
    let (cases, seed) = (setting("TOUR_CASES", TOURED), setting("REACH_SEED", 20_261_120));
    let declared = inf_nfe();
    let repeated = payload::repeated(declared);
    let (mut seen, mut tour) = (draw::Seen::new(), Tour::default());
    for case in 0..cases {
        let mut random = Random::new(seed ^ (case << 16));
        let mut inf = draw::element(declared, &mut random, &mut seen);
        let ide = settle(&mut inf, &mut random);
        for style in [Style::Official, Style::Contract] {
            let nota = payload::nota(&inf, &payload::NFE, style, &repeated, &mut random);
            tour.visit(&nota, |nota| built(nota, &ide));
        }
    }
    tour.end("NF-e, NFC-e");
}

fn build(nota: &serde_json::Value, ide: &Ide) -> Result<String, String> {
    let built = built(nota, ide).map_err(|violations| format!("{violations:?}"))?;
    // the check digit of a drawn document is random
    let is_expected = |notice: &Notice| OF_THE_DRAW.contains(&notice.codigo.as_str()) || notice.campo.ends_with(".cDV");
    let remark = built.notices.iter().find(|notice| !is_expected(notice));
    remark.map_or(Ok(built.xml), |remark| Err(format!("{remark:?}")))
}

fn built(nota: &serde_json::Value, ide: &Ide) -> Outcome {
    let nobody = Map::new();
    let context = BuildContext {
        modelo: ide.modelo,
        ambiente: TpAmb::Producao,
        law: fiscal::law::Law::printed(),
        emitente: &nobody,
        regimes: None,
        configuracao: None,
        serie: ide.serie.into(),
        numero: ide.nNF.into(),
        codigo: ide.cNF,
        dhEmi: NOW,
        tpEmis: ide.tpEmis,
        contingencia: None,
        verProc: VER_PROC,
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    nfe::build(nota, &context)
}

/// Codes of notices that random values cause.
const OF_THE_DRAW: &[&str] = &[
    "rejeicao_prevista",
    "rejeicao_possivel",
    "ibscbs_ausente",
    "aliquota_desconhecida",
    "tributo_extinto",
    "epec_vedada",
];

fn inf_nfe() -> &'static ElementLayout {
    let ContentModel::Group(nfe) = &layout::NFE.root.kind else { panic!("NFe is a group") };
    fiscal::map::members(nfe).into_iter().find(|element| element.name == "infNFe").unwrap()
}

/// Valid by the schema in form only.
fn signed(xml: &str) -> String {
    let signature = DUMMY_SIGNATURE.trim_end();
    xml.replace("</NFe>", &format!("{signature}</NFe>"))
}

/// Turns a drawn document into one that a caller could send: numbers with valid check digits, one state, ascending
/// positions. Otherwise only impossible amounts are changed.
fn settle(inf: &mut Tree, random: &mut Random) -> Ide {
    mend_documents(inf, random);
    number_items(inf);
    let uf = at(inf, "emit/enderEmit/UF").value();
    let has_dest = inf.nodes.iter().any(|node| matches!(node, Item::Tree(child) if child.name == "dest"));
    set(inf, "ide/cUF", &Uf::from_sigla(&uf).unwrap().code().to_string());
    set(inf, "ide/tpAmb", TpAmb::Producao.code());
    // the service decides how a document is made
    set(inf, "ide/procEmi", "0");
    set(inf, "ide/verProc", VER_PROC);
    if !has_dest {
        set(inf, "ide/mod", "65");
    }
    if at(inf, "ide/mod").value() == "65" {
        fix_consumer_invoice(inf, has_dest);
    }
    let ide = at(inf, "ide").clone();
    let text = |tag: &str| children(&ide).find(|child| child.name == tag).unwrap().value();
    Ide {
        modelo: text("mod").parse().unwrap(),
        serie: text("serie").parse().unwrap(),
        nNF: text("nNF").parse().unwrap(),
        cNF: text("cNF").parse().unwrap(),
        tpEmis: text("tpEmis").parse().unwrap(),
    }
}

/// Sets the values of an NFC-e that the service decides.
fn fix_consumer_invoice(inf: &mut Tree, has_dest: bool) {
    for (tag, value) in
        [("tpNF", "1"), ("idDest", "1"), ("finNFe", "1"), ("indFinal", "1"), ("indPres", "1"), ("tpImp", "4")]
    {
        set(inf, &format!("ide/{tag}"), value);
    }
    at(inf, "ide").nodes.retain(|node| !matches!(node, Item::Tree(child) if child.name == "dhSaiEnt"));
    if has_dest {
        set(inf, "dest/indIEDest", "9");
    }
}

pub(crate) fn at<'t>(tree: &'t mut Tree, path: &str) -> &'t mut Tree {
    path.split('/').fold(tree, |tree, tag| {
        let child = tree.nodes.iter_mut().find_map(|node| match node {
            Item::Tree(child) if child.name == tag => Some(child),
            _ => None,
        });
        child.unwrap_or_else(|| panic!("no {tag} of {path}"))
    })
}

pub(crate) fn set(tree: &mut Tree, path: &str, value: &str) {
    at(tree, path).set_value(value);
}

pub(crate) fn children(tree: &Tree) -> impl Iterator<Item = &Tree> {
    tree.nodes.iter().filter_map(|node| if let Item::Tree(child) = node { Some(child) } else { None })
}

/// Sets check digits. Removes or fills empty texts and empty groups, which a payload cannot express.
pub(crate) fn mend_documents(tree: &mut Tree, random: &mut Random) {
    for node in &mut tree.nodes {
        let Item::Tree(child) = node else { continue };
        child.attributes.iter_mut().for_each(|(name, value)| *value = meant(name, value));
        match child.name.as_str() {
            "CNPJ" | "CNPJFab" | "CNPJProd" | "CNPJPag" | "CNPJReceb" | "CNPJPAA" => {
                child.set_value(&cnpj(&child.value(), random));
            }
            "CPF" | "CPFRespTec" => child.set_value(&cpf(random)),
            "cEAN" | "cEANTrib" if child.value().is_empty() => child.set_value("SEM GTIN"),
            "nRE" if child.value().is_empty() => child.set_value("000000000000"),
            "Modulus" | "Exponent" | "SignatureValue" if child.value().is_empty() => child.set_value("AQAB"),
            _ if child.is_leaf() && !child.nodes.is_empty() => {
                let value = child.value();
                child.set_value(&meant(&child.name, &value));
            }
            _ => mend_documents(child, random),
        }
    }
    let says_nothing = |child: &Tree| child.is_leaf() && child.value().is_empty() && child.attributes.is_empty();
    let needed = |child: &Tree| matches!(child.name.as_str(), "imposto" | "idEstrangeiro");
    tree.nodes.retain(|node| !matches!(node, Item::Tree(child) if says_nothing(child) && !needed(child)));
}

/// Replaces values that official patterns accept but that make no sense: adjacent blanks, control characters, a comma
/// in a month or as the sign of an offset.
fn meant(name: &str, value: &str) -> String {
    let plain =
        value.replace("  ", " _").replace(|character| matches!(character, '\0'..='\x1f' | '\x7f'..='\u{a0}'), ".");
    match name.as_bytes() {
        [b'v' | b'q', b'A'..=b'Z', ..] => payable(&plain),
        [b'd', b'h', ..] => plain.replace("-0,-", "-01-").replace(',', "+"),
        [b'd', b'A'..=b'Z', ..] => plain.replace("-0,-", "-01-"),
        _ => plain,
    }
}

/// Limits an amount to nine digits: the service sums values that the drawn document does not total, and a total has
/// thirteen.
fn payable(value: &str) -> String {
    let (whole, cents) = value.split_at(value.find('.').unwrap_or(value.len()));
    format!("{}{cents}", whole.get(..9).unwrap_or(whole))
}

/// Completes the twelve drawn characters with their check digits.
fn cnpj(drawn: &str, random: &mut Random) -> String {
    let base = drawn
        .get(..12)
        .filter(|base| base.bytes().any(|byte| byte != b'0'))
        .map_or_else(|| format!("{:012}", random.below(999_999_999) + 1), str::to_owned);
    let all = (0..100).map(|digits| format!("{base}{digits:02}"));
    all.into_iter().find(|candidate| Cnpj::parse(candidate).is_ok()).unwrap()
}

fn cpf(random: &mut Random) -> String {
    loop {
        let base = format!("{:09}", random.below(999_999_999));
        let all = (0..100).map(|digits| format!("{base}{digits:02}"));
        if let Some(right) = all.into_iter().find(|candidate| Cpf::parse(candidate).is_ok()) {
            return right;
        }
    }
}

/// Sets `nItem` to the position, which the service counts.
fn number_items(inf: &mut Tree) {
    let mut number = 0;
    for node in &mut inf.nodes {
        let Item::Tree(det) = node else { continue };
        if det.name == "det" {
            number += 1;
            det.attributes = vec![("nItem".to_owned(), number.to_string())];
        }
    }
}

/// Returns the differences between the written and the drawn document.
pub(crate) fn differences(drawn: &Tree, xml: &str) -> Vec<String> {
    let written = xml::read(xml.as_bytes()).unwrap();
    let mut told = Vec::new();
    compare(drawn, written.child(&drawn.name).unwrap(), &drawn.name, &mut told);
    told
}

fn compare(drawn: &Tree, written: &Element, path: &str, told: &mut Vec<String>) {
    for (name, value) in drawn.attributes.iter().filter(|(name, _)| name != "Id" && name != "versao") {
        if written.attribute(name) != Some(value) {
            told.push(format!("{path}/@{name}: {value:?} became {:?}", written.attribute(name)));
        }
    }
    if drawn.is_leaf() {
        if drawn.name != "cDV" && !same(&drawn.value(), written.text()) {
            told.push(format!("{path}: {:?} became {:?}", drawn.value(), written.text()));
        }
        return;
    }
    let mut written = written.children().peekable();
    for child in children(drawn) {
        let own = format!("{path}/{}", child.name);
        // the service writes more totals than the caller sends
        while path.starts_with("infNFe/total") && written.next_if(|written| *written.name != *child.name).is_some() {}
        match written.next_if(|written| *written.name == *child.name) {
            Some(written) => compare(child, written, &own, told),
            None if is_zero_that_vanishes(child, &own) => {}
            None => told.push(format!("{own} is missing")),
        }
    }
    // values that the service fills in may be extra as well: the change of an NFC-e, the total of a CT-e
    let summed = |more: &&Element| path.starts_with("infNFe/total") || matches!(&*more.name, "vTroco" | "vTotDFe");
    if let Some(more) = written.next().filter(|more| !summed(more)) {
        told.push(format!("{path}/{} was not drawn", &*more.name));
    }
}

/// Compares numbers regardless of their zeros, and other values as texts.
fn same(drawn: &str, written: &str) -> bool {
    let number = |text: &str| text.parse::<Decimal>().ok();
    drawn == written
        || (written.contains('.') && number(drawn).is_some() && number(drawn) == number(written))
        || instants_agree(drawn, written)
}

fn instants_agree(drawn: &str, written: &str) -> bool {
    let instant = |text: &str| text.parse::<jiff::Timestamp>().ok();
    drawn.contains('T') && instant(drawn).is_some() && instant(drawn) == instant(written)
}

/// True for an optional number of these types that is zero and therefore left out (MOC 7.0, visão geral, general rules
/// of XML).
fn is_zero_that_vanishes(child: &Tree, path: &str) -> bool {
    let vanishes = matches!(child.name.as_str(), "pMVAST" | "pRedBCST" | "pRedBC" | "pST" | "pBio")
        || path == "infCte/imp/vTotTrib";
    vanishes && child.value().parse::<Decimal>().is_ok_and(|value| value.is_zero())
}
