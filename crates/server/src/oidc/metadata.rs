//! The provider's metadata (OpenID Connect Discovery 1.0 §3).

use serde::Deserialize;

use super::OidcFailure;

/// Endpoints of a provider.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ProviderMetadata {
    pub(crate) issuer: String,
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) jwks_uri: String,
    #[serde(default)]
    pub(super) userinfo_endpoint: Option<String>,
    #[serde(default)]
    pub(crate) end_session_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl ProviderMetadata {
    /// Reads the document of an issuer; it must be that issuer's own.
    pub(super) fn read(bytes: &[u8], issuer: &str) -> Result<ProviderMetadata, OidcFailure> {
        let nonsense = |what: &str| OidcFailure::Unreachable(format!("a descrição do provedor {what}"));
        let found: ProviderMetadata =
            serde_json::from_slice(bytes).map_err(|_| nonsense("não é a que se esperava (openid-configuration)"))?;
        if found.issuer.trim_end_matches('/') != issuer {
            return Err(nonsense("é de outro emissor que o configurado em oidc.emissor"));
        }
        let plain = issuer.starts_with("http://");
        let endpoints = [&found.authorization_endpoint, &found.token_endpoint, &found.jwks_uri];
        let further = [&found.userinfo_endpoint, &found.end_session_endpoint];
        let all = endpoints.into_iter().chain(further.into_iter().flatten());
        for endpoint in all {
            if !(endpoint.starts_with("https://") || plain && endpoint.starts_with("http://")) {
                return Err(nonsense("tem um endereço que não é https"));
            }
            // they become links and headers
            if endpoint.len() > LONGEST_ENDPOINT || endpoint.contains('#') || endpoint.parse::<http::Uri>().is_err() {
                return Err(nonsense("tem um endereço que não se pode ler"));
            }
        }
        Ok(found)
    }

    /// `true` when the client's secret goes in the form and not in the header.
    pub(super) fn takes_secret_in_form(&self) -> bool {
        // §3: `client_secret_basic` where nothing is listed
        self.token_endpoint_auth_methods_supported.as_ref().is_some_and(|methods| {
            let has = |wanted: &str| methods.iter().any(|method| method == wanted);
            !has("client_secret_basic") && has("client_secret_post")
        })
    }
}

const LONGEST_ENDPOINT: usize = 2048;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ProviderMetadata, OidcFailure> {
        ProviderMetadata::read(text.as_bytes(), "https://p.example")
    }

    #[test]
    fn metadata_of_another_issuer_or_without_tls_is_refused() {
        let of = |issuer: &str, token: &str| {
            format!(
                r#"{{"issuer":"{issuer}","authorization_endpoint":"https://p.example/a","token_endpoint":"{token}","jwks_uri":"https://p.example/k"}}"#
            )
        };
        assert!(read(&of("https://p.example", "https://p.example/t")).is_ok());
        assert!(read(&of("https://p.example/", "https://p.example/t")).is_ok());
        assert!(read(&of("https://mau.example", "https://p.example/t")).is_err());
        assert!(read(&of("https://p.example", "http://p.example/t")).is_err());
        for broken in [
            "https://p.example/t x",
            "https://p.example/t\\r\\nx: y",
            "https://",
            "javascript:x",
            "https://p.example/#t",
        ] {
            assert!(read(&of("https://p.example", broken)).is_err(), "{broken}");
        }
        let long = format!("https://p.example/{}", "t".repeat(LONGEST_ENDPOINT));
        assert!(read(&of("https://p.example", &long)).is_err());
        assert!(read("{}").is_err() && read("<html>").is_err());
    }
}
