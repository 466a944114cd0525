//! Odd answers, and those that any service of an authority may give.

use super::{Message, Processed};
use authority::call::Reply;
use authority::table::Service;
use http::StatusCode;

/// Deviation of an answer from the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    None,
    /// A code of the service in place of the answer; nothing is processed.
    Service(u16),
    /// Status 503 in place of the answer.
    Gateway {
        /// True when the message is processed all the same.
        processed: bool,
    },
    /// A page in place of the answer to a message that is processed.
    Garbage,
    /// Another code of success in the protocol.
    Success(u16),
    /// Another digest in the protocol.
    Digest,
    /// A refusal that names another document.
    OtherKey {
        /// True when the message is processed all the same.
        processed: bool,
    },
    /// Code 999 in place of the answer to a message that is processed.
    Uncatalogued,
    /// A receipt; the answer is ready after so many milliseconds.
    Receipt(u64),
    /// A refusal of the query.
    Question(u16),
    /// The registered document is unknown to queries for so many milliseconds.
    Hidden(u64),
}

/// The answer that takes the place of any processing.
pub(super) fn unprocessed(message: &Message, oddity: Oddity) -> Option<Processed> {
    match oddity {
        Oddity::Service(code) => Some(of_service(message, code)),
        Oddity::Gateway { processed: false } => Some(gateway()),
        Oddity::Question(code) if message.service != Service::Autorizacao => Some(of_service(message, code)),
        _ => None,
    }
}

/// Status 503.
pub(super) fn gateway() -> Processed {
    let reply = Reply::new(StatusCode::SERVICE_UNAVAILABLE, "<html><title>503</title></html>");
    Processed { reply: Some(reply), word: "http503".to_owned() }
}

/// A page with status 200.
pub(super) fn garbage() -> Processed {
    let reply = Reply::new(StatusCode::OK, "<html><title>manutencao</title></html>");
    Processed { reply: Some(reply), word: "garbage".to_owned() }
}

/// The answer of one code about the message as a whole.
pub(super) fn of_service(message: &Message, code: u16) -> Processed {
    let root = root_of(message);
    said(code, &format!("<{root} versao=\"4.00\"><tpAmb>2</tpAmb><verAplic>E</verAplic>{}</{root}>", words(code)))
}

/// The answer of this code.
pub(super) fn said(code: impl ToString, xml: &str) -> Processed {
    Processed { reply: Some(Reply::new(StatusCode::OK, xml)), word: code.to_string() }
}

/// `cStat` and `xMotivo`.
pub(super) fn words(code: u16) -> String {
    let xMotivo = fiscal::cstat::motivo(code).unwrap_or("Mensagem do autorizador");
    format!("<cStat>{code}</cStat><xMotivo>{xMotivo}</xMotivo>")
}

/// Root element of the answer of a service.
pub(super) fn root_of(message: &Message) -> &'static str {
    let of_cte = message.name.starts_with("CTe");
    match (message.service, of_cte) {
        (Service::Autorizacao, false) => "retEnviNFe",
        (Service::Autorizacao, true) if message.name == "CTeRecepcaoOSV4" => "retCTeOS",
        (Service::Autorizacao, true) => "retCTe",
        (Service::RetAutorizacao, _) => "retConsReciNFe",
        (Service::ConsultaProtocolo, false) => "retConsSitNFe",
        (Service::ConsultaProtocolo, true) => "retConsSitCTe",
        (Service::StatusServico, false) => "retConsStatServ",
        (Service::StatusServico, true) => "retConsStatServCTe",
        (Service::RecepcaoEvento, false) => "retEnvEvento",
        (Service::RecepcaoEvento, true) => "retEventoCTe",
        (Service::Inutilizacao | Service::ConsultaCadastro | Service::DistribuicaoDFe, _) => "retInutNFe",
    }
}
