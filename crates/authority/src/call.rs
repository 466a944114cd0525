//! A request ready to be sent and its reply, independent of the protocol above HTTP. Connectors build the one and read
//! the other.
//!
//! Must not know: SOAP, JSON, or the meaning of a status.

use crate::table::service::AuthorityService;
use zeroize::Zeroizing;

/// HTTP method of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallMethod {
    /// Query.
    Get,
    /// Query of existence: the reply has no body.
    Head,
    /// Submission.
    Post,
}

impl CallMethod {
    /// Name of the HTTP method.
    pub fn word(self) -> &'static str {
        match self {
            CallMethod::Get => "GET",
            CallMethod::Head => "HEAD",
            CallMethod::Post => "POST",
        }
    }
}

/// A request ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityCall {
    pub method: CallMethod,
    /// Full https address.
    pub url: String,
    /// Name in lower case and value; without `host` and `content-length`.
    pub headers: Vec<(&'static str, String)>,
    /// Empty for GET and HEAD.
    pub body: Vec<u8>,
    /// Authority, for limits and logs.
    pub authority: String,
    pub service: AuthorityService,
    /// Official name of the service, e.g. `NFeAutorizacao4`, for logs and metrics.
    pub name: &'static str,
    /// The address comes from a company's configuration, not the operator's: the transport passes it through the URL
    /// guard of its options.
    pub from_company: bool,
    /// Secrets inside the body. The job log removes them from the request and the reply.
    pub secrets: Vec<Zeroizing<String>>,
}

/// A reply, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityReply {
    /// HTTP status, interpreted by the protocol above.
    pub status: http::StatusCode,
    /// Empty for HEAD.
    pub body: Vec<u8>,
    /// Seconds to wait before the next call (`Retry-After` in seconds).
    pub retry_after_s: Option<u32>,
}

impl AuthorityReply {
    /// A reply without `Retry-After`.
    pub fn new(status: http::StatusCode, body: impl Into<Vec<u8>>) -> AuthorityReply {
        AuthorityReply { status, body: body.into(), retry_after_s: None }
    }
}
