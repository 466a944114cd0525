//! `/v1/auth`.

mod login;
mod notas;
mod schemes;
pub(crate) mod world;
