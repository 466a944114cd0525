//! A sign-in under way, as a cookie of the browser that began it. State, nonce and PKCE verifier are keyed digests of
//! the whole cookie: none is stored, and a changed cookie gives others.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::token::TokenSigner;

/// Longest time at the provider, seconds.
pub(crate) const LASTS_S: i64 = 600;

/// Effect of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OidcPurpose {
    /// Opens a session; shows this order afterwards.
    Enter { confirmar: Option<Uuid> },
    /// Links the identity to the user of this session.
    Link { tenant: Uuid, session: Uuid },
}

/// A sign-in under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OidcFlow {
    /// Value of the cookie.
    pub(crate) cookie: String,
    pub(crate) purpose: OidcPurpose,
}

impl OidcFlow {
    /// Begins a sign-in.
    pub(crate) fn begin(purpose: OidcPurpose, now: i64) -> anyhow::Result<OidcFlow> {
        let mut chance = [0_u8; 32];
        getrandom::fill(&mut chance)?;
        let mut cookie = format!("{}.{}", URL_SAFE_NO_PAD.encode(chance), now + LASTS_S);
        match purpose {
            OidcPurpose::Enter { confirmar: None } => cookie.push_str(".e"),
            OidcPurpose::Enter { confirmar: Some(id) } => write!(cookie, ".e.{id}")?,
            OidcPurpose::Link { tenant, session } => write!(cookie, ".v.{tenant}.{session}")?,
        }
        Ok(OidcFlow { cookie, purpose })
    }

    /// Reads the cookie; `None` when it is over. Only a matching state proves that it is ours.
    pub(crate) fn read(cookie: &str, now: i64) -> Option<OidcFlow> {
        let mut parts = cookie.split('.').skip(1);
        let until: i64 = parts.next()?.parse().ok()?;
        let rest: Vec<&str> = parts.collect();
        let purpose = match rest.as_slice() {
            ["e"] => OidcPurpose::Enter { confirmar: None },
            ["e", id] => OidcPurpose::Enter { confirmar: Some(id.parse().ok()?) },
            ["v", tenant, session] => {
                OidcPurpose::Link { tenant: tenant.parse().ok()?, session: session.parse().ok()? }
            }
            _ => return None,
        };
        (now < until).then(|| OidcFlow { cookie: cookie.to_owned(), purpose })
    }

    /// The `state` parameter.
    pub(crate) fn state(&self, keys: &TokenSigner) -> anyhow::Result<String> {
        keys.keyed_digest(&format!("oidc state {}", self.cookie))
    }

    /// The `nonce` of the ID token.
    pub(crate) fn nonce(&self, keys: &TokenSigner) -> anyhow::Result<String> {
        keys.keyed_digest(&format!("oidc nonce {}", self.cookie))
    }

    /// The PKCE verifier: 43 letters.
    pub(crate) fn verifier(&self, keys: &TokenSigner) -> anyhow::Result<Zeroizing<String>> {
        keys.keyed_digest(&format!("oidc pkce {}", self.cookie)).map(Zeroizing::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_read_back_until_its_time_is_over() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        for purpose in [
            OidcPurpose::Enter { confirmar: None },
            OidcPurpose::Enter { confirmar: Some(one) },
            OidcPurpose::Link { tenant: one, session: two },
        ] {
            let flow = OidcFlow::begin(purpose, 1000).unwrap();
            assert_eq!(OidcFlow::read(&flow.cookie, 1000 + LASTS_S - 1).as_ref(), Some(&flow));
            assert_eq!(OidcFlow::read(&flow.cookie, 1000 + LASTS_S), None);
        }
        for strange in ["", ".", "a.b.c", "a.9999.x", "a.9999.v.1"] {
            assert_eq!(OidcFlow::read(strange, 0), None, "{strange}");
        }
    }

    #[test]
    fn a_changed_cookie_has_another_state() {
        let keys = TokenSigner::new(&[7; 32]).unwrap();
        let flow = OidcFlow::begin(OidcPurpose::Enter { confirmar: None }, 1000).unwrap();
        let later = OidcFlow::read(&flow.cookie.replace("1600", "9600"), 2000).unwrap();
        assert_ne!(flow.state(&keys).unwrap(), later.state(&keys).unwrap());
        let all = [flow.state(&keys).unwrap(), flow.nonce(&keys).unwrap(), flow.verifier(&keys).unwrap().to_string()];
        assert!(all[0] != all[1] && all[1] != all[2] && all.iter().all(|text| text.len() == 43));
    }
}
