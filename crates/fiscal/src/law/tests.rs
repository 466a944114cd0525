//! The operator's law: the allowed content of its file, and its effect on a rule.

use super::printed_rules::rules;
use super::*;
use crate::value::{TpAmb, Uf};
use jiff::civil::date;
use serde_json::json;

/// Circumstances for UB12-10, which is printed for homologação since 2026-07-01 by dhEmi, for CRT 3 alone, without a
/// day in production.
fn met(issued: Date) -> ReceptionFacts {
    ReceptionFacts { received: issued, issued: Some(issued), uf: Some(Uf::SP), crt: Some(3) }
}

fn effect(law: &Law, ambiente: TpAmb, met: &ReceptionFacts) -> RuleEffect {
    let (key, printed) = rules().find(|(key, _)| key.codigo == 1115).unwrap();
    law.terms(&key, printed).of(ambiente).effect_on(met)
}

fn refusal(written: Value) -> String {
    Law::read(written).unwrap_err().join("\n")
}

#[test]
fn the_printed_law_has_days_environments_and_regimes() {
    let law = Law::printed();
    let begun = met(date(2026, 7, 1));
    assert_eq!(effect(law, TpAmb::Homologacao, &begun), RuleEffect::Rejeicao);
    assert_eq!(effect(law, TpAmb::Homologacao, &met(date(2026, 6, 30))), RuleEffect::Nada);
    assert_eq!(effect(law, TpAmb::Homologacao, &ReceptionFacts { crt: Some(1), ..begun }), RuleEffect::Nada);
    assert_eq!(effect(law, TpAmb::Homologacao, &ReceptionFacts { crt: None, ..begun }), RuleEffect::Nada);
    assert_eq!(effect(law, TpAmb::Producao, &met(date(2033, 1, 1))), RuleEffect::Nada);
    // the date of dhEmi decides, not the day of reception
    let late = ReceptionFacts { received: date(2026, 7, 2), ..met(date(2026, 6, 30)) };
    assert_eq!(effect(law, TpAmb::Homologacao, &late), RuleEffect::Nada);
}

#[test]
fn a_day_is_moved_ended_and_weakened_in_one_environment() {
    let written = json!({ "regras": [
        { "codigo": 1115, "ambiente": "producao", "a_partir_de": "2027-03-01", "fonte": "ensaio" },
        { "codigo": 1115, "regra": "UB12-10", "ambiente": "producao", "ate": "2027-03-31", "efeito": "aviso", "fonte": "ensaio" },
    ] });
    let law = Law::read(written.clone()).unwrap();
    let at = |day| effect(&law, TpAmb::Producao, &met(day));
    assert_eq!(at(date(2027, 2, 28)), RuleEffect::Nada);
    assert_eq!((at(date(2027, 3, 1)), at(date(2027, 3, 31))), (RuleEffect::Aviso, RuleEffect::Aviso));
    assert_eq!(at(date(2027, 4, 1)), RuleEffect::Nada);
    assert_eq!(effect(&law, TpAmb::Homologacao, &met(date(2027, 3, 1))), RuleEffect::Rejeicao);
    let told: Vec<String> = law.changes().iter().map(LawChange::to_string).collect();
    assert_eq!(
        told,
        [
            "1115 em produção: a partir de 2027-03-01 (ensaio)",
            "1115 UB12-10 em produção: até 2027-03-31, só um aviso (ensaio)"
        ]
    );
    assert_eq!(serde_json::to_value(&law).unwrap(), written, "it is shown as it was written");
}

#[test]
fn a_rule_of_nobody_acts_in_the_states_that_are_named() {
    let (key, printed) = rules().find(|(key, _)| key.codigo == 625).unwrap();
    let at = |law: &Law, uf| {
        let met = ReceptionFacts { uf: Some(uf), ..met(date(2026, 11, 29)) };
        law.terms(&key, printed).of(TpAmb::Producao).effect_on(&met)
    };
    assert_eq!(at(Law::printed(), Uf::SP), RuleEffect::Nada);
    let law = Law::read(json!({ "regras": [{ "codigo": 625, "ufs": ["SP"], "fonte": "ensaio" }] })).unwrap();
    assert_eq!((at(&law, Uf::SP), at(&law, Uf::RJ)), (RuleEffect::Rejeicao, RuleEffect::Nada));
}

#[test]
fn a_rule_of_the_cte_is_moved_by_its_own_document_alone() {
    let law =
        Law::read(json!({ "regras": [{ "documento": "cte", "codigo": 252, "efeito": "nada", "fonte": "ensaio" }] }));
    let law = law.unwrap();
    let of = |documento| rules().find(|(key, _)| (key.documento, key.codigo) == (documento, 252)).unwrap();
    let effect = |(key, printed): (RuleKey, &'static RuleTerms)| {
        law.terms(&key, printed).of(TpAmb::Producao).effect_on(&met(date(2026, 11, 29)))
    };
    assert_eq!((effect(of(RuleFamily::Cte)), effect(of(RuleFamily::Nfe))), (RuleEffect::Nada, RuleEffect::Rejeicao));
    assert_eq!(law.changes()[0].to_string(), "252 do CT-e: desligada (ensaio)");
}

#[test]
fn a_rule_of_another_code_is_left_alone() {
    let law = Law::read(json!({ "regras": [{ "codigo": 1115, "efeito": "nada", "fonte": "ensaio" }] })).unwrap();
    let others = rules().filter(|(key, _)| key.codigo != 1115);
    assert!(others.into_iter().all(|(key, printed)| law.terms(&key, printed) == printed));
}

#[test]
fn the_cbs_of_2027_is_unknown_until_it_is_set_and_that_of_2026_is_not_moved() {
    let day = date(2027, 1, 1);
    assert_eq!(Law::printed().rates(day).unwrap().cbs, None);
    let law = Law::read(json!({ "cbs_2027": "8.7" })).unwrap();
    assert_eq!(law.rates(day).unwrap().cbs, Some("8.7".parse().unwrap()));
    assert_eq!(law.rates(date(2028, 1, 1)).unwrap().cbs, None);
    assert_eq!(law.rates(date(2026, 12, 31)).unwrap().cbs, Some("0.9".parse().unwrap()));
    assert_eq!(law.cbs().collect::<Vec<_>>(), [(2027, "8.7".parse().unwrap())]);
}

#[test]
fn everything_that_is_wrong_is_told_with_its_place() {
    let told = refusal(json!({
        "cbs_2027": 8.7, "cbs_2026": "1", "cbs_2028": "101",
        "regras": [
            { "codigo": 1115, "a_partir_de": "2027-02-30", "fonte": "x" },
            { "codigo": 9999, "efeito": "talvez", "ufs": ["XX"], "crt": "3", "fonte": "x" },
            { "efeito": "nada", "quando": "hoje" },
            { "codigo": 1115, "fonte": "x" },
        ],
    }));
    for expected in [
        "cbs_2027: é a alíquota em por cento, entre aspas",
        "cbs_2028: é a alíquota",
        "cbs_2026: chave desconhecida",
        "regras[0].a_partir_de: é o primeiro dia",
        "regras[1].codigo: nenhuma regra",
        "regras[1].efeito: é \"rejeicao\"",
        "regras[1].ufs: é uma lista",
        "regras[1].crt: é uma lista",
        "regras[2].codigo: é obrigatória",
        "regras[2].fonte: é obrigatória",
        "regras[2].quando: chave desconhecida",
        "regras[3].a_partir_de: diga o que muda",
    ] {
        assert!(told.contains(expected), "{expected} is missing in:\n{told}");
    }
    assert!(refusal(json!([])).contains("tabela"));
    assert!(refusal(json!({ "regras": {} })).contains("lista"));
    assert!(refusal(json!({ "regras": vec![json!({}); 1_001] })).contains("1000"));
}

#[test]
fn an_empty_file_is_the_printed_law() {
    assert!(Law::read(json!({})).unwrap().is_as_printed() && Law::read(Value::Null).unwrap().is_as_printed());
}

#[test]
fn a_code_of_the_nfse_may_keep_its_letter() {
    for codigo in [json!("E0015"), json!(15)] {
        let written =
            json!({ "regras": [{ "documento": "nfse", "codigo": codigo, "efeito": "nada", "fonte": "ensaio" }] });
        let law = Law::read(written).unwrap();
        let (key, printed) = rules().find(|(key, _)| key.id == "E0015").unwrap();
        assert_eq!(law.terms(&key, printed).of(TpAmb::Producao).effect_on(&met(date(2026, 11, 29))), RuleEffect::Nada);
        assert_eq!(law.changes()[0].to_string(), "E0015: desligada (ensaio)");
    }
    assert!(
        refusal(json!({ "regras": [{ "codigo": "EX", "efeito": "nada", "fonte": "x" }] })).contains("regras[0].codigo")
    );
}

#[test]
fn a_rule_of_the_nfse_has_no_limit_of_states_or_regimes() {
    let limited = |limit: &str, value: Value| {
        let mut row = json!({ "documento": "nfse", "codigo": "E0617", "fonte": "ensaio" });
        row[limit] = value;
        refusal(json!({ "regras": [row] }))
    };
    assert!(limited("ufs", json!(["SP"])).starts_with("regras[0].ufs: não se aplica à NFS-e"));
    assert!(limited("crt", json!([3])).starts_with("regras[0].crt: não se aplica à NFS-e"));
}

#[test]
fn a_rule_of_a_note_to_come_acts_from_the_day_that_it_is_given() {
    let (key, printed) = rules().find(|(key, _)| key.id == "E0684").unwrap();
    let at = |law: &Law, day| law.terms(&key, printed).of(TpAmb::Producao).effect_on(&met(day));
    assert_eq!(at(Law::printed(), date(2033, 1, 1)), RuleEffect::Nada);
    let written = json!({ "regras": [{ "documento": "nfse", "codigo": "E0684", "a_partir_de": "2027-02-01", "fonte": "ensaio" }] });
    let law = Law::read(written).unwrap();
    assert_eq!((at(&law, date(2027, 1, 31)), at(&law, date(2027, 2, 1))), (RuleEffect::Nada, RuleEffect::Rejeicao));
}
