//! Reading the parameters of a QR code, whoever made it: which version, online or offline, and what seals it.
//!
//! Law: as in `qr`. Says what is there; whether it is right is the rules' business.

use super::hex;

/// The parameters of a code, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Qr<'a> {
    /// Access key, any text.
    pub chave: &'a str,
    /// 2 or 3.
    pub versao: u8,
    /// `1` or `2`, any text.
    pub tpAmb: &'a str,
    /// Of a document issued offline.
    pub offline: Option<Offline<'a>>,
    /// What proves who made it.
    pub seal: Seal<'a>,
    /// What the seal is over: everything before its last part.
    pub sealed: &'a str,
}

/// The parameters of an offline code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offline<'a> {
    /// Day of `dhEmi`.
    pub dia: &'a str,
    /// Total.
    pub vNF: &'a str,
    /// `DigestValue` in hexadecimal; version 2.
    pub digest: Option<&'a str>,
    /// Kind and number of the consumer's document, both may be empty; version 3.
    pub consumer: Option<(&'a str, &'a str)>,
}

/// What proves who made the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seal<'a> {
    /// Version 2.
    Csc {
        /// Number of the CSC.
        id: &'a str,
        /// Its hash over the parameters.
        hash: &'a str,
    },
    /// Version 3 offline.
    Signature(&'a str),
    /// Version 3 online, or a signature that is missing.
    None,
}

/// Why a text is no code of a known version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable<'a> {
    /// The second parameter.
    #[error("a versão {0} do QR Code não é 2 nem 3")]
    Version(&'a str),
    /// Fewer or more parameters than the version has; the name of the first that is missing.
    #[error("falta o parâmetro {0} do QR Code, ou há parâmetros a mais")]
    Missing(&'static str),
}

/// Reads `p`.
pub fn read(p: &str) -> Result<Qr<'_>, Unreadable<'_>> {
    let parts: Vec<&str> = p.split('|').collect();
    let sealed = p.rsplit_once('|').map_or("", |(sealed, _)| sealed);
    let (chave, tpAmb) = match parts.as_slice() {
        [chave, "2" | "3", tpAmb, ..] if !chave.is_empty() && !tpAmb.is_empty() => (*chave, *tpAmb),
        [_, versao, ..] if !matches!(*versao, "2" | "3" | "") => return Err(Unreadable::Version(versao)),
        _ => return Err(Unreadable::Missing(missing(&parts, &["chave", "versao", "tpAmb"]))),
    };
    let qr = |versao, offline, seal, sealed| Qr { chave, versao, tpAmb, offline, seal, sealed };
    let day = |dia, vNF, digest, consumer| Some(Offline { dia, vNF, digest, consumer });
    match parts.as_slice() {
        [_, "2", _, id, hash] => Ok(qr(2, None, Seal::Csc { id, hash }, sealed)),
        [_, "2", _, dia, vNF, digest, id, hash] => {
            Ok(qr(2, day(dia, vNF, Some(*digest), None), Seal::Csc { id, hash }, sealed))
        }
        [_, "3", _] => Ok(qr(3, None, Seal::None, p)),
        [_, "3", _, signature] => Ok(qr(3, None, Seal::Signature(signature), sealed)),
        [_, "3", _, dia, vNF, tipo, id] => Ok(qr(3, day(dia, vNF, None, Some((tipo, id))), Seal::None, p)),
        [_, "3", _, dia, vNF, tipo, id, signature] => {
            Ok(qr(3, day(dia, vNF, None, Some((tipo, id))), Seal::Signature(signature), sealed))
        }
        [_, "2", ..] => Err(Unreadable::Missing(missing(&parts, V2))),
        _ => Err(Unreadable::Missing(missing(&parts, V3))),
    }
}

impl Qr<'_> {
    /// Whether the hash of version 2 is the one this CSC makes; false for anything else.
    pub fn is_sealed_by(&self, csc: &str) -> bool {
        use sha1::{Digest as _, Sha1};
        let Seal::Csc { hash, .. } = self.seal else { return false };
        let mut expected = String::with_capacity(40);
        hex(&Sha1::new().chain_update(self.sealed).chain_update(csc).finalize(), "0123456789ABCDEF", &mut expected);
        hash.eq_ignore_ascii_case(&expected)
    }

    /// Whether the digest of an offline code of version 2 is this `DigestValue` (base64); true where the code has none.
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
