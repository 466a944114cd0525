//! Settings of the provider.

use std::fmt;

use zeroize::Zeroizing;

/// The secret of the client. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientSecret(Zeroizing<String>);

impl ClientSecret {
    pub fn new(secret: &str) -> ClientSecret {
        ClientSecret(Zeroizing::new(secret.to_owned()))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(…)")
    }
}

/// A provider, as the operator configures it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OidcSettings {
    /// Issuer identifier, without the trailing slash.
    pub issuer: String,
    pub client_id: String,
    /// Absent for a public client.
    pub client_secret: Option<ClientSecret>,
    /// Name on the button.
    pub label: String,
    /// Domains of the e-mails that may enter; empty for all.
    pub domains: Vec<String>,
    /// `true` when the first sign-in may find the user by a verified e-mail.
    pub matches_email: bool,
    /// PEM with further trust anchors.
    pub extra_anchors_pem: Option<Vec<u8>>,
}

impl OidcSettings {
    /// `true` when the domain of an e-mail may enter.
    pub(crate) fn admits(&self, email: &str) -> bool {
        let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
        self.domains.is_empty() || self.domains.iter().any(|one| one.eq_ignore_ascii_case(domain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_whole_or_another_one() {
        let settings = |domains: &[&str]| OidcSettings {
            issuer: String::new(),
            client_id: String::new(),
            client_secret: Some(ClientSecret::new("s3gredo")),
            label: String::new(),
            domains: domains.iter().map(|one| (*one).to_owned()).collect(),
            matches_email: true,
            extra_anchors_pem: None,
        };
        let closed = settings(&["loja.com.br"]);
        assert!(closed.admits("ana@loja.com.br") && closed.admits("ana@LOJA.com.br"));
        for stranger in ["ana@mau-loja.com.br", "ana@loja.com.br.mau.com", "loja.com.br", "", "ana@x@mau.com"] {
            assert!(!closed.admits(stranger), "{stranger}");
        }
        assert!(settings(&[]).admits("ana@x.com"));
        assert!(!format!("{closed:?}").contains("s3gredo"));
    }
}
