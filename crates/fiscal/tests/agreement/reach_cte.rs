//! A payload can express everything that the layout of models 57 and 67, by road, accepts, under official tags and
//! under the contract's names.
//!
//! `REACH_CASES` (default 300) sets their number per model, `REACH_SEED` the seed.

use fiscal::cte;
use fiscal::document::BuildContext;
use fiscal::layout::{self, ContentModel, Element as ElementLayout, Layout};
use fiscal::map::members;
use fiscal::value::{TpAmb, Uf};
use serde_json::{Map, Value};

use crate::draw;
use crate::libxml;
use crate::payload::{self, Style, Vocabulary};
use crate::random::Random;
use crate::reach::{TOURED, at, children, differences, mend_documents, set};
use crate::setting;
use crate::tour::{Outcome, Tour};
use crate::tree::{Item, Tree};
use testkit::cases::DUMMY_SIGNATURE;

/// Differences between the models.
struct Model {
    layout: &'static Layout,
    xsd: &'static str,
    modelo: u8,
    road: &'static str,
    vocabulary: Vocabulary,
}

const CARGO: Model = Model {
    layout: &layout::CTE,
    xsd: "cte-inteiro/cte_v4.00.xsd",
    modelo: 57,
    road: "rodo",
    vocabulary: Vocabulary { flat: FLAT, names: &[NAMES], beside: ("identificacao", &["tomador"]) },
};
const SERVICES: Model = Model {
    layout: &layout::CTE_OS,
    xsd: "cte-inteiro/cteOS_v4.00.xsd",
    modelo: 67,
    road: "rodoOS",
    vocabulary: Vocabulary {
        flat: FLAT_SERVICES,
        names: &[NAMES, &[("infQ", "qCarga", "quantidade")]],
        beside: ("identificacao", &[]),
    },
};

const FLAT: &[(&str, &str)] = &[
    ("infCte", "infCTeNorm"),
    ("infCTeNorm", "infModal"),
    ("infCTeNorm", "docAnt"),
    ("infCTeNorm", "infServVinc"),
    ("infCte", "pgtoVinc"),
    ("emit", "enderEmit"),
    ("rem", "enderReme"),
    ("exped", "enderExped"),
    ("receb", "enderReceb"),
    ("dest", "enderDest"),
    ("toma4", "enderToma"),
    ("ICMS", "*"),
    ("IBSCBS", "gIBSCBS"),
];
const FLAT_SERVICES: &[(&str, &str)] = &[
    ("infCte", "infCTeNorm"),
    ("infCTeNorm", "infModal"),
    ("infServico", "infQ"),
    ("infCte", "pgtoVinc"),
    ("emit", "enderEmit"),
    ("toma", "enderToma"),
    ("ICMS", "*"),
    ("IBSCBS", "gIBSCBS"),
];

const NAMES: &[(&str, &str, &str)] = &[
    ("infCte", "ide", "identificacao"),
    ("infCte", "compl", "complemento"),
    ("infCte", "emit", "emitente"),
    ("infCte", "rem", "remetente"),
    ("infCte", "exped", "expedidor"),
    ("infCte", "receb", "recebedor"),
    ("infCte", "dest", "destinatario"),
    ("infCte", "toma", "tomador"),
    ("infCte", "vPrest", "valores"),
    ("infCte", "imp", "imposto"),
    ("infCte", "infCteComp", "complementado"),
    ("infCte", "infRespTec", "responsavel_tecnico"),
    ("ide", "toma3", "tomador"),
    ("ide", "toma4", "tomador"),
    ("ide", "infPercurso", "percurso"),
    ("ide", "nCT", "numero"),
    ("toma3", "toma", "indice"),
    ("toma4", "toma", "indice"),
    ("toma4", "CNPJ", "CNPJCPF"),
    ("toma4", "CPF", "CNPJCPF"),
    ("emit", "CNPJ", "CNPJCPF"),
    ("emit", "CPF", "CNPJCPF"),
    ("rem", "CNPJ", "CNPJCPF"),
    ("rem", "CPF", "CNPJCPF"),
    ("toma", "CNPJ", "CNPJCPF"),
    ("toma", "CPF", "CNPJCPF"),
    ("vPrest", "Comp", "componentes"),
    ("pgtoVinc", "pgto", "pagamentos_vinculados"),
    ("imp", "ICMS", "icms"),
    ("imp", "ICMSUFFim", "icms_uf_fim"),
    ("imp", "infTribFed", "federais"),
    ("imp", "IBSCBS", "ibscbs"),
    ("IBSCBS", "CST", "cst"),
    ("IBSCBS", "cClassTrib", "classificacao"),
    ("IBSCBS", "gEstornoCred", "estorno"),
    ("gIBSCBS", "gIBSUF", "ibs_uf"),
    ("gIBSCBS", "gIBSMun", "ibs_mun"),
    ("gIBSCBS", "gCBS", "cbs"),
    ("gIBSUF", "pIBSUF", "aliquota"),
    ("gIBSUF", "vIBSUF", "valor"),
    ("gIBSMun", "pIBSMun", "aliquota"),
    ("gIBSMun", "vIBSMun", "valor"),
    ("gCBS", "pCBS", "aliquota"),
    ("gCBS", "vCBS", "valor"),
    ("infCTeNorm", "infCarga", "carga"),
    ("infCarga", "infQ", "quantidades"),
    ("infCTeNorm", "infDoc", "documentos"),
    ("infDoc", "infNF", "nf"),
    ("infDoc", "infNFe", "nfe"),
    ("infDoc", "infOutros", "outros"),
    ("infDoc", "infDCe", "dce"),
    ("docAnt", "emiDocAnt", "documentos_anteriores"),
    ("infModal", "rodo", "rodoviario"),
    ("infModal", "rodoOS", "rodoviario"),
    ("rodo", "RNTRC", "rntrc"),
    ("rodoOS", "TAF", "taf"),
    ("rodoOS", "NroRegEstadual", "nro_reg_estadual"),
    ("rodoOS", "veic", "veiculo"),
    ("rodoOS", "infFretamento", "fretamento"),
    ("veic", "prop", "proprietario"),
    ("infCTeNorm", "veicNovos", "veiculos_novos"),
    ("infCTeNorm", "cobr", "cobranca"),
    ("infCTeNorm", "infCteSub", "substituicao"),
    ("infCTeNorm", "infGlobalizado", "globalizado"),
    ("infServVinc", "infCTeMultimodal", "servico_vinculado"),
    ("infCTeNorm", "infServico", "servico"),
    ("infCTeNorm", "infDocRef", "documentos_referenciados"),
    ("infCTeNorm", "seg", "seguros"),
    ("infCTeNorm", "refCTeCanc", "cancelado_referenciado"),
    ("infCTeNorm", "infGTVe", "gtve"),
];

#[test]
fn whatever_the_layout_of_57_takes_can_be_said_in_a_payload() {
    reach(&CARGO);
}

#[test]
fn whatever_the_layout_of_67_takes_can_be_said_in_a_payload() {
    reach(&SERVICES);
}

fn reach(model: &Model) {
    let (cases, seed) = (setting("REACH_CASES", 300), setting("REACH_SEED", 20_261_120));
    let declared = inf_cte(model.layout);
    let repeated = payload::repeated(declared);
    let (mut seen, mut wrong, mut documents) = (draw::Seen::new(), Vec::new(), Vec::new());
    for case in 0..cases {
        let mut random = Random::new(seed ^ (case << 16));
        let mut inf = draw::element(declared, &mut random, &mut seen);
        settle(model, &mut inf, &mut random, &mut seen);
        for style in [Style::Official, Style::Contract] {
            let nota = payload::nota(&inf, &model.vocabulary, style, &repeated, &mut random);
            match build(model, &nota, at(&mut inf, "ide")) {
                Ok(xml) => {
                    let told = differences(&inf, &xml);
                    wrong.extend(told.into_iter().map(|told| format!("seed {seed} case {case} {style:?}: {told}")));
                    documents.push(signed(model, &xml));
                }
                Err(told) => wrong.push(format!("seed {seed} case {case} {style:?}: {told}\n{nota}")),
            }
        }
    }
    let texts: Vec<&str> = documents.iter().map(String::as_str).collect();
    let refused = libxml::verdicts(model.xsd, &texts).into_iter().zip(&documents);
    wrong.extend(refused.filter(|(valid, _)| !valid).map(|(_, xml)| format!("libxml2 refuses {xml}")));
    let all: draw::Seen = draw::declarations(declared).into_iter().map(std::ptr::from_ref).collect();
    println!("{cases} documents of model {}, each in both styles", model.modelo);
    println!("{} of {} element declarations drawn; {} differences", seen.len(), all.len(), wrong.len());
    let told = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} differences, the first:\n{told}", wrong.len());
    assert!(seen.len() * 100 > all.len() * 80, "too many groups were never drawn");
}

fn inf_cte(layout: &Layout) -> &'static ElementLayout {
    let ContentModel::Group(root) = &layout.root.kind else { panic!("a group") };
    members(root).into_iter().find(|element| element.name == "infCte").unwrap()
}

fn signed(model: &Model, xml: &str) -> String {
    let end = format!("</{}>", model.layout.root.name);
    xml.replace(&end, &format!("{}{end}", DUMMY_SIGNATURE.trim_end()))
}

const VER_PROC: &str = "reach";

#[test]
fn nothing_that_a_payload_of_57_says_is_passed_over() {
    tour(&CARGO);
}

#[test]
fn nothing_that_a_payload_of_67_says_is_passed_over() {
    tour(&SERVICES);
}

fn tour(model: &Model) {
    let (cases, seed) = (setting("TOUR_CASES", TOURED), setting("REACH_SEED", 20_261_120));
    let declared = inf_cte(model.layout);
    let repeated = payload::repeated(declared);
    let (mut seen, mut tour) = (draw::Seen::new(), Tour::default());
    for case in 0..cases {
        let mut random = Random::new(seed ^ (case << 16));
        let mut inf = draw::element(declared, &mut random, &mut seen);
        settle(model, &mut inf, &mut random, &mut seen);
        let ide = at(&mut inf, "ide").clone();
        for style in [Style::Official, Style::Contract] {
            let nota = payload::nota(&inf, &model.vocabulary, style, &repeated, &mut random);
            tour.visit(&nota, |nota| built(model, nota, &ide));
        }
    }
    tour.end(&format!("model {}", model.modelo));
}

fn build(model: &Model, nota: &Value, ide: &Tree) -> Result<String, String> {
    let built = built(model, nota, ide).map_err(|violations| format!("{violations:?}"))?;
    // the check digit of a drawn document is random
    let meant = |campo: &str| !campo.ends_with("vTotDFe") && !campo.ends_with(".cDV");
    let remark = built
        .notices
        .iter()
        .find(|notice| OF_THE_DRAW.iter().all(|codigo| notice.codigo != *codigo) && meant(&notice.campo));
    remark.map_or(Ok(built.xml), |remark| Err(format!("{remark:?}")))
}

fn built(model: &Model, nota: &Value, ide: &Tree) -> Outcome {
    let nobody = Map::new();
    let text = |tag: &str| children(ide).find(|child| child.name == tag).unwrap().value();
    let serie: u16 = text("serie").parse().unwrap();
    let context = BuildContext {
        modelo: model.modelo,
        ambiente: TpAmb::Producao,
        law: fiscal::law::Law::printed(),
        emitente: &nobody,
        regimes: None,
        configuracao: None,
        serie: serie.into(),
        numero: text("nCT").parse().unwrap(),
        codigo: text("cCT").parse().unwrap(),
        dhEmi: &text("dhEmi"),
        tpEmis: text("tpEmis").parse().unwrap(),
        contingencia: None,
        verProc: VER_PROC,
        software_house: None,
        dialeto: None,
        leiaute: fiscal::nfse::layouts::DpsLayout::Current,
    };
    cte::build(nota, &context)
}

/// Codes of notices that random values cause.
const OF_THE_DRAW: &[&str] = &[
    "rejeicao_prevista",
    "ibscbs_ausente",
    "icms_de_outra_uf",
    "soma_componentes",
    "base_acima_do_total",
    "aliquota_desconhecida",
    "icms_previsto_divergente",
];

/// Turns a drawn document into one that a caller could send: valid check digits, one state, the road modal, and a type
/// that fits its groups.
fn settle(model: &Model, inf: &mut Tree, random: &mut Random, seen: &mut draw::Seen) {
    mend_texts(inf);
    mend_documents(inf, random);
    by_road(model, inf, random, seen);
    let uf = at(inf, "emit/enderEmit/UF").value();
    set(inf, "ide/cUF", &Uf::from_sigla(&uf).unwrap().code().to_string());
    let complement = children(inf).any(|child| child.name == "infCteComp");
    for (tag, value) in [
        ("tpAmb", TpAmb::Producao.code()),
        ("procEmi", "0"),
        ("verProc", VER_PROC),
        ("modal", "01"),
        ("mod", &model.modelo.to_string()),
        ("tpEmis", *random.pick(&["1", "7", "8"])),
        ("tpCTe", if complement { "1" } else { *random.pick(&["0", "3"]) }),
    ] {
        set(inf, &format!("ide/{tag}"), value);
    }
    if model.modelo == SERVICES.modelo {
        // valuables have no modal
        let service = random.pick(&["6", "8"]);
        set(inf, "ide/tpServ", service);
    }
    // the name of an existing município would be filled in
    for child in at(inf, "ide").nodes.iter_mut() {
        if let Item::Tree(child) = child
            && child.name.starts_with("cMun")
        {
            child.set_value("9999999");
        }
    }
    // the service decides the reasons of a contingency
    remove(at(inf, "ide"), &["dhCont", "xJust"]);
    if !children(at(inf, "ide")).any(|child| child.name == "indGlobalizado") && !complement {
        remove(at(inf, "infCTeNorm"), &["infGlobalizado"]);
    }
}

/// Sets a valid e-mail, since the replacements may break a drawn one, and `ISENTO` for an empty registration.
fn mend_texts(tree: &mut Tree) {
    for node in &mut tree.nodes {
        match node {
            Item::Tree(child) if child.name == "email" => child.set_value("a@b.com"),
            Item::Tree(child) if child.name == "IE" && child.value().is_empty() => child.set_value("ISENTO"),
            Item::Tree(child) => mend_texts(child),
            Item::Text(_) | Item::Raw(_) => {}
        }
    }
}

/// Replaces the drawn modal by the road modal, the only one that is issued.
fn by_road(model: &Model, inf: &mut Tree, random: &mut Random, seen: &mut draw::Seen) {
    let normal = inf.nodes.iter_mut().find_map(|node| match node {
        Item::Tree(child) if child.name == "infCTeNorm" => Some(child),
        _ => None,
    });
    let Some(normal) = normal else { return };
    let Some(Item::Tree(modal)) =
        normal.nodes.iter_mut().find(|node| matches!(node, Item::Tree(child) if child.name == "infModal"))
    else {
        return;
    };
    modal.attributes = vec![("versaoModal".to_owned(), "4.00".to_owned())];
    if !children(modal).any(|child| child.name == model.road) {
        let road = declaration(inf_cte(model.layout), model.road).unwrap();
        let mut drawn = draw::element(road, random, seen);
        mend_texts(&mut drawn);
        mend_documents(&mut drawn, random);
        modal.nodes = vec![Item::Tree(drawn)];
    }
}

/// Returns the declaration of a tag below another.
fn declaration(root: &'static ElementLayout, tag: &str) -> Option<&'static ElementLayout> {
    draw::declarations(root).into_iter().find(|element| element.name == tag)
}

fn remove(tree: &mut Tree, tags: &[&str]) {
    tree.nodes.retain(|node| !matches!(node, Item::Tree(child) if tags.contains(&child.name.as_str())));
}
