//! CORS for the configured origins, and gzip of large answers for clients that accept it.
//!
//! Must not know: any route.

use std::time::Duration;

use axum::response::Response;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate, SizeAbove};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::envelope::REQUEST_ID;
use crate::edge::Edge;
use crate::rate_limiter;

/// CORS, when any origin is configured. Cookies are never accepted: a script sends its own key.
pub(crate) fn cors(edge: &Edge) -> Option<CorsLayer> {
    if edge.cors_origins.is_empty() {
        return None;
    }
    let any = edge.cors_origins.iter().any(|origin| origin == "*");
    let listed = edge.cors_origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    let origins = if any { AllowOrigin::any() } else { AllowOrigin::list(listed) };
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, API_KEY, REQUEST_ID.clone()])
        .expose_headers([
            REQUEST_ID.clone(),
            rate_limiter::POLICY,
            rate_limiter::STATE,
            header::RETRY_AFTER,
            header::LOCATION,
            header::CONTENT_DISPOSITION,
            header::WWW_AUTHENTICATE,
        ])
        .max_age(Duration::from_secs(600));
    Some(layer)
}

/// Restricts browsers to TLS from now on. Without `includeSubDomains`: other hosts of the domain are not ours.
pub(crate) async fn strict_transport(mut response: Response) -> Response {
    response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    response
}

/// Fast gzip of answers above `SMALL`; of none when compression is off.
pub(crate) fn compression(edge: &Edge) -> CompressionLayer<impl Predicate + use<>> {
    let wanted = edge.compression;
    let worth_it = DefaultPredicate::new()
        .and(SizeAbove::new(SMALL))
        .and(NotForContentType::const_new("application/pdf"))
        .and(move |_: StatusCode, _: Version, _: &HeaderMap, _: &Extensions| wanted);
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it)
}

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// Bytes that fit a single network packet without compression.
const SMALL: u64 = 1024;
