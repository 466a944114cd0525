//! Reader of the parameters of a QR code from any issuer: version, online or offline, and seal.
//!
//! Law: as in `qr`. Reports the content; the rules decide whether it is right.

use super::hex;

/// Parameters of a code, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QrParameters<'a> {
    /// Access key, unchecked.
    pub chave: &'a str,
    /// Version 2 or 3.
    pub versao: u8,
    /// `1` or `2`, unchecked.
    pub tpAmb: &'a str,
    /// Parameters of a document issued offline.
    pub offline: Option<OfflineParameters<'a>>,
    /// Proof of the code's issuer.
    pub seal: QrSeal<'a>,
    /// Text that the seal covers: everything before its last part.
    pub sealed: &'a str,
}

/// Parameters of an offline code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OfflineParameters<'a> {
    /// Day of `dhEmi`.
    pub dia: &'a str,
    /// `vNF`.
    pub vNF: &'a str,
    /// `DigestValue` in hexadecimal; version 2 only.
    pub digest: Option<&'a str>,
    /// Kind and number of the consumer's document, both possibly empty; version 3 only.
    pub consumer: Option<(&'a str, &'a str)>,
}

/// Proof of the code's issuer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QrSeal<'a> {
    /// Proof of version 2.
    Csc {
        id: &'a str,
        /// Hash over the parameters and the CSC.
        hash: &'a str,
    },
    /// Proof of version 3 offline.
    Signature(&'a str),
    /// Version 3 online, or a missing signature.
    None,
}

/// Error of a text that is no code of a known version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QrSyntaxError<'a> {
    /// Unknown version in the second parameter.
    #[error("a versão {0} do QR Code não é 2 nem 3")]
    Version(&'a str),
    /// Too few or too many parameters; the name of the first missing one.
    #[error("falta o parâmetro {0} do QR Code, ou há parâmetros a mais")]
    Missing(&'static str),
}

/// Reads the parameters `p`.
pub fn read(p: &str) -> Result<QrParameters<'_>, QrSyntaxError<'_>> {
    let parts: Vec<&str> = p.split('|').collect();
    let sealed = p.rsplit_once('|').map_or("", |(sealed, _)| sealed);
    let (chave, tpAmb) = match parts.as_slice() {
        [chave, "2" | "3", tpAmb, ..] if !chave.is_empty() && !tpAmb.is_empty() => (*chave, *tpAmb),
        [_, versao, ..] if !matches!(*versao, "2" | "3" | "") => return Err(QrSyntaxError::Version(versao)),
        _ => return Err(QrSyntaxError::Missing(missing(&parts, &["chave", "versao", "tpAmb"]))),
    };
    let qr = |versao, offline, seal, sealed| QrParameters { chave, versao, tpAmb, offline, seal, sealed };
    let day = |dia, vNF, digest, consumer| Some(OfflineParameters { dia, vNF, digest, consumer });
    match parts.as_slice() {
        [_, "2", _, id, hash] => Ok(qr(2, None, QrSeal::Csc { id, hash }, sealed)),
        [_, "2", _, dia, vNF, digest, id, hash] => {
            Ok(qr(2, day(dia, vNF, Some(*digest), None), QrSeal::Csc { id, hash }, sealed))
        }
        [_, "3", _] => Ok(qr(3, None, QrSeal::None, p)),
        [_, "3", _, signature] => Ok(qr(3, None, QrSeal::Signature(signature), sealed)),
        [_, "3", _, dia, vNF, tipo, id] => Ok(qr(3, day(dia, vNF, None, Some((tipo, id))), QrSeal::None, p)),
        [_, "3", _, dia, vNF, tipo, id, signature] => {
            Ok(qr(3, day(dia, vNF, None, Some((tipo, id))), QrSeal::Signature(signature), sealed))
        }
        [_, "2", ..] => Err(QrSyntaxError::Missing(missing(&parts, V2))),
        _ => Err(QrSyntaxError::Missing(missing(&parts, V3))),
    }
}

impl QrParameters<'_> {
    /// True when this CSC makes the hash of version 2; false for any other seal.
    pub fn is_sealed_by(&self, csc: &str) -> bool {
        use sha1::{Digest as _, Sha1};
        let QrSeal::Csc { hash, .. } = self.seal else { return false };
        let mut expected = String::with_capacity(40);
        hex(&Sha1::new().chain_update(self.sealed).chain_update(csc).finalize(), "0123456789ABCDEF", &mut expected);
        hash.eq_ignore_ascii_case(&expected)
    }

    /// True when an offline code of version 2 holds this `DigestValue` (base64), or the code has none.
    pub fn has_digest(&self, digest: &str) -> bool {
        let Some(stated) = self.offline.and_then(|offline| offline.digest) else { return true };
        let mut expected = String::with_capacity(56);
        hex(digest.as_bytes(), "0123456789abcdef", &mut expected);
        stated.eq_ignore_ascii_case(&expected)
    }
}

fn missing(parts: &[&str], names: &[&'static str]) -> &'static str {
    let empty = parts.iter().zip(names).find(|(part, _)| part.is_empty()).map(|(_, name)| *name);
    empty.or_else(|| names.get(parts.len()).copied()).unwrap_or("hash")
}

const V2: &[&str] = &["chave", "versao", "tpAmb", "dia", "vNF", "digVal", "idCSC", "hash"];
const V3: &[&str] = &["chave", "versao", "tpAmb", "dia", "vNF", "tp_idDest", "idDest", "assinatura"];
