//! `infCTeSupl/qrCodCTe`.
//!
//! Law: MOC CT-e 4.00 visão geral, 9.2; rules G212 to G217; NT 2026.004: signed offline (tpEmis 2), and never else.

use super::{Rule, both, when};
use crate::sefaz::cte::case::Case;
use base64::Engine as _;
use fiscal::cte::qr;
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Verifier;

pub(super) const RULES: &[Rule] = &[
    both("G212", "H128", 850, |case| when(code(case).is_none())),
    both("G213", "H129", 851, another_site),
    both("G214", "H130", 852, |case| when(code(case).is_some() && parameter(case, "chCTe") != Some(case.chave))),
    both("G215", "H131", 853, |case| when(case.is_offline() && parameter(case, "sign").is_none())),
    both("G216", "H132", 854, |case| when(!case.is_offline() && parameter(case, "sign").is_some())),
    both("G217", "H133", 855, |case| when(parameter(case, "sign").is_some_and(|sign| !holds(case, sign)))),
];

fn code<'c>(case: &Case<'c>) -> Option<&'c str> {
    case.document.text_at("infCTeSupl/qrCodCTe")
}

fn parameter<'c>(case: &Case<'c>, name: &str) -> Option<&'c str> {
    let (_, query) = code(case)?.split_once('?')?;
    query.split('&').filter_map(|pair| pair.split_once('=')).find(|(known, _)| *known == name).map(|(_, value)| value)
}

fn another_site(case: &Case<'_>) -> Option<String> {
    let site = code(case)?.split('?').next()?;
    let expected = qr::address(case.key_uf()?, case.request.place.ambiente);
    when(!site.eq_ignore_ascii_case(expected))
}

/// Over the 44 positions of the key, by the certificate that signs the document.
fn holds(case: &Case<'_>, sign: &str) -> bool {
    let verified = || -> Option<bool> {
        let signature = base64::engine::general_purpose::STANDARD.decode(sign).ok()?;
        let key = PKey::public_key_from_der(case.signer?).ok()?;
        let mut verifier = Verifier::new(MessageDigest::sha1(), &key).ok()?;
        verifier.update(case.chave.as_bytes()).ok()?;
        verifier.verify(&signature).ok()
    };
    verified().unwrap_or(false)
}
