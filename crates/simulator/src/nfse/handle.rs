//! HTTP requests of the national NFS-e: route, method, body, faults before, the service, faults after.

use super::address::{NationalAddress, NationalRoute};
use super::answer::NationalAnswer;
use super::{NationalRequest, adn, alterations, envelope, events, issue, parameters, query};
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
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const JSON: &str = "application/json; charset=utf-8";
/// Content type of the ADN's JSON.
const PLAIN: &str = "text/plain; charset=utf-8";

pub(crate) async fn handle(
    world: &Arc<SimulatorState>,
    address: NationalAddress,
    credential: Option<Arc<CertificateFacts>>,
    reset: &AtomicBool,
    request: http::Request<Incoming>,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    let uri = request.uri().clone();
    let method = request.method().clone();
    let call = world.traffic_log.start_record(&address, &method, &uri, &header(&request));
    let Some(ask) = address.requested_route(&method) else {
        world.traffic_log.log_call(call.as_ref(), None);
        return Ok(html(StatusCode::NOT_FOUND));
    };
    let Ok(body) = Limited::new(request.into_body(), BODY).collect().await else {
        return Ok(html(StatusCode::PAYLOAD_TOO_LARGE));
    };
    let body = body.to_bytes();
    let call = call.map(|call| call.with_body(&body));
    // Scripts and magic values search the document, or the path of a query.
    let looked_at = ask.member().and_then(|member| envelope::unpack(&body, member).ok());
    let looked_at = looked_at.unwrap_or_else(|| uri.path().as_bytes().to_vec());
    let drawn = drawn(world, &address, &ask, &looked_at);
    if drawn.latency_ms > 0 {
        tokio::time::sleep(Duration::from_millis(drawn.latency_ms)).await;
    }
    let asked = NationalRequest {
        world,
        ambiente: address.ambiente,
        host: address.host,
        credential: credential.clone(),
        now: world.clock.now(),
        body: &body,
        drawn: &drawn,
    };
    if let Some(early) = before(&drawn, reset) {
        record_national_request(&asked, &ask, &drawn, None);
        world.traffic_log.log_call(call.as_ref(), None);
        return early;
    }
    if drawn.kind() == Some(FaultType::Late) {
        record_national_request(&asked, &ask, &drawn, None);
        world.traffic_log.log_call(call.as_ref(), None);
        queue_national_message(world, LateRequest { address, method, credential, body, drawn });
        return dropped(reset);
    }
    let answer = answered(&asked, &ask, uri.query());
    record_national_request(&asked, &ask, &drawn, Some(&answer));
    let failed = super::answer::with_head(
        &asked,
        [("erros", json!([{ "codigo": "E0000", "descricao": "Falha simulada durante o processamento" }]))],
    );
    drawn.wait_silence().await;
    let content_type =
        if matches!(ask, NationalRoute::Distribution(_) | NationalRoute::EventsOfNote(_)) { PLAIN } else { JSON };
    let failed = failed.to_string();
    let meant = unspoiled_answer(&drawn, &ask, &answer, &failed);
    let told = meant.as_ref().map(|(status, body)| (*status, content_type, body.as_ref()));
    world.traffic_log.log_call(call.as_ref(), told);
    after(&drawn, reset, answer, failed, content_type)
}

/// A message that waits to be processed.
struct LateRequest {
    address: NationalAddress,
    method: Method,
    credential: Option<Arc<CertificateFacts>>,
    body: Bytes,
    drawn: DrawnFaults,
}

fn queue_national_message(world: &Arc<SimulatorState>, request: LateRequest) {
    let delay = request.drawn.pause();
    let work = move |world: &SimulatorState| {
        let LateRequest { address, method, credential, body, drawn } = request;
        let Some(ask) = address.requested_route(&method) else { return };
        let asked = NationalRequest {
            world,
            ambiente: address.ambiente,
            host: address.host,
            credential,
            now: world.clock.now(),
            body: &body,
            drawn: &drawn,
        };
        answered(&asked, &ask, None);
    };
    late::process_later(world, delay, Box::new(work));
}

/// The answer for the log, when the service could give it without a fault. A failure is documented for `POST /nfse`
/// alone.
fn unspoiled_answer(
    drawn: &DrawnFaults,
    ask: &NationalRoute<'_>,
    answer: &NationalAnswer,
    failed: &str,
) -> Option<(StatusCode, Bytes)> {
    match drawn.kind() {
        None => Some((answer.status, answer.bytes())),
        Some(FaultType::StatusAfter) if *ask == NationalRoute::Issue => {
            let status = drawn.status(StatusCode::INTERNAL_SERVER_ERROR);
            let documented = status == StatusCode::INTERNAL_SERVER_ERROR;
            documented.then(|| (status, Bytes::copy_from_slice(failed.as_bytes())))
        }
        Some(_) => None,
    }
}

fn drawn(world: &SimulatorState, address: &NationalAddress, ask: &NationalRoute<'_>, looked_at: &[u8]) -> DrawnFaults {
    let target = ask.target();
    let mut drawn = world.faults.draw(target, looked_at);
    let authority = address.host.segment();
    let asked = settings::OutageSubject { authority: &authority, modelo: 0, target };
    if let Some(outage) = world.settings().outage(&asked, looked_at, world.clock.now()) {
        drawn.apply_fault(outage.clone());
    }
    drawn
}

fn answered(asked: &NationalRequest<'_>, ask: &NationalRoute<'_>, query: Option<&str>) -> NationalAnswer {
    if let Some(refusal) = alterations::refusal(asked, ask) {
        return refusal;
    }
    match *ask {
        NationalRoute::Issue => issue::answer(asked),
        NationalRoute::Note(chave) => query::note(asked, chave),
        NationalRoute::Dps(id) => query::dps(asked, id),
        NationalRoute::DpsExists(id) => query::dps_exists(asked, id),
        NationalRoute::Register(chave) => events::register(asked, chave),
        NationalRoute::Events(chave, tipo, numero) => query::events(asked, chave, tipo, numero),
        NationalRoute::Distribution(nsu) => adn::distribution(asked, nsu, query.unwrap_or_default()),
        NationalRoute::EventsOfNote(chave) => adn::events(asked, chave),
        NationalRoute::Agreement(municipio) => parameters::agreement(asked, municipio),
        NationalRoute::Rates(municipio, servico, mes) => parameters::rates(asked, municipio, servico, mes),
        NationalRoute::SpecialRegimes(municipio, servico, mes) => {
            parameters::special_regimes(asked, municipio, servico, mes)
        }
        NationalRoute::Withholding(municipio, mes) => parameters::withholding(asked, municipio, mes),
        NationalRoute::Benefit(municipio, numero, mes) => parameters::benefit(asked, municipio, numero, mes),
        NationalRoute::Moved => NationalAnswer::of(StatusCode::NOT_IMPLEMENTED, json!({})),
    }
}

fn record_national_request(
    asked: &NationalRequest<'_>,
    ask: &NationalRoute<'_>,
    drawn: &DrawnFaults,
    answer: Option<&NationalAnswer>,
) {
    let mut ledger = asked.world.ledger();
    ledger.requests += 1;
    let received = RequestRecord {
        sequencia: ledger.requests,
        em: crate::clock::format_instant(asked.now, fiscal::value::brasilia::HOURS),
        servico: ask.target().name,
        autoridade: asked.host.segment(),
        ambiente: asked.ambiente,
        modelo: 0,
        transmissor: asked.holder().to_owned(),
        chaves: answer.map(|answer| answer.chaves.clone()).unwrap_or_default(),
        cStat: None,
        codigo: answer.and_then(|answer| answer.codigo.clone()),
        falha: drawn.kind(),
    };
    ledger.record_request(received);
}

/// Faults that leave the request unprocessed.
fn before(drawn: &DrawnFaults, reset: &AtomicBool) -> Option<Result<Response<ReplyBody>, DroppedConnection>> {
    Some(match drawn.kind()? {
        FaultType::ResetBefore => dropped(reset),
        FaultType::HttpStatus => Ok(html(drawn.status(StatusCode::SERVICE_UNAVAILABLE))),
        FaultType::Empty200 => Ok(response(StatusCode::OK, JSON, ReplyBody::whole(Bytes::new()))),
        _ => return None,
    })
}

/// Faults that spoil the answer of a processed request.
fn after(
    drawn: &DrawnFaults,
    reset: &AtomicBool,
    answer: NationalAnswer,
    failed: String,
    content_type: &'static str,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    if drawn.loses_answer() {
        return dropped(reset);
    }
    let bytes = answer.bytes();
    let reply = match drawn.kind() {
        Some(FaultType::StatusAfter) => {
            let status = drawn.status(StatusCode::INTERNAL_SERVER_ERROR);
            return Ok(response(status, JSON, ReplyBody::whole(failed)));
        }
        Some(FaultType::PageAfter) => return Ok(html(StatusCode::OK)),
        Some(FaultType::HalfReply) => ReplyBody::half(bytes),
        Some(FaultType::SlowBody) => ReplyBody::slow(bytes, drawn.pause()),
        Some(FaultType::EndlessBody) => ReplyBody::Endless,
        Some(FaultType::Garbage) => ReplyBody::whole(&b"\x00\xff{{{\xfe resposta sem sentido"[..]),
        _ => ReplyBody::whole(bytes),
    };
    Ok(response(answer.status, content_type, reply))
}
