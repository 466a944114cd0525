//! Payloads of a caller and their answers.

use fiscal::document::BuildContext;
use fiscal::finding::{Notice, Violation};
use fiscal::nfse;
use fiscal::regime::RegimeCalendar;
use serde_json::{Value, json};
use testkit::cases::nfse::base;

/// Builds the base with a merge patch on its input.
fn built(patch: &Value) -> Result<(String, Vec<Notice>), Vec<Violation>> {
    base("nfse").with(patch).build().map(|built| (built.xml, built.notices))
}

fn refused(patch: &Value) -> Vec<(String, &'static str)> {
    let violations = built(patch).map(|(xml, _)| xml).expect_err("a refusal");
    violations.into_iter().map(|violation| (violation.campo, violation.codigo)).collect()
}

/// Returns the paths of the notices with a code.
fn told(patch: &Value, codigo: &str) -> Vec<String> {
    let (_, notices) = built(patch).expect("a document");
    notices.into_iter().filter(|notice| notice.codigo == codigo).map(|notice| notice.campo).collect()
}

#[test]
fn the_same_document_from_each_place_it_may_stand_in() {
    let nota = base("nfse").input["nota"].clone();
    let none = json!({"toma": null, "serv": null, "valores": null});
    let at = |home: Value| {
        let mut patch = none.clone();
        patch.as_object_mut().unwrap().extend(home.as_object().unwrap().clone());
        built(&json!({"nota": patch})).unwrap()
    };
    let (flat, assumed) = built(&json!({})).unwrap();
    assert!(assumed.iter().any(|notice| notice.campo == "nota.dCompet"), "{assumed:?}");
    for (home, path) in [
        (json!({"infDPS": nota}), "nota.infDPS.dCompet"),
        (json!({"dps": nota}), "nota.dps.dCompet"),
        (json!({"dps": {"infDPS": nota}}), "nota.dps.infDPS.dCompet"),
    ] {
        let (xml, notices) = at(home);
        assert_eq!(xml, flat);
        assert!(notices.iter().any(|notice| notice.campo == path), "{path}: {notices:?}");
    }
}

#[test]
fn a_document_said_twice_is_refused() {
    let twice = json!({"nota": {"infDPS": {"valores": {"vServ": 1}}}});
    let found = refused(&twice);
    assert!(found.contains(&("nota.valores".to_owned(), "estrutura_invalida")), "{found:?}");
    let both = json!({"nota": {"infDPS": {}, "dps": {}}});
    assert_eq!(refused(&both), [("nota.infDPS".to_owned(), "estrutura_invalida")]);
}

#[test]
fn what_is_assumed_is_told() {
    let assumed = told(&json!({}), "assumido_padrao");
    for campo in [
        "nota.dCompet",
        "nota.tpEmit",
        "nota.cLocEmi",
        "nota.serv.cLocPrestacao",
        "nota.valores.trib.tribMun.tribISSQN",
        "nota.valores.trib.tribMun.tpRetISSQN",
        "nota.valores.trib.totTrib",
    ] {
        assert!(assumed.iter().any(|told| told == campo), "{campo}: {assumed:?}");
    }
    let simples = json!({"configuracao": {"regime": {"opSimpNac": 3}}});
    assert_eq!(told(&simples, "assumido_zero"), ["nota.valores.trib.totTrib"]);
}

#[test]
fn what_cannot_be_guessed_is_refused_all_at_once() {
    let bare = json!({"nota": {"valores": {"vServ": null}, "serv": {"cServ": {"cTribNac": null, "xDescServ": " "}}}});
    let found = refused(&bare);
    for campo in ["vServ", "cTribNac", "xDescServ"] {
        assert!(found.iter().any(|(path, _)| path.ends_with(campo)), "{campo}: {found:?}");
    }
}

#[test]
fn what_the_authority_would_refuse_whoever_sends_it_is_refused() {
    for (patch, expected) in [
        (json!({"nota": {"tpEmit": 2}}), ("nota.tpEmit", "valor_invalido")),
        (json!({"serie": 0}), ("nota.serie", "valor_invalido")),
        (json!({"serie": 50_000}), ("nota.serie", "valor_invalido")),
        (json!({"nota": {"prest": {"CNPJ": "12ABC34501DE35"}}}), ("nota.prest.CNPJ", "emitente_divergente")),
        (json!({"nota": {"cLocEmi": "355"}}), ("nota.cLocEmi", "valor_invalido")),
        (json!({"nota": {"toma": {"CPF": "111.444.777-34"}}}), ("nota.toma.CPF", "digito_invalido")),
    ] {
        let found = refused(&patch);
        assert!(found.iter().any(|(campo, codigo)| (campo.as_str(), *codigo) == expected), "{patch}: {found:?}");
    }
}

#[test]
fn the_issuer_says_neither_his_name_nor_his_address() {
    let patch = json!({"nota": {"prest": {"xNome": "EU", "end": {"xLgr": "RUA A"}}}});
    assert_eq!(told(&patch, "campo_ignorado"), ["nota.prest.xNome", "nota.prest.end"]);
    assert!(!built(&patch).unwrap().0.contains("<xNome>EU<"));
}

#[test]
fn an_unknown_name_is_told_and_blocks_nothing() {
    let patch = json!({"nota": {"valorez": 1, "serv": {"cServ": {"cTribNacc": "1"}}}});
    let (_, notices) = built(&patch).unwrap();
    let unknown: Vec<_> = notices.iter().filter(|notice| notice.codigo == "campo_desconhecido").collect();
    let told: Vec<_> = unknown.iter().map(|notice| (notice.campo.as_str(), notice.sugestao.as_deref())).collect();
    assert!(told.iter().any(|(campo, right)| *campo == "nota.valorez" && right.is_some()), "{told:?}");
    assert!(told.iter().any(|(campo, right)| campo.ends_with("cTribNacc") && right.is_some()), "{told:?}");
}

#[test]
fn the_number_asked_for_is_read_from_each_place() {
    for nota in [
        json!({"serie": "00007", "nDPS": 12}),
        json!({"infDPS": {"serie": 7, "nDPS": "12"}}),
        json!({"dps": {"infDPS": {"serie": 7, "nDPS": "12"}}}),
        json!({"serie_dps": "7", "numero_dps": "12"}),
    ] {
        let asked = nfse::numbering(&nota);
        assert_eq!((asked.serie.unwrap().as_str(), asked.numero), ("7", Some(12)), "{nota}");
    }
    for nota in [json!({}), json!(null), json!({"nDPS": "0", "serie": "x-1"})] {
        assert_eq!(nfse::numbering(&nota), fiscal::document::RequestedNumber::default(), "{nota}");
    }
}

#[test]
fn a_review_says_what_a_build_says() {
    for patch in [json!({}), json!({"nota": {"tpEmit": 3, "x": 1}}), json!({"nota": {"infDPS": 1}})] {
        let case = base("nfse").with(&patch);
        let review = case.in_context(nfse::review);
        match case.build() {
            Ok(built) => assert_eq!((review.violations, review.notices), (Vec::new(), built.notices)),
            Err(violations) => assert_eq!(review.violations, violations),
        }
    }
}

#[test]
fn the_regime_is_that_of_the_competence() {
    let calendar = RegimeCalendar::of_record(&json!({ "regimes": [{ "a_partir_de": "2026-11-01", "crt": 1 }] }));
    let unsaid = json!({ "configuracao": { "regime": null } });
    // issued on 20 November: by default the competence is that day
    for (nota, opSimpNac) in
        [(json!({}), "3"), (json!({ "dCompet": "2026-10-31" }), "1"), (json!({ "dCompet": "01/11/2026" }), "3")]
    {
        let case = base("nfse").with(&unsaid).with(&json!({ "nota": nota }));
        let built =
            case.in_context(|nota, context| nfse::build(nota, &BuildContext { regimes: Some(&calendar), ..*context }));
        let xml = built.unwrap().xml;
        assert!(xml.contains(&format!("<opSimpNac>{opSimpNac}</opSimpNac>")), "{nota}: {xml}");
    }
}
