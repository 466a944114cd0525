//! Every rule of the table: a note that breaks it and it alone, and golden cases that break none.

use crate::cases::{all, base};
use fiscal::nfse::rules;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Rule, the change that breaks it, and the path that is told.
fn breaking() -> Vec<(&'static str, Value, &'static str)> {
    let tribMun = |tribMun: Value| json!({"nota": {"valores": {"trib": {"tribMun": tribMun}}}});
    let federal = |tribFed: Value| json!({"nota": {"valores": {"trib": {"tribFed": tribFed}}}});
    let total = |regime: &str, totTrib: Value| json!({"configuracao": {"regime": {"opSimpNac": regime}}, "nota": {"valores": {"trib": {"totTrib": totTrib}}}});
    let mei = |tribMun: Value| json!({"configuracao": {"regime": {"opSimpNac": "2"}}, "nota": {"valores": {"trib": {"tribMun": tribMun}}}});
    let special = |tribMun: Value| json!({"configuracao": {"regime": {"regEspTrib": "6"}}, "nota": {"valores": {"trib": {"tribMun": tribMun}}}});
    let pis_cofins = |name: &str| {
        let mut group = json!({"CST": "01", "vBCPisCofins": 1000, "pAliqPis": 0.65, "pAliqCofins": 3});
        group.as_object_mut().unwrap().shift_remove(name);
        federal(json!({"piscofins": group}))
    };
    vec![
        ("E0015", json!({"nota": {"dCompet": "2026-11-21"}}), "nota.dCompet"),
        (
            "E0162",
            json!({"nota": {"prest": {"regTrib": {"opSimpNac": 1, "regApTribSN": 1}}}}),
            "nota.prest.regTrib.regApTribSN",
        ),
        ("E0237", tribMun(json!({"tpRetISSQN": 2})), "nota.toma.end"),
        (
            "E0322",
            json!({"nota": {"IBSCBS": {"indFinal": 0, "cIndOp": "100301", "valores": {"trib": {"gIBSCBS": {"CST": "000", "cClassTrib": "000001"}}}}}}),
            "nota.serv.cServ.cNBS",
        ),
        ("E0580", tribMun(json!({"tribISSQN": 4, "tpRetISSQN": 3})), "nota.valores.trib.tribMun.tpRetISSQN"),
        ("E0583", mei(json!({"tpRetISSQN": 3})), "nota.valores.trib.tribMun.tpRetISSQN"),
        ("E0588", special(json!({"tpRetISSQN": 3})), "nota.valores.trib.tribMun.tpRetISSQN"),
        ("E0592", tribMun(json!({"tribISSQN": 2})), "nota.valores.trib.tribMun.tpImunidade"),
        ("E0593", tribMun(json!({"tribISSQN": 2, "tpImunidade": 0})), "nota.valores.trib.tribMun.tpImunidade"),
        ("E0595", tribMun(json!({"pAliq": "5.01"})), "nota.valores.trib.tribMun.pAliq"),
        (
            "E0596",
            json!({"nota": {"serv": {"cServ": {"cTribNac": "220101"}}, "valores": {"trib": {"tribMun": {"tpRetISSQN": 3}}}}}),
            "nota.valores.trib.tribMun.tpRetISSQN",
        ),
        ("E0600", mei(json!({"pAliq": 2})), "nota.valores.trib.tribMun.pAliq"),
        ("E0602", tribMun(json!({"tribISSQN": 4, "pAliq": 2})), "nota.valores.trib.tribMun.pAliq"),
        ("E0604", special(json!({"pAliq": 2})), "nota.valores.trib.tribMun.pAliq"),
        ("E0684", pis_cofins("pAliqPis"), "nota.valores.trib.tribFed.piscofins.pAliqPis"),
        ("E0690", pis_cofins("pAliqCofins"), "nota.valores.trib.tribFed.piscofins.pAliqCofins"),
        ("E0710", total("2", json!({"pTotTribSN": 6})), "nota.valores.trib.totTrib.pTotTribSN"),
        ("E0712", total("3", json!({"indTotTrib": 0})), "nota.valores.trib.totTrib.indTotTrib"),
        ("E0713", total("1", json!({"indTotTrib": 0})), "nota.valores.trib.totTrib"),
        (
            "E0720",
            federal(json!({"piscofins": {"CST": "01", "tpRetPisCofins": 0}, "vRetCSLL": 10})),
            "nota.valores.trib.tribFed.vRetCSLL",
        ),
    ]
}

/// E0166 is filled in whenever the regime is known, so only the table itself can be asked.
const NEVER_OURS: &str = "E0166";

#[test]
fn each_rule_is_foreseen_alone_where_it_is_broken() {
    let mut seen = BTreeSet::from([NEVER_OURS]);
    let mut wrong = Vec::new();
    for (codigo, patch, campo) in breaking() {
        let built = base("nfse").with(&patch).build().unwrap_or_else(|found| panic!("{codigo}: {found:?}"));
        let told = built.notices.iter().filter(|notice| notice.codigo == "rejeicao_prevista");
        let told: Vec<_> = told
            .map(|notice| (notice.codigo_status.as_ref().unwrap().as_str().to_owned(), notice.campo.clone()))
            .collect();
        if told != [(codigo.to_owned(), campo.to_owned())] {
            wrong.push(format!("{codigo} {campo}: {told:?}"));
        }
        seen.insert(codigo);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all: BTreeSet<_> = rules::all().iter().map(|rule| rule.codigo).collect();
    assert_eq!(seen, all);
}

#[test]
fn the_regime_of_the_simples_must_be_said() {
    let built = base("nfse").with(&json!({"configuracao": {"regime": {"opSimpNac": "3"}}})).build().unwrap();
    let without = built.xml.replace("<regApTribSN>1</regApTribSN>", "");
    assert_ne!(without, built.xml);
    let broken = rules::broken(&fiscal::xml::read(without.as_bytes()).unwrap());
    assert_eq!(broken.iter().map(|rule| rule.codigo).collect::<Vec<_>>(), [NEVER_OURS]);
}

/// The one example is for signatures only, and breaks E0713.
#[test]
fn the_golden_cases_break_no_rule() {
    for case in all().into_iter().filter(|case| case.name() != "exemplo_assinatura") {
        let xml = case.build().unwrap().xml;
        let broken = rules::broken(&fiscal::xml::read(xml.as_bytes()).unwrap());
        assert!(broken.is_empty(), "{}: {:?}", case.name(), broken.iter().map(|rule| rule.codigo).collect::<Vec<_>>());
    }
}

#[test]
fn what_nobody_refuses_yet_is_told() {
    let absent = |patch: &Value| {
        let built = base("nfse").with(patch).build().unwrap();
        built.notices.iter().any(|notice| notice.codigo == "ibscbs_ausente")
    };
    assert!(absent(&json!({})));
    assert!(!absent(&json!({"configuracao": {"regime": {"opSimpNac": "2"}}})));
}
