//! The SEFAZ family: SOAP 1.2 document/literal (MOC 7.0, visão geral, 3.4). A connector neither sends nor waits: it builds a call
//! and reads bytes, as pure functions.

mod cadastro;
mod call;
mod distribution;
mod payload;
mod reply;

pub use cadastro::{Search, cadastro, read_cadastro};
pub use call::{authorize, event, query, receipt, status, void};
pub use distribution::{Wanted, distribution, read_distribution};
pub use reply::{read_authorize, read_event, read_query, read_query_with_events, read_receipt, read_status, read_void};

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

/// procNFe: the exact bytes sent and received, spliced, with the XML declaration.
pub fn proc_nfe(signed_nfe: &str, prot_nfe: &str) -> String {
    splice(
        r#"<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">"#,
        &[signed_nfe, prot_nfe],
        "</nfeProc>",
    )
}
/// procEventoNFe, likewise.
pub fn proc_evento(signed_event: &str, ret_evento: &str) -> String {
    let open = r#"<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00">"#;
    splice(open, &[signed_event, ret_evento], "</procEventoNFe>")
}

/// ProcInutNFe, likewise.
pub fn proc_inut(signed_request: &str, ret_inut: &str) -> String {
    let open = r#"<ProcInutNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">"#;
    splice(open, &[signed_request, ret_inut], "</ProcInutNFe>")
}

/// Joins texts, never parsed again: a signature covers bytes.
fn splice(open: &str, parts: &[&str], close: &str) -> String {
    let mut xml = String::with_capacity(DECLARATION.len() + 160 + parts.iter().map(|part| part.len()).sum::<usize>());
    xml.push_str(DECLARATION);
    xml.push_str(open);
    for part in parts {
        xml.push_str(part);
    }
    xml.push_str(close);
    xml
}

/// The default namespace of every message of NF-e.
const NFE_NAMESPACE: &str = "http://www.portalfiscal.inf.br/nfe";
const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8"?>"#;
