//! Calls to municipal providers, and their answers in the terms shared by all authorities.
//!
//! Law: ABRASF, manual de integração (answers), and 1.00, annex of errors (reaction to a code). Undecided answers are
//! resolved by querying the RPS.

use super::reply::AboutRps;
use super::resolve::Provider;
use super::{envelope, reply};
use crate::answer::{Answer, EventAnswer, FoundEvent, Protocol, Reason, Rejection, Situation, Subject, Written};
use crate::call::{Call, Method, Reply};
use crate::sefaz::Unreadable;
use crate::table::Endpoint;
use fiscal::abrasf::answer::{Message, Note};
use fiscal::abrasf::{RpsId, Unsigned, message};
use fiscal::cstat::Class;
use fiscal::cstat::abrasf::{GENERATED, Reaction, class as class_of, is_about_the_document, reaction};
use fiscal::value::{Codigo, TpAmb};

/// Call of the endpoint's operation with a message, signed where the row requires it.
pub fn call(endpoint: &Endpoint, message: &str) -> Call {
    match endpoint.provider.as_deref() {
        Some(Provider { row, operation, company, .. }) => {
            let call = envelope::call(row, company, *operation, &endpoint.url, &endpoint.authority, message);
            // an address from the company's configuration must not lead to an internal network
            Call { given: endpoint.given, hidden: envelope::hidden(company), ..call }
        }
        // without a row there is no provider to call: the empty address makes the call fail before anything is sent
        None => Call {
            method: Method::Post,
            url: String::new(),
            headers: Vec::new(),
            body: Vec::new(),
            authority: endpoint.authority.clone(),
            service: endpoint.service,
            name: endpoint.name,
            given: endpoint.given,
            hidden: Vec::new(),
        },
    }
}

/// Call with a signed message of declarations.
pub(crate) fn authorize(endpoint: &Endpoint, signed: &str) -> Call {
    call(endpoint, signed)
}

/// Query of an RPS by its identity. `None` when the text is no RPS, or when the provider requires signed queries: then
/// [`call`] sends the signed message.
pub(crate) fn query(endpoint: &Endpoint, asked_by: &str) -> Option<Call> {
    let provider = endpoint.provider.as_deref()?;
    let rps: RpsId = asked_by.parse().ok()?;
    let question = message::query_rps(&provider.dialect, &rps);
    question.signatures.is_empty().then(|| call(endpoint, &question.xml))
}

/// Query of a batch by its protocol, in the name of the endpoint's issuer. Where the provider requires signed queries,
/// the caller signs [`batch_question`] and passes it to [`call`].
pub fn receipt(endpoint: &Endpoint, _ambiente: TpAmb, protocolo: &str) -> Call {
    let question = batch_question(endpoint, protocolo);
    call(endpoint, question.as_ref().map_or("", |question| &question.xml))
}

/// Message of [`receipt`], with the position of its signature.
pub fn batch_question(endpoint: &Endpoint, protocolo: &str) -> Option<Unsigned> {
    let provider = endpoint.provider.as_deref()?;
    Some(message::query_lote(&provider.dialect, provider.company.prestador(), protocolo))
}

/// Call with a signed cancellation.
pub(crate) fn event(endpoint: &Endpoint, signed: &str) -> Call {
    call(endpoint, signed)
}

/// Meaning of a code for the document it is about.
pub(crate) fn class(codigo: &Codigo) -> Class {
    class_of(codigo)
}

/// Reads the answer to [`authorize`]; of a batch, the parts about this RPS. A refusal of a batch that names no RPS
/// decides none.
pub(crate) fn read_authorize(reply: &Reply, asked_by: Option<&str>) -> Result<Answer, Unreadable> {
    let said = reply::read_of(reply, asked_by)?;
    if let Some(note) = said.notes.first() {
        return Ok(Answer::Authorized(protocol(note)?));
    }
    match (refusal(&said), said.protocolo) {
        (Some(refusal), _) if said.names_none => Ok(Answer::Undecided(refusal)),
        (Some(refusal), _) => Ok(refused(refusal, asked_by.is_some())),
        (None, Some(nRec)) => Ok(Answer::Pending { nRec, wait_s: FIRST_WAIT_S }),
        (None, None) if said.others => Ok(undecided()),
        (None, None) => Err(nothing(&said.root)),
    }
}

/// Reads the answer to [`receipt`]. A pending batch keeps the protocol of the query: the answer does not repeat it.
pub fn read_receipt(reply: &Reply) -> Result<Answer, Unreadable> {
    read_receipt_of(reply, None)
}

/// Reads the answer to [`receipt`] for one RPS of a batch. An RPS that the answer does not name is undecided and must
/// be queried by its identity.
pub fn read_receipt_of(reply: &Reply, asked_by: Option<&str>) -> Result<Answer, Unreadable> {
    let said = reply::read_of(reply, asked_by)?;
    if let Some(note) = said.notes.first() {
        return Ok(Answer::Authorized(protocol(note)?));
    }
    let pending = Answer::Pending { nRec: said.protocolo.clone().unwrap_or_default(), wait_s: NEXT_WAIT_S };
    match (said.situacao, refusal(&said)) {
        (Some(NOT_PROCESSED), _) => Ok(pending),
        (_, Some(refusal)) if class_of(&refusal.codigo) == Class::Pending => Ok(pending),
        (_, Some(refusal)) if said.names_none => Ok(Answer::Undecided(refusal)),
        (situacao, Some(refusal)) => {
            // otherwise the query itself was refused: because of the certificate, the message or the service
            let is_a_document =
                asked_by.is_some() || situacao == Some(WITH_ERRORS) || is_about_the_document(&refusal.codigo);
            Ok(match refused(refusal, is_a_document) {
                Answer::Rejected(refusal) if !is_a_document => Answer::Undecided(refusal),
                answer => answer,
            })
        }
        // not received, or processed without a message about this RPS: queried by its RPS
        (Some(situacao), None) => {
            let why = format!("Situação {situacao} do lote, sem nota e sem mensagem deste RPS");
            Ok(Answer::Undecided(Rejection::new(u16::from(situacao), why)))
        }
        (None, None) if said.others => Ok(undecided()),
        (None, None) => Err(nothing(&said.root)),
    }
}

/// Reads the answer to [`query`].
pub(crate) fn read_query(reply: &Reply) -> Result<Situation, Unreadable> {
    let said = reply::read_of(reply, None)?;
    let Some(note) = said.notes.first() else {
        return Ok(match refusal(&said) {
            Some(refusal) if class_of(&refusal.codigo) == Class::Unknown => Situation::NeverSeen(refusal),
            Some(refusal) => Situation::Refused(refusal),
            // an answer without note or message
            None => Situation::NeverSeen(Rejection::new(404, "A prefeitura não tem nota deste RPS")),
        });
    };
    Ok(match &note.cancelada {
        Some(_) => Situation::Cancelled { protocol: Some(protocol(note)?), event_xml: Some(note.xml.clone()) },
        None => Situation::Authorized(protocol(note)?),
    })
}

/// Reads the answer to [`event`].
pub(crate) fn read_event(reply: &Reply) -> Result<EventAnswer, Unreadable> {
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
    let refusal = refusal(&said).ok_or_else(|| nothing(&said.root))?;
    Ok(match class_of(&refusal.codigo) {
        Class::Cancelled => EventAnswer::Duplicate(refusal),
        Class::Unlisted => EventAnswer::Undecided(refusal),
        _ => EventAnswer::Rejected(refusal),
    })
}

/// Reads the answer to [`query`] for events: a cancelled note carries its cancellation.
pub(crate) fn read_query_event(reply: &Reply) -> Result<(Situation, Vec<FoundEvent>), Unreadable> {
    let situation = read_query(reply)?;
    let event = match &situation {
        Situation::Cancelled { event_xml: Some(xml), .. } => {
            Some(FoundEvent { tpEvento: CANCELLATION.to_owned(), nSeqEvento: 1, digest: None, xml: xml.clone() })
        }
        _ => None,
    };
    Ok((situation, event.into_iter().collect()))
}

fn protocol(note: &Note) -> Result<Protocol, Unreadable> {
    let numero = note.numero.parse().map_err(|_| content("o número da NFS-e não é um número"))?;
    let written = Written {
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
fn refusal(said: &AboutRps) -> Option<Rejection> {
    let mut wrong: Vec<&Message> = said.messages.iter().filter(|message| !message.is_alert).collect();
    wrong.sort_by_key(|message| (!decides(message), !is_listed(message)));
    let first = wrong.first()?;
    let reasons = wrong.iter().map(|message| Reason {
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

fn is_listed(message: &Message) -> bool {
    Codigo::parse(&message.codigo).is_ok_and(|codigo| class_of(&codigo) != Class::Unlisted)
}

fn decides(message: &Message) -> bool {
    let reaction = Codigo::parse(&message.codigo).ok().and_then(|codigo| reaction(&codigo));
    matches!(
        reaction,
        Some(Reaction::Ask | Reaction::SendAgain | Reaction::Wait | Reaction::NotReceived | Reaction::Cancelled)
    )
}

/// Classifies a refusal of a submission. A code for an RPS that already has a note leads to a query. So do codes for an
/// unknown RPS (E4, E86) and codes in no list, but they leave the result open.
fn refused(said: Rejection, is_a_document: bool) -> Answer {
    let said = Rejection { subject: Subject { is_a_document, ..Subject::default() }, ..said };
    match (class_of(&said.codigo), reaction(&said.codigo)) {
        (Class::Cancelled, _) | (_, Some(Reaction::Ask)) => Answer::Duplicate(said),
        (Class::Duplicate | Class::Pending | Class::Unknown | Class::Unlisted, _) => Answer::Undecided(said),
        _ => Answer::Rejected(said),
    }
}

/// Answer to an RPS when the reply concerns other RPS only.
fn undecided() -> Answer {
    Answer::Undecided(Rejection::new(NO_CODE, "A resposta do lote não fala deste RPS"))
}

/// The code as received, or 999 when it is no code.
fn code_or_none(text: &str) -> Codigo {
    let letters: String = text.chars().filter(char::is_ascii_alphanumeric).take(20).collect();
    Codigo::parse(text).or_else(|_| Codigo::parse(&letters)).unwrap_or_else(|_| Codigo::from(NO_CODE))
}

fn code(text: &str) -> Result<Codigo, Unreadable> {
    Codigo::parse(text).map_err(|_| content("o código da resposta não é um código"))
}

fn nothing(root: &str) -> Unreadable {
    Unreadable::Content(format!("{root} sem nota, protocolo ou mensagem"))
}

fn content(why: &str) -> Unreadable {
    Unreadable::Content(why.to_owned())
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
