//! A payload can express everything that the layout of the DPS accepts of an issuing prestador, under official tags and
//! under the contract's names.
//!
//! `REACH_CASES` (default 300) sets their number, `REACH_SEED` the seed.

use fiscal::document::BuildContext;
use fiscal::layout::{self, ContentModel, Element as ElementLayout};
use fiscal::map::members;
use fiscal::nfse;
use fiscal::value::TpAmb;
use serde_json::{Map, Value, json};

use crate::draw;
use crate::libxml;
use crate::payload::{self, Style, Vocabulary};
use crate::random::Random;
use crate::reach::{TOURED, at, children, differences, mend_documents, set};
use crate::setting;
use crate::tour::{Outcome, Tour};
use crate::tree::{Item, Tree};
use testkit::cases::DUMMY_SIGNATURE;

const VOCABULARY: Vocabulary = Vocabulary { flat: FLAT, names: &[NAMES], beside: ("", &[]) };

const FLAT: &[(&str, &str)] =
    &[("serv", "locPrest"), ("serv", "cServ"), ("valores", "vServPrest"), ("valores", "vDescCondIncond")];

const NAMES: &[(&str, &str, &str)] = &[
    ("infDPS", "subst", "substituicao"),
    ("infDPS", "prest", "prestador"),
    ("infDPS", "toma", "tomador"),
    ("infDPS", "interm", "intermediario"),
    ("infDPS", "serv", "servico"),
    ("infDPS", "IBSCBS", "ibscbs"),
    ("prest", "CNPJ", "CNPJCPF"),
    ("prest", "CPF", "CNPJCPF"),
    ("prest", "fone", "telefone"),
    ("toma", "CNPJ", "CNPJCPF"),
    ("toma", "CPF", "CNPJCPF"),
    ("toma", "end", "endereco"),
    ("toma", "fone", "telefone"),
    ("interm", "CNPJ", "cpf_cnpj"),
    ("interm", "CPF", "cpf_cnpj"),
    ("interm", "end", "endereco"),
    ("interm", "fone", "telefone"),
    ("dest", "CNPJ", "CNPJCPF"),
    ("dest", "CPF", "CNPJCPF"),
    ("dest", "end", "endereco"),
    ("dest", "fone", "telefone"),
];

#[test]
fn whatever_the_layout_of_a_dps_takes_can_be_said_in_a_payload() {
    let (cases, seed) = (setting("REACH_CASES", 300), setting("REACH_SEED", 20_261_120));
    let declared = inf_dps();
    let repeated = payload::repeated(declared);
    let (mut seen, mut wrong, mut documents) = (draw::Seen::new(), Vec::new(), Vec::new());
    for case in 0..cases {
        let mut random = Random::new(seed ^ (case << 16));
        let mut inf = draw::element(declared, &mut random, &mut seen);
        settle(&mut inf, &mut random);
        for style in [Style::Official, Style::Contract] {
            let groups = payload::nota(&inf, &VOCABULARY, style, &repeated, &mut random);
            let nota = if style == Style::Official { json!({ "infDPS": groups }) } else { groups };
            match build(&nota, &inf) {
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
            let refused = libxml::verdicts("nfse/DPS_v1.01.xsd", &texts).into_iter().zip(&documents);
            wrong.extend(refused.filter(|(valid, _)| !valid).map(|(_, xml)| format!("libxml2 refuses {xml}")));
            documents.clear();
        }
    }
    let all: draw::Seen = draw::declarations(declared).into_iter().map(std::ptr::from_ref).collect();
    println!("{cases} DPS, each in both styles");
    println!("{} of {} element declarations drawn; {} differences", seen.len(), all.len(), wrong.len());
    let told = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} differences, the first:\n{told}", wrong.len());
    assert!(seen.len() * 100 > all.len() * 80, "too many groups were never drawn");
}

fn inf_dps() -> &'static ElementLayout {
    let ContentModel::Group(dps) = &layout::DPS.root.kind else { panic!("DPS is a group") };
    members(dps).into_iter().find(|element| element.name == "infDPS").unwrap()
}

/// Valid by the schema in form only.
fn signed(xml: &str) -> String {
    let signature = DUMMY_SIGNATURE.trim_end();
    xml.replace("</DPS>", &format!("{signature}</DPS>"))
}

#[test]
fn nothing_that_a_payload_of_a_dps_says_is_passed_over() {
    let (cases, seed) = (setting("TOUR_CASES", TOURED), setting("REACH_SEED", 20_261_120));
    let declared = inf_dps();
    let repeated = payload::repeated(declared);
    let (mut seen, mut tour) = (draw::Seen::new(), Tour::default());
    for case in 0..cases {
        let mut random = Random::new(seed ^ (case << 16));
        let mut inf = draw::element(declared, &mut random, &mut seen);
        settle(&mut inf, &mut random);
        for style in [Style::Official, Style::Contract] {
            let groups = payload::nota(&inf, &VOCABULARY, style, &repeated, &mut random);
            let nota = if style == Style::Official { json!({ "infDPS": groups }) } else { groups };
            tour.visit(&nota, |nota| built(nota, &inf));
        }
    }
    tour.end("DPS");
}

fn build(nota: &Value, inf: &Tree) -> Result<String, String> {
    let built = built(nota, inf).map_err(|violations| format!("{violations:?}"))?;
    let remark = built.notices.iter().find(|notice| OF_THE_DRAW.iter().all(|codigo| notice.codigo != *codigo));
    remark.map_or(Ok(built.xml), |remark| Err(format!("{remark:?}")))
}

fn built(nota: &Value, inf: &Tree) -> Outcome {
    let nobody = Map::new();
    let text = |tag: &str| children(inf).find(|child| child.name == tag).unwrap().value();
    let serie: u16 = text("serie").parse().unwrap();
    let context = BuildContext {
        modelo: 0,
        ambiente: TpAmb::Producao,
        law: fiscal::law::Law::printed(),
        emitente: &nobody,
        regimes: None,
        configuracao: None,
        serie: serie.into(),
        numero: text("nDPS").parse().unwrap(),
        codigo: 0,
        dhEmi: &text("dhEmi"),
        tpEmis: 1,
        contingencia: None,
        verProc: "reach",
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    nfse::build(nota, &context)
}

/// Codes of notices that random values cause.
const OF_THE_DRAW: &[&str] = &["rejeicao_prevista", "ibscbs_ausente", "aliquota_em_fracao", "codigo_antigo"];

/// Turns a drawn document into one that a prestador could send: valid check digits, its own series, an existing
/// município, a complete regime.
fn settle(inf: &mut Tree, random: &mut Random) {
    mend_documents(inf, random);
    mend_values(inf);
    let (serie, number) = (1 + random.below(49_999), 1 + random.below(999_999_999));
    for (path, value) in [
        ("tpAmb", TpAmb::Producao.code()),
        ("serie", &serie.to_string()),
        ("nDPS", &number.to_string()),
        ("tpEmit", "1"),
        ("cLocEmi", *random.pick(&["3550308", "1302603", "5300108", "2927408"])),
    ] {
        set(inf, path, value);
    }
    let prest = at(inf, "prest");
    prest.nodes.retain(|node| !matches!(node, Item::Tree(child) if matches!(child.name.as_str(), "xNome" | "end")));
    // the issuer has its own number
    for node in &mut prest.nodes {
        if let Item::Tree(child) = node
            && matches!(child.name.as_str(), "NIF" | "cNaoNIF")
        {
            child.name = "CNPJ".to_owned();
            child.set_value("12ABC34501DE35");
        }
    }
    let regime = at(prest, "regTrib");
    if !children(regime).any(|child| child.name == "regApTribSN") {
        // for a ME or EPP it would be filled in
        set(regime, "opSimpNac", "1");
    }
}

/// Limits amounts to the range of a number, since the layout has fifteen digits, and sets valid days.
fn mend_values(tree: &mut Tree) {
    for node in &mut tree.nodes {
        let Item::Tree(child) = node else { continue };
        if child.name.starts_with("vlr") && child.is_leaf() {
            let value = child.value();
            let (whole, cents) = value.split_at(value.find('.').unwrap_or(value.len()));
            child.set_value(&format!("{}{cents}", whole.get(..9).unwrap_or(whole)));
        }
        if child.name.starts_with("dt") && child.is_leaf() {
            // official patterns accept an offset, and a comma in a month
            let day: String = child.value().replace("-0,-", "-01-").chars().take(10).collect();
            child.set_value(&day);
        }
        mend_values(child);
    }
}
