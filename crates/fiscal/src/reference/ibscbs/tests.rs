//! Samples of the official tables, their order, and the invariants of every row.

use super::*;
use jiff::civil::date;

const TODAY: Date = date(2026, 11, 21);

fn of(codigo: &str) -> &'static ClassTrib {
    find_class(codigo, TODAY).unwrap()
}

#[test]
fn csts_demand_and_forbid_what_the_portal_says() {
    let cst = |codigo: &str| find_cst(codigo, TODAY).unwrap();
    assert!(cst("000").has(cst::TRIBUTA) && !cst("000").has(cst::REDUZ | cst::DIFERE | cst::MONO));
    assert!(cst("200").has(cst::REDUZ) && cst("510").has(cst::DIFERE) && cst("515").has(cst::REDUZ));
    assert!(cst("515").has(cst::DIFERE) && cst("222").has(cst::REDUZ_BC));
    for exempt in ["400", "410", "820"] {
        assert_eq!(cst(exempt).flags, 0, "{exempt}");
    }
    assert_eq!([cst("620").flags, cst("800").flags, cst("810").flags, cst("811").flags], [2, 16, 32, 64]);
    assert_eq!(find_cst("001", TODAY), None);
    assert_eq!(find_cst("515", date(2025, 9, 29)), None, "valid from 30/09/2025");
}

#[test]
fn classes_have_their_reductions_and_indicators() {
    assert_eq!(of("200030").codigo, "200030");
    assert_eq!(of("515001").reduction_of_ibs(), Decimal::from(60));
    assert_eq!((of("000001").reduction_of_ibs(), of("000001").reduction_of_cbs()), (Decimal::ZERO, Decimal::ZERO));
    assert!(of("200022").has(class::REGULAR) && of("200024").has(class::REGULAR) && !of("000001").has(class::REGULAR));
    assert!(of("410026").has(class::ESTORNA) && of("410014").has(class::CRED_PRES));
    assert!(of("620004").has(class::MONO_RET) && of("620004").has(class::BIO_DIFERENCA));
    assert!(of("620002").has(class::MONO_PADRAO) && of("620002").has(class::MONO_RETEN));
    assert!(of("000003").has(class::NFE) && !of("000003").has(class::NFCE) && !of("000002").has(class::NFE));
}

#[test]
fn a_class_ends_on_its_day() {
    assert!(find_class("220001", date(2026, 1, 1)).is_some());
    assert_eq!(find_class("220001", date(2026, 1, 2)), None);
    assert_eq!(find_class("000005", date(2025, 12, 31)), None);
}

#[test]
fn the_tables_are_sorted_and_every_class_has_its_cst() {
    assert!(table::CSTS.windows(2).all(|pair| pair[0].codigo < pair[1].codigo));
    assert!(classes().windows(2).all(|pair| pair[0].codigo < pair[1].codigo));
    assert_eq!((table::CSTS.len(), classes().len()), (18, 164));
    for class in classes() {
        assert!(table::CSTS.iter().any(|cst| class.codigo.starts_with(cst.codigo)), "{}", class.codigo);
        assert!(class.pRedIBS <= 10_000 && class.pRedCBS <= 10_000);
    }
}

#[test]
fn a_reduction_stands_only_where_the_cst_has_one() {
    for class in classes().iter().filter(|class| class.pRedIBS + class.pRedCBS > 0) {
        assert!(
            table::CSTS.iter().any(|cst| class.codigo.starts_with(cst.codigo) && cst.has(cst::REDUZ)),
            "{}",
            class.codigo
        );
    }
}

#[test]
fn credits_are_thirteen_and_say_what_they_need() {
    assert_eq!(CRED_PRES.map(|row| row.codigo), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    assert_eq!(find_credit("04"), find_credit("4"));
    assert!(find_credit("4").unwrap().deduz);
    assert_eq!((find_credit("0"), find_credit("14"), find_credit("")), (None, None, None));
}

#[test]
fn the_rates_of_the_transition() {
    let today = rates(TODAY).unwrap();
    assert_eq!(
        (today.ibs_uf.to_string(), today.ibs_mun, today.cbs.unwrap().to_string()),
        ("0.10".into(), Decimal::ZERO, "0.90".into())
    );
    let next = rates(date(2027, 1, 1)).unwrap();
    assert_eq!((next.ibs_uf.to_string(), next.ibs_mun.to_string(), next.cbs), ("0.05".into(), "0.05".into(), None));
    assert_eq!(rates(date(2029, 1, 1)), None);
}
