//! The QR code of the NFC-e: its text in versions 2 and 3, online and offline, and its addresses.
//!
//! Law: Manual de Especificações Técnicas do DANFE NFC-e e QR Code (2025-03), §4.3 and §4.4; NT 2025.001, §4 (version
//! 3). Must not know keys: the RSA signature of version 3 is passed in, and so is the CSC of version 2, which is hashed
//! and never written.

mod read;
mod urls;

pub use read::{OfflineParameters, QrParameters, QrSeal, QrSyntaxError, read};
pub use urls::{NfceAddresses, addresses};

use crate::document::BuiltDocument;
use crate::value::{ChaveAcesso, CnpjCpf, TpAmb};
use rust_decimal::Decimal;
use sha1::{Digest as _, Sha1};
use std::fmt::Write as _;

/// Values that the parameters are made of.
#[derive(Debug, Clone, Copy)]
pub struct QrInputs<'a> {
    pub chave: &'a ChaveAcesso,
    pub ambiente: TpAmb,
    /// `None` when the document is issued online.
    pub offline: Option<OfflineInputs<'a>>,
}

/// Further values of an offline code: until the document is transmitted, the consumer and the state have nothing else.
#[derive(Debug, Clone, Copy)]
pub struct OfflineInputs<'a> {
    /// `dhEmi` as written.
    pub dhEmi: &'a str,
    pub vNF: Decimal,
    /// `DigestValue` of the signature, base64 as written.
    pub digest: &'a str,
    pub consumer: ConsumerId,
}

/// Identification of the consumer in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsumerId {
    /// No `dest`.
    Unidentified,
    /// By `CNPJ` or `CPF`.
    By(CnpjCpf),
    /// By `idEstrangeiro`, which the code does not repeat.
    Foreigner,
}

impl ConsumerId {
    /// Reads the consumer's identification from a document.
    pub fn of(built: &BuiltDocument) -> ConsumerId {
        match built.destinatario.as_deref().and_then(|document| CnpjCpf::parse(document).ok()) {
            Some(document) => ConsumerId::By(document),
            None if built.estrangeiro => ConsumerId::Foreigner,
            None => ConsumerId::Unidentified,
        }
    }
}

/// Builds the parameters of version 2, sealed by the CSC. `id_csc` is the state's number of the CSC: at most six
/// digits.
pub fn v2(facts: &QrInputs<'_>, id_csc: u32, csc: &str) -> String {
    let mut p = start(facts, '2');
    if let Some(offline) = &facts.offline {
        offline.day_and_total(&mut p);
        p.push('|');
        hex(offline.digest.as_bytes(), "0123456789abcdef", &mut p);
    }
    let _ = write!(p, "|{id_csc}");
    let hash = Sha1::new().chain_update(&p).chain_update(csc).finalize();
    p.push('|');
    hex(&hash, "0123456789ABCDEF", &mut p);
    p
}

/// Builds the parameters of version 3 of a document issued online. They have no seal.
pub fn v3_online(facts: &QrInputs<'_>) -> String {
    start(facts, '3')
}

/// Builds the parameters of version 3 of a document issued offline, to be signed by the key that signs the document.
/// `None` online. The signature (RSA, SHA-1, base64) follows after one more `|`: see [`v3_signed`].
pub fn v3_to_sign(facts: &QrInputs<'_>) -> Option<String> {
    let offline = facts.offline.as_ref()?;
    let mut p = start(facts, '3');
    offline.day_and_total(&mut p);
    let (tipo, document) = match &offline.consumer {
        ConsumerId::Unidentified => ("", ""),
        ConsumerId::By(document @ CnpjCpf::Cnpj(_)) => ("1", document.as_str()),
        ConsumerId::By(document @ CnpjCpf::Cpf(_)) => ("2", document.as_str()),
        ConsumerId::Foreigner => ("3", ""),
    };
    let _ = write!(p, "|{tipo}|{document}");
    Some(p)
}

/// Builds the parameters of version 3 with their signature.
pub fn v3_signed(to_sign: &str, signature: &str) -> String {
    format!("{to_sign}|{signature}")
}

/// Builds `qrCode`: the address of the state and the parameters.
pub fn text(address: &str, p: &str) -> String {
    format!("{address}?p={p}")
}

/// Parses the number of a CSC without leading zeros. `None` unless it is a number of at most six digits.
pub fn id_csc(text: &str) -> Option<u32> {
    let digits = text.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten().filter(|id| *id <= 999_999)
}

fn start(facts: &QrInputs<'_>, versao: char) -> String {
    let mut p = String::with_capacity(512);
    let _ = write!(p, "{}|{versao}|{}", facts.chave, facts.ambiente.code());
    p
}

impl OfflineInputs<'_> {
    fn day_and_total(&self, p: &mut String) {
        let mut total = self.vNF;
        total.rescale(2);
        let _ = write!(p, "|{}|{total}", self.dhEmi.get(8..10).unwrap_or_default());
    }
}

/// Appends bytes as hexadecimal digits of this alphabet.
fn hex(bytes: &[u8], alphabet: &str, to: &mut String) {
    let digit = |nibble: u8| alphabet.as_bytes().get(usize::from(nibble)).copied().unwrap_or(b'0');
    for byte in bytes {
        to.push(char::from(digit(byte >> 4)));
        to.push(char::from(digit(byte & 0x0f)));
    }
}

#[cfg(test)]
mod tests;
