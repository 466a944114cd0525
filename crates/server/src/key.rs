//! API keys: `crb_test_` or `crb_live_` and 256 random bits in base 62. Only the SHA-256 is ever stored.

use fiscal::value::TpAmb;
use zeroize::Zeroizing;

/// A fresh key, shown once.
pub fn generate(ambiente: TpAmb) -> Result<Zeroizing<String>, getrandom::Error> {
    let mut bits = Zeroizing::new([0_u8; 32]);
    getrandom::fill(bits.as_mut_slice())?;
    Ok(Zeroizing::new(format!("{}{}", prefix(ambiente), *base62(*bits))))
}

/// Hash by which the store finds a key.
pub fn hash(key: &str) -> [u8; 32] {
    openssl::sha::sha256(key.as_bytes())
}

/// The part of a key that listings show.
pub fn visible_prefix(key: &str) -> String {
    key.chars().take(12).collect()
}

/// True when a text has the form of an API key.
pub(crate) fn is_well_formed(text: &str) -> bool {
    let random = text.strip_prefix(prefix(TpAmb::Homologacao)).or_else(|| text.strip_prefix(prefix(TpAmb::Producao)));
    random.is_some_and(|random| random.len() == DIGITS && random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

fn prefix(ambiente: TpAmb) -> &'static str {
    match ambiente {
        TpAmb::Producao => "crb_live_",
        TpAmb::Homologacao => "crb_test_",
    }
}

/// The number in base 62, most significant digit first, always the same length.
fn base62(mut number: [u8; 32]) -> Zeroizing<String> {
    let mut digits = Zeroizing::new(String::with_capacity(DIGITS));
    for _ in 0..DIGITS {
        let mut remainder = 0_u16;
        for byte in &mut number {
            let value = remainder * 256 + u16::from(*byte);
            *byte = u8::try_from(value / 62).unwrap_or_default();
            remainder = value % 62;
        }
        digits.insert(0, char::from(ALPHABET[usize::from(remainder)]));
    }
    digits
}

/// 62^43 is just above 2^256.
const DIGITS: usize = 43;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_its_environment_and_has_the_form() {
        let key = generate(TpAmb::Homologacao).unwrap();
        assert!(key.starts_with("crb_test_") && is_well_formed(&key));
        assert!(!is_well_formed(&key[..50]));
        assert_eq!(visible_prefix(&key).len(), 12);
    }

    #[test]
    fn base62_keeps_the_whole_number() {
        let mut one = [0_u8; 32];
        one[31] = 61;
        assert_eq!(*base62(one), format!("{}z", "0".repeat(42)));
        let mut word = [0_u8; 32];
        word[30] = 1; // 256 = 4 × 62 + 8
        assert_eq!(*base62(word), format!("{}48", "0".repeat(41)));
        assert_eq!(base62([0xff; 32]).len(), 43);
    }
}
