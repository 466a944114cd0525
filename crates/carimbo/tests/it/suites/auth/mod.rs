//! `/v1/auth/*`.

mod ambiente;
mod api_keys;
mod auditoria;
mod login;
mod logout;
mod me;
mod notas;
mod schemes;
mod senha;
mod slow;
mod usuario;
