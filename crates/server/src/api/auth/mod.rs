//! `/v1/auth`: logins, sessions, API keys, the audit trail.
//!
//! Law: `spec/interface.md`, Authentication and account; `spec/not-shown.md` §3 and §6.

pub(crate) mod ambiente;
pub(crate) mod api_keys;
pub(crate) mod auditoria;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod me;
pub(crate) mod senha;
mod slow;
pub(crate) mod token;
