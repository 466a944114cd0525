//! Secrets at rest: XChaCha20-Poly1305 envelopes, a data key per tenant wrapped by the master key, with tenant and
//! column as associated data.
//!
//! Law: an envelope is `1 ‖ nonce (24) ‖ ciphertext and tag`; it does not open in another tenant, column or row.

mod rotation;

use crate::row::{first, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use std::sync::{Arc, PoisonError, RwLock};
use uuid::Uuid;
use zeroize::Zeroizing;

/// The operator's master key, 32 bytes, wiped on drop.
#[derive(Clone, zeroize::ZeroizeOnDrop)]
pub struct MasterKey([u8; 32]);

impl MasterKey {
    pub fn new(bytes: [u8; 32]) -> MasterKey {
        MasterKey(bytes)
    }

    /// Parses 64 hexadecimal digits, the content of a key file.
    pub fn from_hex(text: &str) -> Option<MasterKey> {
        let text = text.trim().as_bytes();
        if text.len() != 64 {
            return None;
        }
        let mut bytes = Zeroizing::new([0; 32]);
        for (byte, digits) in bytes.iter_mut().zip(text.chunks(2)) {
            *byte = digits.iter().try_fold(0_u8, |value, digit| Some(value << 4 | hex_digit(*digit)?))?;
        }
        Some(MasterKey(*bytes))
    }
}

fn hex_digit(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey(…)")
    }
}

/// Wraps a stored tenant key with another master key.
pub fn rotate(wrapped: &[u8], tenant: Uuid, from: &MasterKey, to: &MasterKey) -> Result<Vec<u8>, Error> {
    let key = open(&from.0, wrapped, &data_key_place(tenant))?;
    seal(&to.0, &key, &data_key_place(tenant))
}

/// The master key in use. Clones share it, so that a rotation reaches all of them.
#[derive(Clone)]
pub(crate) struct Vault {
    master: Arc<RwLock<MasterKey>>,
}

/// Associated data of an envelope: the place of the secret, which is authenticated with it.
pub(crate) struct AssociatedData {
    pub(crate) tenant: Uuid,
    /// `table.column`.
    pub(crate) column: &'static str,
    /// The row within the tenant.
    pub(crate) row: Uuid,
}

/// A tenant's unwrapped key.
pub(crate) struct DataKey(Zeroizing<[u8; 32]>);

impl Vault {
    pub(crate) fn new(master: MasterKey) -> Vault {
        Vault { master: Arc::new(RwLock::new(master)) }
    }

    fn master(&self) -> MasterKey {
        self.master.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Derives a key for one purpose: HMAC-SHA256 of the purpose's name. It reveals nothing of the master key.
    fn derive(&self, purpose: &[u8]) -> Result<Zeroizing<[u8; 32]>, Error> {
        let master = self.master();
        let mac = PKey::hmac(&master.0).and_then(|key| {
            Signer::new(MessageDigest::sha256(), &key).and_then(|mut signer| signer.sign_oneshot_to_vec(purpose))
        });
        let mac = Zeroizing::new(mac.map_err(|_| Error::Sealed)?);
        Ok(Zeroizing::new(mac.as_slice().try_into().map_err(|_| Error::Sealed)?))
    }

    /// Checks that this master key made the proof.
    pub(crate) fn verify_proof(&self, proof: &[u8]) -> Result<(), Error> {
        open(&self.master().0, proof, PROOF).map(drop)
    }

    /// Seals the installation's key for codes.
    pub(crate) fn seal_code_key(&self, key: &[u8; 32]) -> Result<Vec<u8>, Error> {
        seal(&self.master().0, key, CODE_KEY)
    }

    /// Opens the installation's key for codes.
    pub(crate) fn open_code_key(&self, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        open(&self.master().0, sealed, CODE_KEY)
    }

    /// Returns the tenant's key; creates it at the first use.
    pub(crate) async fn data_key<T: Tx>(&self, tx: &mut T, tenant: Uuid) -> Result<DataKey, Error> {
        let fresh = Zeroizing::new(random::<32>()?);
        let wrapped = seal(&self.master().0, fresh.as_slice(), &data_key_place(tenant))?;
        let sql = "INSERT INTO data_keys (tenant_id, wrapped) VALUES ($1, $2) ON CONFLICT (tenant_id) DO NOTHING";
        tx.execute(sql, &params![tenant, wrapped]).await?;
        // Another process may have been first: the stored key counts.
        let rows = tx.query("SELECT wrapped FROM data_keys WHERE tenant_id = $1", &params![tenant]).await?;
        self.unwrap(tenant, &only(rows)?.read::<Vec<u8>>()?)
    }

    /// Unwraps the tenant's stored key.
    pub(crate) fn unwrap(&self, tenant: Uuid, wrapped: &[u8]) -> Result<DataKey, Error> {
        let key = open(&self.master().0, wrapped, &data_key_place(tenant))?;
        let key: [u8; 32] = key.as_slice().try_into().map_err(|_| Error::Sealed)?;
        Ok(DataKey(Zeroizing::new(key)))
    }
}

impl DataKey {
    pub(crate) fn seal(&self, plain: &[u8], place: &AssociatedData) -> Result<Vec<u8>, Error> {
        seal(&self.0, plain, &place.bytes())
    }

    pub(crate) fn open(&self, envelope: &[u8], place: &AssociatedData) -> Result<Zeroizing<Vec<u8>>, Error> {
        open(&self.0, envelope, &place.bytes())
    }
}

impl AssociatedData {
    /// Every part is preceded by its length, so that no two places have the same bytes.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in [self.tenant.as_bytes().as_slice(), self.column.as_bytes(), self.row.as_bytes().as_slice()] {
            bytes.extend((part.len() as u64).to_be_bytes());
            bytes.extend(part);
        }
        bytes
    }
}

fn data_key_place(tenant: Uuid) -> Vec<u8> {
    AssociatedData { tenant, column: "data_keys.wrapped", row: tenant }.bytes()
}

fn seal(key: &[u8; 32], plain: &[u8], place: &[u8]) -> Result<Vec<u8>, Error> {
    let nonce = random::<NONCE>()?;
    let sealed = XChaCha20Poly1305::new(key.into())
        .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: place })
        .map_err(|_| Error::Sealed)?;
    Ok([&[VERSION], nonce.as_slice(), &sealed].concat())
}

fn open(key: &[u8; 32], envelope: &[u8], place: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let (version, rest) = envelope.split_first().ok_or(Error::Sealed)?;
    let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or(Error::Sealed)?;
    if *version != VERSION {
        return Err(Error::Sealed);
    }
    XChaCha20Poly1305::new(key.into())
        .decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: place })
        .map(Zeroizing::new)
        .map_err(|_| Error::Sealed)
}

/// Random bytes of the operating system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| Error::Unavailable("o sistema não deu números aleatórios".to_owned()))?;
    Ok(bytes)
}

impl Store {
    /// The key that signs login tokens. Derived from the master key: never stored, and changed by a rotation.
    pub fn token_key(&self) -> Result<Zeroizing<[u8; 32]>, Error> {
        self.shared.vault.derive(TOKEN_KEY)
    }

    /// Checks the master key against the database. An empty database adopts the first one given.
    pub(crate) async fn prove_master_key(&self) -> Result<(), Error> {
        self.write(ProveMasterKey(self.shared.vault.clone())).await
    }
}

struct ProveMasterKey(Vault);

impl StoreOperation for ProveMasterKey {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let master = self.0.master();
        let proof: Option<Vec<u8>> = first(tx.query("SELECT proof FROM master_key WHERE id = 1", &[]).await?)?;
        let proof = match proof {
            Some(proof) => proof,
            None => {
                let fresh = seal(&master.0, PROOF, PROOF)?;
                let sql = "INSERT INTO master_key (id, proof) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
                tx.execute(sql, &params![fresh]).await?;
                only(tx.query("SELECT proof FROM master_key WHERE id = 1", &[]).await?)?.read()?
            }
        };
        self.0.verify_proof(&proof)
    }
}

const TOKEN_KEY: &[u8] = b"carimbo login tokens 1";
/// Associated data of the key for codes.
const CODE_KEY: &[u8] = b"installation.code_key";
const VERSION: u8 = 1;
const NONCE: usize = 24;
/// Any text: opening it is the proof.
const PROOF: &[u8] = b"carimbo master key";

crate::dyn_operation::erasable!(ProveMasterKey);

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [7; 32];

    #[test]
    fn an_envelope_opens_only_in_its_place_and_unchanged() {
        let key = DataKey(Zeroizing::new(KEY));
        let (tenant, other, one) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let place = AssociatedData { tenant, column: "t.a", row: one };
        let mut envelope = key.seal(b"segredo", &place).unwrap();
        assert_eq!(*key.open(&envelope, &place).unwrap(), b"segredo");
        for elsewhere in [
            AssociatedData { tenant: other, column: "t.a", row: one },
            AssociatedData { tenant, column: "t.b", row: one },
            AssociatedData { tenant, column: "t.a", row: other },
            AssociatedData { tenant, column: "t.", row: one },
        ] {
            assert!(matches!(key.open(&envelope, &elsewhere), Err(Error::Sealed)));
        }
        for index in 0..envelope.len() {
            envelope[index] ^= 1;
            assert!(matches!(key.open(&envelope, &place), Err(Error::Sealed)), "byte {index}");
            envelope[index] ^= 1;
        }
        assert!(matches!(key.open(&envelope[..30], &place), Err(Error::Sealed)));
    }

    #[test]
    fn the_same_secret_never_gives_the_same_envelope() {
        assert_ne!(seal(&KEY, b"x", b"").unwrap(), seal(&KEY, b"x", b"").unwrap());
    }

    #[test]
    fn a_rotated_data_key_opens_with_the_new_master_key_only() {
        let (old, new, tenant) = (MasterKey::new([1; 32]), MasterKey::new([2; 32]), Uuid::from_u128(9));
        let wrapped = seal(&old.0, &KEY, &data_key_place(tenant)).unwrap();
        let rotated = rotate(&wrapped, tenant, &old, &new).unwrap();
        assert_eq!(*Vault::new(new).unwrap(tenant, &rotated).unwrap().0, KEY);
        assert!(matches!(Vault::new(old).unwrap(tenant, &rotated), Err(Error::Sealed)));
    }

    #[test]
    fn a_key_file_holds_64_hexadecimal_digits() {
        let key = MasterKey::from_hex(&format!("{}\n", "0aF9".repeat(16))).unwrap();
        assert_eq!(key.0[..2], [0x0a, 0xf9]);
        assert!(MasterKey::from_hex(&"0".repeat(63)).is_none());
        assert!(MasterKey::from_hex(&"g".repeat(64)).is_none());
        assert_eq!(format!("{key:?}"), "MasterKey(…)");
    }
}
