//! Rules about the document's own key.

use super::case::{CteCase, party_document};
use super::{CteRule, both, breach_if, cte, os};
use crate::value::{ChaveAcesso, InvalidChave};

pub(super) const RULES: &[CteRule] = &[
    cte("G013", 732, "ide/mod", |case| breach_if(case.key(20..22) != "57")),
    os("H010", 721, "ide/mod", |case| breach_if(case.key(20..22) != "67")),
    both("G014", "H011", 227, "@Id", |case| {
        breach_if(case.key(0..43) != composed(case) || case.key(43..44) != case.ide("cDV"))
    }),
    both("G015", "H012", 253, "ide/cDV", |case| {
        breach_if(ChaveAcesso::parse(case.chave) == Err(InvalidChave::CheckDigit))
    }),
];

/// The key composed of the fields, without its check digit.
fn composed(case: &CteCase<'_>) -> String {
    let dhEmi = case.ide("dhEmi");
    let aamm = format!("{}{}", dhEmi.get(2..4).unwrap_or(""), dhEmi.get(5..7).unwrap_or(""));
    let emitente = case.inf.child("emit").map_or("", party_document);
    format!(
        "{}{aamm}{emitente:0>14}{}{:0>3}{:0>9}{}{:0>8}",
        case.ide("cUF"),
        case.ide("mod"),
        case.ide("serie"),
        case.ide("nCT"),
        case.ide("tpEmis"),
        case.ide("cCT")
    )
}
