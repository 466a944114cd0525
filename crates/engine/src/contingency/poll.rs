//! Queries of status services, at most one in three minutes for all processes and documents together.
//!
//! Law: MOC 7.0, visão geral (NFeStatusServico4, consumo indevido), anexo III, 2.1.3.4 g (107, 113, 114 of an SVC).

use super::breaker::CircuitSignal;
use super::circuit_monitor::word;
use crate::Engine;
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::authorities::{budget, undue_use};
use authority::answer::{Rejection, ServiceStatus};
use authority::table::{AuthorityRole, AuthorityService, Endpoint};
use store::authorities::{Circuit, CircuitKey, CircuitState};

/// cStat 113: an SVC about to be switched off, since the state's own authority works again.
const BEING_SWITCHED_OFF: u16 = 113;
/// cStat 114: an SVC that the state has not switched on.
const SWITCHED_OFF: u16 = 114;

impl Engine {
    /// Queries in the background, if it is due.
    pub(crate) fn poll_soon(&self, channel: &Channel, role: AuthorityRole) {
        let (engine, channel) = (self.clone(), channel.clone());
        tokio::spawn(async move { engine.poll(&channel, role).await });
    }

    /// Queries if it is due; `true` when it was.
    pub(crate) async fn poll(&self, channel: &Channel, role: AuthorityRole) -> bool {
        let table = &self.inner.table;
        let Some(key) = self.circuit_key(channel, role) else { return false };
        let Ok(endpoint) = table.endpoint(
            channel.uf,
            channel.family.modelo,
            channel.ambiente,
            AuthorityService::StatusServico,
            channel.role(role),
        ) else {
            return false;
        };
        let (now, every_s) = (self.now_s(), self.inner.circuit_monitor.options.poll_every_s);
        let transmitter = undue_use::transmitter(&channel.certificate);
        if self.inner.undue_use.wait(&transmitter, &endpoint.authority, now).is_some() {
            return false;
        }
        match self.store().claim_poll(key.clone(), now, every_s).await {
            Ok(true) => {}
            Ok(false) => return false,
            Err(error) => {
                tracing::warn!(%error, "a status service could not be asked");
                return false;
            }
        }
        self.inner.circuit_monitor.invalidate();
        // one authority serves two models and both environments, which share its limit
        if !matches!(self.count_call(budget::STATUS, &transmitter, &endpoint, "").await, Ok(None)) {
            return false;
        }
        // a missing answer was recorded too, and that suffices here
        drop(self.ask_status(channel, role, &key, &endpoint).await);
        true
    }

    /// Queries a status service whose turn was claimed and counted; the circuit records the answer, or its absence.
    pub(crate) async fn ask_status(
        &self,
        channel: &Channel,
        role: AuthorityRole,
        key: &CircuitKey,
        endpoint: &Endpoint,
    ) -> Result<ServiceStatus, NoAnswer> {
        let Some(dialect) = channel.family.wire.sefaz() else {
            return Err(NoAnswer::NotSent("estes documentos não têm consulta de status".to_owned()));
        };
        let call = dialect.status(endpoint, channel.ambiente, self.served_state(channel));
        let answer = self.call(&call, channel, move |reply| dialect.read_status(reply)).await;
        match &answer {
            Ok(status) => {
                self.inner.health.record_service_status(
                    &endpoint.authority,
                    channel.ambiente,
                    &status.cStat.into(),
                    &status.xMotivo,
                );
                self.apply_self_report(channel, role, key, status.cStat, &status.xMotivo).await;
            }
            Err(silence) => {
                self.store_self_report(key, NO_ANSWER_CODE, "sem resposta").await;
                self.record_signal(key, CircuitSignal::StatusSilent, &silence.to_string()).await;
            }
        }
        answer
    }

    /// Reads a circuit from the store, bypassing the copy.
    pub(crate) async fn circuit_now(&self, key: &CircuitKey) -> Result<Circuit, store::Error> {
        self.inner.circuit_monitor.invalidate();
        self.circuit(key).await
    }

    /// Records an authority's report about its own service, from its status service or in place of a judgement.
    pub(crate) async fn apply_self_report(
        &self,
        channel: &Channel,
        role: AuthorityRole,
        key: &CircuitKey,
        cStat: u16,
        xMotivo: &str,
    ) {
        let before = self.circuit(key).await.ok().and_then(|circuit| circuit.status_answer).map(|(cStat, _)| cStat);
        let was_open = before.is_some_and(|before| channel.family.is_open(before));
        self.store_self_report(key, cStat, xMotivo).await;
        let why = format!("{cStat} {xMotivo}");
        match cStat {
            _ if channel.family.is_open(cStat) => self.record_signal(key, CircuitSignal::StatusUp, &why).await,
            108 | 109 => self.record_signal(key, CircuitSignal::StatusDown, &why).await,
            // the state switches its SVC off because its own authority works again
            BEING_SWITCHED_OFF | SWITCHED_OFF if role == AuthorityRole::Contingency && was_open => {
                if let Some(normal) = self.circuit_key(channel, AuthorityRole::Normal) {
                    self.record_signal(&normal, CircuitSignal::StatusUp, &why).await;
                }
            }
            _ => {}
        }
    }

    async fn store_self_report(&self, key: &CircuitKey, cStat: u16, xMotivo: &str) {
        if let Err(error) = self.store().save_status_answer(key.clone(), cStat, xMotivo.to_owned(), self.now_s()).await
        {
            tracing::warn!(%error, "what a status service said could not be kept");
        }
        self.inner.circuit_monitor.invalidate();
    }

    /// Records a call for a document without a judgement; a second failure in a row queries the status service.
    pub(crate) async fn record_call_failure(&self, channel: &Channel, role: AuthorityRole, why: &str) {
        let Some(key) = self.circuit_key(channel, role) else { return };
        self.record_signal(&key, CircuitSignal::Failed, why).await;
        if self.inner.circuit_monitor.failures_in_row(&key) >= FAILURES_BEFORE_POLL {
            self.poll_soon(channel, role);
        }
    }

    /// Records a query about a document in doubt without an answer: the same failure, of a call that judges nothing.
    pub(crate) async fn record_query_failure(&self, channel: &Channel, role: AuthorityRole, why: &str) {
        let Some(key) = self.circuit_key(channel, role) else { return };
        self.record_signal(&key, CircuitSignal::QueryFailed, why).await;
        if self.inner.circuit_monitor.failures_in_row(&key) >= FAILURES_BEFORE_POLL {
            self.poll_soon(channel, role);
        }
    }

    /// Records a query answered 108 or 109: the status service can confirm it, and is queried as soon as it is due.
    pub(crate) async fn record_query_refusal(&self, channel: &Channel, role: AuthorityRole, said: &Rejection) {
        let Some(key) = self.circuit_key(channel, role) else { return };
        self.record_signal(&key, CircuitSignal::QueryFailed, &format!("{} {}", said.codigo, said.xMotivo)).await;
        self.poll_soon(channel, role);
    }

    /// Records an answered query, whatever the answer.
    pub(crate) async fn record_query_answer(&self, channel: &Channel, role: AuthorityRole) {
        let Some(key) = self.circuit_key(channel, role) else { return };
        if self.inner.circuit_monitor.failures_in_row(&key) > 0 {
            self.record_signal(&key, CircuitSignal::QueryAnswered, "").await;
        }
    }

    /// Records an answer to a document that is no judgement.
    pub(crate) async fn record_no_judgement(&self, channel: &Channel, role: AuthorityRole, said: &Rejection) {
        let Some(key) = self.circuit_key(channel, role) else { return };
        match said.codigo.number() {
            Some(108 | 109) => {
                self.record_call_failure(channel, role, &format!("{} {}", said.codigo, said.xMotivo)).await
            }
            Some(cStat @ (BEING_SWITCHED_OFF | SWITCHED_OFF)) => {
                self.apply_self_report(channel, role, &key, cStat, &said.xMotivo).await;
            }
            // 656 does not describe the service, nor does an unknown receipt (106, 223…)
            _ => {}
        }
    }

    /// Records that an authority judged a document.
    pub(crate) async fn record_judgement(&self, channel: &Channel, role: AuthorityRole) {
        let Some(key) = self.circuit_key(channel, role) else { return };
        let closed = self.circuit(&key).await.is_ok_and(|circuit| circuit.state == CircuitState::Closed);
        if closed && self.inner.circuit_monitor.failures_in_row(&key) == 0 {
            return;
        }
        tracing::debug!(authority.name = %key.authority, state = word(CircuitState::Closed), "judged a document");
        self.record_signal(&key, CircuitSignal::Worked, "").await;
    }
}

/// Stored in place of a cStat when a status service did not answer.
pub(crate) const NO_ANSWER_CODE: u16 = 0;
/// Failures in a row after which the status service is queried.
const FAILURES_BEFORE_POLL: u32 = 2;
