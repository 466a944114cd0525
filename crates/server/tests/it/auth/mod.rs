//! `/v1/auth`.

mod login;
mod notas;
mod schemes;
mod world;
