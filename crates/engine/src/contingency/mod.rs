//! Contingency: the reaction to an authority that does not work. Decides when a circuit opens, which mode a document
//! takes instead, and when it returns to normal.
//!
//! `breaker` decides when (pure), `policy` decides the mode (pure), `circuit_monitor` holds the state between them and
//! the store, `poll` queries the status services, `mode` combines them for one document.
//! Law: MOC 7.0, anexo III (NF-e) and anexo IV (NFC-e).

mod breaker;
mod circuit_monitor;
mod deadline;
mod mode;
mod policy;
mod poll;

pub use breaker::CircuitThresholds;
pub(crate) use circuit_monitor::CircuitMonitor;
pub use circuit_monitor::word;
pub use deadline::OfflineDeadline;
pub(crate) use deadline::warning_lead_s;
pub(crate) use mode::{EmissionMode, ModeRequest, NoMode};
pub(crate) use poll::NO_ANSWER_CODE;

use crate::authorities::health::Channel;
use crate::authorities::hosts::unregistered_name;
use crate::family::layouts::LayoutChoices;
use crate::family::{DoubtSeconds, Family, RepetitionAnswer, STATUS_EVERY_S};
use authority::table::{AuthorityRole, EndpointTable};

/// Settings of contingency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContingencyOptions {
    /// Thresholds of the circuits.
    pub thresholds: CircuitThresholds,
    /// Seconds between two queries of one status service, of all processes together. The authorities ask for at least
    /// three minutes (MOC 7.0, visão geral).
    pub poll_every_s: i64,
    /// Seconds for which an authority must have been out before an NF-e in doubt is issued again in contingency. Five
    /// minutes: a first document that was authorised after all is cancelled, and most outages are shorter.
    pub doubt_nfe_s: i64,
    /// Seconds of outage before an NFC-e in doubt is issued again: none once the circuit is open, since the buyer waits
    /// at the counter.
    pub doubt_nfce_s: i64,
    /// Deadline for transmitting an offline NFC-e.
    pub offline_deadline: OfflineDeadline,
    /// Seconds after the last byte of an NF-e, NFC-e or CT-e was sent before an authority that does not know it proves
    /// that it never arrived: messages wait in queues and at gateways for minutes.
    pub sefaz_quiet_s: i64,
    /// Seconds of quiet time of an NFS-e.
    pub nfse_quiet_s: i64,
    /// True if CT-e and CT-e OS may be given out offline (NT 2026.004, whose text was not seen).
    pub offline: bool,
    /// Layouts of the DPS.
    pub layouts: LayoutChoices,
}

impl ContingencyOptions {
    /// Seconds of outage before a document in doubt is issued again.
    pub(crate) fn doubt(&self) -> DoubtSeconds {
        DoubtSeconds { nfe_s: self.doubt_nfe_s, nfce_s: self.doubt_nfce_s }
    }

    /// Quiet time of a family in seconds, after which absence is proven.
    pub(crate) fn quiet_s(&self, family: &Family) -> i64 {
        match family.repetition {
            RepetitionAnswer::IsRefused => self.sefaz_quiet_s,
            RepetitionAnswer::AfterProof => self.nfse_quiet_s,
        }
    }
}

impl Default for ContingencyOptions {
    fn default() -> ContingencyOptions {
        ContingencyOptions {
            thresholds: CircuitThresholds::default(),
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

/// Name of a circuit. A contingency authority is switched on state by state, so its name contains the state.
fn role_name(table: &EndpointTable, channel: &Channel, role: AuthorityRole) -> Option<String> {
    if let (Some(host), AuthorityRole::Normal) = (&channel.host, role) {
        return Some(host.authority.clone());
    }
    let role = channel.role(role);
    let name = table.authority(channel.uf, channel.family.modelo, role)?;
    Some(match role {
        AuthorityRole::Unregistered => unregistered_name(name),
        AuthorityRole::Contingency => format!("{name}/{}", channel.uf.sigla()),
        AuthorityRole::Normal | AuthorityRole::National => name.to_owned(),
    })
}
