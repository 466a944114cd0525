//! Layers around every request: its id, its time limit, the isolation of panics, the error body, security headers, the
//! access log and the metrics.
//!
//! Must not know: any route. Logs carry the route's pattern and the request's id, never a header, a body or a query.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use tracing::Instrument;

use super::error::ApiError;
use super::extra_time::ExtraTime;
use super::origin::RequestId;
use crate::app::ServiceLimits;
use crate::in_flight::RequestHolds;

/// Header with the id of a request, as in its log lines.
pub(crate) static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Middleware of the router.
pub(crate) async fn envelope(State(limits): State<ServiceLimits>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request_id(request.headers());
    request.extensions_mut().insert(RequestId(id.clone()));
    let method = request.method().clone();
    let instance = request.uri().path().chars().take(LONGEST_INSTANCE).collect::<String>();
    let route = request.extensions().get::<MatchedPath>().map_or("-", |path| path.as_str()).to_owned();
    let span = tracing::info_span!("request", request.id = %id);

    let limit = Duration::from_secs(limits.request_s);
    let answer = run_isolated(request, next, limit, id.clone()).instrument(span.clone()).await;
    let codigo = answer.extensions().get::<Arc<ApiError>>().map(|error| error.code().codigo);
    let response = finish(answer, &id, &instance);

    let status = response.status().as_u16();
    span.in_scope(|| {
        let elapsed_ms = started.elapsed().as_millis();
        tracing::info!(http.method = method_label(&method), http.route = %route, http.status = status, error.codigo = codigo, elapsed_ms, "request");
    });
    count(method_label(&method), &route, status, started.elapsed());
    response
}

/// Runs the handler in a task of its own: a panic ends the task and not the connection; a client that disconnects does
/// not abort its request half way.
async fn run_isolated(mut request: Request, next: Next, limit: Duration, id: String) -> Response {
    let until_answered = RequestHolds::default();
    request.extensions_mut().insert(until_answered.clone());
    let more_time = ExtraTime::default();
    request.extensions_mut().insert(more_time.clone());
    let handler = async move {
        let response = next.run(request).await;
        drop(until_answered);
        response
    };
    let mut task = tokio::spawn(Box::pin(engine::process::origin::within(id, handler).in_current_span()));
    let mut left = limit;
    loop {
        match tokio::time::timeout(left, &mut task).await {
            Ok(Ok(response)) => return response,
            Ok(Err(broken)) => {
                tracing::error!(error.cause = %broken, "handler panicked");
                return ApiError::internal().into_response();
            }
            Err(_) => match more_time.drain_added() {
                Some(more) => left = more,
                None => break,
            },
        }
    }
    task.abort();
    tracing::error!(limit_s = limit.as_secs(), "request timed out");
    ApiError::unavailable().into_response()
}

/// Returns the incoming id when it is well formed, a new one otherwise.
fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(&REQUEST_ID).and_then(|value| value.to_str().ok()).filter(|id| is_sane(id));
    given.map_or_else(|| uuid::Uuid::now_v7().to_string(), str::to_owned)
}

fn is_sane(id: &str) -> bool {
    (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

/// Writes the body of an error, and the headers of every answer.
fn finish(mut response: Response, id: &str, instance: &str) -> Response {
    if let Some(error) = response.extensions_mut().remove::<Arc<ApiError>>() {
        let body = Json(error.body(instance, id)).into_response().into_body();
        *response.body_mut() = body;
        let problem = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, problem);
    }
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID.clone(), value);
    }
    for (name, value) in SECURITY_HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Method for logs and metrics: callers may send any word, and unknown ones share a label.
fn method_label(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"];
    KNOWN.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

fn count(method: &'static str, route: &str, status: u16, elapsed: Duration) {
    let labels = [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.to_string())];
    metrics::counter!("carimbo_http_requests_total", &labels).increment(1);
    metrics::histogram!("carimbo_http_request_seconds", "route" => route.to_owned()).record(elapsed);
}

/// Characters of the path that an error repeats: a path may be as long as a request head.
const LONGEST_INSTANCE: usize = 256;

const SECURITY_HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    async fn ask(path: &str) -> (u16, serde_json::Value) {
        let limits = ServiceLimits { request_s: 1, ..ServiceLimits::default() };
        let router = Router::new()
            .route("/panic", get(async || -> &'static str { panic!("s3gredo") }))
            .route("/never", get(async || std::future::pending::<&'static str>().await))
            .route("/waits", get(waits))
            .layer(from_fn_with_state(limits, envelope));
        let response = router.oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap())
    }

    /// Takes three times the limit of a request.
    async fn waits(more_time: ExtraTime) -> Json<serde_json::Value> {
        more_time.add_time(Duration::from_secs(3));
        tokio::time::sleep(Duration::from_secs(3)).await;
        Json(serde_json::json!({ "codigo": "esperou" }))
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_on_purpose_is_given_the_time_for_it() {
        let (status, body) = ask("/waits").await;
        assert_eq!((status, &body["codigo"]), (200, &"esperou".into()));
    }

    #[tokio::test]
    async fn a_panic_is_an_opaque_500() {
        let (status, body) = ask("/panic").await;
        assert_eq!((status, &body["codigo"]), (500, &"erro_interno".into()));
        assert!(!body.to_string().contains("s3gredo"));
    }

    #[tokio::test(start_paused = true)]
    async fn what_takes_too_long_is_given_up() {
        let (status, body) = ask("/never").await;
        assert_eq!((status, &body["codigo"]), (503, &"indisponivel".into()));
    }
}
