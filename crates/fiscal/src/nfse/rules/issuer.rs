//! The prestador and its regime.

use super::case::{DpsCase, has_wrong_document, is_no_email};
use super::{NfseRule, rule};

const SIMPLES: &str = "prest/regTrib/regApTribSN";
const SPECIAL: &str = "prest/regTrib/regEspTrib";

pub(super) const RULES: &[NfseRule] = &[
    rule("E0080", "prest/CNPJ", |case| has_wrong_document(case.inf.child("prest"), "CNPJ")),
    rule("E0096", "prest/CPF", |case| has_wrong_document(case.inf.child("prest"), "CPF")),
    rule("E0112", "prest/NIF", |case| is_sent_by_issuer(case, "prest/NIF")),
    rule("E0114", "prest/cNaoNIF", |case| is_sent_by_issuer(case, "prest/cNaoNIF")),
    rule("E0121", "prest/xNome", |case| is_sent_by_issuer(case, "prest/xNome")),
    rule("E0128", "prest/end", |case| is_sent_by_issuer(case, "prest/end")),
    rule("E0148", "prest/email", |case| case.inf.text_at("prest/email").is_some_and(is_no_email)),
    rule("E0162", SIMPLES, |case| case.has(SIMPLES) && !case.is_small()),
    rule("E0166", SIMPLES, |case| !case.has(SIMPLES) && case.is_small()),
    rule("E0172", SPECIAL, |case| case.has_special_regime() && !case.is_taxable()),
    rule("E0174", SPECIAL, |case| case.has_special_regime() && case.is_mei()),
    rule("E0175", SPECIAL, |case| case.has_special_regime() && case.is_inside()),
];

/// True for a member that an issuing prestador must not send.
fn is_sent_by_issuer(case: &DpsCase<'_>, path: &str) -> bool {
    case.is_own() && case.has(path)
}
