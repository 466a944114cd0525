//! Encryption schemes of PKCS#12 parts: PBES2 with PBKDF2 (RFC 8018), and the older ones of RFC 7292, appendix C.

use super::ber::BerNode;
use crate::certificate::InvalidPfx;
use cbc::cipher::{BlockModeDecrypt as _, KeyIvInit as _, block_padding::Pkcs7};
use openssl::hash::MessageDigest;
use openssl::symm::Cipher;
use pkcs12::kdf::{Pkcs12KeyType, derive_key};
use sha1::Sha1;
use zeroize::Zeroizing;

/// An algorithm with its parameters.
pub(super) enum EncryptionScheme {
    Pbkdf2 { pbkdf2: Pbkdf2, cipher: Cipher, iv: Vec<u8> },
    Pkcs12 { cipher: OldCipher, salt: Vec<u8>, rounds: u64 },
}

/// Parameters of PBKDF2.
pub(super) struct Pbkdf2 {
    salt: Vec<u8>,
    rounds: u64,
    key_length: Option<u64>,
    prf: MessageDigest,
}

#[derive(Clone, Copy)]
pub(super) enum OldCipher {
    TripleDes,
    TwoKeyTripleDes,
    Rc2 { key_bytes: usize },
}

impl EncryptionScheme {
    /// Reads an AlgorithmIdentifier.
    pub(super) fn read(node: &BerNode<'_>) -> Result<EncryptionScheme, InvalidPfx> {
        let parts = node.sequence().ok_or(InvalidPfx::Unreadable)?;
        let [algorithm, parameters] = parts.as_slice() else { return Err(InvalidPfx::Unsupported) };
        let parameters = parameters.sequence().ok_or(InvalidPfx::Unsupported)?;
        match (algorithm.oid().ok_or(InvalidPfx::Unreadable)?, parameters.as_slice()) {
            (PBES2, [derivation, encryption]) => {
                let pbkdf2 = Pbkdf2::read(derivation)?;
                let (cipher, iv) = cipher(encryption).ok_or(InvalidPfx::Unsupported)?;
                Ok(EncryptionScheme::Pbkdf2 { pbkdf2, cipher, iv })
            }
            ([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01, number], [salt, rounds]) => {
                let cipher = OldCipher::of(*number).ok_or(InvalidPfx::Unsupported)?;
                let salt = salt.octets().ok_or(InvalidPfx::Unreadable)?.into_owned();
                Ok(EncryptionScheme::Pkcs12 { cipher, salt, rounds: rounds.number().ok_or(InvalidPfx::Unreadable)? })
            }
            _ => Err(InvalidPfx::Unsupported),
        }
    }

    /// Work of deriving the key, and the length of its salt.
    pub(super) fn work(&self) -> DerivationWork {
        match self {
            EncryptionScheme::Pbkdf2 { pbkdf2, cipher, .. } => pbkdf2.work(cipher.key_len() as u64),
            // one run for the initial vector, two for keys longer than a digest of SHA-1
            EncryptionScheme::Pkcs12 { salt, rounds, .. } => {
                DerivationWork { rounds: *rounds, runs: 3, salt: salt.len(), key: 0 }
            }
        }
    }

    /// Decrypts with each encoding of the password: the old schemes distinguish "no password" from an empty one. The
    /// list holds the results that decrypt.
    pub(super) fn decrypt(&self, sealed: &[u8], password: &str) -> Vec<Zeroizing<Vec<u8>>> {
        match self {
            EncryptionScheme::Pbkdf2 { pbkdf2, cipher, iv } => {
                let mut key = Zeroizing::new(vec![0; cipher.key_len()]);
                let rounds = usize::try_from(pbkdf2.rounds).unwrap_or(usize::MAX);
                let derived =
                    openssl::pkcs5::pbkdf2_hmac(password.as_bytes(), &pbkdf2.salt, rounds, pbkdf2.prf, &mut key);
                let plain = derived.and_then(|()| openssl::symm::decrypt(*cipher, &key, Some(iv), sealed));
                plain.into_iter().map(Zeroizing::new).collect()
            }
            EncryptionScheme::Pkcs12 { cipher, salt, rounds } => {
                let rounds = i32::try_from(*rounds).unwrap_or(i32::MAX);
                let text = password.encode_utf16().chain([0]).flat_map(u16::to_be_bytes);
                let mut readings = vec![Zeroizing::new(text.collect::<Vec<u8>>())];
                if password.is_empty() {
                    readings.push(Zeroizing::default());
                }
                readings.iter().filter_map(|password| cipher.decrypt(sealed, password, salt, rounds)).collect()
            }
        }
    }
}

impl Pbkdf2 {
    /// Reads the AlgorithmIdentifier of a key derivation. scrypt is refused: no exporter uses it, and it takes memory
    /// by the gigabyte.
    pub(super) fn read(node: &BerNode<'_>) -> Result<Pbkdf2, InvalidPfx> {
        let parts = node.sequence().ok_or(InvalidPfx::Unreadable)?;
        let [algorithm, parameters] = parts.as_slice() else { return Err(InvalidPfx::Unsupported) };
        if algorithm.oid() != Some(PBKDF2) {
            return Err(InvalidPfx::Unsupported);
        }
        let parameters = parameters.sequence().ok_or(InvalidPfx::Unreadable)?;
        let [salt, rounds, more @ ..] = parameters.as_slice() else { return Err(InvalidPfx::Unreadable) };
        let (key_length, prf) = match more {
            [] => (None, None),
            [prf] if prf.number().is_none() => (None, Some(prf)),
            [length] => (Some(length), None),
            [length, prf] => (Some(length), Some(prf)),
            _ => return Err(InvalidPfx::Unreadable),
        };
        Ok(Pbkdf2 {
            // a named source of salt, the standard's other choice, is not in use
            salt: salt.octets().ok_or(InvalidPfx::Unsupported)?.into_owned(),
            rounds: rounds.number().ok_or(InvalidPfx::Unreadable)?,
            key_length: key_length.map(|length| length.number().ok_or(InvalidPfx::Unreadable)).transpose()?,
            prf: prf.map_or(Some(MessageDigest::sha1()), digest).ok_or(InvalidPfx::Unsupported)?,
        })
    }

    /// Work of deriving a key of this length, unless the file states another.
    pub(super) fn work(&self, key_bytes: u64) -> DerivationWork {
        let key = self.key_length.unwrap_or(key_bytes);
        // each round hashes twice
        let runs = key.div_ceil(self.prf.size() as u64).saturating_mul(2);
        DerivationWork { rounds: self.rounds, runs, salt: self.salt.len(), key }
    }
}

/// Work that a key derivation asks for.
pub(super) struct DerivationWork {
    /// Iterations.
    pub(super) rounds: u64,
    /// Number of times that all iterations run.
    pub(super) runs: u64,
    /// Bytes of salt.
    pub(super) salt: usize,
    /// Bytes of key that the file asks for; 0 when it states none.
    pub(super) key: u64,
}

impl OldCipher {
    /// Cipher by the last number of pkcs-12PbeIds; RC4 (1 and 2) is in no file in use.
    fn of(number: u8) -> Option<OldCipher> {
        match number {
            3 => Some(OldCipher::TripleDes),
            4 => Some(OldCipher::TwoKeyTripleDes),
            5 => Some(OldCipher::Rc2 { key_bytes: 16 }),
            6 => Some(OldCipher::Rc2 { key_bytes: 5 }),
            _ => None,
        }
    }

    fn decrypt(self, sealed: &[u8], password: &[u8], salt: &[u8], rounds: i32) -> Option<Zeroizing<Vec<u8>>> {
        let derive = |what, bytes| Zeroizing::new(derive_key::<Sha1>(password, salt, what, rounds, bytes));
        let iv = derive(Pkcs12KeyType::Iv, 8);
        let by_openssl = |cipher: Cipher, key: &[u8]| openssl::symm::decrypt(cipher, key, Some(&iv), sealed).ok();
        let plain = match self {
            OldCipher::TripleDes => by_openssl(Cipher::des_ede3_cbc(), &derive(Pkcs12KeyType::EncryptionKey, 24)),
            OldCipher::TwoKeyTripleDes => {
                // the third key repeats the first
                let mut key = derive(Pkcs12KeyType::EncryptionKey, 16);
                key.extend_from_within(..8);
                by_openssl(Cipher::des_ede3_cbc(), &key)
            }
            OldCipher::Rc2 { key_bytes } => {
                let key = derive(Pkcs12KeyType::EncryptionKey, key_bytes);
                let reader = cbc::Decryptor::<rc2::Rc2>::new_from_slices(&key, &iv).ok();
                reader.and_then(|reader| reader.decrypt_padded_vec::<Pkcs7>(sealed).ok())
            }
        };
        plain.map(Zeroizing::new)
    }
}

/// Cipher of PBES2 and its initial vector.
fn cipher(node: &BerNode<'_>) -> Option<(Cipher, Vec<u8>)> {
    let parts = node.sequence()?;
    let [algorithm, iv] = parts.as_slice() else { return None };
    let cipher = match algorithm.oid()? {
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02] => Cipher::aes_128_cbc(),
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x16] => Cipher::aes_192_cbc(),
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2a] => Cipher::aes_256_cbc(),
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x03, 0x07] => Cipher::des_ede3_cbc(),
        _ => return None,
    };
    let iv = iv.octets()?.into_owned();
    (Some(iv.len()) == cipher.iv_len()).then_some((cipher, iv))
}

/// Digest inside of a pseudo-random function's AlgorithmIdentifier.
fn digest(node: &BerNode<'_>) -> Option<MessageDigest> {
    let parts = node.sequence()?;
    let [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, number] = parts.first()?.oid()? else { return None };
    match number {
        7 => Some(MessageDigest::sha1()),
        8 => Some(MessageDigest::sha224()),
        9 => Some(MessageDigest::sha256()),
        10 => Some(MessageDigest::sha384()),
        11 => Some(MessageDigest::sha512()),
        _ => None,
    }
}

const PBES2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d];
const PBKDF2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c];
