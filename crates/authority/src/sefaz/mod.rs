//! The SEFAZ family: SOAP 1.2 document/literal (MOC 7.0, visão geral, 3.4). A connector neither sends nor waits: it
//! builds a call and reads a reply, as pure functions of a [`Dialect`].

mod cadastro;
mod call;
mod dialect;
mod distribution;
mod envelope;
mod lote;
mod payload;
mod reply;

pub use cadastro::{Search, cadastro, read_cadastro};
pub(crate) use payload::{decoded, explain_error_page, why_absent, why_malformed, without_declarations};

pub use dialect::{CTE, CTE_OS, Dialect, NFE, Official};
pub use distribution::Wanted;
pub use lote::{Receipt, Void, proc_inut, read_receipt, read_void, receipt, void};

/// A reply that is no answer of the service asked. The request may have been processed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// HTML, SOAP Fault, truncated XML…
    #[error("resposta ilegível: {0}")]
    Content(String),
    /// A status that no answer of this service comes with.
    #[error("o servidor respondeu HTTP {status}: {said}")]
    Status {
        /// The status.
        status: http::StatusCode,
        /// What the page says: its Fault, its title, its first line.
        said: String,
    },
}

impl Unreadable {
    /// Stable word for metrics, beside those of [`CallError`](crate::transport::CallError).
    pub fn kind(&self) -> &'static str {
        match self {
            Unreadable::Content(_) => "unreadable",
            Unreadable::Status { .. } => "http_status",
        }
    }
}

impl Dialect {
    /// A document with its protocol (procNFe, procCTe, procCTeOS): the exact bytes sent and received, spliced, with the
    /// XML declaration.
    pub fn archive(&self, signed: &str, protocol: &str) -> String {
        self.splice(self.authorization.archive, "4.00", &[signed, protocol])
    }

    /// An event with what the authority said of it, likewise.
    pub fn archive_event(&self, signed_event: &str, answered: &str) -> String {
        self.splice(self.event.archive, self.event.versao, &[signed_event, answered])
    }

    fn splice(&self, root: &str, versao: &str, parts: &[&str]) -> String {
        let open = format!("<{root} xmlns=\"{}\" versao=\"{versao}\">", self.namespace);
        splice(&open, parts, &format!("</{root}>"))
    }
}

/// Joins texts, never parsed again: a signature covers bytes.
fn splice(open: &str, parts: &[&str], close: &str) -> String {
    let around = DECLARATION.len() + open.len() + close.len();
    // all of it at once: a large document is not moved for the tags behind it
    let mut xml = String::with_capacity(around + parts.iter().map(|part| part.len()).sum::<usize>());
    xml.push_str(DECLARATION);
    xml.push_str(open);
    for part in parts {
        xml.push_str(part);
    }
    xml.push_str(close);
    xml
}

/// Seconds between two questions whether a service works (both manuals: three minutes at least).
pub const STATUS_EVERY_S: i64 = 180;

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
