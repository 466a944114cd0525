//! The SEFAZ family: SOAP 1.2 document/literal. Calls are built and replies read without I/O, as pure functions of a
//! `SefazDialect`.
//!
//! Law: MOC 7.0, visão geral, 3.4.

mod cadastro;
mod call;
mod cte;
mod dialect;
mod distribution;
mod envelope;
mod nfe;
mod payload;
mod reply;

pub use cadastro::{TaxpayerQuery, cadastro, read_cadastro};
pub(crate) use payload::{decoded, explain_error_page, why_absent, why_malformed, without_declarations};

pub use cte::{CTE, CTE_OS};
pub use dialect::{ReceiptService, SefazDialect, VoidingService};
pub use distribution::RequestedDocuments;
pub use nfe::{NFE, proc_inut, read_receipt, read_void, receipt, void};

/// A reply that is no answer of the service. The request may have been processed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableReply {
    /// HTML, SOAP Fault, truncated XML…
    #[error("resposta ilegível: {0}")]
    Content(String),
    /// A status that the service does not use.
    #[error("o servidor respondeu HTTP {status}: {explanation}")]
    Status {
        status: http::StatusCode,
        /// Text of the page: its Fault, its title or its first line.
        explanation: String,
    },
}

impl UnreadableReply {
    /// Metrics label, besides those of [`CallError`](crate::transport::CallError).
    pub fn kind(&self) -> &'static str {
        match self {
            UnreadableReply::Content(_) => "unreadable",
            UnreadableReply::Status { .. } => "http_status",
        }
    }
}

impl SefazDialect {
    /// Document with its protocol (procNFe, procCTe, procCTeOS): the exact bytes sent and received, joined, with the
    /// XML declaration.
    pub fn archive(&self, signed: &str, protocol: &str) -> String {
        self.splice(self.authorization.archive, "4.00", &[signed, protocol])
    }

    /// Event with the authority's answer, joined likewise.
    pub fn archive_event(&self, signed_event: &str, answered: &str) -> String {
        self.splice(self.event.archive, self.event.versao, &[signed_event, answered])
    }

    fn splice(&self, root: &str, versao: &str, parts: &[&str]) -> String {
        let open = format!("<{root} xmlns=\"{}\" versao=\"{versao}\">", self.namespace);
        splice(&open, parts, &format!("</{root}>"))
    }
}

/// Joins texts without parsing them again: a signature covers bytes.
fn splice(open: &str, parts: &[&str], close: &str) -> String {
    let around = DECLARATION.len() + open.len() + close.len();
    // reserves the whole size, so that a large document is copied once
    let mut xml = String::with_capacity(around + parts.iter().map(|part| part.len()).sum::<usize>());
    xml.push_str(DECLARATION);
    xml.push_str(open);
    for part in parts {
        xml.push_str(part);
    }
    xml.push_str(close);
    xml
}

/// Seconds between two status queries (both manuals: at least three minutes).
pub const STATUS_EVERY_S: i64 = 180;

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
