//! What is done when an authority does not work: who is left, which way a document goes instead, and when it goes the
//! normal way again.
//!
//! `breaker` decides when (pure), `policy` decides which way (pure), `watch` keeps what is known between them and the
//! store, `poll` asks the status services, `mode` puts all of it together for one document.
//! Law: `design.md` §3.5; MOC 7.0, anexo III (NF-e) and anexo IV (NFC-e); `reference/nfe.md` §11.

mod breaker;
mod deadline;
mod mode;
mod policy;
mod poll;
mod watch;

pub use breaker::Thresholds;
pub use deadline::OfflineDeadline;
pub(crate) use deadline::warned_before_s;
pub(crate) use mode::{EmissionMode, NoWay, Wish};
pub(crate) use poll::SILENT;
pub(crate) use watch::Watch;
pub use watch::word;

use crate::authorities::bridge::Channel;
use crate::authorities::hosts::unregistered_name;
use crate::family::layouts::LayoutChoices;
use crate::family::{Doubt, Family, Repetition, STATUS_EVERY_S};
use authority::table::{Role, Table};

/// How contingency is managed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// When circuits open and close.
    pub thresholds: Thresholds,
    /// Seconds between two questions to one status service, of all processes together. The authorities ask for at least
    /// three minutes (MOC 7.0, visão geral).
    pub poll_every_s: i64,
    /// Seconds for which an authority must have been out before an NF-e in doubt is issued again in contingency. Five
    /// minutes: what was authorised after all is cancelled, and most outages are shorter.
    pub doubt_nfe_s: i64,
    /// The same of an NFC-e, whose buyer waits at the counter: none, once the circuit is open.
    pub doubt_nfce_s: i64,
    /// By when an offline NFC-e must be transmitted.
    pub offline_deadline: OfflineDeadline,
    /// Seconds after the last byte of an NF-e, NFC-e or CT-e left before an authority that does not know it proves that
    /// it never came: messages wait in queues and at gateways for minutes.
    pub sefaz_quiet_s: i64,
    /// The same of an NFS-e.
    pub nfse_quiet_s: i64,
    /// Whether CT-e and CT-e OS may be given out offline (NT 2026.004, whose text was not seen).
    pub offline: bool,
    /// Which layout a DPS goes in.
    pub layouts: LayoutChoices,
}

impl Options {
    /// How long a document in doubt stays alone.
    pub(crate) fn doubt(&self) -> Doubt {
        Doubt { nfe_s: self.doubt_nfe_s, nfce_s: self.doubt_nfce_s }
    }

    /// The quiet time of a family, after which absence is proven.
    pub(crate) fn quiet_s(&self, family: &Family) -> i64 {
        match family.repetition {
            Repetition::IsRefused => self.sefaz_quiet_s,
            Repetition::AfterProof => self.nfse_quiet_s,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            thresholds: Thresholds::default(),
            poll_every_s: STATUS_EVERY_S,
            doubt_nfe_s: 300,
            doubt_nfce_s: 0,
            offline_deadline: OfflineDeadline::default(),
            sefaz_quiet_s: 180,
            nfse_quiet_s: 60,
            offline: false,
            layouts: LayoutChoices::default(),
        }
    }
}

/// The name under which a circuit is kept: a contingency authority is switched on state by state.
fn role_name(table: &Table, channel: &Channel, role: Role) -> Option<String> {
    if let (Some(host), Role::Normal) = (&channel.host, role) {
        return Some(host.authority.clone());
    }
    let role = channel.role(role);
    let name = table.authority(channel.uf, channel.family.modelo, role)?;
    Some(match role {
        Role::Unregistered => unregistered_name(name),
        Role::Contingency => format!("{name}/{}", channel.uf.sigla()),
        Role::Normal | Role::National => name.to_owned(),
    })
}
