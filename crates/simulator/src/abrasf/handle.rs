//! HTTP requests of a municipal provider: method, content type, envelope, faults before, the service, faults after.

use super::address::MunicipalAddress;
use super::envelope::{self, EnvelopeMessage, HttpEnvelope};
use super::operation::AbrasfService;
use super::{MunicipalAnswer, MunicipalRequest, cancel, issue, query, reply_alterations, schema};
use crate::body::ReplyBody;
use crate::credential::CertificateFacts;
use crate::faults::{DrawnFaults, FaultType};
use crate::http_reply::{BODY, DroppedConnection, dropped, header, html, response};
use crate::late;
use crate::ledger::RequestRecord;
use crate::settings;
use crate::simulator_state::SimulatorState;
use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) async fn handle(
    world: &Arc<SimulatorState>,
    address: MunicipalAddress,
    credential: Option<Arc<CertificateFacts>>,
    reset: &AtomicBool,
    request: http::Request<Incoming>,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    if request.method() != Method::POST {
        return Ok(html(StatusCode::METHOD_NOT_ALLOWED));
    }
    let content_type = header(&request);
    let expected = envelope::content_type(address.server).split(';').next().unwrap_or_default();
    if !content_type.to_ascii_lowercase().starts_with(expected) {
        return Ok(html(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let action = request.headers().get("soapaction").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let url = format!("{}{}", world.address(), request.uri().path());
    let Ok(body) = Limited::new(request.into_body(), BODY).collect().await else {
        return Ok(html(StatusCode::PAYLOAD_TOO_LARGE));
    };
    let body = body.to_bytes();
    let letter = HttpEnvelope { content_type: &content_type, action: action.as_deref(), body: &body, url: &url };
    let message = match envelope::open(&address, &letter) {
        Ok(message) => message,
        Err(reason) => return Ok(fault(&address, &reason)),
    };
    let drawn = drawn(world, &address, message.operation, message.source.as_bytes());
    if drawn.latency_ms > 0 {
        tokio::time::sleep(Duration::from_millis(drawn.latency_ms)).await;
    }
    let visit =
        MunicipalRequest { world, address, credential: credential.clone(), now: world.clock.now(), drawn: &drawn };
    if let Some(early) = fault_instead_of_processing(&visit, reset) {
        record_municipal_request(&visit, message.operation, None);
        return early;
    }
    if drawn.kind() == Some(FaultType::Late) {
        record_municipal_request(&visit, message.operation, None);
        queue_municipal_message(world, address, credential, message, drawn);
        return dropped(reset);
    }
    let answer = answered(&visit, &message);
    record_municipal_request(&visit, message.operation, Some(&answer));
    drawn.wait_silence().await;
    fault_after_processing(&visit, reset, &message, &answer, &url)
}

/// Queues the message.
fn queue_municipal_message(
    world: &Arc<SimulatorState>,
    address: MunicipalAddress,
    credential: Option<Arc<CertificateFacts>>,
    message: EnvelopeMessage,
    drawn: DrawnFaults,
) {
    let delay = drawn.pause();
    let work = move |world: &SimulatorState| {
        answered(&MunicipalRequest { world, address, credential, now: world.clock.now(), drawn: &drawn }, &message);
    };
    late::process_later(world, delay, Box::new(work));
}

fn drawn(
    world: &SimulatorState,
    address: &MunicipalAddress,
    operation: AbrasfService,
    looked_at: &[u8],
) -> DrawnFaults {
    let target = operation.target();
    let mut drawn = world.faults.draw(target, looked_at);
    let authority = address.segment();
    let asked = settings::OutageSubject { authority: &authority, modelo: 0, target };
    if let Some(outage) = world.settings().outage(&asked, looked_at, world.clock.now()) {
        drawn.apply_fault(outage.clone());
    }
    drawn
}

fn answered(visit: &MunicipalRequest<'_>, message: &EnvelopeMessage) -> MunicipalAnswer {
    let strayed = schema::problems(&visit.address, message);
    if !strayed.is_empty() {
        return query::refused(visit, message.operation, &strayed);
    }
    let refusal = reply_alterations::refusal(visit, message.operation);
    if message.operation.target().registers
        && let Some(refusal) = refusal
    {
        return refusal;
    }
    let answer = match message.operation {
        AbrasfService::Batch | AbrasfService::BatchNow | AbrasfService::Single => issue::answer(visit, message),
        AbrasfService::BatchState => query::state(visit, message),
        AbrasfService::BatchResult => query::result(visit, message),
        AbrasfService::ByRps => query::by_rps(visit, message),
        AbrasfService::Range => query::range(visit, message),
        AbrasfService::Cancel => cancel::answer(visit, message),
        AbrasfService::Substitute => cancel::substitute(visit, message),
    };
    // A refused query has been processed all the same, with a lot that was due.
    refusal.unwrap_or_else(|| reply_alterations::altered_answer(visit, message, answer))
}

fn record_municipal_request(visit: &MunicipalRequest<'_>, operation: AbrasfService, answer: Option<&MunicipalAnswer>) {
    let mut ledger = visit.world.ledger();
    ledger.requests += 1;
    let received = RequestRecord {
        sequencia: ledger.requests,
        em: crate::clock::format_instant(visit.now, -3),
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
    ledger.record_request(received);
}

fn fault(address: &MunicipalAddress, reason: &str) -> Response<ReplyBody> {
    let body = envelope::fault(address.server, reason);
    response(StatusCode::INTERNAL_SERVER_ERROR, envelope::content_type(address.server), ReplyBody::whole(body))
}

/// Faults that leave the request unprocessed.
fn fault_instead_of_processing(
    visit: &MunicipalRequest<'_>,
    reset: &AtomicBool,
) -> Option<Result<Response<ReplyBody>, DroppedConnection>> {
    let content_type = envelope::content_type(visit.address.server);
    Some(match visit.drawn.kind()? {
        FaultType::ResetBefore => dropped(reset),
        FaultType::HttpStatus => Ok(html(visit.drawn.status(StatusCode::SERVICE_UNAVAILABLE))),
        FaultType::Empty200 => Ok(response(StatusCode::OK, content_type, ReplyBody::whole(Bytes::new()))),
        FaultType::SoapFault => Ok(fault(&visit.address, "erro interno simulado")),
        _ => return None,
    })
}

/// Faults that spoil the answer of a processed request.
fn fault_after_processing(
    visit: &MunicipalRequest<'_>,
    reset: &AtomicBool,
    message: &EnvelopeMessage,
    answer: &MunicipalAnswer,
    url: &str,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    if visit.drawn.loses_answer() {
        return dropped(reset);
    }
    let (hall, kind) = (visit.address.server, visit.drawn.kind());
    let root = format!("{}Resposta", message.operation.message());
    let text = format!("<{root} xmlns=\"{}\">{}</{root}>", hall.dados, answer.content);
    let bytes = Bytes::from(envelope::reply(&visit.address, message.operation, &text, url, kind));
    let reply = match kind {
        Some(FaultType::StatusAfter) => return Ok(html(visit.drawn.status(StatusCode::INTERNAL_SERVER_ERROR))),
        Some(FaultType::PageAfter) => return Ok(html(StatusCode::OK)),
        Some(FaultType::HalfReply) => ReplyBody::half(bytes),
        Some(FaultType::SlowBody) => ReplyBody::slow(bytes, visit.drawn.pause()),
        Some(FaultType::EndlessBody) => ReplyBody::Endless,
        Some(FaultType::Garbage) => ReplyBody::whole(&b"\x00\xff<<<\xfe&&& resposta sem sentido"[..]),
        _ => ReplyBody::whole(bytes),
    };
    Ok(response(StatusCode::OK, envelope::content_type(hall), reply))
}
