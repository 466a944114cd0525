//! Login tokens: JWT (RFC 7519) signed with HMAC-SHA256 by OpenSSL. Only our own header is accepted, so no other
//! algorithm is.
//!
//! A token names a session; the store decides if the session is still valid. Must not know: HTTP, the store.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fiscal::value::TpAmb;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, Private};
use openssl::sign;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Claims of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claims {
    pub(crate) tenant_id: Uuid,
    pub(crate) user_id: Uuid,
    pub(crate) session_id: Uuid,
    pub(crate) ambiente: TpAmb,
    /// Seconds since 1970.
    pub(crate) issued_at: i64,
    /// Seconds since 1970.
    pub(crate) expires_at: i64,
}

/// The reason a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenError {
    /// Not signed by us, or altered.
    Invalid,
    /// Past its expiry.
    Expired,
}

/// Signs and reads tokens.
pub(crate) struct TokenSigner {
    key: PKey<Private>,
}

/// JWT payload: the registered claims and our own.
#[derive(Serialize, Deserialize)]
struct JwtPayload {
    iss: String,
    sub: Uuid,
    jti: Uuid,
    tenant: Uuid,
    ambiente: String,
    iat: i64,
    exp: i64,
}

impl TokenSigner {
    /// `key` is derived from the master key by the store.
    pub(crate) fn new(key: &[u8; 32]) -> anyhow::Result<TokenSigner> {
        Ok(TokenSigner { key: PKey::hmac(key)? })
    }

    pub(crate) fn sign(&self, claims: &Claims) -> anyhow::Result<Zeroizing<String>> {
        let payload = JwtPayload {
            iss: ISSUER.to_owned(),
            sub: claims.user_id,
            jti: claims.session_id,
            tenant: claims.tenant_id,
            ambiente: claims.ambiente.word().to_owned(),
            iat: claims.issued_at,
            exp: claims.expires_at,
        };
        let mut token = Zeroizing::new(URL_SAFE_NO_PAD.encode(HEADER));
        token.push('.');
        token.push_str(&URL_SAFE_NO_PAD.encode(serde_json::to_vec(&payload)?));
        let mac = self.mac(token.as_bytes())?;
        token.push('.');
        token.push_str(&URL_SAFE_NO_PAD.encode(mac));
        Ok(token)
    }

    /// Verifies the signature first, in constant time, then the expiry.
    pub(crate) fn read(&self, token: &str, now: i64) -> Result<Claims, TokenError> {
        let (signed, mac) = token.rsplit_once('.').ok_or(TokenError::Invalid)?;
        let (header, payload) = signed.split_once('.').ok_or(TokenError::Invalid)?;
        let given = URL_SAFE_NO_PAD.decode(mac).map_err(|_| TokenError::Invalid)?;
        let right = self.mac(signed.as_bytes()).map_err(|_| TokenError::Invalid)?;
        if given.len() != right.len() || !openssl::memcmp::eq(&given, &right) {
            return Err(TokenError::Invalid);
        }
        let payload = URL_SAFE_NO_PAD.decode(payload).map_err(|_| TokenError::Invalid)?;
        let payload: JwtPayload = serde_json::from_slice(&payload).map_err(|_| TokenError::Invalid)?;
        let ambiente = TpAmb::from_word(&payload.ambiente).ok_or(TokenError::Invalid)?;
        if header != URL_SAFE_NO_PAD.encode(HEADER) || payload.iss != ISSUER {
            return Err(TokenError::Invalid);
        }
        if payload.exp <= now {
            return Err(TokenError::Expired);
        }
        Ok(Claims {
            tenant_id: payload.tenant,
            user_id: payload.sub,
            session_id: payload.jti,
            ambiente,
            issued_at: payload.iat,
            expires_at: payload.exp,
        })
    }

    /// HMAC of a text. Its input has a prefix that no signed token has.
    pub(crate) fn keyed_digest(&self, text: &str) -> anyhow::Result<String> {
        Ok(URL_SAFE_NO_PAD.encode(self.mac(format!("prova\0{text}").as_bytes())?))
    }

    fn mac(&self, bytes: &[u8]) -> Result<Vec<u8>, openssl::error::ErrorStack> {
        sign::Signer::new(MessageDigest::sha256(), &self.key)?.sign_oneshot_to_vec(bytes)
    }
}

const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;
const ISSUER: &str = "carimbo";

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> Claims {
        Claims {
            tenant_id: Uuid::from_u128(1),
            user_id: Uuid::from_u128(2),
            session_id: Uuid::from_u128(3),
            ambiente: TpAmb::Homologacao,
            issued_at: 1000,
            expires_at: 4600,
        }
    }

    #[test]
    fn a_token_is_read_back_until_its_time_is_over() {
        let tokens = TokenSigner::new(&[7; 32]).unwrap();
        let token = tokens.sign(&claims()).unwrap();
        assert_eq!(tokens.read(&token, 4599).unwrap(), claims());
        assert_eq!(tokens.read(&token, 4600), Err(TokenError::Expired));
        assert_eq!(TokenSigner::new(&[8; 32]).unwrap().read(&token, 1000), Err(TokenError::Invalid));
    }

    #[test]
    fn a_changed_token_is_none() {
        let tokens = TokenSigner::new(&[7; 32]).unwrap();
        let token = tokens.sign(&claims()).unwrap();
        for index in 0..token.len() - 1 {
            let mut bytes = token.as_bytes().to_vec();
            bytes[index] = if bytes[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert_eq!(tokens.read(&changed, 1000), Err(TokenError::Invalid), "byte {index}");
        }
        for strange in ["", ".", "..", "a.b.c", &token[..token.len() - 10]] {
            assert_eq!(tokens.read(strange, 1000), Err(TokenError::Invalid), "{strange}");
        }
    }

    #[test]
    fn another_algorithm_is_refused_even_when_signed_by_us() {
        let tokens = TokenSigner::new(&[7; 32]).unwrap();
        let token = tokens.sign(&claims()).unwrap();
        let payload = token.split('.').nth(1).unwrap();
        let signed = format!("{}.{payload}", URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#));
        let forged = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(tokens.mac(signed.as_bytes()).unwrap()));
        assert_eq!(tokens.read(&forged, 1000), Err(TokenError::Invalid));
        assert_eq!(tokens.read(&format!("{signed}."), 1000), Err(TokenError::Invalid));
    }
}
