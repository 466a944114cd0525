//! Cost of opening a PKCS#12 file, read from its parameters before any library opens it.
//!
//! The file states how often a password is hashed: for the MAC, for each encrypted part, for each key. Four kilobytes
//! may ask for 2³¹ rounds. The hashes are summed first, and too expensive a file is refused. A key may be wrapped again
//! inside an encrypted part, so that part is decrypted here once its outer cost is known to be small. A file that
//! cannot be inspected is refused too.

use super::ber::{BerNode, first};
use super::scheme::{DerivationWork, EncryptionScheme, Pbkdf2};
use crate::certificate::InvalidPfx;

/// Refuses a file that would take too long to open. Without a MAC this also detects a wrong password.
pub(super) fn check_opening_cost(pfx: &[u8], password: &str) -> Result<(), InvalidPfx> {
    if pfx.len() > LARGEST {
        return Err(InvalidPfx::TooCostly);
    }
    let parts = first(pfx).and_then(|node| node.sequence()).ok_or(InvalidPfx::Unreadable)?;
    let [_version, safe, mac @ ..] = parts.as_slice() else { return Err(InvalidPfx::Unreadable) };
    let mut bill = WorkBudget::default();
    if let Some(mac) = mac.first() {
        bill.add_mac(mac)?;
    }
    let (kind, content) = content_info(safe).ok_or(InvalidPfx::Unreadable)?;
    let content = content.octets().filter(|_| kind == DATA).ok_or(InvalidPfx::Unreadable)?;
    let safes = first(&content).and_then(|node| node.sequence()).ok_or(InvalidPfx::Unreadable)?;
    for safe in &safes {
        bill.add_safe(safe)?;
    }
    for sealed in std::mem::take(&mut bill.encrypted) {
        bill.inspect_encrypted(&sealed, password)?;
    }
    Ok(())
}

/// Work counted so far, and the encrypted parts still to inspect.
#[derive(Default)]
struct WorkBudget {
    hashes: u64,
    bags: usize,
    encrypted: Vec<EncryptedSafe>,
}

struct EncryptedSafe {
    scheme: EncryptionScheme,
    bytes: Vec<u8>,
}

impl WorkBudget {
    fn add_work(&mut self, work: &DerivationWork) -> Result<(), InvalidPfx> {
        let hashes = work.rounds.saturating_mul(work.runs);
        self.hashes = self.hashes.saturating_add(hashes);
        let absurd = work.rounds > MOST_ROUNDS || work.salt > LONGEST_SALT || work.key > LONGEST_KEY;
        if absurd || self.hashes > MOST_HASHES {
            return Err(InvalidPfx::TooCostly);
        }
        if work.rounds == 0 { Err(InvalidPfx::Unreadable) } else { Ok(()) }
    }

    /// Counts MacData: the digest with its algorithm, a salt, and the rounds (1 when absent).
    fn add_mac(&mut self, node: &BerNode<'_>) -> Result<(), InvalidPfx> {
        let parts = node.sequence().ok_or(InvalidPfx::Unreadable)?;
        let [digest, salt, rounds @ ..] = parts.as_slice() else { return Err(InvalidPfx::Unreadable) };
        let digest = digest.sequence().ok_or(InvalidPfx::Unreadable)?;
        let algorithm = digest.first().and_then(|node| node.sequence()).ok_or(InvalidPfx::Unreadable)?;
        if algorithm.first().and_then(|node| node.oid()) == Some(PBMAC1) {
            // RFC 9579: the rounds are in the parameters of the algorithm
            let parameters = algorithm.get(1).and_then(|node| node.sequence()).ok_or(InvalidPfx::Unreadable)?;
            let derivation = parameters.first().ok_or(InvalidPfx::Unreadable)?;
            return self.add_work(&Pbkdf2::read(derivation)?.work(LONGEST_KEY));
        }
        let rounds = rounds.first().map_or(Some(1), BerNode::number).ok_or(InvalidPfx::Unreadable)?;
        let salt = salt.octets().ok_or(InvalidPfx::Unreadable)?.len();
        self.add_work(&DerivationWork { rounds, runs: 1, salt, key: 0 })
    }

    /// Counts a ContentInfo of the AuthenticatedSafe: bags in the clear, or encrypted together.
    fn add_safe(&mut self, node: &BerNode<'_>) -> Result<(), InvalidPfx> {
        let (kind, content) = content_info(node).ok_or(InvalidPfx::Unreadable)?;
        match kind {
            DATA => {
                let bags = content.octets().ok_or(InvalidPfx::Unreadable)?;
                self.add_contents(&bags)
            }
            ENCRYPTED_DATA => {
                let (algorithm, bytes) = encrypted(&content).ok_or(InvalidPfx::Unreadable)?;
                let scheme = EncryptionScheme::read(&algorithm)?;
                self.add_work(&scheme.work())?;
                self.encrypted.push(EncryptedSafe { scheme, bytes });
                Ok(())
            }
            // encrypted for a public key, whose private key is not available
            _ => Err(InvalidPfx::Unsupported),
        }
    }

    fn inspect_encrypted(&mut self, sealed: &EncryptedSafe, password: &str) -> Result<(), InvalidPfx> {
        let mut understood = false;
        for plain in sealed.scheme.decrypt(&sealed.bytes, password) {
            match self.add_contents(&plain) {
                // the wrong password yields garbage
                Err(InvalidPfx::Unreadable) => {}
                looked => {
                    looked?;
                    understood = true;
                }
            }
        }
        if understood { Ok(()) } else { Err(InvalidPfx::WrongPassword) }
    }

    /// Counts SafeContents.
    fn add_contents(&mut self, bytes: &[u8]) -> Result<(), InvalidPfx> {
        let contents = first(bytes).ok_or(InvalidPfx::Unreadable)?;
        self.add_bags(&contents)
    }

    fn add_bags(&mut self, contents: &BerNode<'_>) -> Result<(), InvalidPfx> {
        for bag in contents.sequence().ok_or(InvalidPfx::Unreadable)? {
            self.bags += 1;
            if self.bags > MOST_BAGS {
                return Err(InvalidPfx::TooCostly);
            }
            let parts = bag.sequence().ok_or(InvalidPfx::Unreadable)?;
            let [kind, value, ..] = parts.as_slice() else { return Err(InvalidPfx::Unreadable) };
            let value = value.explicit().ok_or(InvalidPfx::Unreadable)?;
            let [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x0a, 0x01, kind] =
                kind.oid().ok_or(InvalidPfx::Unreadable)?
            else {
                continue;
            };
            match *kind {
                SHROUDED_KEY_BAG => self.add_wrapped_key(&value)?,
                SECRET_BAG => self.add_secret_key(&value)?,
                SAFE_CONTENTS_BAG => self.add_bags(&value)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Counts an EncryptedPrivateKeyInfo.
    fn add_wrapped_key(&mut self, node: &BerNode<'_>) -> Result<(), InvalidPfx> {
        let parts = node.sequence().ok_or(InvalidPfx::Unreadable)?;
        let algorithm = parts.first().ok_or(InvalidPfx::Unreadable)?;
        self.add_work(&EncryptionScheme::read(algorithm)?.work())
    }

    /// Counts a symmetric key, which Java wraps like a private one. It is not used, but `p12-keystore` would open it.
    fn add_secret_key(&mut self, node: &BerNode<'_>) -> Result<(), InvalidPfx> {
        let parts = node.sequence().ok_or(InvalidPfx::Unreadable)?;
        let value = parts.get(1).and_then(BerNode::explicit).and_then(|value| value.octets());
        let value = value.ok_or(InvalidPfx::Unreadable)?;
        first(&value).map_or(Ok(()), |wrapped| self.add_wrapped_key(&wrapped))
    }
}

/// Type and content of a ContentInfo.
fn content_info<'a>(node: &BerNode<'a>) -> Option<(&'a [u8], BerNode<'a>)> {
    match node.sequence()?.as_slice() {
        [kind, content] => Some((kind.oid()?, content.explicit()?)),
        _ => None,
    }
}

/// Algorithm and bytes of EncryptedData.
fn encrypted<'a>(node: &BerNode<'a>) -> Option<(BerNode<'a>, Vec<u8>)> {
    let parts = node.sequence()?;
    let [_kind, algorithm, bytes] = parts.get(1)?.sequence()?.try_into().ok()?;
    Some((algorithm, bytes.implicit_octets()?.into_owned()))
}

const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];
const ENCRYPTED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x06];
const PBMAC1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0e];
const SHROUDED_KEY_BAG: u8 = 2;
const SECRET_BAG: u8 = 5;
const SAFE_CONTENTS_BAG: u8 = 6;

/// Largest file in bytes. An A1 with its whole chain has 10 KB.
const LARGEST: usize = 256 * 1024;
const MOST_BAGS: usize = 64;
/// Most rounds of one derivation. OpenSSL and Windows write 2,000 or 2,048, Java 10,000 to 100,000, Firefox 600,000.
const MOST_ROUNDS: u64 = 1_000_000;
/// Most hashes of a file. Firefox's three derivations in its oldest scheme take 4,200,000, a second of one core.
const MOST_HASHES: u64 = 6_000_000;
const LONGEST_SALT: usize = 1024;
const LONGEST_KEY: u64 = 64;
