//! Extraction of the ABRASF answer from a reply: as elements, as text with entities, as CDATA, under any name
//! (`outputXML`, `return`, `…Result`). Independent of the row.

use crate::call::AuthorityReply;
use crate::sefaz::{UnreadableReply, decoded, explain_error_page, why_absent, why_malformed, without_declarations};
use fiscal::abrasf::answer::{self, ConfirmedCancellation, IssuedNfse, ReplyMessage, RpsNumber};
use fiscal::value::RpsId;
use fiscal::xml::{Element, Node};

/// The parts of an answer that concern one RPS.
pub(super) struct RpsReply {
    pub(super) root: String,
    pub(super) notes: Vec<IssuedNfse>,
    pub(super) protocolo: Option<String>,
    pub(super) situacao: Option<u8>,
    pub(super) messages: Vec<ReplyMessage>,
    pub(super) cancelamento: Option<ConfirmedCancellation>,
    /// The answer concerns other RPS too.
    pub(super) others: bool,
    /// No message of a batch's answer names this RPS, so it is unknown which RPS they concern.
    pub(super) names_none: bool,
}

/// Reads an answer; of a batch of several, only the parts about the RPS with this identity.
pub(super) fn read_of(reply: &AuthorityReply, asked_by: Option<&str>) -> Result<RpsReply, UnreadableReply> {
    let answer::CityReply { root, mut notes, protocolo, situacao, mut messages, cancelamento, .. } = read(reply)?;
    let before = notes.len() + messages.len();
    let mut names_none = false;
    if let Some(wanted) = asked_by.and_then(|asked_by| asked_by.parse::<RpsId>().ok()) {
        let is_named = |rps: &Option<RpsNumber>| rps.as_ref().is_some_and(|rps| rps.is_of(&wanted));
        notes.retain(|note| is_named(&note.rps));
        names_none = !messages.iter().any(|message| is_named(&message.rps));
        messages.retain(|message| is_named(&message.rps) || (names_none && message.rps.is_none()));
    }
    let others = notes.len() + messages.len() < before;
    Ok(RpsReply { root, notes, protocolo, situacao, messages, cancelamento, others, names_none })
}

/// Reads an answer. An empty root of an ABRASF answer is accepted.
fn read(reply: &AuthorityReply) -> Result<answer::CityReply, UnreadableReply> {
    // a Fault has status 500 and holds more detail than the status
    if reply.status != http::StatusCode::OK {
        return Err(UnreadableReply::Status { status: reply.status, explanation: explain_error_page(&reply.body) });
    }
    let text = without_declarations(&decoded(&reply.body));
    if text.is_empty() {
        return Err(UnreadableReply::Content("a resposta veio vazia".to_owned()));
    }
    read_text(&text, NESTED)
}

fn read_text(text: &str, nested: u8) -> Result<answer::CityReply, UnreadableReply> {
    let root = fiscal::xml::read(text.as_bytes())
        .map_err(|malformed| UnreadableReply::Content(why_malformed(text, &malformed)))?;
    if let Some(inner) = inner(&root).filter(|_| nested > 0) {
        return read_text(&without_declarations(inner), nested - 1);
    }
    let said = answer::read(text).map_err(|malformed| UnreadableReply::Content(why_malformed(text, &malformed)))?;
    if said.is_empty() && !is_answer(&root) {
        return Err(UnreadableReply::Content(why_absent(&root, "uma resposta da prefeitura")));
    }
    Ok(said)
}

/// Text node that holds an answer as markup.
fn inner(element: &Element) -> Option<&str> {
    element.nodes.iter().find_map(|node| match node {
        Node::Text(text) => {
            let holds = text.trim_start().starts_with('<') && SIGNS.iter().any(|sign| text.contains(sign));
            holds.then_some(text.as_str())
        }
        Node::Element(child) => inner(child),
    })
}

/// True when the element or a descendant is the root of an answer, even an empty one.
fn is_answer(element: &Element) -> bool {
    element.name.ends_with(ANSWER) || element.children().any(is_answer)
}

/// Suffix of an answer's root.
const ANSWER: &str = "Resposta";
/// Signs of an answer inside a text.
const SIGNS: [&str; 4] = [ANSWER, "ListaMensagemRetorno", "CompNfse", "ConsultarNfse"];
/// Deepest nesting of an answer within text nodes.
const NESTED: u8 = 2;
