//! The night of 31 December 2026: rates and tables are those of the date of `dhEmi` in its own offset, at any moment of
//! acceptance.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use testkit::cases;
use testkit::cases::cte::Case;

/// Last and first second of a year in the offsets of Brazil; by UTC all but the first are in 2027.
const LAST: [&str; 4] = [
    "2026-12-31T20:59:59-03:00",
    "2026-12-31T23:59:59-03:00",
    "2026-12-31T23:59:59-05:00",
    "2026-12-31T23:59:59-02:00",
];
const FIRST: [&str; 3] = ["2027-01-01T00:00:00-03:00", "2027-01-01T00:00:00-05:00", "2027-01-01T00:00:00-02:00"];

/// Rate and value of a part.
type Part = (&'static str, &'static str);
/// Each part of the IBS of 1,320.00 in 2027 and 2028.
const HALF: Part = ("0.05", "0.66");

/// 1,320.00 with the test rates of 2026 (LC 214/2025, arts. 343 and 346).
fn of_2026() -> Value {
    reform(("0.10", "1.32"), ("0.00", "0.00"), ("0.90", "11.88"))
}

/// With the rates of 2027 (art. 344) and a CBS that an operator may expect.
fn of_2027() -> Value {
    reform(HALF, HALF, ("8.70", "114.84"))
}

/// Returns rate and value of the three parts.
fn reform(uf: Part, mun: Part, cbs: Part) -> Value {
    let part = |(aliquota, valor): Part| json!({ "valor_bc": 1320, "aliquota": aliquota, "valor": valor });
    let group =
        json!({ "cst": "000", "classificacao": "000001", "ibs_uf": part(uf), "ibs_mun": part(mun), "cbs": part(cbs) });
    json!({ "imposto": { "ibscbs": group } })
}

/// Returns a base with its own `dhEmi`, accepted at another moment.
fn case(base: &str, dhEmi: &str, accepted: &str, nota: &Value) -> Case {
    let mut case = cases::cte::base(base).with(&json!({ "identificacao": { "dhEmi": dhEmi } })).with(nota);
    case.input["dhEmi"] = accepted.into();
    case
}

/// Returns the predicted codes about IBS and CBS.
fn foreseen(case: &Case) -> BTreeSet<u16> {
    let notices = case.build().unwrap_or_else(|found| panic!("{found:#?}")).notices;
    let codes = notices.into_iter().filter_map(|notice| notice.codigo_status?.number());
    codes.filter(|cStat| (310..=399).contains(cStat)).collect()
}

/// Checks both models, each accepted in the second of its `dhEmi`.
fn check(dhEmi: &str, nota: &Value, expected: &[u16]) {
    for base in ["cte", "cte_os"] {
        let found = foreseen(&case(base, dhEmi, dhEmi, nota));
        assert_eq!(found, expected.iter().copied().collect(), "{base} at {dhEmi} with {nota}");
    }
}

#[test]
fn rates_are_those_of_the_year_that_dhEmi_writes() {
    for dhEmi in LAST {
        check(dhEmi, &of_2026(), &[]);
        check(dhEmi, &of_2027(), &[316, 321, 326]);
    }
    for dhEmi in FIRST {
        check(dhEmi, &of_2027(), &[]);
        check(dhEmi, &of_2026(), &[316, 321]);
    }
}

#[test]
fn a_document_of_2026_that_arrives_in_2027_keeps_the_rates_of_2026() {
    let (dhEmi, accepted) = ("2026-12-31T22:00:00-03:00", "2027-01-02T09:00:00-03:00");
    assert_eq!(foreseen(&case("cte", dhEmi, accepted, &of_2026())), BTreeSet::new());
    assert_eq!(foreseen(&case("cte", dhEmi, accepted, &of_2027())), BTreeSet::from([316, 321, 326]));
}

#[test]
fn no_rate_of_the_cbs_of_2027_is_refused_while_none_is_fixed() {
    for (rate, value) in [("0.00", "0.00"), ("0.90", "11.88"), ("9.21", "121.57")] {
        check(FIRST[0], &reform(HALF, HALF, (rate, value)), &[]);
    }
    check(FIRST[0], &reform(HALF, HALF, ("8.70", "114.86")), &[327]);
}

#[test]
fn the_cbs_is_zero_in_an_area_of_incentive_that_the_document_tells() {
    let mut nota = reform(("0.10", "1.32"), ("0.00", "0.00"), ("0.00", "0.00"));
    check(LAST[1], &nota, &[326]);
    let due = json!({ "pAliqEfetRegCBS": "0.90", "vTribRegCBS": "11.88" });
    nota["imposto"]["ibscbs"]["cbs"]["gALCZFMCBS"] = due.clone();
    check(LAST[1], &nota, &[]);
    let mut taxed = reform(("0.10", "1.32"), ("0.00", "0.00"), ("0.80", "10.56"));
    taxed["imposto"]["ibscbs"]["cbs"]["gALCZFMCBS"] = due;
    check(LAST[1], &taxed, &[326]);
}

/// Returns a CST that reduces by 40 per cent, with this `ibs_mun`: rate, reduction, effective rate, value.
fn reduced([aliquota, percentual, efetiva, valor]: [&str; 4]) -> Value {
    let part = |aliquota: &str, percentual: &str, efetiva: &str, valor: &str| {
        json!({ "valor_bc": 1320, "aliquota": aliquota, "valor": valor,
            "reducao": { "percentual": percentual, "aliquota_efetiva": efetiva } })
    };
    let group = json!({ "cst": "200", "classificacao": "200050", "ibs_uf": part("0.05", "40", "0.03", "0.40"),
        "ibs_mun": part(aliquota, percentual, efetiva, valor), "cbs": part("8.70", "40", "5.22", "68.90") });
    json!({ "imposto": { "ibscbs": group } })
}

#[test]
fn the_municipal_part_is_reduced_from_2027_on() {
    let right = reduced(["0.05", "40", "0.03", "0.40"]);
    check(FIRST[0], &right, &[]);
    let xml = case("cte", FIRST[0], FIRST[0], &right).build().unwrap().xml;
    let written = "<gIBSMun><pIBSMun>0.0500</pIBSMun><gRed><pRedAliq>40.0000</pRedAliq>\
                   <pAliqEfet>0.0300</pAliqEfet></gRed><vIBSMun>0.40</vIBSMun></gIBSMun>";
    assert!(xml.contains(written), "{xml}");
    check(FIRST[0], &reduced(["0.05", "60", "0.02", "0.26"]), &[391]);
    check(FIRST[0], &reduced(["0.05", "40", "0.02", "0.26"]), &[392]);
    check(FIRST[0], &reduced(["0.05", "40", "0.03", "0.43"]), &[323]);
}

/// Returns the fields of the notices with a code, equal for both models.
fn told(dhEmi: &str, nota: &Value, codigo: &str) -> Vec<String> {
    let [cargo, services] = ["cte", "cte_os"].map(|base| {
        let notices = case(base, dhEmi, dhEmi, nota).build().unwrap_or_else(|found| panic!("{found:#?}")).notices;
        let told = notices.into_iter().filter(|notice| notice.codigo == codigo);
        told.map(|notice| notice.campo.trim_start_matches("nota.imposto.").to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(cargo, services, "{dhEmi} {nota}");
    cargo
}

/// True when a code is predicted, equal for both models.
fn is_foreseen(dhEmi: &str, nota: &Value, cStat: u16) -> bool {
    let [cargo, services] = ["cte", "cte_os"].map(|base| foreseen(&case(base, dhEmi, dhEmi, nota)).contains(&cStat));
    assert_eq!(cargo, services, "{dhEmi} {nota}");
    cargo
}

#[test]
fn a_reduction_is_missed_where_the_rate_is_above_zero_and_out_of_place_where_it_is_not() {
    let mut without = reduced(["0.05", "40", "0.03", "0.40"]);
    assert!(!is_foreseen(FIRST[0], &without, 369) && !is_foreseen(FIRST[0], &without, 381));
    without["imposto"]["ibscbs"]["ibs_mun"]["reducao"] = Value::Null;
    assert!(is_foreseen(FIRST[0], &without, 369));
    let mut in_2026 = reduced(["0.00", "40", "0.00", "0.00"]);
    assert!(is_foreseen(LAST[1], &in_2026, 381));
    in_2026["imposto"]["ibscbs"]["ibs_mun"]["reducao"] = Value::Null;
    assert!(!is_foreseen(LAST[1], &in_2026, 369) && !is_foreseen(LAST[1], &in_2026, 381));
    let mut not_of_the_cst = of_2026();
    let reduction = json!({ "percentual": 60, "aliquota_efetiva": "0.04" });
    not_of_the_cst["imposto"]["ibscbs"]["ibs_uf"]["reducao"] = reduction;
    assert!(is_foreseen(LAST[1], &not_of_the_cst, 367));
}

#[test]
fn the_future_tax_is_of_an_advance_payment() {
    let codigo = "icms_previsto_divergente";
    let none = json!({ "CST": null, "vBC": null, "pICMS": null, "vICMS": null, "indSN": null });
    let mut with = json!({ "imposto": { "icms": none } });
    with["imposto"]["icms"]["vICMSPrevisto"] = json!(180);
    let advance = json!({ "identificacao": { "tpPagAnt": 1 } });
    let government = json!({ "identificacao": { "gCompraGov": { "tpEnteGov": 1, "pRedutor": 0, "tpOperGov": 4 } } });
    let field = "icms.vICMSPrevisto";
    for paid in [&advance, &government] {
        assert_eq!(told(LAST[1], paid, codigo), [field], "{paid}");
        let mut both = with.clone();
        both["identificacao"] = paid["identificacao"].clone();
        assert_eq!(told(LAST[1], &both, codigo), Vec::<String>::new(), "{paid}");
    }
    assert_eq!(told(LAST[1], &with, codigo), [field]);
    assert_eq!(told(LAST[1], &of_2026(), codigo), Vec::<String>::new());
}

/// 365: in no year are the taxes added to the price (NT 2026.004).
#[test]
fn the_total_is_the_price_in_both_years() {
    for (dhEmi, reform) in [(LAST[1], of_2026()), (FIRST[0], of_2027())] {
        for (base, price) in [("cte", "1500.00"), ("cte_os", "4800.00")] {
            let filled = case(base, dhEmi, dhEmi, &reform);
            assert!(filled.build().unwrap().xml.contains(&format!("<vTotDFe>{price}</vTotDFe>")), "{base} at {dhEmi}");
            let added = filled.with(&json!({ "imposto": { "vTotDFe": 6000 } }));
            assert_eq!(foreseen(&added), BTreeSet::from([365]), "{base} at {dhEmi}");
        }
    }
}
