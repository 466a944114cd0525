//! `/v1/webhooks/…`: the secret that signs, the record of deliveries, and the body every event has.
//!
//! Law: `spec/interface.md` Events, `spec/not-shown.md` §4 (routes) and §9.

pub(crate) mod entregas;
pub(crate) mod evento;
pub(crate) mod reenviar;
pub(crate) mod segredo;
