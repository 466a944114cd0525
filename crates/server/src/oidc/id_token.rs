//! The ID token: signature by `josekit`, over OpenSSL; claims by OpenID Connect Core 1.0 §3.1.3.7.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use josekit::jwk::{Jwk, JwkSet};
use josekit::jws::{self, ES256, ES384, JwsVerifier, PS256, RS256};
use serde::Deserialize;

use super::OidcFailure;

/// An identity that the provider proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProvenIdentity {
    pub(crate) issuer: String,
    pub(crate) subject: String,
    pub(crate) email: Option<String>,
    /// `true` when the provider vouches for the e-mail.
    pub(crate) is_email_verified: bool,
}

/// Claims that an ID token must have.
pub(super) struct ExpectedClaims<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: i64,
}

#[derive(Deserialize)]
pub(super) struct JwsHead {
    alg: String,
    kid: Option<String>,
}

/// E-mail claims, of an ID token or of the userinfo endpoint.
#[derive(Deserialize)]
pub(super) struct EmailClaims {
    pub(super) sub: String,
    email: Option<String>,
    email_verified: Option<VerifiedClaim>,
}

#[derive(Deserialize)]
struct IdClaims {
    iss: String,
    aud: TokenAudience,
    azp: Option<String>,
    exp: i64,
    iat: i64,
    nonce: Option<String>,
    #[serde(flatten)]
    who: EmailClaims,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TokenAudience {
    One(String),
    Many(Vec<String>),
}

/// Some providers write the truth as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum VerifiedClaim {
    Flag(bool),
    Text(String),
}

impl EmailClaims {
    pub(super) fn identity(self, issuer: &str) -> ProvenIdentity {
        let is_email_verified = match &self.email_verified {
            Some(VerifiedClaim::Flag(flag)) => *flag,
            Some(VerifiedClaim::Text(text)) => text == "true",
            None => false,
        };
        let is_email =
            |text: &String| text.len() <= LONGEST && text.contains('@') && !text.chars().any(char::is_control);
        let email = self.email.filter(is_email);
        ProvenIdentity { issuer: issuer.to_owned(), subject: self.sub, email, is_email_verified }
    }
}

/// Reads algorithm and key id.
pub(super) fn head(token: &str) -> Result<JwsHead, OidcFailure> {
    let head = token.split('.').next().and_then(|head| URL_SAFE_NO_PAD.decode(head).ok());
    head.and_then(|head| serde_json::from_slice(&head).ok()).ok_or(OidcFailure::Refused(MALFORMED))
}

impl JwsHead {
    /// `true` when the set has a key for this token.
    pub(super) fn is_signed_by_one_of(&self, keys: &JwkSet) -> bool {
        self.candidates(keys).next().is_some()
    }

    fn candidates<'k>(&'k self, keys: &'k JwkSet) -> impl Iterator<Item = &'k Jwk> {
        keys.keys().into_iter().filter(|key| self.kid.as_deref().is_none_or(|kid| key.key_id() == Some(kid)))
    }

    /// Verifier by a key. Asymmetric algorithms only: with a symmetric one the client's secret could sign.
    fn verifier(&self, key: &Jwk) -> Option<Box<dyn JwsVerifier>> {
        fn boxed<V: JwsVerifier + 'static, E>(made: Result<V, E>) -> Option<Box<dyn JwsVerifier>> {
            made.ok().map(|verifier| Box::new(verifier) as Box<dyn JwsVerifier>)
        }
        match self.alg.as_str() {
            "RS256" => boxed(RS256.verifier_from_jwk(key)),
            "PS256" => boxed(PS256.verifier_from_jwk(key)),
            "ES256" => boxed(ES256.verifier_from_jwk(key)),
            "ES384" => boxed(ES384.verifier_from_jwk(key)),
            _ => None,
        }
    }
}

/// Verifies signature and claims.
pub(super) fn verify(token: &str, keys: &JwkSet, expected: &ExpectedClaims<'_>) -> Result<ProvenIdentity, OidcFailure> {
    let head = head(token)?;
    let verifiers = head.candidates(keys).filter_map(|key| head.verifier(key)).take(MOST_KEYS);
    let mut opened = verifiers.filter_map(|verifier| jws::deserialize_compact(token, &*verifier).ok());
    let (payload, _) = opened.next().ok_or(OidcFailure::Refused(SIGNATURE))?;
    let claims: IdClaims = serde_json::from_slice(&payload).map_err(|_| OidcFailure::Refused(MALFORMED))?;
    if claims.iss != expected.issuer {
        return Err(OidcFailure::Refused("A identidade veio de outro emissor que o configurado."));
    }
    let (is_ours, count) = match &claims.aud {
        TokenAudience::One(one) => (one == expected.client_id, 1),
        TokenAudience::Many(many) => (many.iter().any(|one| one == expected.client_id), many.len()),
    };
    let azp = claims.azp.as_deref();
    if !is_ours || azp.is_some_and(|azp| azp != expected.client_id) || (count > 1 && azp.is_none()) {
        return Err(OidcFailure::Refused("A identidade foi emitida para outro serviço, e não para este."));
    }
    if claims.exp <= expected.now - CLOCKS_S || claims.iat > expected.now + CLOCKS_S {
        return Err(OidcFailure::Refused(
            "A identidade está fora do prazo. Confira o relógio desta máquina e o do provedor.",
        ));
    }
    let nonce = claims.nonce.as_deref().unwrap_or_default();
    if nonce.len() != expected.nonce.len() || !openssl::memcmp::eq(nonce.as_bytes(), expected.nonce.as_bytes()) {
        return Err(OidcFailure::Refused("A identidade é de outra tentativa de entrar, e não desta."));
    }
    let subject = claims.who.sub.as_str();
    if subject.is_empty() || subject.len() > LONGEST || subject.chars().any(char::is_control) {
        return Err(OidcFailure::Refused(MALFORMED));
    }
    Ok(claims.who.identity(expected.issuer))
}

const MALFORMED: &str = "O provedor respondeu com uma identidade que não se pode ler.";
const SIGNATURE: &str = "A assinatura da identidade não confere com as chaves do provedor.";
/// Difference of clocks that is accepted, seconds.
const CLOCKS_S: i64 = 60;
/// Longest subject (Core §2) and e-mail.
const LONGEST: usize = 255;
/// Keys that are tried for a token without a key id.
const MOST_KEYS: usize = 8;
