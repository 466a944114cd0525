//! One call to an authority, counted, timed and remembered by the bridge.

use crate::Engine;
use crate::authorities::bridge::{Channel, Heard};
use crate::family::Unreadable;
use authority::answer::{FoundEvent, Rejection, Situation};
use authority::call::{Call, Reply};
use authority::table::{Role, Service};
use authority::transport::Sent;
use std::any::Any;
use std::time::Duration;
use tokio::time::Instant;

/// A call that brought no readable answer. Which of the two decides whether a resend is safe.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoAnswer {
    /// Surely nothing left us.
    #[error("{0}")]
    NotSent(String),
    /// The authority may have processed it.
    #[error("{0}")]
    NoReply(String),
}

/// An answer and its reader without their types: the way of each call would else be compiled for itself.
type Answer = Box<dyn Any + Send>;
type Read = Box<dyn FnOnce(&Reply) -> Result<Answer, Unreadable> + Send>;

/// The end of a call, as the circuit of its authority counts it.
enum CallEnd {
    /// A document or its receipt got no readable answer.
    NotJudged(String),
    /// A question about a document was met with silence or HTTP 5xx.
    QueryFailed(String),
    /// A question was answered 108 or 109.
    QueryRefused(Rejection),
    /// A question by key was answered.
    QueryAnswered,
}

impl CallEnd {
    /// `None` when it says nothing of the service.
    fn of(service: Service, answer: &Result<Answer, NoAnswer>, silent: bool) -> Option<CallEnd> {
        match answer {
            Err(why) if is_judging(service) => Some(CallEnd::NotJudged(why.to_string())),
            Err(why) if is_question(service) && silent => Some(CallEnd::QueryFailed(why.to_string())),
            Ok(answer) if is_question(service) => match out_of_service(answer) {
                Some(said) => Some(CallEnd::QueryRefused(said.clone())),
                // whether a receipt's answer is a judgement, its reader says
                None => (service == Service::ConsultaProtocolo).then_some(CallEnd::QueryAnswered),
            },
            Ok(_) | Err(_) => None,
        }
    }
}

/// What came of a call.
pub(crate) struct Exchange<T> {
    pub(crate) answer: Result<T, NoAnswer>,
    /// What came, unless it is an error page: what that says stands in `answer`.
    pub(crate) reply: Option<Reply>,
    pub(crate) took: Duration,
}

impl Engine {
    /// Sends and reads, where nobody keeps what was said.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        call: &Call,
        channel: &Channel,
        read: impl FnOnce(&Reply) -> Result<T, Unreadable> + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.exchange(call, channel, read).await.answer
    }

    /// Sends and reads.
    pub(crate) async fn exchange<T: Send + 'static>(
        &self,
        call: &Call,
        channel: &Channel,
        read: impl FnOnce(&Reply) -> Result<T, Unreadable> + Send + 'static,
    ) -> Exchange<T> {
        let read = |reply: &Reply| read(reply).map(|answer| Box::new(answer) as Answer);
        let Exchange { answer, reply, took } = self.exchange_any(call, channel, Box::new(read)).await;
        let known = |answer: Answer| {
            answer
                .downcast()
                .map(|answer| *answer)
                .map_err(|_| NoAnswer::NoReply("a resposta é de outra chamada".to_owned()))
        };
        Exchange { answer: answer.and_then(known), reply, took }
    }

    async fn exchange_any(&self, call: &Call, channel: &Channel, read: Read) -> Exchange<Answer> {
        let started = Instant::now();
        let (kind, silent, reply, answer) = match self.inner.transport.send(call, &channel.certificate).await {
            Ok(reply) => match understood(call, reply, read).await {
                (reply, Ok(answer)) => ("answered", false, Some(reply), Ok(answer)),
                (reply, Err(unreadable)) => {
                    let silent = is_out_of_order(&unreadable);
                    let reply = matches!(unreadable, Unreadable::Content(_)).then_some(reply);
                    (unreadable.kind(), silent, reply, Err(NoAnswer::NoReply(unreadable.to_string())))
                }
            },
            Err(error) => match error.sent {
                Sent::No => (error.kind, true, None, Err(NoAnswer::NotSent(error.cause))),
                Sent::Maybe => (error.kind, true, None, Err(NoAnswer::NoReply(error.cause))),
            },
        };
        let took = started.elapsed();
        count(call, kind, took);
        let outcome = answer.as_ref().map(|_| took).map_err(ToString::to_string);
        if let Some(end) = CallEnd::of(call.service, &answer, silent) {
            self.signal(call, channel, end).await;
        }
        let heard = Heard { outcome, tls: self.inner.transport.handshake(call) };
        // everybody sees what is known of authorities; of an address that a company gave, its jobs tell
        if !call.given {
            self.inner.bridge.heard(&call.authority, channel, self.now_s(), heard);
        }
        Exchange { answer, reply, took }
    }

    /// Lets the circuit of an authority know how a call ended.
    async fn signal(&self, call: &Call, channel: &Channel, end: CallEnd) {
        let Some(role) = self.role_of(channel, &call.authority) else { return };
        match end {
            CallEnd::NotJudged(why) => self.suspect(channel, role, &why).await,
            CallEnd::QueryFailed(why) => self.question_failed(channel, role, &why).await,
            CallEnd::QueryRefused(said) => self.question_refused(channel, role, &said).await,
            CallEnd::QueryAnswered => self.question_answered(channel, role).await,
        }
    }

    /// In which role an authority was called, of those that have a circuit.
    fn role_of(&self, channel: &Channel, authority: &str) -> Option<Role> {
        let own = channel.host.as_ref().is_some_and(|host| host.authority == authority);
        let of = |role| self.inner.table.authority(channel.uf, channel.family.modelo, channel.role(role));
        let is = |role| of(role) == Some(authority);
        match () {
            () if own || is(Role::Normal) => Some(Role::Normal),
            () if is(Role::Contingency) => Some(Role::Contingency),
            () => None,
        }
    }
}

/// Reads a reply; off the threads that answer others when it is large, or unpacks to what nobody knows. It waits in no
/// line: what an authority said must not be lost because a tenant is busy.
async fn understood(call: &Call, reply: Reply, read: Read) -> (Reply, Result<Answer, Unreadable>) {
    if reply.body.len() <= SMALL && call.service != Service::DistribuicaoDFe {
        let answer = read(&reply);
        return (reply, answer);
    }
    let status = reply.status;
    let aside = move || {
        let answer = read(&reply);
        (reply, answer)
    };
    let broken = |error| {
        let why = format!("a leitura foi interrompida por uma falha: {error}");
        (Reply::new(status, Vec::new()), Err(Unreadable::Content(why)))
    };
    tokio::task::spawn_blocking(aside).await.unwrap_or_else(broken)
}

/// A reply up to here is read in less than a millisecond.
const SMALL: usize = 32 << 10;

/// How metrics call every address that a company gave.
const GIVEN: &str = "PROPRIA";

/// Whether a service judges documents: its silence says that documents must go another way.
fn is_judging(service: Service) -> bool {
    matches!(service, Service::Autorizacao | Service::RetAutorizacao)
}

/// Whether a service says what became of a document: one that was in doubt waits for its answer.
fn is_question(service: Service) -> bool {
    matches!(service, Service::ConsultaProtocolo | Service::RetAutorizacao)
}

/// Whether a reply without an answer speaks of the service rather than of what was asked.
fn is_out_of_order(unreadable: &Unreadable) -> bool {
    matches!(unreadable, Unreadable::Status { status, .. } if status.is_server_error())
}

/// The words of an authority that stands still (108, 109), answered to a question.
fn out_of_service(answer: &Answer) -> Option<&Rejection> {
    let situation = answer.downcast_ref::<Situation>();
    let situation = situation.or_else(|| answer.downcast_ref::<(Situation, Vec<FoundEvent>)>().map(|(found, _)| found));
    let said = match (situation, answer.downcast_ref()) {
        (Some(Situation::Unavailable(said)), _) | (_, Some(authority::answer::Answer::Unavailable(said))) => said,
        _ => return None,
    };
    matches!(said.codigo.number(), Some(108 | 109)).then_some(said)
}

fn count(call: &Call, kind: &'static str, took: Duration) {
    let authority = if call.given { GIVEN.to_owned() } else { call.authority.clone() };
    metrics::counter!("carimbo_authority_calls_total",
        "authority" => authority.clone(), "service" => call.name, "result" => kind)
    .increment(1);
    metrics::histogram!("carimbo_authority_call_seconds", "authority" => authority, "service" => call.name)
        .record(took);
}
