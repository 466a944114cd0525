//! The golden cases of each family, read from their folders and built in the context of the service.

pub mod abrasf;
pub mod cte;
pub mod nfe;
pub mod nfse;

/// Moment at which a case is issued, unless it has another.
pub const MOMENT: &str = "2026-11-20T10:00:00-03:00";

/// Valid by the schema in form only: the golden documents are unsigned.
pub const DUMMY_SIGNATURE: &str = include_str!("signature.xml");
