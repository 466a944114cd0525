//! Opening PKCS#12 files (RFC 7292), old and new.
//!
//! Two libraries are tried. OpenSSL reads DER and BER and wipes its decrypted copies, but has neither RC2-40 (without
//! its legacy module) nor files without MAC. `p12-keystore` reads these too; it frees decrypted copies without wiping
//! them, so it comes second.
//!
//! A file without MAC is accepted: the caller sends file and password over one authenticated channel, and a key that
//! decrypts and matches a certificate of the file shows that nothing was lost. `opening_cost` bounds the work before
//! either library opens the file.

mod ber;
mod opening_cost;
mod scheme;

use super::{InvalidPfx, belongs_to};
use openssl::error::ErrorStack;
use openssl::pkcs12::Pkcs12;
use openssl::pkey::{PKey, Private};
use openssl::x509::X509;
use p12_keystore::Pkcs12Archive;
use p12_keystore::error::Error as ArchiveError;
use zeroize::Zeroizing;

/// Keys and certificates, in the order of the file.
pub(super) struct PfxContents {
    pub(super) keys: Vec<PKey<Private>>,
    pub(super) certificates: Vec<X509>,
}

impl PfxContents {
    /// A key with its certificate; among several, the one that is valid longest.
    pub(super) fn newest_pair(&self) -> Option<(X509, PKey<Private>)> {
        let of_key =
            |key| self.certificates.iter().filter(move |leaf| belongs_to(leaf, key)).map(move |leaf| (leaf, key));
        let pairs = self.keys.iter().flat_map(of_key);
        let later = |a: &X509, b: &X509| a.not_after().compare(b.not_after()).unwrap_or(std::cmp::Ordering::Equal);
        let newest = pairs.max_by(|(a, _), (b, _)| later(a, b));
        newest.map(|(leaf, key)| (leaf.clone(), key.clone()))
    }
}

pub(super) fn open(pfx: &[u8], password: &str) -> Result<PfxContents, InvalidPfx> {
    if password.contains('\0') || password.len() > LONGEST_PASSWORD {
        return Err(InvalidPfx::WrongPassword);
    }
    match open_with(pfx, password) {
        Err(InvalidPfx::WrongPassword) if !password.is_ascii() => open_with(pfx, &as_old_openssl_wrote(password)),
        opened => opened,
    }
}

/// The password as OpenSSL before 1.1 used it: every UTF-8 byte a character of its own. Such files are still in use.
fn as_old_openssl_wrote(password: &str) -> Zeroizing<String> {
    Zeroizing::new(password.bytes().map(char::from).collect())
}

fn open_with(pfx: &[u8], password: &str) -> Result<PfxContents, InvalidPfx> {
    opening_cost::check_opening_cost(pfx, password)?;
    let first = match open_with_openssl(pfx, password) {
        Ok(contents) if !contents.keys.is_empty() => return Ok(contents),
        Ok(_) => None,
        Err(stack) => Some(stack),
    };
    if first.as_ref().is_some_and(is_wrong_mac) {
        return Err(InvalidPfx::WrongPassword);
    }
    open_with_keystore(pfx, password).map_err(|error| match error {
        ArchiveError::MacError(_) | ArchiveError::Pkcs5Error(_) | ArchiveError::UnpadError => InvalidPfx::WrongPassword,
        // a wrong password sometimes decrypts to valid padding around garbage
        ArchiveError::DerError(_) if first.as_ref().is_some_and(is_wrong_decryption) => InvalidPfx::WrongPassword,
        _ => InvalidPfx::Unreadable,
    })
}

fn open_with_openssl(pfx: &[u8], password: &str) -> Result<PfxContents, ErrorStack> {
    let parsed = Pkcs12::from_der(pfx)?.parse2(password)?;
    let others = parsed.ca.into_iter().flatten();
    Ok(PfxContents {
        keys: parsed.pkey.into_iter().collect(),
        certificates: parsed.cert.into_iter().chain(others).collect(),
    })
}

fn open_with_keystore(pfx: &[u8], password: &str) -> Result<PfxContents, ArchiveError> {
    let archive = Pkcs12Archive::from_pkcs12(pfx, password)?;
    let keys = archive.keys.iter().filter_map(|bag| PKey::private_key_from_pkcs8(bag.key.as_der()).ok());
    let certificates = archive.certs.iter().filter_map(|bag| X509::from_der(bag.cert.as_der()).ok());
    Ok(PfxContents { keys: keys.collect(), certificates: certificates.collect() })
}

/// True for a failed MAC. OpenSSL 3.0 reports "mac verify failure" for a file without MAC too, after "mac absent";
/// later versions open such a file.
fn is_wrong_mac(stack: &ErrorStack) -> bool {
    has_reason(stack, &["mac verify failure"]) && !has_reason(stack, &["mac absent"])
}

/// True when OpenSSL found no MAC or could not decrypt: only the decrypted bytes can show a wrong password.
fn is_wrong_decryption(stack: &ErrorStack) -> bool {
    has_reason(stack, &["mac absent", "bad decrypt", "pkcs12 cipherfinal error", "decode error"])
}

fn has_reason(stack: &ErrorStack, reasons: &[&str]) -> bool {
    stack.errors().iter().any(|error| error.reason().is_some_and(|reason| reasons.contains(&reason)))
}

/// Longest password; no tool that writes these files accepts a longer one.
const LONGEST_PASSWORD: usize = 1024;
