//! Calls to municipal providers, and their answers in the terms shared by all authorities.
//!
//! Law: ABRASF, manual de integração (answers), and 1.00, annex of errors (reaction to a code). Undecided answers are
//! resolved by querying the RPS.

use super::provider_call::ProviderCall;
use super::reply::RpsReply;
use super::{envelope, reply};
use crate::answer::{
    AuthorizationAnswer, DocumentSituation, EventAnswer, FoundEvent, GeneratedDocument, Protocol, Rejection,
    RejectionReason, RejectionSubject,
};
use crate::call::{AuthorityCall, AuthorityReply, CallMethod};
use crate::sefaz::UnreadableReply;
use crate::table::endpoint::Endpoint;
use fiscal::abrasf::answer::{IssuedNfse, ReplyMessage};
use fiscal::abrasf::{UnsignedMessage, message};
use fiscal::cstat::CodeClass;
use fiscal::cstat::abrasf::{CodeReaction, GENERATED, class as class_of, reaction, refuses_document_values};
use fiscal::value::{Codigo, RpsId, TpAmb};

/// Call of the endpoint's operation with a message, signed where the row requires it.
pub fn call(endpoint: &Endpoint, message: &str) -> AuthorityCall {
    match endpoint.provider.as_deref() {
        Some(ProviderCall { row, operation, company, .. }) => {
            let call = envelope::call(row, company, *operation, &endpoint.url, &endpoint.authority, message);
            // an address from the company's configuration must not lead to an internal network
            AuthorityCall { from_company: endpoint.from_company, secrets: envelope::secrets_to_hide(company), ..call }
        }
        // without a row there is no provider to call: the empty address makes the call fail before anything is sent
        None => AuthorityCall {
            method: CallMethod::Post,
            url: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
            authority: endpoint.authority.clone(),
            service: endpoint.service,
            name: endpoint.name,
            from_company: endpoint.from_company,
            secrets: Vec::new(),
        },
    }
}

/// Call with a signed message of declarations.
pub(crate) fn authorize(endpoint: &Endpoint, signed: &str) -> AuthorityCall {
    call(endpoint, signed)
}

/// Query of an RPS by its identity. `None` when the text is no RPS, or when the provider requires signed queries: then
/// [`call`] sends the signed message.
pub(crate) fn query(endpoint: &Endpoint, asked_by: &str) -> Option<AuthorityCall> {
    let provider = endpoint.provider.as_deref()?;
    let rps: RpsId = asked_by.parse().ok()?;
    let question = message::query_rps(&provider.dialect, &rps);
    question.signatures.is_empty().then(|| call(endpoint, &question.xml))
}

/// Query of a batch by its protocol, in the name of the endpoint's issuer. Where the provider requires signed queries,
/// the caller signs [`batch_question`] and passes it to [`call`].
pub fn receipt(endpoint: &Endpoint, _ambiente: TpAmb, protocolo: &str) -> AuthorityCall {
    let question = batch_question(endpoint, protocolo);
    call(endpoint, question.as_ref().map_or("", |question| &question.xml))
}

/// Message of [`receipt`], with the position of its signature.
pub fn batch_question(endpoint: &Endpoint, protocolo: &str) -> Option<UnsignedMessage> {
    let provider = endpoint.provider.as_deref()?;
    Some(message::query_lote(&provider.dialect, provider.company.prestador(), protocolo))
}

/// Call with a signed cancellation.
pub(crate) fn event(endpoint: &Endpoint, signed: &str) -> AuthorityCall {
    call(endpoint, signed)
}

/// Meaning of a code for the document it is about.
pub(crate) fn class(codigo: &Codigo) -> CodeClass {
    class_of(codigo)
}

/// Reads the answer to [`authorize`]; of a batch, the parts about this RPS. A refusal of a batch that names no RPS
/// decides none.
pub(crate) fn read_authorize(
    reply: &AuthorityReply,
    asked_by: Option<&str>,
) -> Result<AuthorizationAnswer, UnreadableReply> {
    let said = reply::read_of(reply, asked_by)?;
    if let Some(note) = said.notes.first() {
        return Ok(AuthorizationAnswer::Authorized(protocol(note)?));
    }
    match (refusal(&said), said.protocolo) {
        (Some(refusal), _) if said.names_none => Ok(AuthorizationAnswer::Undecided(refusal)),
        (Some(refusal), _) => Ok(classify_refusal(refusal, asked_by.is_some())),
        (None, Some(nRec)) => Ok(AuthorizationAnswer::Pending { nRec, wait_s: FIRST_WAIT_S }),
        (None, None) if said.others => Ok(not_mentioned()),
        (None, None) => Err(empty_answer(&said.root)),
    }
}

/// Reads the answer to [`receipt`]. A pending batch keeps the protocol of the query: the answer does not repeat it.
pub fn read_receipt(reply: &AuthorityReply) -> Result<AuthorizationAnswer, UnreadableReply> {
    read_receipt_of(reply, None)
}

/// Reads the answer to [`receipt`] for one RPS of a batch. An RPS that the answer does not name is undecided and must
/// be queried by its identity.
pub fn read_receipt_of(reply: &AuthorityReply, asked_by: Option<&str>) -> Result<AuthorizationAnswer, UnreadableReply> {
    let said = reply::read_of(reply, asked_by)?;
    if let Some(note) = said.notes.first() {
        return Ok(AuthorizationAnswer::Authorized(protocol(note)?));
    }
    let pending =
        AuthorizationAnswer::Pending { nRec: said.protocolo.clone().unwrap_or_default(), wait_s: NEXT_WAIT_S };
    match (said.situacao, refusal(&said)) {
        (Some(NOT_PROCESSED), _) => Ok(pending),
        (_, Some(refusal)) if class_of(&refusal.codigo) == CodeClass::Pending => Ok(pending),
        (_, Some(refusal)) if said.names_none => Ok(AuthorizationAnswer::Undecided(refusal)),
        (situacao, Some(refusal)) => {
            // otherwise the query itself was refused: because of the certificate, the message or the service
            let is_a_document =
                asked_by.is_some() || situacao == Some(WITH_ERRORS) || refuses_document_values(&refusal.codigo);
            Ok(match classify_refusal(refusal, is_a_document) {
                AuthorizationAnswer::Rejected(refusal) if !is_a_document => AuthorizationAnswer::Undecided(refusal),
                answer => answer,
            })
        }
        // not received, or processed without a message about this RPS: queried by its RPS
        (Some(situacao), None) => {
            let why = format!("Situação {situacao} do lote, sem nota e sem mensagem deste RPS");
            Ok(AuthorizationAnswer::Undecided(Rejection::new(u16::from(situacao), why)))
        }
        (None, None) if said.others => Ok(not_mentioned()),
        (None, None) => Err(empty_answer(&said.root)),
    }
}

/// Reads the answer to [`query`].
pub(crate) fn read_query(reply: &AuthorityReply) -> Result<DocumentSituation, UnreadableReply> {
    let said = reply::read_of(reply, None)?;
    let Some(note) = said.notes.first() else {
        return Ok(match refusal(&said) {
            Some(refusal) if class_of(&refusal.codigo) == CodeClass::Unknown => DocumentSituation::NeverSeen(refusal),
            Some(refusal) => DocumentSituation::Refused(refusal),
            // an answer without note or message
            None => DocumentSituation::NeverSeen(Rejection::new(404, "A prefeitura não tem nota deste RPS")),
        });
    };
    Ok(match &note.cancelada {
        Some(_) => DocumentSituation::Cancelled { protocol: Some(protocol(note)?), event_xml: Some(note.xml.clone()) },
        None => DocumentSituation::Authorized(protocol(note)?),
    })
}

/// Reads the answer to [`event`].
pub(crate) fn read_event(reply: &AuthorityReply) -> Result<EventAnswer, UnreadableReply> {
    let said = reply::read_of(reply, None)?;
    if let Some(cancelled) = said.cancelamento {
        return Ok(EventAnswer::Registered {
            codigo: code(CONFIRMED)?,
            xMotivo: "Cancelamento confirmado pela prefeitura".to_owned(),
            nProt: cancelled.numero.unwrap_or_default(),
            dhRegEvento: cancelled.data_hora.unwrap_or_default(),
            xml: cancelled.xml,
        });
    }
    let refusal = refusal(&said).ok_or_else(|| empty_answer(&said.root))?;
    Ok(match class_of(&refusal.codigo) {
        CodeClass::Cancelled => EventAnswer::Duplicate(refusal),
        CodeClass::Unlisted => EventAnswer::Undecided(refusal),
        _ => EventAnswer::Rejected(refusal),
    })
}

/// Reads the answer to [`query`] for events: a cancelled note carries its cancellation.
pub(crate) fn read_query_event(
    reply: &AuthorityReply,
) -> Result<(DocumentSituation, Vec<FoundEvent>), UnreadableReply> {
    let situation = read_query(reply)?;
    let event = match &situation {
        DocumentSituation::Cancelled { event_xml: Some(xml), .. } => {
            Some(FoundEvent { tpEvento: CANCELLATION.to_owned(), nSeqEvento: 1, digest: None, xml: xml.clone() })
        }
        _ => None,
    };
    Ok((situation, event.into_iter().collect()))
}

fn protocol(note: &IssuedNfse) -> Result<Protocol, UnreadableReply> {
    let numero = note.numero.parse().map_err(|_| content("o número da NFS-e não é um número"))?;
    let written = GeneratedDocument {
        numero,
        valor_liquido: note.valor_liquido.map(|valor| valor.to_string()),
        substitui: None,
        codigo_verificacao: note.codigo_verificacao.clone(),
    };
    Ok(Protocol {
        chave: String::new(),
        nProt: None,
        dhRecbto: note.data_emissao.clone().unwrap_or_default(),
        digVal: None,
        codigo: GENERATED.into(),
        xMotivo: "NFS-e gerada".to_owned(),
        xml: note.xml.clone(),
        written: Some(written),
    })
}

/// All errors of an answer as one rejection: the code that decides first, then listed codes; alerts are left out.
fn refusal(said: &RpsReply) -> Option<Rejection> {
    let mut wrong: Vec<&ReplyMessage> = said.messages.iter().filter(|message| !message.is_alert).collect();
    wrong.sort_by_key(|message| (!decides(message), !is_listed(message)));
    let first = wrong.first()?;
    let reasons = wrong.iter().map(|message| RejectionReason {
        codigo: code_or_none(&message.codigo),
        motivo: message.mensagem.clone(),
        complemento: message.correcao.clone(),
    });
    Some(Rejection {
        codigo: code_or_none(&first.codigo),
        xMotivo: first.mensagem.clone(),
        reasons: reasons.collect(),
        ..Rejection::new(NO_CODE, "")
    })
}

fn is_listed(message: &ReplyMessage) -> bool {
    Codigo::parse(&message.codigo).is_ok_and(|codigo| class_of(&codigo) != CodeClass::Unlisted)
}

fn decides(message: &ReplyMessage) -> bool {
    let reaction = Codigo::parse(&message.codigo).ok().and_then(|codigo| reaction(&codigo));
    matches!(
        reaction,
        Some(
            CodeReaction::Ask
                | CodeReaction::SendAgain
                | CodeReaction::Wait
                | CodeReaction::NotReceived
                | CodeReaction::Cancelled
        )
    )
}

/// Classifies a refusal of a submission. A code for an RPS that already has a note leads to a query. So do codes for an
/// unknown RPS (E4, E86) and codes in no list, but they leave the result open.
fn classify_refusal(said: Rejection, is_a_document: bool) -> AuthorizationAnswer {
    let said = Rejection { subject: RejectionSubject { is_a_document, ..RejectionSubject::default() }, ..said };
    match (class_of(&said.codigo), reaction(&said.codigo)) {
        (CodeClass::Cancelled, _) | (_, Some(CodeReaction::Ask)) => AuthorizationAnswer::Duplicate(said),
        (CodeClass::Duplicate | CodeClass::Pending | CodeClass::Unknown | CodeClass::Unlisted, _) => {
            AuthorizationAnswer::Undecided(said)
        }
        _ => AuthorizationAnswer::Rejected(said),
    }
}

/// Answer to an RPS when the reply concerns other RPS only.
fn not_mentioned() -> AuthorizationAnswer {
    AuthorizationAnswer::Undecided(Rejection::new(NO_CODE, "A resposta do lote não fala deste RPS"))
}

/// The code as received, or 999 when it is no code.
fn code_or_none(text: &str) -> Codigo {
    let letters: String = text.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    Codigo::parse(text).or_else(|_| Codigo::parse(&letters)).unwrap_or_else(|_| Codigo::from(NO_CODE))
}

fn code(text: &str) -> Result<Codigo, UnreadableReply> {
    Codigo::parse(text).map_err(|_| content("o código da resposta não é um código"))
}

fn empty_answer(root: &str) -> UnreadableReply {
    UnreadableReply::Content(format!("{root} sem nota, protocolo ou mensagem"))
}

fn content(why: &str) -> UnreadableReply {
    UnreadableReply::Content(why.to_owned())
}

/// `Situacao` of a batch that is queued.
const NOT_PROCESSED: u8 = 2;
/// `Situacao` of a batch processed with errors; its messages concern its documents.
const WITH_ERRORS: u8 = 3;
/// Code of a confirmed cancellation, for which ABRASF has none.
const CONFIRMED: &str = "cancelada";
/// Kind of the only event of ABRASF.
pub(super) const CANCELLATION: &str = "cancelamento";
/// Code of a message that names none.
const NO_CODE: u16 = 999;
/// Seconds before the first query of a batch: most are done by then.
const FIRST_WAIT_S: u32 = 5;
/// Seconds between two queries of a batch.
const NEXT_WAIT_S: u32 = 15;
