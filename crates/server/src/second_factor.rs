//! Codes of the second factor: time-based ones (RFC 6238: SHA-1, 6 digits, 30 seconds, as authenticator apps expect),
//! and recovery codes.
//!
//! Must not know: where secrets and digests are stored.

use anyhow::Context as _;
use data_encoding::BASE32_NOPAD;
use openssl::hash::MessageDigest;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use store::second_factor::{FactorProof, SecondFactor};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Length of a step, seconds.
const STEP_S: i64 = 30;
/// Digits of a code.
const DIGITS: usize = 6;
/// Bytes of a secret (RFC 4226 §4, R6).
const SECRET: usize = 20;
/// Bytes of a recovery code: 80 bits, so that a plain digest protects it.
const RECOVERY: usize = 10;
/// Recovery codes of a user.
const RECOVERY_CODES: usize = 10;
/// Wrong codes in a row after which the app's codes are refused for a time: of a million codes three are right, and the
/// bounds of logins alone would let 2,880 guesses a day through. Recovery codes cannot be guessed and stay accepted.
const MOST_WRONG: i64 = 20;
/// Length of that time, seconds.
const HELD_S: i64 = 3600;
/// Longest text that is looked at as a code.
pub(crate) const LONGEST_CODE: usize = 40;

/// A fresh secret.
pub(crate) fn fresh_secret() -> anyhow::Result<Zeroizing<Vec<u8>>> {
    random(SECRET)
}

/// A secret as people type it: base32 in groups of four.
pub(crate) fn spelled(secret: &[u8]) -> Zeroizing<String> {
    grouped(&Zeroizing::new(BASE32_NOPAD.encode(secret)), " ")
}

/// URI that an authenticator app reads from a QR code.
pub(crate) fn key_uri(secret: &[u8], email: &str) -> Zeroizing<String> {
    let account: String = form_urlencoded::byte_serialize(email.as_bytes()).collect();
    let secret = Zeroizing::new(BASE32_NOPAD.encode(secret));
    Zeroizing::new(format!("otpauth://totp/Carimbo:{account}?secret={}&issuer=Carimbo", *secret))
}

/// Fresh recovery codes, as they are shown.
pub(crate) fn fresh_recovery_codes() -> anyhow::Result<Vec<Zeroizing<String>>> {
    let fresh = || {
        let spelled = Zeroizing::new(BASE32_NOPAD.encode(&random(RECOVERY)?).to_ascii_lowercase());
        Ok(grouped(&spelled, "-"))
    };
    (0..RECOVERY_CODES).map(|_| fresh()).collect()
}

/// Digest of a recovery code, however it is spelled.
pub(crate) fn recovery_digest(user: Uuid, code: &str) -> [u8; 32] {
    let plain = Zeroizing::new(normal(code).to_ascii_uppercase());
    let text = Zeroizing::new(format!("codigo de recuperacao\0{user}\0{}", *plain));
    openssl::sha::sha256(text.as_bytes())
}

/// Result of looking at a typed code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypedCode {
    /// Right, as far as can be seen here: the store still refuses one that was used before.
    Proof(FactorProof),
    Wrong,
    /// Not looked at: too many were wrong.
    Held,
}

/// Looks at a typed code.
pub(crate) fn typed_code(factor: &SecondFactor, user: Uuid, typed: &str, now: i64) -> anyhow::Result<TypedCode> {
    if typed.len() > LONGEST_CODE {
        return Ok(TypedCode::Wrong);
    }
    let plain = normal(typed);
    if plain.len() == DIGITS && plain.bytes().all(|byte| byte.is_ascii_digit()) {
        if factor.wrong_codes >= MOST_WRONG && now < factor.wrong_at + HELD_S {
            return Ok(TypedCode::Held);
        }
        let step = matching_step(&factor.secret, &plain, now, factor.last_step)?;
        return Ok(
            step.map_or(TypedCode::Wrong, |step| TypedCode::Proof(FactorProof::Step { factor: factor.id, step }))
        );
    }
    let is_recovery = plain.len() == RECOVERY * 8 / 5 && plain.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let digest = is_recovery.then(|| recovery_digest(user, &plain));
    Ok(digest.map_or(TypedCode::Wrong, |digest| TypedCode::Proof(FactorProof::Recovery(digest))))
}

/// Step of a code, of the present one and its neighbours, later than the last accepted one.
pub(crate) fn matching_step(secret: &[u8], plain: &str, now: i64, last_step: i64) -> anyhow::Result<Option<i64>> {
    let present = now.div_euclid(STEP_S);
    for step in [present, present - 1, present + 1] {
        let right = code(secret, step)?;
        let is_right = plain.len() == right.len() && openssl::memcmp::eq(plain.as_bytes(), right.as_bytes());
        if is_right && step > last_step {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// Code of a step (RFC 4226 §5.3).
fn code(secret: &[u8], step: i64) -> anyhow::Result<Zeroizing<String>> {
    let key = PKey::hmac(secret)?;
    let mac = Signer::new(MessageDigest::sha1(), &key)?.sign_oneshot_to_vec(&step.to_be_bytes())?;
    let mac = Zeroizing::new(mac);
    let offset = usize::from(mac.last().copied().unwrap_or_default() & 0xf);
    let cut = mac.get(offset..offset + 4).and_then(|cut| cut.try_into().ok()).context("the digest is too short")?;
    let number = (u32::from_be_bytes(cut) & 0x7fff_ffff) % 1_000_000;
    Ok(Zeroizing::new(format!("{number:06}")))
}

/// A code without the spaces and hyphens that people type.
fn normal(code: &str) -> Zeroizing<String> {
    Zeroizing::new(code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect())
}

fn grouped(text: &str, between: &str) -> Zeroizing<String> {
    let mut spelled = Zeroizing::new(String::with_capacity(text.len() * 2));
    for (index, letter) in text.chars().enumerate() {
        if index > 0 && index.is_multiple_of(4) {
            spelled.push_str(between);
        }
        spelled.push(letter);
    }
    spelled
}

fn random(bytes: usize) -> anyhow::Result<Zeroizing<Vec<u8>>> {
    let mut fresh = Zeroizing::new(vec![0; bytes]);
    getrandom::fill(&mut fresh)?;
    Ok(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RFC: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, SHA-1, the last six digits
        for (time, right) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            assert_eq!(*code(RFC, time / STEP_S).unwrap(), right, "{time}");
        }
    }

    #[test]
    fn a_code_is_right_one_step_around_its_own_and_never_again() {
        let step = |now, last| matching_step(RFC, "081804", now, last).unwrap();
        let own = 1_111_111_109 / STEP_S;
        for now in [1_111_111_109, 1_111_111_109 - 30, 1_111_111_109 + 30] {
            assert_eq!(step(now, 0), Some(own));
            assert_eq!(step(now, own), None);
        }
        assert_eq!(step(1_111_111_109 + 61, 0), None);
        assert_eq!(step(1_111_111_109 - 61, 0), None);
    }

    #[test]
    fn after_twenty_wrong_codes_an_hour_without_codes_of_the_app() {
        let factor = |wrong_codes| SecondFactor {
            id: Uuid::from_u128(9),
            secret: Zeroizing::new(RFC.to_vec()),
            confirmado_em: Some(1),
            last_step: 0,
            recovery_left: 10,
            wrong_codes,
            wrong_at: 1_111_111_109,
        };
        let user = Uuid::from_u128(1);
        let look = |wrong, typed: &str, now| typed_code(&factor(wrong), user, typed, now).unwrap();
        let right = TypedCode::Proof(FactorProof::Step { factor: Uuid::from_u128(9), step: 1_111_111_109 / STEP_S });
        assert_eq!(look(MOST_WRONG - 1, "081804", 1_111_111_109), right);
        assert_eq!(look(0, "08 18-04", 1_111_111_109), right);
        assert_eq!(look(MOST_WRONG, "081804", 1_111_111_109), TypedCode::Held);
        assert_eq!(look(MOST_WRONG, "081804", 1_111_111_108 + HELD_S), TypedCode::Held);
        assert_eq!(look(MOST_WRONG, "081804", 1_111_111_109 + HELD_S), TypedCode::Wrong);
        let digest = recovery_digest(user, "abcdefghijklmnop");
        let recovery = TypedCode::Proof(FactorProof::Recovery(digest));
        assert_eq!(look(MOST_WRONG, "ABCD-efgh-ijkl-mnop", 1_111_111_109), recovery);
        for wrong in ["", "081805", "0818040", "٠٨١٨٠٤", "abcd-efgh-ijkl-mno", &"0".repeat(LONGEST_CODE + 1)] {
            assert_eq!(look(0, wrong, 1_111_111_109), TypedCode::Wrong, "{wrong}");
        }
    }

    #[test]
    fn a_recovery_code_is_read_however_it_is_spelled() {
        let codes = fresh_recovery_codes().unwrap();
        assert_eq!(codes.len(), RECOVERY_CODES);
        let (user, one) = (Uuid::from_u128(1), codes[0].as_str());
        assert_eq!(one.len(), "abcd-efgh-ijkl-mnop".len());
        let digest = recovery_digest(user, one);
        assert_eq!(recovery_digest(user, &one.to_uppercase().replace('-', " ")), digest);
        assert_ne!(recovery_digest(Uuid::from_u128(2), one), digest);
        assert_ne!(recovery_digest(user, &codes[1]), digest);
    }

    #[test]
    fn an_app_reads_the_uri() {
        let uri = key_uri(RFC, "ana+nf@x.com.br");
        assert_eq!(
            *uri,
            "otpauth://totp/Carimbo:ana%2Bnf%40x.com.br?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Carimbo"
        );
        assert_eq!(*spelled(b"12345"), "GEZD GNBV");
    }
}
