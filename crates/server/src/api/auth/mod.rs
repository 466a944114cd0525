//! `/v1/auth`: logins, sessions, API keys, the audit trail.
//!
//! Law: `docs/contract.md`, "Accounts" and "Environments".

pub(crate) mod ambiente;
pub(crate) mod api_keys;
pub(crate) mod auditoria;
pub(crate) mod factor_attempts;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod me;
pub(crate) mod password_attempts;
pub(crate) mod senha;
pub(crate) mod token;
