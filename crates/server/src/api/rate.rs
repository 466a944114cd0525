//! Bounds on the requests of a credential, and the headers that report its rate.
//!
//! Law: `docs/contract.md`, "Limits". The extractor that identifies the caller calls `admit`; `headers` wraps the
//! routes and adds the result to the answer.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderName, HeaderValue, header};
use uuid::Uuid;

use super::error::ApiError;
use super::error_code;
use crate::app::App;
use crate::in_flight::RequestHolds;
use crate::rate_limiter::{POLICY, RateStatus, STATE, whole_seconds};

/// Passes the state from the extractor to `headers`.
#[derive(Clone, Default)]
struct RateStatusSlot(Arc<OnceLock<RateStatus>>);

/// Admits a request of this credential, or refuses it with 429.
pub(crate) fn admit(parts: &Parts, app: &App, credential: Uuid) -> Result<(), ApiError> {
    let Some(standing) = app.rate_limiter().consume(credential, Instant::now()) else { return Ok(()) };
    if let Some(slot) = parts.extensions.get::<RateStatusSlot>() {
        // a second extractor of the request finds the slot set
        let _ = slot.0.set(standing);
    }
    match standing.refused_for {
        None => Ok(()),
        Some(wait) => Err(too_many(standing, wait)),
    }
}

/// Counts a request among its credential's requests in flight until it is answered; above the bound it is refused.
pub(crate) fn count_in_flight(parts: &Parts, app: &App, credential: Uuid) -> Result<(), ApiError> {
    let mut share = app.requests_in_flight().share(credential);
    let one_more = share.grow(1);
    if let Some(until_answered) = parts.extensions.get::<RequestHolds>() {
        until_answered.hold(share);
    }
    one_more.map_err(|_| {
        let most = app.limits().under_way;
        let detail = format!(
            "Esta credencial já tem {most} requisições em andamento ao mesmo tempo e esta não foi atendida. \
             Espere as respostas antes de enviar mais."
        );
        ApiError::too_many(detail, 1)
    })
}

fn too_many(standing: RateStatus, wait: Duration) -> ApiError {
    let (requests, window_s, wait_s) = (standing.requests, standing.window.as_secs(), whole_seconds(wait));
    let detail = format!(
        "O limite de {requests} requisições a cada {window_s} s desta credencial foi atingido e esta não foi atendida. \
         Repita em {wait_s} s."
    );
    ApiError::new(&error_code::MUITAS_REQUISICOES, detail).with_header(header::RETRY_AFTER, &wait_s.to_string())
}

/// Adds the caller's rate state to the answer.
pub(crate) async fn headers(mut request: Request, next: Next) -> Response {
    let slot = RateStatusSlot::default();
    request.extensions_mut().insert(slot.clone());
    let mut response = next.run(request).await;
    if let Some(standing) = slot.0.get() {
        for (name, text) in [(POLICY, standing.policy()), (STATE, standing.state())] {
            append_header(&mut response, name, text);
        }
    }
    response
}

/// Appends to the header: an exceeded quota has set it already, and all policies share a line.
fn append_header(response: &mut Response, name: HeaderName, text: String) {
    let before = response.headers().get(&name).and_then(|value| value.to_str().ok());
    let all = before.map_or(text.clone(), |before| format!("{before}, {text}"));
    if let Ok(value) = HeaderValue::from_str(&all) {
        response.headers_mut().insert(name, value);
    }
}
