//! `/v1/webhooks/…`: the signing secret, the account's address, the record of deliveries, and the body of every event.
//!
//! Law: `docs/contract.md`, "Webhooks".

pub(crate) mod conta;
pub(crate) mod entregas;
pub(crate) mod evento;
pub(crate) mod nomes;
pub(crate) mod reenviar;
pub(crate) mod segredo;
