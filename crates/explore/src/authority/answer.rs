//! Odd answers, and those that any service of an authority may give.

use super::{ModelAnswer, SentMessage};
use authority::call::AuthorityReply;
use authority::table::AuthorityService;
use http::StatusCode;

/// Deviation of an answer from the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerOddity {
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
pub(super) fn unprocessed(message: &SentMessage, oddity: AnswerOddity) -> Option<ModelAnswer> {
    match oddity {
        AnswerOddity::Service(code) => Some(of_service(message, code)),
        AnswerOddity::Gateway { processed: false } => Some(gateway()),
        AnswerOddity::Question(code) if message.service != AuthorityService::Autorizacao => {
            Some(of_service(message, code))
        }
        _ => None,
    }
}

/// Status 503.
pub(super) fn gateway() -> ModelAnswer {
    let reply = AuthorityReply::new(StatusCode::SERVICE_UNAVAILABLE, "<html><title>503</title></html>");
    ModelAnswer { reply: Some(reply), word: "http503".to_owned() }
}

/// A page with status 200.
pub(super) fn garbage() -> ModelAnswer {
    let reply = AuthorityReply::new(StatusCode::OK, "<html><title>manutencao</title></html>");
    ModelAnswer { reply: Some(reply), word: "garbage".to_owned() }
}

/// The answer of one code about the message as a whole.
pub(super) fn of_service(message: &SentMessage, code: u16) -> ModelAnswer {
    let root = root_of(message);
    coded_answer(
        code,
        &format!("<{root} versao=\"4.00\"><tpAmb>2</tpAmb><verAplic>E</verAplic>{}</{root}>", status_elements(code)),
    )
}

/// The answer of this code.
pub(super) fn coded_answer(code: impl ToString, xml: &str) -> ModelAnswer {
    ModelAnswer { reply: Some(AuthorityReply::new(StatusCode::OK, xml)), word: code.to_string() }
}

/// `cStat` and `xMotivo`.
pub(super) fn status_elements(code: u16) -> String {
    let xMotivo = fiscal::cstat::motivo(code).unwrap_or("Mensagem do autorizador");
    format!("<cStat>{code}</cStat><xMotivo>{xMotivo}</xMotivo>")
}

/// Root element of the answer of a service.
pub(super) fn root_of(message: &SentMessage) -> &'static str {
    let of_cte = message.name.starts_with("CTe");
    match (message.service, of_cte) {
        (AuthorityService::Autorizacao, false) => "retEnviNFe",
        (AuthorityService::Autorizacao, true) if message.name == "CTeRecepcaoOSV4" => "retCTeOS",
        (AuthorityService::Autorizacao, true) => "retCTe",
        (AuthorityService::RetAutorizacao, _) => "retConsReciNFe",
        (AuthorityService::ConsultaProtocolo, false) => "retConsSitNFe",
        (AuthorityService::ConsultaProtocolo, true) => "retConsSitCTe",
        (AuthorityService::StatusServico, false) => "retConsStatServ",
        (AuthorityService::StatusServico, true) => "retConsStatServCTe",
        (AuthorityService::RecepcaoEvento, false) => "retEnvEvento",
        (AuthorityService::RecepcaoEvento, true) => "retEventoCTe",
        (
            AuthorityService::Inutilizacao | AuthorityService::ConsultaCadastro | AuthorityService::DistribuicaoDFe,
            _,
        ) => "retInutNFe",
    }
}
