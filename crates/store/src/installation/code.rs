//! The random code of a document's key (`cNF`, `cCT`): a keyed digest of its job and number, so that a restored copy of
//! the database computes the same code.
//!
//! Law: cStat 897 forbids some codes.
//! Must not know: the content of a job.

use crate::numbers::sequence::Series;
use crate::{Error, Store};
use fiscal::value::ChaveAcesso;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::sign::Signer;
use std::sync::Arc;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Nine in ten of all codes are at least this large, and none of them equals a number below ten million.
const SMALLEST: u32 = 10_000_000;
const RANGE: u64 = 90_000_000;
/// Codes tried for one number; each is forbidden with a probability below one in a million.
const TRIES: u8 = 16;

/// The code of a document that has no number yet.
#[derive(Clone)]
pub enum KeyCode {
    /// Independent of the number.
    Fixed(u32),
    /// A function of the number.
    ByNumber(CodeByNumber),
}

impl KeyCode {
    /// Returns the code for a number.
    pub fn of(&self, numero: u64) -> Result<u32, Error> {
        match self {
            KeyCode::Fixed(code) => Ok(*code),
            KeyCode::ByNumber(codes) => codes.of(numero),
        }
    }
}

/// Codes stand in printed keys; the secret that makes them is not printed.
impl std::fmt::Debug for KeyCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KeyCode::Fixed(code) => write!(f, "Fixed({code})"),
            KeyCode::ByNumber(_) => f.write_str("ByNumber(…)"),
        }
    }
}

/// The codes of one job in one series.
#[derive(Clone)]
pub struct CodeByNumber {
    key: CodeKey,
    scope: Arc<str>,
}

impl CodeByNumber {
    /// Codes of a sale's second document: it gets another key even under the number that the first one released.
    #[must_use]
    pub fn of_second(self) -> CodeByNumber {
        CodeByNumber { scope: format!("{} 2", self.scope).into(), ..self }
    }

    /// Returns the code for a number.
    pub fn of(&self, numero: u64) -> Result<u32, Error> {
        let forbidding = u32::try_from(numero).unwrap_or(0);
        for attempt in 0..TRIES {
            let code = self.candidate_code(numero, attempt)?;
            if ChaveAcesso::code_is_allowed(code, forbidding) {
                return Ok(code);
            }
        }
        Err(Error::Corrupt("nenhum código numérico é permitido para este número"))
    }

    fn candidate_code(&self, numero: u64, attempt: u8) -> Result<u32, Error> {
        let digest = self.key.digest(format!("{} {numero} {attempt}", self.scope).as_bytes())?;
        let (head, _) = digest.split_first_chunk::<8>().ok_or(Error::Sealed)?;
        let within = u32::try_from(u64::from_be_bytes(*head) % RANGE).map_err(|_| Error::Sealed)?;
        Ok(SMALLEST + within)
    }
}

/// The installation's key for codes; sealed by the master key where it is stored.
#[derive(Clone)]
pub(crate) struct CodeKey(PKey<Private>);

impl CodeKey {
    pub(crate) fn new(bytes: &Zeroizing<Vec<u8>>) -> Result<CodeKey, Error> {
        PKey::hmac(bytes).map(CodeKey).map_err(|_| Error::Sealed)
    }

    fn digest(&self, text: &[u8]) -> Result<Vec<u8>, Error> {
        let signed =
            Signer::new(MessageDigest::sha256(), &self.0).and_then(|mut signer| signer.sign_oneshot_to_vec(text));
        signed.map_err(|_| Error::Sealed)
    }
}

impl Store {
    /// Returns the codes of a job in a series: the same in every copy of this database.
    pub fn key_code(&self, job: Uuid, series: &Series) -> Result<CodeByNumber, Error> {
        let key = self.shared.code_key.get().ok_or(Error::Sealed)?.clone();
        let place = format!("{job} {} {}", series.counted.word(), series.serie.as_str());
        Ok(CodeByNumber { key, scope: place.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(key: u8, place: &str) -> CodeByNumber {
        CodeByNumber { key: CodeKey::new(&Zeroizing::new(vec![key; 32])).unwrap(), scope: place.into() }
    }

    #[test]
    fn a_code_follows_from_key_job_series_and_number() {
        let code = codes(7, "job 55 1").of(42).unwrap();
        assert_eq!(codes(7, "job 55 1").of(42).unwrap(), code);
        for other in [codes(8, "job 55 1").of(42), codes(7, "job 55 2").of(42), codes(7, "job 55 1").of(43)] {
            assert_ne!(other.unwrap(), code);
        }
    }

    #[test]
    fn the_second_document_of_a_sale_has_another_code_under_the_same_number() {
        let second = codes(7, "job 55 1").of_second();
        assert_ne!(second.of(42).unwrap(), codes(7, "job 55 1").of(42).unwrap());
        assert_eq!(second.of(42).unwrap(), codes(7, "job 55 1").of_second().of(42).unwrap());
    }

    #[test]
    fn every_code_has_eight_digits_and_is_allowed_beside_its_number() {
        let codes = codes(1, "job 65 1");
        for numero in (1..2_000).chain([12_345_678, 999_999_999, 999_999_999_999_999]) {
            let code = codes.of(numero).unwrap();
            assert!((10_000_000..100_000_000).contains(&code), "{numero}: {code}");
            assert!(ChaveAcesso::code_is_allowed(code, u32::try_from(numero).unwrap_or(0)), "{numero}: {code}");
        }
    }

    #[test]
    fn what_is_printed_shows_no_key() {
        assert_eq!(format!("{:?}", KeyCode::ByNumber(codes(1, "job"))), "ByNumber(…)");
    }
}
