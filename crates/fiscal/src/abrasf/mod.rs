//! NFS-e of city halls that speak ABRASF: from the caller's `nota` to the canonical message with its RPS, and back from their answers.
//!
//! Law: ABRASF, modelo conceitual and manual de integração 1.00 to 2.04, and the XSDs of each version; `reference/nfse.md` §8, `spec/not-shown.md` 11.2. A provider is
//! a [`Dialect`], which is data. Must not know: envelopes, addresses, which city has which provider.

pub mod answer;
mod dialect;
pub mod message;
mod rps_id;
mod version;

pub use dialect::{Cancelling, Dialect, IdAttribute, ItemMask, Mode, Signs, Unit};
pub use message::Unsigned;
pub use rps_id::{InvalidRpsId, RpsId};
pub use version::Version;
