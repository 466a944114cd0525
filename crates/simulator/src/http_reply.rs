//! HTTP replies of every service, and the bounds of their requests.

use crate::body::ReplyBody;
use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{Response, StatusCode};
use hyper::body::Incoming;
use std::sync::atomic::{AtomicBool, Ordering};

/// The connection is dropped without an answer, as scripted.
#[derive(Debug, thiserror::Error)]
#[error("conexão derrubada por falha programada")]
pub(crate) struct DroppedConnection;

/// Largest HTTP body accepted; the 500 KB rule (214) is answered below it.
pub(crate) const BODY: usize = 4 << 20;

pub(crate) fn dropped(reset: &AtomicBool) -> Result<Response<ReplyBody>, DroppedConnection> {
    reset.store(true, Ordering::Release);
    Err(DroppedConnection)
}

/// The Content-Type of a request.
pub(crate) fn header(request: &http::Request<Incoming>) -> String {
    let value = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or("").to_owned()
}

pub(crate) fn response(status: StatusCode, content_type: &'static str, body: ReplyBody) -> Response<ReplyBody> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

pub(crate) fn html(status: StatusCode) -> Response<ReplyBody> {
    let page = format!("<html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>");
    let mut response = response(status, "text/html; charset=utf-8", ReplyBody::whole(page));
    let rest = match status {
        StatusCode::SERVICE_UNAVAILABLE => Some("30"),
        StatusCode::TOO_MANY_REQUESTS => Some("120"),
        _ => None,
    };
    if let Some(seconds) = rest {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static(seconds));
    }
    response
}
