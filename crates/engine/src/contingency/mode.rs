//! Emission mode of one document now: normal, by its SVC, offline, by EPEC, or a wait.
//!
//! Law: MOC 7.0, anexo III, 2.1.3.5 (tpEmis, dhCont, xJust) and anexo IV (offline).

use super::deadline;
use super::policy::{self, FallbackMode, SvcStatus};
use crate::Engine;
use crate::authorities::health::Channel;
use crate::family::emission::{EPEC, NORMAL};
use crate::family::offline::OfflineTerm;
use crate::family::policy::ContingencyPolicy;
use crate::family::{Family, IN_OPERATION, STATUS_EVERY_S};
use crate::process::local_time;
use authority::table::{AuthorityRole, AuthorityService};
use fiscal::value::CivilOffset;
use std::time::Duration;
use store::authorities::{Circuit, CircuitKey, CircuitState};
use store::jobs::Contingencia;

/// Mode in which a document is emitted now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmissionMode {
    /// `tpEmis` of the document.
    pub(crate) tpEmis: u8,
    /// Role of the authority that judges it.
    pub(crate) role: AuthorityRole,
    /// Contingency data for the document; `None` in a normal emission.
    pub(crate) contingencia: Option<Contingencia>,
}

impl EmissionMode {
    fn normal() -> EmissionMode {
        EmissionMode { tpEmis: NORMAL, role: AuthorityRole::Normal, contingencia: None }
    }

    /// Line of the job log.
    pub(crate) fn log_line(&self) -> String {
        match &self.contingencia {
            None => "Volta à emissão normal (tpEmis 1).".to_owned(),
            Some(Contingencia { autoridade, desde, justificativa, .. }) => {
                let by = autoridade.as_deref().unwrap_or("off-line");
                format!("Em contingência ({by}, tpEmis {}) desde {desde}: {justificativa}.", self.tpEmis)
            }
        }
    }
}

/// A document's constraints on contingency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModeRequest {
    /// Policy of the company, as far as the installation allows it.
    pub(crate) policy: ContingencyPolicy,
    /// True if no contingency authority accepts it, even one that reports itself open.
    pub(crate) svc_refuses: bool,
    /// Instant that the payload itself gives, where the family's contingency deadline counts from it.
    pub(crate) emitted: Option<jiff::Timestamp>,
}

/// Reason why a document has no mode now.
#[derive(Debug)]
pub(crate) enum NoMode {
    /// There may be one later; the reason in Portuguese.
    Wait { after: Duration, why: String },
    /// The store failed.
    Store(store::Error),
}

impl From<store::Error> for NoMode {
    fn from(error: store::Error) -> NoMode {
        NoMode::Store(error)
    }
}

/// Validity of an SVC's status in seconds: the next query falls into it.
const KNOWN_FOR_S: i64 = 2 * STATUS_EVERY_S;

impl Engine {
    /// Returns the mode of a document that has not left us; `Err` holds the wait when there is none.
    pub(crate) async fn emission_mode(&self, channel: &Channel, wish: ModeRequest) -> Result<EmissionMode, NoMode> {
        let Some(key) = self.circuit_key(channel, AuthorityRole::Normal) else { return Ok(EmissionMode::normal()) };
        let circuit = self.circuit(&key).await?;
        match circuit.state {
            // failing, and not yet counted as out: one document at a time, or hundreds would be in doubt a moment later
            CircuitState::Closed if self.must_wait_for_trial(&key) => return Err(wait(ANSWER_WAIT, &circuit)),
            CircuitState::Closed => return Ok(EmissionMode::normal()),
            CircuitState::HalfOpen if self.inner.circuit_monitor.take_trial(&key, self.now_s()) => {
                return Ok(EmissionMode::normal());
            }
            CircuitState::HalfOpen => {}
            CircuitState::Open => self.poll_soon(channel, AuthorityRole::Normal),
        }
        // no other authority accepts a document of an issuer without inscrição estadual (C17-11), and an EPEC names one
        let policy = if channel.unregistered { ContingencyPolicy::Nothing } else { wish.policy };
        let svc = match policy {
            ContingencyPolicy::Automatic | ContingencyPolicy::Svc | ContingencyPolicy::Offline if !wish.svc_refuses => {
                self.svc(channel).await?
            }
            _ => SvcStatus::Off,
        };
        match policy::fallback_mode(policy, || svc) {
            FallbackMode::Svc => Ok(self.by_svc(channel, &circuit)),
            FallbackMode::Offline => Ok(self.offline(channel, &circuit, wish.emitted)),
            FallbackMode::Epec => Ok(self.epec(channel, &circuit)),
            FallbackMode::Soon => Err(wait(ANSWER_WAIT, &circuit)),
            FallbackMode::None if wish.svc_refuses => {
                Err(wait_for_none_but_it(self.until_next_poll(&circuit), &circuit))
            }
            FallbackMode::None => Err(wait(self.until_next_poll(&circuit), &circuit)),
        }
    }

    fn must_wait_for_trial(&self, key: &CircuitKey) -> bool {
        let failures = self.inner.circuit_monitor.options.thresholds.failures;
        self.inner.circuit_monitor.failures_in_row(key) >= failures
            && !self.inner.circuit_monitor.take_trial(key, self.now_s())
    }

    /// Returns `Ok` if the normal authority is open again, for a document that has no other; otherwise the wait.
    pub(crate) async fn require_normal(&self, channel: &Channel) -> Result<(), NoMode> {
        let Some(key) = self.circuit_key(channel, AuthorityRole::Normal) else { return Ok(()) };
        let mut circuit = self.circuit(&key).await?;
        if circuit.state == CircuitState::Open && self.poll(channel, AuthorityRole::Normal).await {
            circuit = self.circuit(&key).await?;
        }
        match circuit.state {
            CircuitState::Closed => Ok(()),
            CircuitState::HalfOpen if self.inner.circuit_monitor.take_trial(&key, self.now_s()) => Ok(()),
            CircuitState::HalfOpen => Err(wait(ANSWER_WAIT, &circuit)),
            CircuitState::Open => Err(wait(self.until_next_poll(&circuit), &circuit)),
        }
    }

    /// Wait until the state of the normal authority may change.
    pub(crate) async fn until_normal(&self, channel: &Channel) -> Result<Duration, store::Error> {
        let Some(key) = self.circuit_key(channel, AuthorityRole::Normal) else { return Ok(ANSWER_WAIT) };
        Ok(self.until_next_poll(&self.circuit(&key).await?))
    }

    /// Wait until the status service may be queried again: nothing new is known before. Waiting jobs are released when
    /// the authority works (`circuit_monitor`), so this wait concerns the calling job alone.
    fn until_next_poll(&self, circuit: &Circuit) -> Duration {
        let answered = circuit.status_answered_at.is_some_and(|at| at >= circuit.polled_at);
        let says_it_works = circuit.status_answer.as_ref().is_some_and(|(cStat, _)| *cStat == IN_OPERATION);
        if circuit.state == CircuitState::HalfOpen || !answered || says_it_works {
            return ANSWER_WAIT;
        }
        let every_s = self.inner.circuit_monitor.options.poll_every_s;
        let left = circuit.polled_at.saturating_add(every_s) - self.now_s();
        // a longer time was written by a clock that has come back since
        if (1..=2 * every_s).contains(&left) { Duration::from_secs(left.unsigned_abs()) } else { ANSWER_WAIT }
    }

    /// Status of the SVC, queried first when it is unknown. The SVC may be used only while it reports itself open.
    async fn svc(&self, channel: &Channel) -> Result<SvcStatus, store::Error> {
        if channel.unregistered {
            return Ok(SvcStatus::Off);
        }
        let Some(key) = self.circuit_key(channel, AuthorityRole::Contingency) else { return Ok(SvcStatus::Off) };
        let services = [AuthorityService::StatusServico, AuthorityService::Autorizacao];
        let table = &self.inner.table;
        let missing = |service| {
            table
                .endpoint(channel.uf, channel.family.modelo, channel.ambiente, service, AuthorityRole::Contingency)
                .is_err()
        };
        if services.into_iter().any(missing) {
            return Ok(SvcStatus::Off);
        }
        let asked = self.poll(channel, AuthorityRole::Contingency).await;
        let circuit = self.circuit(&key).await?;
        if circuit.state == CircuitState::Open {
            return Ok(SvcStatus::Off);
        }
        let fresh = circuit.status_answered_at.is_some_and(|at| (self.now_s() - at).abs() < KNOWN_FOR_S);
        Ok(match &circuit.status_answer {
            Some((cStat, _)) if fresh && channel.family.is_open(*cStat) => SvcStatus::Working,
            Some(_) if fresh => SvcStatus::Off,
            // queried just now, or a moment ago by a process that has no answer yet
            _ if asked || (circuit.polled_at > 0 && self.now_s() - circuit.polled_at > ANSWERS_WITHIN_S) => {
                SvcStatus::Off
            }
            _ => SvcStatus::BeingAsked,
        })
    }

    fn by_svc(&self, channel: &Channel, circuit: &Circuit) -> EmissionMode {
        let contingencia = Contingencia { tipo: "svc".to_owned(), ..self.since(channel, circuit, None) };
        self.svc_mode(channel, contingencia)
    }

    fn svc_mode(&self, channel: &Channel, contingencia: Contingencia) -> EmissionMode {
        let svc = self
            .inner
            .table
            .authority(channel.uf, channel.family.modelo, AuthorityRole::Contingency)
            .unwrap_or_default();
        let tpEmis = channel.family.svc(svc).unwrap_or(NORMAL);
        let contingencia = Contingencia { autoridade: Some(svc.to_owned()), ..contingencia };
        EmissionMode { tpEmis, role: AuthorityRole::Contingency, contingencia: Some(contingencia) }
    }

    fn offline(&self, channel: &Channel, circuit: &Circuit, emitted: Option<jiff::Timestamp>) -> EmissionMode {
        let contingencia = Contingencia {
            tipo: "offline".to_owned(),
            autoridade: None,
            prazo_transmissao: Some(self.offline_until(channel.family, channel.civil, emitted)),
            ..self.since(channel, circuit, emitted)
        };
        let tpEmis = channel.family.contingency.offline.as_ref().map_or(NORMAL, |offline| offline.tpEmis);
        EmissionMode { tpEmis, role: AuthorityRole::Normal, contingencia: Some(contingencia) }
    }

    /// Deadline of a document that is given out offline, counted from now or from its own instant.
    pub(crate) fn offline_until(&self, family: &Family, civil: CivilOffset, emitted: Option<jiff::Timestamp>) -> i64 {
        match family.contingency.offline.as_ref().map(|offline| offline.deadline) {
            None | Some(OfflineTerm::Configured) => {
                self.inner.circuit_monitor.options.offline_deadline.of(self.now(), civil)
            }
            Some(OfflineTerm::Week) => deadline::week(emitted.unwrap_or(self.now()).as_second()),
        }
    }

    /// Returns the mode by the state's SVC, if that is open now: requested by a caller, not caused by an outage.
    pub(crate) async fn open_svc(
        &self,
        channel: &Channel,
        contingencia: Contingencia,
    ) -> Result<Option<EmissionMode>, NoMode> {
        match self.svc(channel).await? {
            SvcStatus::Working => Ok(Some(self.svc_mode(channel, contingencia))),
            SvcStatus::BeingAsked => {
                let why = "A SVC do estado é consultada antes da transmissão.".to_owned();
                Err(NoMode::Wait { after: ANSWER_WAIT, why })
            }
            SvcStatus::Off => Ok(None),
        }
    }

    /// Modes that give a document a key of its own, each with the role that is queried and its `tpEmis`. An EPEC is
    /// left out: its document stands at the normal authority, which accepts a number once.
    pub(crate) fn ways_to_issue(&self, channel: &Channel) -> Vec<(AuthorityRole, u8)> {
        let detours = &channel.family.contingency;
        let svc = self.inner.table.authority(channel.uf, channel.family.modelo, AuthorityRole::Contingency);
        let svc = svc.filter(|_| !channel.unregistered);
        let svc = svc.and_then(|svc| channel.family.svc(svc)).map(|tpEmis| (AuthorityRole::Contingency, tpEmis));
        let offline = detours.offline.as_ref().map(|offline| (AuthorityRole::Normal, offline.tpEmis));
        [Some((AuthorityRole::Normal, NORMAL)), svc, offline].into_iter().flatten().collect()
    }

    /// Authority that registers an EPEC.
    pub(crate) fn epec_authority(&self, channel: &Channel) -> Option<String> {
        self.inner.table.authority(channel.uf, channel.family.modelo, AuthorityRole::National).map(str::to_owned)
    }

    /// Deadline of an NF-e that is announced or printed on security paper now.
    pub(crate) fn epec_until(&self) -> i64 {
        deadline::week(self.now_s())
    }

    fn epec(&self, channel: &Channel, circuit: &Circuit) -> EmissionMode {
        let contingencia = Contingencia {
            tipo: "epec".to_owned(),
            autoridade: self.epec_authority(channel),
            prazo_transmissao: Some(self.epec_until()),
            ..self.since(channel, circuit, None)
        };
        EmissionMode { tpEmis: EPEC, role: AuthorityRole::Normal, contingencia: Some(contingencia) }
    }

    /// `true` if the normal authority of a channel has been out for so many seconds.
    pub(crate) async fn is_out_for(&self, channel: &Channel, seconds: i64) -> Result<bool, store::Error> {
        let Some(key) = self.circuit_key(channel, AuthorityRole::Normal) else { return Ok(false) };
        let circuit = self.circuit(&key).await?;
        let since = circuit.opened_at.unwrap_or(i64::MAX);
        Ok(circuit.state == CircuitState::Open && self.now_s().saturating_sub(since) >= seconds)
    }

    /// `true` if the circuit of the normal authority is half-open.
    pub(crate) async fn is_half_open(&self, channel: &Channel) -> Result<bool, store::Error> {
        let Some(key) = self.circuit_key(channel, AuthorityRole::Normal) else { return Ok(false) };
        Ok(self.circuit(&key).await?.state == CircuitState::HalfOpen)
    }

    /// Contingency data with `dhCont` and `xJust`: from the beginning of the outage, and not after the document's
    /// emission (588).
    fn since(&self, channel: &Channel, circuit: &Circuit, emitted: Option<jiff::Timestamp>) -> Contingencia {
        let now = emitted.map_or(self.now(), |emitted| emitted.min(self.now()));
        let opened = circuit.opened_at.and_then(|at| jiff::Timestamp::from_second(at).ok()).unwrap_or(now).min(now);
        Contingencia {
            tipo: String::new(),
            autoridade: None,
            desde: local_time::written(opened, channel.civil),
            justificativa: justification(circuit),
            prazo_transmissao: None,
            protocolo: None,
            registrado_em: None,
            no_lugar_de: None,
            epec_recusado: None,
        }
    }
}

/// Wait for an answer that is under way.
const ANSWER_WAIT: Duration = Duration::from_secs(2);
/// Seconds after which a status service counts as not answering.
const ANSWERS_WITHIN_S: i64 = 30;
/// `xJust` takes 256 positions of Latin-1.
const LONGEST: usize = 256;

fn justification(circuit: &Circuit) -> String {
    let why = circuit.reason.as_deref().unwrap_or("sem resposta");
    let text = format!("Autorizador {} fora de operação: {why}", circuit.key.authority);
    let latin: String = text.chars().map(|c| if ('!'..='ÿ').contains(&c) { c } else { ' ' }).collect();
    let words = latin.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST).collect::<String>().trim_end().to_owned()
}

fn wait(after: Duration, circuit: &Circuit) -> NoMode {
    waiting(after, circuit, "a nota espera por ele ou pela contingência")
}

/// Wait of a document that no contingency authority accepts.
fn wait_for_none_but_it(after: Duration, circuit: &Circuit) -> NoMode {
    waiting(after, circuit, "a nota espera por ele: a SVC só autoriza o documento normal (rejeição 517)")
}

fn waiting(after: Duration, circuit: &Circuit, what: &str) -> NoMode {
    let why = format!(
        "O autorizador {} está fora de operação ({}); {what}.",
        circuit.key.authority,
        circuit.reason.as_deref().unwrap_or("em verificação")
    );
    NoMode::Wait { after, why }
}

#[cfg(test)]
mod tests {
    use super::super::breaker;
    use super::*;
    use fiscal::value::TpAmb;

    #[test]
    fn a_justification_has_the_form_of_xJust() {
        let key = CircuitKey { authority: "SP".to_owned(), modelo: 55, ambiente: TpAmb::Homologacao };
        let reason = format!("conexão recusada\n— «{}»", "ão ".repeat(200));
        let said = justification(&Circuit { reason: Some(reason), ..breaker::unknown(key) });
        assert!((15..=LONGEST).contains(&said.chars().count()), "{said}");
        assert!(said.starts_with("Autorizador SP fora de operação: conexão recusada «ão"), "{said}");
        assert!(said.chars().all(|c| (' '..='ÿ').contains(&c)) && !said.contains("  ") && said.trim() == said);
    }
}
