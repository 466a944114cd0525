//! Issuers without inscrição estadual (NT 2026.007).

use super::{BEFORE_IE_MAY_LACK, Case, Edit, Pair, case, pair, pair_65, predicted};

const NO_IE: Edit = ("<IE>110042490114</IE>", "");
const NO_ICMS: Edit = (
    "<ICMS><ICMS00><orig>0</orig><CST>00</CST><modBC>3</modBC><vBC>100.00</vBC><pICMS>18.0000</pICMS><vICMS>18.00</vICMS></ICMS00></ICMS>",
    "",
);
const ONLY_IEST: Edit = ("<IE>110042490114</IE>", "<IEST>110042490114</IEST>");
const A_PERSON: Edit = ("<CNPJ>11222333000181</CNPJ>", "<CPF>11144477735</CPF>");
const ELSEWHERE: Edit = ("<UF>SP<", "<UF>RS<");
const A_RETURN: Edit = ("<finNFe>1<", "<finNFe>4<");
const A_CREDIT: Edit = ("<finNFe>1</finNFe>", "<finNFe>5</finNFe><tpNFCredito>03</tpNFCredito>");

#[rustfmt::skip]
pub(super) const PAIRS: &[Pair] = &[
    pair_65("C17-42", &[NO_IE], &[]),
    pair("C17-43", &[NO_IE, A_PERSON], &[NO_IE]),
    pair("C18-50", &[ONLY_IEST], &[NO_IE]),
    pair("N01-10", &[NO_IE], &[NO_IE, NO_ICMS]),
    pair("UB12-11", &[NO_IE, ("<IBSCBS>", "<outro>"), ("</IBSCBS>", "</outro>")], &[NO_IE]),
    pair("B25-90", &[NO_ICMS], &[NO_IE, NO_ICMS]),
    pair("C12-10", &[ELSEWHERE], &[NO_IE, ELSEWHERE]),
];

/// Model, rule, replacements.
#[rustfmt::skip]
pub(super) const EXCEPTED: &[(u8, &str, &[Edit])] = &[
    (55, "N01-10", &[NO_IE, A_RETURN]),
    (55, "N01-10", &[NO_IE, A_CREDIT]),
    (55, "C17-43", &[A_PERSON]),
    (65, "C17-43", &[NO_IE, A_PERSON]),
];

/// The day before in homologação, and the days before and after in production.
#[test]
fn an_issuer_lacks_its_ie_from_a_day_on() {
    const ISSUED: &[Edit] = &[NO_IE, NO_ICMS, ELSEWHERE];
    const OLD: [&str; 3] = ["B25-90", "C12-10", "C17-10"];
    const NEW: [&str; 3] = ["C17-43", "N01-10", "UB12-11"];
    let taxed = |received, producao| predicted(55, &Case { received, producao, ..case(&[NO_IE]) });
    let at = |received, producao| predicted(55, &Case { received, producao, ..case(ISSUED) });
    for (received, producao) in [(BEFORE_IE_MAY_LACK, false), ("2026-11-02T23:59:59-03:00", true)] {
        let before = at(received, producao);
        assert!(OLD.iter().all(|id| before.contains(id)), "{received}: {before:?}");
        assert!(NEW.iter().all(|id| !before.contains(id)), "{received}: {before:?}");
        assert!(!taxed(received, producao).contains("N01-10"), "{received}");
    }
    for (received, producao) in [("2026-09-01T00:00:00-03:00", false), ("2026-11-03T00:00:00-03:00", true)] {
        let after = at(received, producao);
        assert!(OLD.iter().chain(&NEW).all(|id| !after.contains(id)), "{received}: {after:?}");
        assert!(taxed(received, producao).contains("N01-10"), "{received}");
    }
}
