//! Health of the authorities: recent answers of each, and a probe after a time without one.
//!
//! Law: MOC 7.0, visão geral (status of the service at most once every three minutes; consumo indevido).

use crate::Engine;
use crate::family::municipal_provider::MunicipalProvider;
use crate::family::{Family, STATUS_EVERY_S};
use authority::table::{AuthorityRole, OwnHost};
use authority::transport::Handshake;
use fiscal::value::{CivilOffset, Codigo, TpAmb, Uf};
use signing::Certificate;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;

/// Recent answers of one authority.
#[derive(Debug, Clone)]
pub struct AuthorityHealth {
    /// Name, e.g. `SP`.
    pub authority: String,
    /// Environment of the calls.
    pub ambiente: TpAmb,
    /// Last readable answer, seconds since 1970.
    pub last_success: Option<i64>,
    /// Last call without one, seconds since 1970.
    pub last_failure: Option<i64>,
    /// Duration of the last answered call, in milliseconds.
    pub latency_ms: Option<u64>,
    /// Reason of that failure, in Portuguese.
    pub last_error: Option<String>,
    /// Handshake of the last connection.
    pub tls: Option<Arc<Handshake>>,
    /// Last answer of the status service (cStat, xMotivo).
    pub service_status: Option<(Codigo, String)>,
    /// False if the authority last reported itself out of service.
    pub open: bool,
}

impl AuthorityHealth {
    /// `true` if the last call was answered, and the service did not report itself down.
    pub fn answering(&self) -> bool {
        self.open && self.last_success >= self.last_failure
    }
}

/// `/status` must answer soon, however slow an authority is.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Authority, family and certificate of calls: enough to query the same authority again.
#[derive(Clone)]
pub(crate) struct Channel {
    pub(crate) uf: Uf,
    /// Civil time of the company.
    pub(crate) civil: CivilOffset,
    pub(crate) family: &'static Family,
    pub(crate) ambiente: TpAmb,
    pub(crate) certificate: Arc<Certificate>,
    /// The município's own server, where that receives the document and not the authority of the table.
    pub(crate) host: Option<Arc<OwnHost>>,
    /// True for an issuer without inscrição estadual, whose documents another authority than its state's receives.
    pub(crate) unregistered: bool,
    /// Municipal provider of an RPS (ABRASF).
    pub(crate) city_hall: Option<Arc<MunicipalProvider>>,
}

impl Channel {
    /// Channel to the authority of the table for a state, in the state's civil time.
    pub(crate) fn to_state(uf: Uf, family: &'static Family, ambiente: TpAmb, certificate: Arc<Certificate>) -> Channel {
        let civil = uf.into();
        Channel { uf, civil, family, ambiente, certificate, host: None, unregistered: false, city_hall: None }
    }

    /// Returns the role in the table of the authority that has the given role for this document.
    pub(crate) fn role(&self, role: AuthorityRole) -> AuthorityRole {
        if self.unregistered && role == AuthorityRole::Normal { AuthorityRole::Unregistered } else { role }
    }
}

/// Outcome of a call.
pub(crate) struct CallResult {
    /// Duration of a call with a readable answer, or the reason why there is none.
    pub(crate) outcome: Result<Duration, String>,
    /// Handshake of the last connection to its server.
    pub(crate) tls: Option<Arc<Handshake>>,
}

struct HealthRow {
    health: AuthorityHealth,
    channel: Channel,
    last_probe: i64,
}

/// Health of every authority that was called.
#[derive(Default)]
pub(crate) struct AuthorityHealthTable {
    rows: Mutex<BTreeMap<(String, &'static str), HealthRow>>,
}

impl AuthorityHealthTable {
    fn rows(&self) -> MutexGuard<'_, BTreeMap<(String, &'static str), HealthRow>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All rows, by name.
    pub(crate) fn all(&self) -> Vec<AuthorityHealth> {
        self.rows().values().map(|row| row.health.clone()).collect()
    }

    /// Records the outcome of a call.
    pub(crate) fn record_exchange(&self, authority: &str, channel: &Channel, now: i64, heard: CallResult) {
        let mut rows = self.rows();
        let row = rows
            .entry((authority.to_owned(), channel.ambiente.word()))
            .or_insert_with(|| HealthRow::new(authority, channel, now));
        row.channel = channel.clone();
        row.health.tls = heard.tls.or(row.health.tls.take());
        match heard.outcome {
            Ok(took) => {
                row.health.latency_ms = u64::try_from(took.as_millis()).ok();
                row.health.last_success = Some(now);
                row.health.service_status = None;
                row.health.open = true;
            }
            Err(error) => {
                row.health.last_failure = Some(now);
                row.health.last_error = Some(error);
            }
        }
    }

    /// Records an answer of the status service, or a 108 or 109 of another service.
    pub(crate) fn record_service_status(&self, authority: &str, ambiente: TpAmb, codigo: &Codigo, xMotivo: &str) {
        if let Some(row) = self.rows().get_mut(&(authority.to_owned(), ambiente.word())) {
            row.health.service_status = Some((codigo.clone(), xMotivo.to_owned()));
            row.health.open = codigo.number().is_some_and(|cStat| row.channel.family.is_open(cStat));
        }
    }

    /// Takes the channels whose authority neither answered nor was probed for three minutes, and marks them as probed.
    fn take_due_channels(&self, now: i64) -> Vec<Channel> {
        let mut due = Vec::new();
        for row in self.rows().values_mut() {
            let heard = row.health.last_success.unwrap_or(i64::MIN).max(row.last_probe);
            if now.saturating_sub(heard) >= STATUS_EVERY_S {
                row.last_probe = now;
                due.push(row.channel.clone());
            }
        }
        due
    }
}

impl HealthRow {
    fn new(authority: &str, channel: &Channel, now: i64) -> HealthRow {
        let health = AuthorityHealth {
            authority: authority.to_owned(),
            ambiente: channel.ambiente,
            last_success: None,
            last_failure: None,
            latency_ms: None,
            last_error: None,
            tls: None,
            service_status: None,
            open: true,
        };
        HealthRow { health, channel: channel.clone(), last_probe: now }
    }
}

impl Engine {
    /// Queries the status service of every authority without an answer for three minutes, all at once. A slow one
    /// answers after the caller has gone on.
    pub(crate) async fn probe_authorities(&self) {
        let mut probes = JoinSet::new();
        for channel in self.inner.health.take_due_channels(self.now_s()) {
            let engine = self.clone();
            probes.spawn(async move { engine.probe(&channel).await });
        }
        // a late probe records its own outcome
        let _ = tokio::time::timeout(PROBE_TIMEOUT, async { while probes.join_next().await.is_some() {} }).await;
        probes.detach_all();
    }

    async fn probe(&self, channel: &Channel) {
        self.poll(channel, AuthorityRole::Normal).await;
    }
}
