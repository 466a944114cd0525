//! Predicted rejections: a base that every rule accepts with one change, the predicted code, and the field it names.

use fiscal::cte::rules::{self, CteReception};
use fiscal::document::BuiltDocument;
use fiscal::value::TpAmb;
use fiscal::xml;
use serde_json::json;
use std::collections::BTreeSet;
use testkit::broken::cte::{BROKEN_PAYLOADS, EDITED_DOCUMENTS};
use testkit::cases::cte::Case;
use testkit::cases::{self, MOMENT};

/// Returns codes and fields.
fn foreseen(case: &Case) -> BTreeSet<(u16, String)> {
    let built = case.build().unwrap_or_else(|found| panic!("{}: {found:#?}", case.folder.display()));
    codes(built)
}

fn codes(built: BuiltDocument) -> BTreeSet<(u16, String)> {
    built.notices.into_iter().filter_map(|notice| Some((notice.codigo_status?.number()?, notice.campo))).collect()
}

/// Official examples from before the reform, whose digests are known, and groups of the layout that no classification
/// of these models uses yet.
const SHOWN_ONLY: &[(&str, &[u16])] = &[
    ("exemplo_pessoas_registro_estadual", &[310]),
    ("exemplo_sem_reforma", &[310]),
    ("ibscbs_diferimento_e_devolucao", &[388]),
    ("ibscbs_tributacao_regular", &[388]),
];

#[test]
fn nothing_else_is_foreseen_of_a_golden_case() {
    let mut wrong = Vec::new();
    assert!(cases::cte::all().len() >= 60 + SHOWN_ONLY.len(), "few documents that an authority would take");
    for case in cases::cte::all() {
        let codes: Vec<u16> = foreseen(&case).into_iter().map(|(cStat, _)| cStat).collect();
        let known = SHOWN_ONLY.iter().find(|(name, _)| case.folder.ends_with(name)).map_or(&[][..], |(_, codes)| codes);
        if codes != known {
            wrong.push(format!("{}: {codes:?}, not {known:?}", case.folder.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_caller_reads_which_field_is_refused() {
    let mut wrong = Vec::new();
    for row in BROKEN_PAYLOADS {
        let told = told(&row.case());
        if !told.contains(&(Some(row.cStat), row.campo.to_owned())) && !told.contains(&(None, row.campo.to_owned())) {
            wrong.push(format!("{} with {}: {told:?}, not {} at {}", row.case, row.patch, row.cStat, row.campo));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns codes and fields of the predictions; only fields where nothing could be written.
fn told(case: &Case) -> BTreeSet<(Option<u16>, String)> {
    match case.build() {
        Ok(built) => codes(built).into_iter().map(|(cStat, campo)| (Some(cStat), campo)).collect(),
        Err(found) => found.into_iter().map(|violation| (None, violation.campo)).collect(),
    }
}

/// 933: a year and a month after the month in its key.
#[test]
fn a_complement_of_an_old_document_is_foreseen() {
    let complement = |month: &str| {
        let case = cases::cte::all().into_iter().find(|case| case.folder.ends_with("complemento_de_valor")).unwrap();
        let body = format!("43{month}1122233300018157001000000077113572468");
        let chave = format!("{body}{}", check_digit(&body));
        foreseen(&case.with(&json!({ "complementado": [chave] })))
    };
    assert_eq!(complement("2511"), BTreeSet::new());
    assert_eq!(complement("2510"), BTreeSet::from([(933, "nota.complementado".to_owned())]));
}

fn check_digit(body: &str) -> u32 {
    let weights = (2..=9).cycle();
    let sum: u32 = body.bytes().rev().zip(weights).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    match sum % 11 {
        0 | 1 => 0,
        rest => 11 - rest,
    }
}

#[test]
fn what_is_wrong_is_told_with_the_official_text_and_a_remedy() {
    let case = cases::cte::base("cte").with(&json!({ "valores": { "vRec": 1500.01 } }));
    let told =
        case.build().unwrap().notices.into_iter().find(|notice| notice.codigo_status == Some(531.into())).unwrap();
    assert_eq!(told.codigo, "rejeicao_prevista");
    assert!(told.mensagem.starts_with("A SEFAZ deve rejeitar com 531: Rejeição: Valor a receber"), "{}", told.mensagem);
    assert!(told.mensagem.ends_with("Corrija vRec ou vTPrest, ou omita vRec."), "{}", told.mensagem);
}
#[test]
fn every_rule_that_is_foreseen_has_its_document() {
    let written = BROKEN_PAYLOADS.iter().filter(|row| row.case().build().is_ok()).map(|row| row.cStat);
    let shown: BTreeSet<u16> = written.chain(EDITED_DOCUMENTS.iter().map(|bent| bent.cStat)).collect();
    let alone: BTreeSet<u16> = rules::all().map(|rule| rule.cStat).filter(|cStat| !shown.contains(cStat)).collect();
    assert_eq!(alone, BTreeSet::new(), "rules without a document that breaks them");
}

#[test]
fn what_no_payload_says_is_seen_in_the_document() {
    let mut wrong = Vec::new();
    for bent in EDITED_DOCUMENTS {
        let xml = bent.xml();
        let document = xml::read(xml.as_bytes()).unwrap();
        let facts = CteReception {
            law: fiscal::law::Law::printed(),
            now: MOMENT.parse().unwrap(),
            ambiente: TpAmb::Homologacao,
            contingency: bent.asked,
            finished: true,
        };
        let found: Vec<u16> = rules::predict(&document, &facts).into_iter().map(|it| it.rule.cStat).collect();
        if !found.contains(&bent.cStat) {
            wrong.push(format!("{} {:?}: {found:?}, not {}", bent.case, bent.edits, bent.cStat));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
