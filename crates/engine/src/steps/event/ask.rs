//! Query for an event that may have been processed, through the authority's record of the document.

use super::{Acting, Before, look_again, prepare, send, settle, unanswered};
use crate::authorities::budget;
use crate::crash_point;
use crate::steps::work::failure;
use crate::steps::{Halt, Step, Work};
use authority::answer::{FoundEvent, Situation};
use authority::table::Service;

/// Queries the document for an event that may be registered.
pub(super) async fn run(work: &mut Work, acting: &Acting, event: &str) -> Result<Step, Halt> {
    let endpoint = work.endpoint_of(&acting.channel, Service::ConsultaProtocolo, acting.witness())?;
    let line = format!("Consultando pela chave se o evento foi registrado ({}).", endpoint.name);
    work.spend(budget::QUERY_OF_EVENT, &endpoint, acting.chave.as_str(), &line).await?;
    let wire = acting.channel.family.wire;
    let numero = between(event, "<nSeqEvento>").and_then(|text| text.parse().ok()).unwrap_or(1);
    let call = work.engine.event_query(&acting.channel, &endpoint, &acting.chave, (acting.kind.code, numero));
    let call = call.ok_or(Halt::Store(store::Error::Corrupt("o evento não tem pelo que ser consultado")))?;
    let answer = work.call(&call, &acting.channel, move |reply| wire.read_query_event(reply)).await;
    crash_point("event.asked");
    match answer {
        Ok((_, events)) if wire.asks_for_one_event() => alone(work, acting, event, events).await,
        Ok((situation, _)) if acting.cancels() => cancelled(work, acting, event, situation).await,
        Ok((Situation::Authorized(_) | Situation::Cancelled { .. } | Situation::Denied(_), events)) => {
            among(work, acting, event, events).await
        }
        Ok((situation, _)) => Ok(elsewhere(work, acting, &call.authority, &situation)),
        Err(no_answer) => Ok(unanswered(work, &no_answer)),
    }
}

/// Handles the single event that was queried: a document has one of its kind, whatever its author.
async fn alone(work: &mut Work, acting: &Acting, event: &str, events: Vec<FoundEvent>) -> Result<Step, Halt> {
    match events.into_iter().find(|found| found.tpEvento == acting.kind.code) {
        None => send::run(work, acting, event, Before::NotThere).await,
        Some(found) => match acting.registered(found.xml) {
            Some(registered) => settle::registered(work, acting, registered).await,
            None => Ok(unreadable(work)),
        },
    }
}

/// Accepts any cancellation: a document is cancelled once.
async fn cancelled(work: &mut Work, acting: &Acting, event: &str, situation: Situation) -> Result<Step, Halt> {
    match situation {
        Situation::Cancelled { event_xml: Some(found), .. } => match acting.registered(found) {
            Some(registered) => settle::registered(work, acting, registered).await,
            None => Ok(unreadable(work)),
        },
        Situation::Cancelled { event_xml: None, .. } => Ok(unreadable(work)),
        Situation::Authorized(_) | Situation::Denied(_) => send::run(work, acting, event, Before::NotThere).await,
        other => Ok(elsewhere(work, acting, "a autoridade", &other)),
    }
}

/// Finds our event by its signed digest; another's event of the same number takes that number from us.
async fn among(work: &mut Work, acting: &Acting, event: &str, events: Vec<FoundEvent>) -> Result<Step, Halt> {
    let nSeqEvento = between(event, "<nSeqEvento>").and_then(|text| text.parse::<u16>().ok());
    let same = |found: &FoundEvent| found.tpEvento == acting.kind.code && Some(found.nSeqEvento) == nSeqEvento;
    match events.into_iter().find(same) {
        None => send::run(work, acting, event, Before::NotThere).await,
        Some(found) if found.digest.as_deref() == between(event, "<DigestValue>") => {
            match acting.registered(found.xml) {
                Some(registered) => settle::registered(work, acting, registered).await,
                None => Ok(unreadable(work)),
            }
        }
        Some(_) => {
            let anew = prepare::again(work, acting).await?;
            send::run(work, acting, &anew, Before::Never).await
        }
    }
}

/// Handles a query whose answer does not describe the document.
fn elsewhere(work: &mut Work, acting: &Acting, authority: &str, situation: &Situation) -> Step {
    match situation {
        Situation::Unavailable(said) => work.unavailable(&acting.channel, authority, said),
        Situation::NeverSeen(said) | Situation::OtherKey(said) | Situation::Refused(said) => look_again(work, said),
        Situation::Named(_) | Situation::Authorized(_) | Situation::Cancelled { .. } | Situation::Denied(_) => {
            unreadable(work)
        }
    }
}

pub(super) fn unreadable(work: &mut Work) -> Step {
    work.note("A autoridade informa o evento como registrado, sem devolvê-lo por inteiro.");
    let why = "A autoridade informa o evento como registrado, sem devolvê-lo por inteiro.";
    Step::Again { after: work.backoff(), failure: failure("sem_protocolo", "consulta", why) }
}

/// Text after a tag of our own signed event.
fn between<'e>(event: &'e str, tag: &str) -> Option<&'e str> {
    event.split_once(tag)?.1.split_once('<').map(|(text, _)| text)
}
