//! HTTP requests of the national NFS-e: route, method, body, faults before, the service, faults after.

use super::address::{Address, Ask};
use super::answer::Answer;
use super::{Visit, adn, bent, envelope, events, issue, parameters, query};
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
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const JSON: &str = "application/json; charset=utf-8";
/// Content type of the ADN's JSON.
const PLAIN: &str = "text/plain; charset=utf-8";

pub(crate) async fn handle(
    world: &Arc<World>,
    address: Address,
    credential: Option<Arc<Credential>>,
    reset: &AtomicBool,
    request: http::Request<Incoming>,
) -> Result<Response<Reply>, Dropped> {
    let uri = request.uri().clone();
    let method = request.method().clone();
    let call = world.witness.call(&address, &method, &uri, &header(&request));
    let Some(ask) = address.ask(&method) else {
        world.witness.saw(call.as_ref(), None);
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
    let asked = Visit {
        world,
        ambiente: address.ambiente,
        host: address.host,
        credential: credential.clone(),
        now: world.clock.now(),
        body: &body,
        drawn: &drawn,
    };
    if let Some(early) = before(&drawn, reset) {
        note(&asked, &ask, &drawn, None);
        world.witness.saw(call.as_ref(), None);
        return early;
    }
    if drawn.kind() == Some(FaultType::Late) {
        note(&asked, &ask, &drawn, None);
        world.witness.saw(call.as_ref(), None);
        put_off(world, LateRequest { address, method, credential, body, drawn });
        return dropped(reset);
    }
    let answer = answered(&asked, &ask, uri.query());
    note(&asked, &ask, &drawn, Some(&answer));
    let failed = super::answer::with_head(
        &asked,
        [("erros", json!([{ "codigo": "E0000", "descricao": "Falha simulada durante o processamento" }]))],
    );
    drawn.stay_silent().await;
    let content_type = if matches!(ask, Ask::Distribution(_) | Ask::EventsOfNote(_)) { PLAIN } else { JSON };
    let failed = failed.to_string();
    let meant = meant(&drawn, &ask, &answer, &failed);
    let told = meant.as_ref().map(|(status, body)| (*status, content_type, body.as_ref()));
    world.witness.saw(call.as_ref(), told);
    after(&drawn, reset, answer, failed, content_type)
}

/// A message that waits to be processed.
struct LateRequest {
    address: Address,
    method: Method,
    credential: Option<Arc<Credential>>,
    body: Bytes,
    drawn: Drawn,
}

fn put_off(world: &Arc<World>, request: LateRequest) {
    let delay = request.drawn.pause();
    let work = move |world: &World| {
        let LateRequest { address, method, credential, body, drawn } = request;
        let Some(ask) = address.ask(&method) else { return };
        let asked = Visit {
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
    late::put_off(world, delay, Box::new(work));
}

/// The answer for the log, when the service could give it without a fault. A failure is documented for `POST /nfse`
/// alone.
fn meant(drawn: &Drawn, ask: &Ask<'_>, answer: &Answer, failed: &str) -> Option<(StatusCode, Bytes)> {
    match drawn.kind() {
        None => Some((answer.status, answer.bytes())),
        Some(FaultType::StatusAfter) if *ask == Ask::Issue => {
            let status = drawn.status(StatusCode::INTERNAL_SERVER_ERROR);
            let documented = status == StatusCode::INTERNAL_SERVER_ERROR;
            documented.then(|| (status, Bytes::copy_from_slice(failed.as_bytes())))
        }
        Some(_) => None,
    }
}

fn drawn(world: &World, address: &Address, ask: &Ask<'_>, looked_at: &[u8]) -> Drawn {
    let target = ask.target();
    let mut drawn = world.faults.draw(target, looked_at);
    let authority = address.host.segment();
    let asked = settings::Asked { authority: &authority, modelo: 0, target };
    if let Some(outage) = world.settings().outage(&asked, looked_at, world.clock.now()) {
        drawn.take(outage.clone());
    }
    drawn
}

fn answered(asked: &Visit<'_>, ask: &Ask<'_>, query: Option<&str>) -> Answer {
    if let Some(refusal) = bent::refusal(asked, ask) {
        return refusal;
    }
    match *ask {
        Ask::Issue => issue::answer(asked),
        Ask::Note(chave) => query::note(asked, chave),
        Ask::Dps(id) => query::dps(asked, id),
        Ask::DpsExists(id) => query::dps_exists(asked, id),
        Ask::Register(chave) => events::register(asked, chave),
        Ask::Events(chave, tipo, numero) => query::events(asked, chave, tipo, numero),
        Ask::Distribution(nsu) => adn::distribution(asked, nsu, query.unwrap_or_default()),
        Ask::EventsOfNote(chave) => adn::events(asked, chave),
        Ask::Agreement(municipio) => parameters::agreement(asked, municipio),
        Ask::Rates(municipio, servico, mes) => parameters::rates(asked, municipio, servico, mes),
        Ask::SpecialRegimes(municipio, servico, mes) => parameters::special_regimes(asked, municipio, servico, mes),
        Ask::Withholding(municipio, mes) => parameters::withholding(asked, municipio, mes),
        Ask::Benefit(municipio, numero, mes) => parameters::benefit(asked, municipio, numero, mes),
        Ask::Moved => Answer::of(StatusCode::NOT_IMPLEMENTED, json!({})),
    }
}

fn note(asked: &Visit<'_>, ask: &Ask<'_>, drawn: &Drawn, answer: Option<&Answer>) {
    let mut ledger = asked.world.ledger();
    ledger.requests += 1;
    let received = Received {
        sequencia: ledger.requests,
        em: crate::clock::written(asked.now, fiscal::value::brasilia::HOURS),
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
    ledger.note(received);
}

/// Faults that leave the request unprocessed.
fn before(drawn: &Drawn, reset: &AtomicBool) -> Option<Result<Response<Reply>, Dropped>> {
    Some(match drawn.kind()? {
        FaultType::ResetBefore => dropped(reset),
        FaultType::HttpStatus => Ok(html(drawn.status(StatusCode::SERVICE_UNAVAILABLE))),
        FaultType::Empty200 => Ok(response(StatusCode::OK, JSON, Reply::whole(Bytes::new()))),
        _ => return None,
    })
}

/// Faults that spoil the answer of a processed request.
fn after(
    drawn: &Drawn,
    reset: &AtomicBool,
    answer: Answer,
    failed: String,
    content_type: &'static str,
) -> Result<Response<Reply>, Dropped> {
    if drawn.loses_answer() {
        return dropped(reset);
    }
    let bytes = answer.bytes();
    let reply = match drawn.kind() {
        Some(FaultType::StatusAfter) => {
            let status = drawn.status(StatusCode::INTERNAL_SERVER_ERROR);
            return Ok(response(status, JSON, Reply::whole(failed)));
        }
        Some(FaultType::PageAfter) => return Ok(html(StatusCode::OK)),
        Some(FaultType::HalfReply) => Reply::half(bytes),
        Some(FaultType::SlowBody) => Reply::slow(bytes, drawn.pause()),
        Some(FaultType::EndlessBody) => Reply::Endless,
        Some(FaultType::Garbage) => Reply::whole(&b"\x00\xff{{{\xfe resposta sem sentido"[..]),
        _ => Reply::whole(bytes),
    };
    Ok(response(answer.status, content_type, reply))
}
