//! Sign-in by a provider of OpenID Connect: authorization code with PKCE, state and nonce, over the bounded client of
//! `outbound`.
//!
//! Law: OpenID Connect Core 1.0 §3.1, Discovery 1.0 §4, RFC 7636, RFC 9207. Reasons: `docs/decisions/security.md`.
//! Must not know: users and sessions.

pub(crate) mod flow;
mod id_token;
mod metadata;
mod provider;
mod settings;

pub(crate) use flow::{OidcFlow, OidcPurpose};
pub(crate) use id_token::ProvenIdentity;
pub(crate) use provider::OidcProvider;
pub use settings::{ClientSecret, OidcSettings};

/// Sign-in that a provider did not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OidcFailure {
    /// The provider cannot be reached or answers nonsense: its fault, in Portuguese.
    Unreachable(String),
    /// The answer does not prove an identity: the reason, in Portuguese.
    Refused(&'static str),
    /// Too many sign-ins at once.
    Busy,
}
