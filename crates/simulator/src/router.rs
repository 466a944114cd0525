//! HTTP requests at the address of an authority: path, method, content type, faults before, the service, faults after.

use crate::abrasf;
use crate::body::ReplyBody;
use crate::credential::CertificateFacts;
use crate::faults::{DrawnFaults, FaultType};
use crate::http_reply::{BODY, DroppedConnection, dropped, header, html, response};
use crate::late;
use crate::ledger::RequestRecord;
use crate::nfse;
use crate::sefaz::{self, ServiceRequest, zip};
use crate::service_address::ServiceAddress;
use crate::settings::{NoCertificate, OutageSubject};
use crate::simulator_state::SimulatorState;
use crate::soap;
use bytes::Bytes;
use fiscal::value::ChaveAcesso;
use http::{Method, Response, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Characters of a key.
const KEY: usize = 44;
/// Most keys recorded of one request: a lot has 50 documents at most.
const MOST_KEYS: usize = 50;

pub(crate) async fn handle(
    world: &Arc<SimulatorState>,
    credential: Option<Arc<CertificateFacts>>,
    reset: &AtomicBool,
    request: http::Request<Incoming>,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    if let Some(address) = abrasf::MunicipalAddress::from_path(request.uri().path()) {
        return abrasf::handle(world, address, credential, reset, request).await;
    }
    if let Some(address) = nfse::NationalAddress::from_path(request.uri().path()) {
        return nfse::handle(world, address, credential, reset, request).await;
    }
    let Some(place) = ServiceAddress::from_path(request.uri().path()) else {
        return Ok(html(StatusCode::NOT_FOUND));
    };
    if request.method() == Method::GET && request.uri().query().is_some_and(|query| query.eq_ignore_ascii_case("wsdl"))
    {
        return Ok(wsdl(world, &place, request.uri().path()));
    }
    if request.method() != Method::POST {
        return Ok(html(StatusCode::METHOD_NOT_ALLOWED));
    }
    if credential.is_none() && world.settings().sem_certificado != NoCertificate::CStat280 {
        return Ok(html(StatusCode::FORBIDDEN));
    }
    let content_type = header(&request);
    if !content_type.to_ascii_lowercase().starts_with("application/soap+xml") {
        return Ok(html(StatusCode::UNSUPPORTED_MEDIA_TYPE));
    }
    let Ok(body) = Limited::new(request.into_body(), BODY).collect().await else {
        return Ok(html(StatusCode::PAYLOAD_TOO_LARGE));
    };
    let body = body.to_bytes();
    if !soap::action_is_of(&content_type, &place) {
        return Ok(fault("Sender", "a action não é deste serviço"));
    }
    let (body, unpacking) = match zip::unpacked(&place, &body) {
        None => (body, None),
        Some(Ok(unpacked)) => (unpacked.into(), None),
        Some(Err(refused)) => (body, Some(refused)),
    };
    let mut drawn = world.faults.draw(place.wire, &body);
    let authority = place.authority.segment();
    let asked = OutageSubject { authority: &authority, modelo: place.modelo, target: place.wire.into() };
    if let Some(outage) = world.settings().outage(&asked, &body, world.clock.now()) {
        drawn.apply_fault(outage.clone());
    }
    if drawn.latency_ms > 0 {
        tokio::time::sleep(Duration::from_millis(drawn.latency_ms)).await;
    }
    let arrived = ArrivedRequest { place, content_type, body, unpacking, credential, drawn };
    if let Some(early) = fault_before(&arrived, reset) {
        arrived.record_arrival(world, None, keys_in(&arrived.body));
        return early;
    }
    if arrived.drawn.kind() == Some(FaultType::Late) {
        return queue_late_message(world, arrived, reset);
    }
    let answered = answered(world, &arrived);
    arrived.drawn.wait_silence().await;
    fault_after(&arrived, reset, answered)
}

/// A request that reached a service.
struct ArrivedRequest {
    place: ServiceAddress,
    content_type: String,
    /// Unpacked, when it came packed: scripts and magic values search it for texts.
    body: Bytes,
    unpacking: Option<zip::UnpackError>,
    credential: Option<Arc<CertificateFacts>>,
    drawn: DrawnFaults,
}

impl ArrivedRequest {
    fn record_arrival(&self, world: &SimulatorState, cStat: Option<u16>, chaves: Vec<String>) {
        let now = world.clock.now();
        let mut ledger = world.ledger();
        ledger.requests += 1;
        let received = RequestRecord {
            sequencia: ledger.requests,
            em: crate::clock::format_instant(now, -3),
            servico: self.place.wire.name,
            autoridade: self.place.authority.segment(),
            ambiente: self.place.ambiente,
            modelo: self.place.modelo,
            transmissor: self.credential.as_ref().map_or("", |credential| credential.holder()).to_owned(),
            chaves,
            cStat,
            codigo: None,
            falha: self.drawn.kind(),
        };
        ledger.record_request(received);
    }
}

/// The keys in a request that no service reads, each once. An `Id` has letters before its key.
fn keys_in(body: &[u8]) -> Vec<String> {
    let words = body.split(|byte| !byte.is_ascii_alphanumeric()).filter_map(|word| word.last_chunk::<KEY>());
    let keys: BTreeSet<&str> = words
        .filter_map(|word| std::str::from_utf8(word).ok())
        .filter(|word| ChaveAcesso::parse(word).is_ok())
        .collect();
    keys.into_iter().take(MOST_KEYS).map(str::to_owned).collect()
}

/// Faults that leave the request unprocessed.
fn fault_before(
    arrived: &ArrivedRequest,
    reset: &AtomicBool,
) -> Option<Result<Response<ReplyBody>, DroppedConnection>> {
    let fault_drawn = arrived.drawn.fault.as_ref()?;
    Some(match fault_drawn.tipo {
        FaultType::ResetBefore => dropped(reset),
        FaultType::HttpStatus => Ok(html(arrived.drawn.status(StatusCode::SERVICE_UNAVAILABLE))),
        FaultType::Empty200 => Ok(response(StatusCode::OK, SOAP, ReplyBody::whole(Bytes::new()))),
        FaultType::SoapFault => {
            let length = fault_drawn.bytes.unwrap_or_default().min(LONGEST_REASON);
            let more = " outra vez".chars().cycle().take(length.try_into().unwrap_or_default());
            Ok(fault("Receiver", &"erro interno simulado".chars().chain(more).collect::<String>()))
        }
        _ => return None,
    })
}

/// Resets the client's connection, and queues the message.
fn queue_late_message(
    world: &Arc<SimulatorState>,
    arrived: ArrivedRequest,
    reset: &AtomicBool,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    arrived.record_arrival(world, None, keys_in(&arrived.body));
    let delay = arrived.drawn.pause();
    late::process_later(world, delay, Box::new(move |world| drop(processed(world, &arrived))));
    dropped(reset)
}

fn processed(world: &SimulatorState, arrived: &ArrivedRequest) -> Result<sefaz::ServiceAnswer, String> {
    let request = ServiceRequest {
        place: arrived.place,
        content_type: &arrived.content_type,
        body: &arrived.body,
        unpacking: arrived.unpacking,
        credential: arrived.credential.clone(),
        now: world.clock.now(),
        drawn: &arrived.drawn,
    };
    sefaz::answer(world, &request)
}

fn answered(world: &SimulatorState, arrived: &ArrivedRequest) -> Result<Vec<u8>, String> {
    match processed(world, arrived) {
        Ok(answer) => {
            arrived.record_arrival(world, Some(answer.cStat), answer.chaves);
            Ok(soap::reply(&arrived.place, &answer.xml, arrived.drawn.kind()))
        }
        Err(reason) => {
            arrived.record_arrival(world, None, Vec::new());
            Err(reason)
        }
    }
}

/// Faults that spoil the answer of a processed request.
fn fault_after(
    arrived: &ArrivedRequest,
    reset: &AtomicBool,
    answered: Result<Vec<u8>, String>,
) -> Result<Response<ReplyBody>, DroppedConnection> {
    if arrived.drawn.loses_answer() {
        return dropped(reset);
    }
    let kind = arrived.drawn.kind();
    match kind {
        Some(FaultType::StatusAfter) => return Ok(html(arrived.drawn.status(StatusCode::INTERNAL_SERVER_ERROR))),
        Some(FaultType::PageAfter) => return Ok(html(StatusCode::OK)),
        _ => {}
    }
    let bytes = match answered {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(fault("Sender", &reason)),
    };
    let (content_type, reply) = match kind {
        Some(FaultType::HalfReply) => (SOAP, ReplyBody::half(bytes)),
        Some(FaultType::SlowBody) => (SOAP, ReplyBody::slow(bytes, arrived.drawn.pause())),
        Some(FaultType::EndlessBody) => (SOAP, ReplyBody::Endless),
        Some(FaultType::Garbage) => (SOAP, ReplyBody::whole(&b"\x00\xff<<<\xfe&&& resposta sem sentido"[..])),
        Some(FaultType::Iso88591) => ("application/soap+xml; charset=iso-8859-1", ReplyBody::whole(bytes)),
        _ => (SOAP, ReplyBody::whole(bytes)),
    };
    Ok(response(StatusCode::OK, content_type, reply))
}

const LONGEST_REASON: u32 = 4_000_000;
const SOAP: &str = "application/soap+xml; charset=utf-8";

fn fault(code: &str, reason: &str) -> Response<ReplyBody> {
    response(StatusCode::INTERNAL_SERVER_ERROR, SOAP, ReplyBody::whole(soap::fault(code, reason)))
}

fn wsdl(world: &SimulatorState, place: &ServiceAddress, path: &str) -> Response<ReplyBody> {
    let address = format!("{}{path}", world.address());
    response(StatusCode::OK, "text/xml; charset=utf-8", ReplyBody::whole(soap::wsdl(place, &address)))
}
