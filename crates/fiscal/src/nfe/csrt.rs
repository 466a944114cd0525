//! The hash by which a software house proves that a document is its own.
//!
//! Law: NT 2018.005, group ZD: `hashCSRT` is the base64 of the SHA-1 of CSRT and key. Must not know where a CSRT is kept.

use crate::value::ChaveAcesso;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

/// `hashCSRT` of a document.
pub(super) fn hash(csrt: &str, chave: &ChaveAcesso) -> String {
    STANDARD.encode(Sha1::new().chain_update(csrt).chain_update(chave.as_str()).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The official example's key (`4118…0697`) has a wrong check digit; the same CSRT over a right one, by OpenSSL.
    #[test]
    fn hashes_the_secret_and_the_key() {
        let chave = ChaveAcesso::parse("35261111222333000181550010000000011847362510").unwrap();
        assert_eq!(hash("G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO", &chave), "nk33A/jg0BWZ0AOtPS8XKgQap8I=");
    }
}
