//! Call to an authority: counted, timed and recorded in its health.

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

/// A call that brought no readable answer. The variant decides if a resend is safe.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoAnswer {
    /// Surely nothing left us.
    #[error("{0}")]
    NotSent(String),
    /// The authority may have processed it.
    #[error("{0}")]
    NoReply(String),
}

/// An answer and its reader with erased types: the path of each call would otherwise be compiled for each.
type Answer = Box<dyn Any + Send>;
type Read = Box<dyn FnOnce(&Reply) -> Result<Answer, Unreadable> + Send>;

/// End of a call, as the circuit of its authority counts it.
enum CallEnd {
    /// A document or its receipt got no readable answer.
    NotJudged(String),
    /// A query about a document got no answer or HTTP 5xx.
    QueryFailed(String),
    /// A query was answered 108 or 109.
    QueryRefused(Rejection),
    /// A query by key was answered.
    QueryAnswered,
}

impl CallEnd {
    /// `None` for an end that does not describe the service.
    fn of(service: Service, answer: &Result<Answer, NoAnswer>, silent: bool) -> Option<CallEnd> {
        match answer {
            Err(why) if is_judging(service) => Some(CallEnd::NotJudged(why.to_string())),
            Err(why) if is_question(service) && silent => Some(CallEnd::QueryFailed(why.to_string())),
            Ok(answer) if is_question(service) => match out_of_service(answer) {
                Some(said) => Some(CallEnd::QueryRefused(said.clone())),
                // the reader of a receipt's answer decides if it is a judgement
                None => (service == Service::ConsultaProtocolo).then_some(CallEnd::QueryAnswered),
            },
            Ok(_) | Err(_) => None,
        }
    }
}

/// Outcome of a call.
pub(crate) struct Exchange<T> {
    pub(crate) answer: Result<T, NoAnswer>,
    /// The reply, unless it is an error page, whose text stands in `answer`.
    pub(crate) reply: Option<Reply>,
    pub(crate) took: Duration,
}

impl Engine {
    /// Sends and reads, without a log of the exchange.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        call: &Call,
        channel: &Channel,
        read: impl FnOnce(&Reply) -> Result<T, Unreadable> + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.exchange(call, channel, read).await.answer
    }

    /// Sends a call and reads its reply.
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
        // health is visible to every tenant; calls to a company's own address show only in its jobs
        if !call.given {
            self.inner.bridge.heard(&call.authority, channel, self.now_s(), heard);
        }
        Exchange { answer, reply, took }
    }

    /// Reports the end of a call to the circuit of its authority.
    async fn signal(&self, call: &Call, channel: &Channel, end: CallEnd) {
        let Some(role) = self.role_of(channel, &call.authority) else { return };
        match end {
            CallEnd::NotJudged(why) => self.suspect(channel, role, &why).await,
            CallEnd::QueryFailed(why) => self.question_failed(channel, role, &why).await,
            CallEnd::QueryRefused(said) => self.question_refused(channel, role, &said).await,
            CallEnd::QueryAnswered => self.question_answered(channel, role).await,
        }
    }

    /// Role in which an authority was called, of those that have a circuit.
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

/// Reads a reply; on a blocking thread when it is large or compressed. It takes no permit: an authority's answer must
/// not be lost because a tenant is busy.
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

/// Length up to which a reply is read in less than a millisecond.
const SMALL: usize = 32 << 10;

/// Label in metrics of every address that a company gave.
const GIVEN: &str = "PROPRIA";

/// `true` if a service judges documents, so that its failure sends documents another way.
fn is_judging(service: Service) -> bool {
    matches!(service, Service::Autorizacao | Service::RetAutorizacao)
}

/// `true` if a service answers with the outcome of a document, for which one in doubt waits.
fn is_question(service: Service) -> bool {
    matches!(service, Service::ConsultaProtocolo | Service::RetAutorizacao)
}

/// `true` if a reply without an answer describes the service and not the subject of the call.
fn is_out_of_order(unreadable: &Unreadable) -> bool {
    matches!(unreadable, Unreadable::Status { status, .. } if status.is_server_error())
}

/// Answer of an authority that is out of service (108, 109) to a query.
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
