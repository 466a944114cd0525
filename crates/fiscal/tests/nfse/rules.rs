//! Predictions and other notices about golden cases. `foreseen` has a document for each rule.

use fiscal::nfse::rules::{self, NfseRuleContext};
use fiscal::value::TpAmb;
use serde_json::json;
use testkit::cases::MOMENT;
use testkit::cases::nfse::{all, base};

fn broken(xml: &str) -> Vec<&'static str> {
    let facts = NfseRuleContext {
        law: fiscal::law::Law::printed(),
        now: MOMENT.parse().unwrap(),
        ambiente: TpAmb::Homologacao,
        terms: None,
    };
    let document = fiscal::xml::read(xml.as_bytes()).unwrap();
    rules::predict(&document, &facts).into_iter().map(|it| it.rule.codigo).collect()
}

/// E0166 is filled in whenever the regime is known, so only the table itself can be tested.
#[test]
fn the_regime_of_the_simples_must_be_said() {
    let built = base("nfse").with(&json!({"configuracao": {"regime": {"opSimpNac": "3"}}})).build().unwrap();
    let without = built.xml.replace("<regApTribSN>1</regApTribSN>", "");
    assert_ne!(without, built.xml);
    assert_eq!(broken(&without), ["E0166"]);
}

/// Made only for its signature.
const REFUSED: [(&str, &[&str]); 1] = [("exemplo_assinatura", &["E0713"])];

#[test]
fn nothing_is_foreseen_of_the_golden_cases() {
    let mut wrong = Vec::new();
    for case in all() {
        let name = case.name();
        let expected = REFUSED.iter().find(|(refused, _)| *refused == name).map_or(&[][..], |(_, codes)| codes);
        let found = broken(&case.build().unwrap().xml);
        if found != expected {
            wrong.push(format!("{name}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_nobody_refuses_yet_is_told() {
    let absent = |patch: &serde_json::Value| {
        let built = base("nfse").with(patch).build().unwrap();
        built.notices.iter().any(|notice| notice.codigo == "ibscbs_ausente")
    };
    assert!(absent(&json!({})));
    assert!(!absent(&json!({"configuracao": {"regime": {"opSimpNac": "2"}}})));
}
