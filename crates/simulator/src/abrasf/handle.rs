//! HTTP requests of a municipal provider: method, content type, envelope, faults before, the service, faults after.

use super::address::Address;
use super::envelope::{self, Letter, Message};
use super::operation::Operation;
use super::{Answer, Visit, bent, cancel, issue, query, schema};
use crate::body::Reply;
use crate::credential::Credential;
use crate::faults::{Drawn, FaultType};
use crate::late;
use crate::ledger::Received;
use crate::router::{BODY, Dropped, dropped, header, html, response};
use crate::settings;
use crate::world::World;
use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) async fn handle(
    world: &Arc<World>,
    address: Address,
    credential: Option<Arc<Credential>>,
    reset: &AtomicBool,
    request: http::Request<Incoming>,
) -> Result<Response<Reply>, Dropped> {
    if request.method() != Method::POST {
        return Ok(html(StatusCode::METHOD_NOT_ALLOWED));
    }
    let content_type = header(&request);
    let expected = envelope::content_type(address.hall).split(';').next().unwrap_or_default();
    if !content_type.to_ascii_lowercase().starts_with(expected) {
        return Ok(html(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let action = request.headers().get("soapaction").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let url = format!("{}{}", world.address(), request.uri().path());
    let Ok(body) = Limited::new(request.into_body(), BODY).collect().await else {
        return Ok(html(StatusCode::PAYLOAD_TOO_LARGE));
    };
    let body = body.to_bytes();
    let letter = Letter { content_type: &content_type, action: action.as_deref(), body: &body, url: &url };
    let message = match envelope::open(&address, &letter) {
        Ok(message) => message,
        Err(reason) => return Ok(fault(&address, &reason)),
    };
    let drawn = drawn(world, &address, message.operation, message.source.as_bytes());
    if drawn.latency_ms > 0 {
        tokio::time::sleep(Duration::from_millis(drawn.latency_ms)).await;
    }
    let visit = Visit { world, address, credential: credential.clone(), now: world.clock.now(), drawn: &drawn };
    if let Some(early) = before(&visit, reset) {
        note(&visit, message.operation, None);
        return early;
    }
    if drawn.kind() == Some(FaultType::Late) {
        note(&visit, message.operation, None);
        put_off(world, address, credential, message, drawn);
        return dropped(reset);
    }
    let answer = answered(&visit, &message);
    note(&visit, message.operation, Some(&answer));
    drawn.stay_silent().await;
    after(&visit, reset, &message, &answer, &url)
}

/// Queues the message.
fn put_off(world: &Arc<World>, address: Address, credential: Option<Arc<Credential>>, message: Message, drawn: Drawn) {
    let delay = drawn.pause();
    let work = move |world: &World| {
        answered(&Visit { world, address, credential, now: world.clock.now(), drawn: &drawn }, &message);
    };
    late::put_off(world, delay, Box::new(work));
}

fn drawn(world: &World, address: &Address, operation: Operation, looked_at: &[u8]) -> Drawn {
    let target = operation.target();
    let mut drawn = world.faults.draw(target, looked_at);
    let authority = address.segment();
    let asked = settings::Asked { authority: &authority, modelo: 0, target };
    if let Some(outage) = world.settings().outage(&asked, looked_at, world.clock.now()) {
        drawn.take(outage.clone());
    }
    drawn
}

fn answered(visit: &Visit<'_>, message: &Message) -> Answer {
    let strayed = schema::problems(&visit.address, message);
    if !strayed.is_empty() {
        return query::refused(visit, message.operation, &strayed);
    }
    let refusal = bent::refusal(visit, message.operation);
    if message.operation.target().registers
        && let Some(refusal) = refusal
    {
        return refusal;
    }
    let answer = match message.operation {
        Operation::Batch | Operation::BatchNow | Operation::Single => issue::answer(visit, message),
        Operation::BatchState => query::state(visit, message),
        Operation::BatchResult => query::result(visit, message),
        Operation::ByRps => query::by_rps(visit, message),
        Operation::Range => query::range(visit, message),
        Operation::Cancel => cancel::answer(visit, message),
        Operation::Substitute => cancel::substitute(visit, message),
    };
    // A refused query has been processed all the same, with a lot that was due.
    refusal.unwrap_or_else(|| bent::given(visit, message, answer))
}

fn note(visit: &Visit<'_>, operation: Operation, answer: Option<&Answer>) {
    let mut ledger = visit.world.ledger();
    ledger.requests += 1;
    let received = Received {
        sequencia: ledger.requests,
        em: crate::clock::written(visit.now, -3),
        servico: operation.name(),
        autoridade: visit.address.segment(),
        ambiente: visit.address.ambiente,
        modelo: 0,
        transmissor: visit.credential.as_ref().map_or("", |credential| credential.holder()).to_owned(),
        chaves: answer.map(|answer| answer.about.clone()).unwrap_or_default(),
        cStat: None,
        codigo: answer.and_then(|answer| answer.codigo.clone()),
        falha: visit.drawn.kind(),
    };
    ledger.note(received);
}

fn fault(address: &Address, reason: &str) -> Response<Reply> {
    let body = envelope::fault(address.hall, reason);
    response(StatusCode::INTERNAL_SERVER_ERROR, envelope::content_type(address.hall), Reply::whole(body))
}

/// Faults that leave the request unprocessed.
fn before(visit: &Visit<'_>, reset: &AtomicBool) -> Option<Result<Response<Reply>, Dropped>> {
    let content_type = envelope::content_type(visit.address.hall);
    Some(match visit.drawn.kind()? {
        FaultType::ResetBefore => dropped(reset),
        FaultType::HttpStatus => Ok(html(visit.drawn.status(StatusCode::SERVICE_UNAVAILABLE))),
        FaultType::Empty200 => Ok(response(StatusCode::OK, content_type, Reply::whole(Bytes::new()))),
        FaultType::SoapFault => Ok(fault(&visit.address, "erro interno simulado")),
        _ => return None,
    })
}

/// Faults that spoil the answer of a processed request.
fn after(
    visit: &Visit<'_>,
    reset: &AtomicBool,
    message: &Message,
    answer: &Answer,
    url: &str,
) -> Result<Response<Reply>, Dropped> {
    if visit.drawn.loses_answer() {
        return dropped(reset);
    }
    let (hall, kind) = (visit.address.hall, visit.drawn.kind());
    let root = format!("{}Resposta", message.operation.message());
    let text = format!("<{root} xmlns=\"{}\">{}</{root}>", hall.dados, answer.content);
    let bytes = Bytes::from(envelope::reply(&visit.address, message.operation, &text, url, kind));
    let reply = match kind {
        Some(FaultType::StatusAfter) => return Ok(html(visit.drawn.status(StatusCode::INTERNAL_SERVER_ERROR))),
        Some(FaultType::PageAfter) => return Ok(html(StatusCode::OK)),
        Some(FaultType::HalfReply) => Reply::half(bytes),
        Some(FaultType::SlowBody) => Reply::slow(bytes, visit.drawn.pause()),
        Some(FaultType::EndlessBody) => Reply::Endless,
        Some(FaultType::Garbage) => Reply::whole(&b"\x00\xff<<<\xfe&&& resposta sem sentido"[..]),
        _ => Reply::whole(bytes),
    };
    Ok(response(StatusCode::OK, envelope::content_type(hall), reply))
}
