//! One call to an authority, counted, timed and remembered by the bridge.

use crate::Engine;
use crate::bridge::{Heard, Way};
use authority::sefaz::{Call, Unreadable};
use authority::table::Role;
use authority::transport::Sent;
use std::time::{Duration, Instant};

/// A call that brought no readable answer. Which of the two decides whether a resend is safe.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    /// Surely nothing left us.
    #[error("{0}")]
    NotSent(String),
    /// The authority may have processed it.
    #[error("{0}")]
    NoReply(String),
}

/// What came of a call.
pub(crate) struct Exchange<T> {
    pub(crate) answer: Result<T, NoAnswer>,
    /// The body of a reply with status 200.
    pub(crate) reply: Option<Vec<u8>>,
    pub(crate) took: Duration,
}

impl Engine {
    /// Sends and reads, where nobody keeps what was said.
    pub(crate) async fn call<T>(
        &self,
        call: &Call,
        way: &Way,
        read: fn(&[u8]) -> Result<T, Unreadable>,
    ) -> Result<T, NoAnswer> {
        self.exchange(call, way, read).await.answer
    }

    /// Sends and reads.
    pub(crate) async fn exchange<T>(
        &self,
        call: &Call,
        way: &Way,
        read: fn(&[u8]) -> Result<T, Unreadable>,
    ) -> Exchange<T> {
        let started = Instant::now();
        let (kind, reply, answer) = match self.inner.transport.send(call, &way.certificate).await {
            Ok(reply) => match read(&reply) {
                Ok(answer) => ("answered", Some(reply), Ok(answer)),
                Err(unreadable) => ("unreadable", Some(reply), Err(NoAnswer::NoReply(unreadable.to_string()))),
            },
            Err(error) => match error.sent {
                Sent::No => (error.kind, None, Err(NoAnswer::NotSent(error.cause))),
                Sent::Maybe => (error.kind, None, Err(NoAnswer::NoReply(error.cause))),
            },
        };
        let took = started.elapsed();
        count(call, kind, took);
        let outcome = answer.as_ref().map(|_| took).map_err(ToString::to_string);
        if let (Err(why), true) = (&outcome, JUDGING.contains(&call.service)) {
            let role = self.role_of(way, &call.authority);
            self.suspect(way, role, why).await;
        }
        let heard = Heard { outcome, tls: self.inner.transport.handshake(call) };
        self.inner.bridge.heard(&call.authority, way, self.now_s(), heard);
        Exchange { answer, reply, took }
    }

    /// In which role an authority was called.
    fn role_of(&self, way: &Way, authority: &str) -> Role {
        let normal = self.inner.table.authority(way.uf, way.modelo, Role::Normal) == Some(authority);
        if normal { Role::Normal } else { Role::Contingency }
    }
}

/// The services that judge documents: their silence says that documents must go another way.
const JUDGING: [&str; 2] = ["NFeAutorizacao4", "NFeRetAutorizacao4"];

fn count(call: &Call, kind: &'static str, took: Duration) {
    let authority = call.authority.clone();
    metrics::counter!("carimbo_authority_calls_total",
        "authority" => authority.clone(), "service" => call.service, "result" => kind)
    .increment(1);
    metrics::histogram!("carimbo_authority_call_seconds", "authority" => authority, "service" => call.service)
        .record(took);
}
