//! Predicted rejections: a document that every rule accepts with one change, the predicted code, and the field it
//! names.

use fiscal::nfse::amounts::{BenefitTerms, MunicipalTerms};
use fiscal::nfse::rules::{self, NfseRuleContext};
use fiscal::value::TpAmb;
use fiscal::xml;
use rust_decimal::Decimal;
use serde_json::json;
use std::collections::BTreeSet;
use testkit::broken::nfse::{BROKEN_PAYLOADS, EDITED_DOCUMENTS, MUNICIPAL_CASES};
use testkit::cases::MOMENT;
use testkit::cases::nfse::{Case, base};

/// Returns codes and fields of the predictions; only fields where nothing could be written.
fn told(case: &Case) -> BTreeSet<(Option<String>, String)> {
    match case.build() {
        Ok(built) => {
            let codes = built.notices.into_iter().filter_map(|notice| Some((notice.codigo_status?, notice.campo)));
            codes.map(|(codigo, campo)| (Some(codigo.as_str().to_owned()), campo)).collect()
        }
        Err(found) => found.into_iter().map(|violation| (None, violation.campo)).collect(),
    }
}

#[test]
fn a_caller_reads_which_field_is_refused() {
    let mut wrong = Vec::new();
    for row in BROKEN_PAYLOADS {
        let told = told(&row.broken());
        if !told.contains(&(Some(row.codigo.to_owned()), row.campo.to_owned()))
            && !told.contains(&(None, row.campo.to_owned()))
        {
            wrong.push(format!("{} {} at {}: {told:?}", row.case, row.codigo, row.campo));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nothing_is_foreseen_of_the_nearest_document() {
    let mut wrong = Vec::new();
    for row in BROKEN_PAYLOADS {
        let told = told(&row.right());
        if !told.is_empty() {
            wrong.push(format!("{} beside {}: {told:?}", row.case, row.codigo));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn foreseen(xml: &str, terms: Option<MunicipalTerms>) -> Vec<&'static str> {
    let facts = NfseRuleContext {
        law: fiscal::law::Law::printed(),
        now: MOMENT.parse().unwrap(),
        ambiente: TpAmb::Homologacao,
        terms,
    };
    let document = xml::read(xml.as_bytes()).unwrap();
    rules::predict(&document, &facts).into_iter().map(|it| it.rule.codigo).collect()
}

#[test]
fn what_no_payload_says_is_seen_in_the_document() {
    let found = EDITED_DOCUMENTS.iter().map(|bent| (bent.codigo, foreseen(&bent.xml(), None)));
    let wrong: Vec<_> = found.filter(|(codigo, found)| !found.contains(codigo)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_municipality_decides_is_seen_once_it_was_asked() {
    for row in MUNICIPAL_CASES {
        let xml = row.case().build().unwrap().xml;
        let benefit = row.benefit.map(|tipo| BenefitTerms { tipo, rate: None });
        let terms = MunicipalTerms { is_active: benefit.is_some(), rate: Decimal::from(5), benefit };
        assert_eq!(foreseen(&xml, Some(terms)), [row.codigo]);
        assert!(!foreseen(&xml, None).contains(&row.codigo), "{}", row.codigo);
    }
}

#[test]
fn every_rule_that_is_foreseen_has_its_document() {
    let written = BROKEN_PAYLOADS.iter().filter(|row| row.broken().build().is_ok()).map(|row| row.codigo);
    let others = EDITED_DOCUMENTS.iter().map(|row| row.codigo).chain(MUNICIPAL_CASES.iter().map(|row| row.codigo));
    let shown: BTreeSet<&str> = written.chain(others).collect();
    let alone: Vec<&str> =
        rules::all().iter().map(|rule| rule.codigo).filter(|codigo| !shown.contains(codigo)).collect();
    assert_eq!(alone, [""; 0], "rules without a document that breaks them");
}

#[test]
fn what_is_wrong_is_told_with_the_official_text_and_a_remedy() {
    let case = base("nfse").with(&json!({"nota": {"serv": {"cServ": {"cTribMun": "000"}}}}));
    let notices = case.build().unwrap().notices;
    let told = notices.into_iter().find(|notice| notice.codigo == "rejeicao_prevista").unwrap();
    assert_eq!(told.codigo_status.unwrap().as_str(), "E0315");
    assert!(told.mensagem.starts_with("A Sefin deve rejeitar com E0315: "), "{}", told.mensagem);
    assert!(told.mensagem.ends_with("Informe o código complementar do município, ou omita cTribMun."));
}

/// E0684 and E0690 belong to a technical note that is not in force.
#[test]
fn nobody_is_told_of_rules_to_come() {
    let group = json!({"CST": "01", "vBCPisCofins": 1000});
    let case = base("nfse").with(&json!({"nota": {"valores": {"trib": {"tribFed": {"piscofins": group}}}}}));
    assert_eq!(told(&case), BTreeSet::new());
    let facts = NfseRuleContext {
        law: fiscal::law::Law::printed(),
        now: MOMENT.parse().unwrap(),
        ambiente: TpAmb::Homologacao,
        terms: None,
    };
    let xml = case.build().unwrap().xml;
    let document = xml::read(xml.as_bytes()).unwrap();
    let later: Vec<&str> = rules::predict_later(&document, &facts).into_iter().map(|(rule, _)| rule.codigo).collect();
    assert_eq!(later, ["E0684", "E0690"]);
}

/// By one interpretation a refusal is possible from 2027 on: a notice, for the Simples too, and never a predicted
/// refusal.
#[test]
fn the_absence_of_the_reform_is_told_by_the_day_of_emission_in_its_own_offset() {
    let told = |dhEmi: &str, regime: &str| {
        let own =
            json!({"configuracao": {"regime": {"opSimpNac": regime, "regApTribSN": "1"}}, "nota": {"dhEmi": dhEmi}});
        let notices = base("nfse").with(&own).build().unwrap().notices;
        let is_refused = |codigo: &str| codigo == "rejeicao_prevista";
        assert!(
            !notices.iter().any(|notice| notice.campo == "nota.IBSCBS" && is_refused(&notice.codigo)),
            "{notices:?}"
        );
        notices.into_iter().find(|notice| notice.codigo == "ibscbs_ausente").map(|notice| notice.mensagem)
    };
    for regime in ["1", "3"] {
        for dhEmi in ["2027-01-01T00:00:00-03:00", "2027-01-01T00:00:00+01:00"] {
            assert!(told(dhEmi, regime).unwrap().contains("a Sefin pode recusar"), "{dhEmi} {regime}");
        }
        for dhEmi in ["2026-12-31T23:59:59-03:00", "2026-12-31T23:59:59-05:00"] {
            let before = told(dhEmi, regime);
            assert_eq!(before.is_some(), regime == "1", "{dhEmi} {regime}");
            assert!(before.is_none_or(|text| text.contains("ainda não rejeita")), "{dhEmi} {regime}");
        }
    }
}
