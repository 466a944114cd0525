//! Largest body of a route: a column of `routes`, for the reader of bodies and for the API document.
//!
//! A body takes many times its size in memory, and a caller may send a hundred at once: each route accepts only the
//! size that its own bodies need.

use axum::extract::Request;

use crate::app::ServiceLimits;

/// Size class of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// A few short fields.
    Tiny,
    /// An act with its justification.
    Act,
    /// A record, or a list of identifiers.
    Record,
    /// A certificate with its chain, as base64.
    Certificate,
    /// A message of an agent, with a document that a model wrote.
    Message,
    /// A picture, as base64.
    Picture,
    /// A document, of the size that the operator allows (`http.corpo_maximo_bytes`).
    Document,
}

impl Size {
    /// Largest size in bytes, at most the one that the operator allows.
    pub(crate) fn bytes(self, limits: ServiceLimits) -> usize {
        let own = match self {
            Size::Tiny => 4 << 10,
            Size::Act => 16 << 10,
            Size::Record => 64 << 10,
            Size::Certificate => 256 << 10,
            Size::Message => 512 << 10,
            Size::Picture => 768 << 10,
            Size::Document => return limits.body_bytes,
        };
        own.min(limits.body_bytes)
    }

    /// Size as text, for the API document.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Size::Tiny => "4 KB",
            Size::Act => "16 KB",
            Size::Record => "64 KB",
            Size::Certificate => "256 KB",
            Size::Message => "512 KB",
            Size::Picture => "768 KB",
            Size::Document => "8 MB (`http.corpo_maximo_bytes`)",
        }
    }
}

/// Size class of a request's route, from its row; few fields without one.
pub(crate) fn of_request(request: &Request) -> Size {
    request.extensions().get::<Size>().copied().unwrap_or(Size::Tiny)
}
