//! A request ready to be sent and the reply to it, whatever protocol stands above HTTP. A connector builds the one and
//! reads the other; the transport between them knows neither SOAP nor JSON, nor which status is good news.

use crate::table::Service;
use zeroize::Zeroizing;

/// How a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Asks for something.
    Get,
    /// Asks whether something is there: the reply has no body.
    Head,
    /// Hands something in.
    Post,
}

impl Method {
    /// The word of HTTP.
    pub fn word(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
        }
    }
}

/// A request ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// How.
    pub method: Method,
    /// Full https address.
    pub url: String,
    /// Name in lower case and value, besides `host` and `content-length`.
    pub headers: Vec<(&'static str, String)>,
    /// Nothing for GET and HEAD.
    pub body: Vec<u8>,
    /// Authority, for limits and logs.
    pub authority: String,
    /// What is asked for.
    pub service: Service,
    /// Official name of the service, e.g. `NFeAutorizacao4`, for logs and metrics.
    pub name: &'static str,
    /// The address is a company's word, not the operator's: it is called within
    /// [`Options::strangers`](crate::transport::Options::strangers) alone.
    pub given: bool,
    /// What stands in the body and is nobody's to read again: histories leave it out of what was asked and of what was
    /// answered.
    pub hidden: Vec<Zeroizing<String>>,
}

/// A reply, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its status: what it means is for the protocol above to say.
    pub status: http::StatusCode,
    /// Nothing for HEAD.
    pub body: Vec<u8>,
    /// For how many seconds the server asks to be left alone (`Retry-After`, in seconds).
    pub retry_after_s: Option<u32>,
}

impl Reply {
    /// One that asks for no rest.
    pub fn new(status: http::StatusCode, body: impl Into<Vec<u8>>) -> Reply {
        Reply { status, body: body.into(), retry_after_s: None }
    }
}
