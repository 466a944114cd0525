//! Keys of the sign-in provider, which are valid together only.

use std::path::PathBuf;

use server::oidc::{ClientSecret, OidcSettings};

use super::values::{public_url, url};

/// The keys as they were read.
#[derive(Debug, Clone, Default)]
pub(crate) struct OidcKeys {
    pub(crate) issuer: Option<String>,
    pub(crate) client_id: Option<String>,
    pub(crate) client_secret: Option<ClientSecret>,
    pub(crate) label: Option<String>,
    pub(crate) domains: Vec<String>,
    pub(crate) is_email_ignored: bool,
    pub(crate) ca_bundle: Option<PathBuf>,
}

impl OidcKeys {
    /// Names the missing keys of a sign-in; none while it is off.
    pub(super) fn problem(&self, public_url: Option<&str>) -> Option<String> {
        let is_off = self.issuer.is_none() && self.client_id.is_none() && self.client_secret.is_none();
        let missing: Vec<&str> = [
            ("emissor", self.issuer.is_some()),
            ("cliente", self.client_id.is_some()),
            ("painel.url", public_url.is_some()),
        ]
        .into_iter()
        .filter(|(_, is_there)| !is_there)
        .map(|(name, _)| name)
        .collect();
        let text = || format!("oidc: falta {} (emissor, cliente e painel.url só valem juntos)", missing.join(", "));
        (!is_off && !missing.is_empty()).then(text)
    }

    /// The provider, with further trust anchors; `None` while it is off.
    pub(crate) fn settings(&self, extra_anchors_pem: Option<Vec<u8>>) -> Option<OidcSettings> {
        let (issuer, client_id) = (self.issuer.clone()?, self.client_id.clone()?);
        let host = issuer.split("//").nth(1).and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
        Some(OidcSettings {
            label: self.label.clone().unwrap_or_else(|| host.to_owned()),
            client_id,
            client_secret: self.client_secret.clone(),
            domains: self.domains.clone(),
            matches_email: !self.is_email_ignored,
            extra_anchors_pem,
            issuer,
        })
    }
}

/// Reads an issuer: https, or http on this machine.
pub(super) fn issuer(text: &str) -> Result<String, String> {
    let wrong = || format!("\"{text}\" não é um emissor como https://login.exemplo.com.br, sem o .well-known");
    let issuer = url(text).map_err(|_| wrong())?;
    let end = issuer.match_indices('/').nth(2).map_or(issuer.len(), |(at, _)| at);
    public_url(&issuer[..end]).map_err(|_| wrong())?;
    Ok(issuer)
}

/// Reads a text of a bounded length. The message does not repeat it: it may be the secret.
pub(super) fn text(text: &str, most: usize) -> Result<String, String> {
    let fits = !text.is_empty() && text.chars().count() <= most && !text.chars().any(char::is_control);
    if fits { Ok(text.to_owned()) } else { Err(format!("deve ter de 1 a {most} caracteres")) }
}
