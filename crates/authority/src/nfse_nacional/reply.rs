//! Reading of replies. An unexpected status, a page or a truncated body is unreadable, and the document stays in doubt.

use super::json::{alerts, errors, is_of_the_sefin, member, status, text, value};
use super::packed::unpack;
use super::sefin_message::SefinMessage;
use crate::call::AuthorityReply;
use crate::sefaz::UnreadableReply;
use fiscal::value::ChaveNfse;
use http::StatusCode;
use serde_json::Value;

/// An NFS-e as received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedNfse {
    pub chave: ChaveNfse,
    /// XML, byte by byte.
    pub xml: String,
    /// Remarks.
    pub alertas: Vec<SefinMessage>,
}

/// Answer to a DPS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IssueAnswer {
    /// An NFS-e was generated.
    Authorized(ReceivedNfse),
    /// E0014: the number was used before, by this document or another; query by the Id of the DPS.
    Duplicate(Vec<SefinMessage>),
    /// Refused by rules.
    Rejected(Vec<SefinMessage>),
    /// 403: the certificate has no right to submit it; the document itself is undecided.
    Forbidden(Vec<SefinMessage>),
}

/// Answer to a query of an NFS-e.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NfseAnswer {
    Found(ReceivedNfse),
    NotFound,
    /// 400, 401, 403: the query was refused.
    Refused(Vec<SefinMessage>),
}

/// Answer to a query of a DPS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DpsAnswer {
    /// Key of the NFS-e.
    Found(ChaveNfse),
    /// The DPS has no NFS-e.
    NotFound,
    /// 400, 401, 403: the query was refused.
    Refused(Vec<SefinMessage>),
}

/// Answer to a request of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NfseEventAnswer {
    /// Registered; the event's XML, byte by byte.
    Registered(String),
    /// Refused by rules.
    Rejected(Vec<SefinMessage>),
    /// 401, 403: the certificate has no right to it.
    Forbidden(Vec<SefinMessage>),
}

/// An event of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundNfseEvent {
    /// XML, byte by byte.
    pub xml: String,
}

/// Rule against a number that was used before.
const USED: &str = "E0014";
/// Most events read of an answer.
const MOST_EVENTS: usize = 100;

/// Reads the answer to `SefinEndpoint::issue`.
pub fn read_issue(reply: &AuthorityReply) -> Result<IssueAnswer, UnreadableReply> {
    match reply.status {
        StatusCode::CREATED | StatusCode::OK => {
            issued(&value(reply)?).map(IssueAnswer::Authorized).map_err(UnreadableReply::Content)
        }
        StatusCode::BAD_REQUEST => {
            let said = refusals(reply)?;
            let used = said.iter().any(|said| said.codigo.as_str() == USED);
            Ok(if used { IssueAnswer::Duplicate(said) } else { IssueAnswer::Rejected(said) })
        }
        StatusCode::FORBIDDEN => refusals(reply).map(IssueAnswer::Forbidden),
        _ => Err(status(reply)),
    }
}

/// Reads the answer to `SefinEndpoint::nfse`.
pub fn read_nfse(reply: &AuthorityReply) -> Result<NfseAnswer, UnreadableReply> {
    match reply.status {
        StatusCode::OK => issued(&value(reply)?).map(NfseAnswer::Found).map_err(UnreadableReply::Content),
        StatusCode::NOT_FOUND => of_the_sefin(reply).map(|_| NfseAnswer::NotFound),
        _ => refused_query(reply).map(NfseAnswer::Refused),
    }
}

/// Reads the answer to `SefinEndpoint::dps`.
pub fn read_dps(reply: &AuthorityReply) -> Result<DpsAnswer, UnreadableReply> {
    match reply.status {
        StatusCode::OK => chave(&value(reply)?).map(DpsAnswer::Found).map_err(UnreadableReply::Content),
        StatusCode::NOT_FOUND => of_the_sefin(reply).map(|_| DpsAnswer::NotFound),
        _ => refused_query(reply).map(DpsAnswer::Refused),
    }
}

/// Reads the answer to `SefinEndpoint::exists`, which has no body: a 404 may be a gateway's and proves nothing by
/// itself.
pub fn read_exists(reply: &AuthorityReply) -> Result<bool, UnreadableReply> {
    match reply.status {
        StatusCode::OK => Ok(true),
        StatusCode::NOT_FOUND => Ok(false),
        _ => Err(status(reply)),
    }
}

/// Reads the answer to `SefinEndpoint::event`.
pub fn read_event(reply: &AuthorityReply) -> Result<NfseEventAnswer, UnreadableReply> {
    match reply.status {
        StatusCode::CREATED | StatusCode::OK => {
            let xml = document(&value(reply)?, "eventoXmlGZipB64").map_err(UnreadableReply::Content)?;
            Ok(NfseEventAnswer::Registered(xml))
        }
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => refusals(reply).map(NfseEventAnswer::Rejected),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => refusals(reply).map(NfseEventAnswer::Forbidden),
        _ => Err(status(reply)),
    }
}

/// Reads the answer to `SefinEndpoint::event_of` or `events`; empty when there is none. An event, or a list of them as
/// production answers.
pub fn read_events(reply: &AuthorityReply) -> Result<Vec<FoundNfseEvent>, UnreadableReply> {
    match reply.status {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND => return of_the_sefin(reply).map(|_| Vec::new()),
        _ => return Err(status(reply)),
    }
    let answer = value(reply)?;
    let found = match member(&answer, "eventos").and_then(Value::as_array) {
        Some(list) => list.iter().take(MOST_EVENTS).map(|event| document(event, "arquivoXml")).collect(),
        None => document(&answer, "eventoXmlGZipB64").map(|xml| vec![xml]),
    };
    let found: Vec<String> = found.map_err(UnreadableReply::Content)?;
    Ok(found.into_iter().map(|xml| FoundNfseEvent { xml }).collect())
}

fn issued(answer: &Value) -> Result<ReceivedNfse, String> {
    Ok(ReceivedNfse { chave: chave(answer)?, xml: document(answer, "nfseXmlGZipB64")?, alertas: alerts(answer) })
}

fn chave(answer: &Value) -> Result<ChaveNfse, String> {
    let given = text(answer, "chaveAcesso").ok_or("a resposta não traz chaveAcesso")?;
    ChaveNfse::parse(given).map_err(|_| "chaveAcesso não é a chave de uma NFS-e".to_owned())
}

fn document(answer: &Value, name: &str) -> Result<String, String> {
    unpack(text(answer, name).ok_or_else(|| format!("a resposta não traz {name}"))?)
}

/// Errors of a refusal; a refusal without errors is unreadable.
fn refusals(reply: &AuthorityReply) -> Result<Vec<SefinMessage>, UnreadableReply> {
    let said = errors(&value(reply)?);
    if said.is_empty() { Err(status(reply)) } else { Ok(said) }
}

/// Errors of a refused query.
fn refused_query(reply: &AuthorityReply) -> Result<Vec<SefinMessage>, UnreadableReply> {
    match reply.status {
        StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => refusals(reply),
        _ => Err(status(reply)),
    }
}

/// JSON of an answer that the Sefin itself sent.
fn of_the_sefin(reply: &AuthorityReply) -> Result<Value, UnreadableReply> {
    let answer = value(reply)?;
    if is_of_the_sefin(&answer) { Ok(answer) } else { Err(status(reply)) }
}
