//! What is done when an authority does not work: who is left, which way a document goes instead, and when it goes the normal way again.
//!
//! `breaker` decides when (pure), `policy` decides which way (pure), `watch` keeps what is known between them and the store, `poll`
//! asks the status services, `course` puts all of it together for one document.
//! Law: `design.md` §3.5; MOC 7.0, anexo III (NF-e) and anexo IV (NFC-e); `reference/nfe.md` §11.

mod breaker;
mod course;
mod deadline;
mod policy;
mod poll;
mod watch;

pub use breaker::Thresholds;
pub(crate) use course::{Course, NoWay};
pub use deadline::OfflineDeadline;
pub(crate) use deadline::warned_before_s;
pub(crate) use policy::Policy;
pub(crate) use poll::SILENT;
pub(crate) use watch::Watch;
pub use watch::word;

use crate::bridge::Way;
use crate::family::STATUS_EVERY_S;
use authority::table::{Role, Table};

/// How contingency is managed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// When circuits open and close.
    pub thresholds: Thresholds,
    /// Seconds between two questions to one status service, of all processes together. The authorities ask for at least three
    /// minutes (MOC 7.0, visão geral).
    pub poll_every_s: i64,
    /// Seconds for which an authority must have been out before an NF-e in doubt is issued again in contingency. Five minutes: what
    /// was authorised after all is cancelled, and most outages are shorter.
    pub doubt_nfe_s: i64,
    /// The same of an NFC-e, whose buyer waits at the counter: none, once the circuit is open.
    pub doubt_nfce_s: i64,
    /// By when an offline NFC-e must be transmitted.
    pub offline_deadline: OfflineDeadline,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            thresholds: Thresholds::default(),
            poll_every_s: STATUS_EVERY_S,
            doubt_nfe_s: 300,
            doubt_nfce_s: 0,
            offline_deadline: OfflineDeadline::default(),
        }
    }
}

/// `tpEmis` of a normal emission.
pub(crate) const NORMAL: u8 = 1;
/// `tpEmis` of an NF-e announced by EPEC.
pub(crate) const EPEC: u8 = 4;
/// `tpEmis` of an NF-e printed on security paper.
pub(crate) const FS_DA: u8 = 5;
/// `tpEmis` at SVC-AN.
pub(crate) const SVC_AN: u8 = 6;
/// `tpEmis` at SVC-RS.
pub(crate) const SVC_RS: u8 = 7;
/// `tpEmis` at SVC-SP, of CT-e.
pub(crate) const SVC_SP: u8 = 8;
/// `tpEmis` of an offline NFC-e, or NF-e with the DANFE Simplificado Tipo 2.
pub(crate) const OFFLINE: u8 = 9;

/// The name under which a circuit is kept: a contingency authority is switched on state by state.
fn role_name(table: &Table, way: &Way, role: Role) -> Option<String> {
    let name = table.authority(way.uf, way.family.modelo, role)?;
    Some(match role {
        Role::Contingency => format!("{name}/{}", way.uf.sigla()),
        Role::Normal | Role::National => name.to_owned(),
    })
}
