//! Call to an authority: counted, timed and recorded in its health.

use crate::Engine;
use crate::authorities::health::{CallResult, Channel};
use crate::family::UnreadableReply;
use authority::answer::{DocumentSituation, FoundEvent, Rejection};
use authority::call::{AuthorityCall, AuthorityReply};
use authority::table::{AuthorityRole, AuthorityService};
use authority::transport::SendStatus;
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
type ErasedAnswer = Box<dyn Any + Send>;
type ErasedReader = Box<dyn FnOnce(&AuthorityReply) -> Result<ErasedAnswer, UnreadableReply> + Send>;

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
    fn of(service: AuthorityService, answer: &Result<ErasedAnswer, NoAnswer>, silent: bool) -> Option<CallEnd> {
        match answer {
            Err(why) if is_judging(service) => Some(CallEnd::NotJudged(why.to_string())),
            Err(why) if is_query(service) && silent => Some(CallEnd::QueryFailed(why.to_string())),
            Ok(answer) if is_query(service) => match out_of_service(answer) {
                Some(said) => Some(CallEnd::QueryRefused(said.clone())),
                // the reader of a receipt's answer decides if it is a judgement
                None => (service == AuthorityService::ConsultaProtocolo).then_some(CallEnd::QueryAnswered),
            },
            Ok(_) | Err(_) => None,
        }
    }
}

/// Outcome of a call.
pub(crate) struct CallExchange<T> {
    pub(crate) answer: Result<T, NoAnswer>,
    /// The reply, unless it is an error page, whose text stands in `answer`.
    pub(crate) reply: Option<AuthorityReply>,
    pub(crate) took: Duration,
}

impl Engine {
    /// Sends and reads, without a log of the exchange.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        call: &AuthorityCall,
        channel: &Channel,
        read: impl FnOnce(&AuthorityReply) -> Result<T, UnreadableReply> + Send + 'static,
    ) -> Result<T, NoAnswer> {
        self.exchange(call, channel, read).await.answer
    }

    /// Sends a call and reads its reply.
    pub(crate) async fn exchange<T: Send + 'static>(
        &self,
        call: &AuthorityCall,
        channel: &Channel,
        read: impl FnOnce(&AuthorityReply) -> Result<T, UnreadableReply> + Send + 'static,
    ) -> CallExchange<T> {
        let read = |reply: &AuthorityReply| read(reply).map(|answer| Box::new(answer) as ErasedAnswer);
        let CallExchange { answer, reply, took } = self.exchange_any(call, channel, Box::new(read)).await;
        let known = |answer: ErasedAnswer| {
            answer
                .downcast()
                .map(|answer| *answer)
                .map_err(|_| NoAnswer::NoReply("a resposta é de outra chamada".to_owned()))
        };
        CallExchange { answer: answer.and_then(known), reply, took }
    }

    async fn exchange_any(
        &self,
        call: &AuthorityCall,
        channel: &Channel,
        read: ErasedReader,
    ) -> CallExchange<ErasedAnswer> {
        let started = Instant::now();
        let (kind, silent, reply, answer) = match self.inner.transport.send(call, &channel.certificate).await {
            Ok(reply) => match read_reply(call, reply, read).await {
                (reply, Ok(answer)) => ("answered", false, Some(reply), Ok(answer)),
                (reply, Err(unreadable)) => {
                    let silent = is_service_failure(&unreadable);
                    let reply = matches!(unreadable, UnreadableReply::Content(_)).then_some(reply);
                    (unreadable.kind(), silent, reply, Err(NoAnswer::NoReply(unreadable.to_string())))
                }
            },
            Err(error) => match error.sent {
                SendStatus::No => (error.kind, true, None, Err(NoAnswer::NotSent(error.cause))),
                SendStatus::Maybe => (error.kind, true, None, Err(NoAnswer::NoReply(error.cause))),
            },
        };
        let took = started.elapsed();
        count(call, kind, took);
        let outcome = answer.as_ref().map(|_| took).map_err(ToString::to_string);
        if let Some(end) = CallEnd::of(call.service, &answer, silent) {
            self.report_end(call, channel, end).await;
        }
        let heard = CallResult { outcome, tls: self.inner.transport.handshake(call) };
        // health is visible to every tenant; calls to a company's own address show only in its jobs
        if !call.from_company {
            self.inner.health.record_exchange(&call.authority, channel, self.now_s(), heard);
        }
        CallExchange { answer, reply, took }
    }

    /// Reports the end of a call to the circuit of its authority.
    async fn report_end(&self, call: &AuthorityCall, channel: &Channel, end: CallEnd) {
        let Some(role) = self.role_of(channel, &call.authority) else { return };
        match end {
            CallEnd::NotJudged(why) => self.record_call_failure(channel, role, &why).await,
            CallEnd::QueryFailed(why) => self.record_query_failure(channel, role, &why).await,
            CallEnd::QueryRefused(said) => self.record_query_refusal(channel, role, &said).await,
            CallEnd::QueryAnswered => self.record_query_answer(channel, role).await,
        }
    }

    /// Role in which an authority was called, of those that have a circuit.
    fn role_of(&self, channel: &Channel, authority: &str) -> Option<AuthorityRole> {
        let own = channel.host.as_ref().is_some_and(|host| host.authority == authority);
        let of = |role| self.inner.table.authority(channel.uf, channel.family.modelo, channel.role(role));
        let is = |role| of(role) == Some(authority);
        match () {
            () if own || is(AuthorityRole::Normal) => Some(AuthorityRole::Normal),
            () if is(AuthorityRole::Contingency) => Some(AuthorityRole::Contingency),
            () => None,
        }
    }
}

/// Reads a reply; on a blocking thread when it is large or compressed. It takes no permit: an authority's answer must
/// not be lost because a tenant is busy.
async fn read_reply(
    call: &AuthorityCall,
    reply: AuthorityReply,
    read: ErasedReader,
) -> (AuthorityReply, Result<ErasedAnswer, UnreadableReply>) {
    if reply.body.len() <= SMALL_REPLY_BYTES && call.service != AuthorityService::DistribuicaoDFe {
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
        (AuthorityReply::new(status, Vec::new()), Err(UnreadableReply::Content(why)))
    };
    tokio::task::spawn_blocking(aside).await.unwrap_or_else(broken)
}

/// Length up to which a reply is read in less than a millisecond.
const SMALL_REPLY_BYTES: usize = 32 << 10;

/// Label in metrics of every address that a company gave.
const OWN_ADDRESS_LABEL: &str = "PROPRIA";

/// `true` if a service judges documents, so that its failure sends documents another way.
fn is_judging(service: AuthorityService) -> bool {
    matches!(service, AuthorityService::Autorizacao | AuthorityService::RetAutorizacao)
}

/// `true` if a service answers with the outcome of a document, for which one in doubt waits.
fn is_query(service: AuthorityService) -> bool {
    matches!(service, AuthorityService::ConsultaProtocolo | AuthorityService::RetAutorizacao)
}

/// `true` if a reply without an answer describes the service and not the subject of the call.
fn is_service_failure(unreadable: &UnreadableReply) -> bool {
    matches!(unreadable, UnreadableReply::Status { status, .. } if status.is_server_error())
}

/// Answer of an authority that is out of service (108, 109) to a query.
fn out_of_service(answer: &ErasedAnswer) -> Option<&Rejection> {
    let situation = answer.downcast_ref::<DocumentSituation>();
    let situation =
        situation.or_else(|| answer.downcast_ref::<(DocumentSituation, Vec<FoundEvent>)>().map(|(found, _)| found));
    let said = match (situation, answer.downcast_ref()) {
        (Some(DocumentSituation::Unavailable(said)), _)
        | (_, Some(authority::answer::AuthorizationAnswer::Unavailable(said))) => said,
        _ => return None,
    };
    matches!(said.codigo.number(), Some(108 | 109)).then_some(said)
}

fn count(call: &AuthorityCall, kind: &'static str, took: Duration) {
    let authority = if call.from_company { OWN_ADDRESS_LABEL.to_owned() } else { call.authority.clone() };
    metrics::counter!("carimbo_authority_calls_total",
        "authority" => authority.clone(), "service" => call.name, "result" => kind)
    .increment(1);
    metrics::histogram!("carimbo_authority_call_seconds", "authority" => authority, "service" => call.name)
        .record(took);
}
