//! The `otherName` fields of ICP-Brasil (DOC-ICP-04, 7.1.2.3): fixed positions in one string.

use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;

/// Identifiers of the certificate's holder.
pub(super) struct HolderIds {
    pub(super) cnpj: Option<String>,
    pub(super) cpf: Option<String>,
}

pub(super) fn names(certificate: &X509Certificate<'_>) -> HolderIds {
    let others = others(certificate);
    let text = |oid: &str| others.iter().find(|(key, _)| key == oid).map(|(_, value)| value.as_str());
    HolderIds {
        cnpj: text(CNPJ).and_then(cnpj),
        cpf: text(NATURAL_PERSON).and_then(cpf).or_else(|| text(RESPONSIBLE_PERSON).and_then(cpf)),
    }
}

fn others(certificate: &X509Certificate<'_>) -> Vec<(String, String)> {
    let Ok(Some(names)) = certificate.subject_alternative_name() else {
        return Vec::new();
    };
    let pairs = names.value.general_names.iter().filter_map(|name| match name {
        GeneralName::OtherName(oid, value) => Some((oid.to_id_string(), inner_text(value)?)),
        _ => None,
    });
    pairs.collect()
}

/// Text of `[0] EXPLICIT` around an OCTET STRING; some issuers use UTF8String or PrintableString.
fn inner_text(tagged: &[u8]) -> Option<String> {
    let explicit = content(tagged, |tag| tag == 0xA0)?;
    let text = content(explicit, |tag| matches!(tag, OCTET_STRING | UTF8_STRING | PRINTABLE_STRING | IA5_STRING))?;
    // digits and capital letters have equal bytes in all these encodings
    Some(text.iter().map(|&byte| char::from(byte)).collect())
}

/// Content of a DER value when its tag is accepted.
fn content(der: &[u8], right: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7F => (usize::from(first), rest),
        0x81 => (usize::from(*rest.first()?), rest.get(1..)?),
        0x82 => (usize::from(u16::from_be_bytes([*rest.first()?, *rest.get(1)?])), rest.get(2..)?),
        _ => return None,
    };
    if right(tag) { rest.get(..length) } else { None }
}

/// Reads the CNPJ: 14 positions, letters included since the alphanumeric CNPJ.
fn cnpj(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let right = text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (right && text.bytes().any(|byte| byte != b'0')).then_some(text)
}

/// Reads the CPF: birth date (8), CPF (11), then unused fields. Zeros stand for "not informed".
fn cpf(text: &str) -> Option<String> {
    let cpf = text.get(8..19)?;
    let right = cpf.bytes().all(|byte| byte.is_ascii_digit()) && cpf.bytes().any(|byte| byte != b'0');
    right.then(|| cpf.to_owned())
}

const NATURAL_PERSON: &str = "2.16.76.1.3.1";
const CNPJ: &str = "2.16.76.1.3.3";
const RESPONSIBLE_PERSON: &str = "2.16.76.1.3.4";

const OCTET_STRING: u8 = 0x04;
const UTF8_STRING: u8 = 0x0C;
const PRINTABLE_STRING: u8 = 0x13;
const IA5_STRING: u8 = 0x16;
