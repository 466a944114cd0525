//! Query for an event that may have been processed, through the authority's record of the document.

use super::{EventStep, EventTask, PriorSending, prepare, query_again, settle, unanswered, unreadable};
use crate::authorities::budget;
use crate::process::crash::crash_point;
use crate::steps::{ClaimedWork, Halt, NextStep};
use authority::answer::{DocumentSituation, FoundEvent};
use authority::table::AuthorityService;

/// Queries the document for an event that may be registered.
pub(super) async fn run(work: &mut ClaimedWork, acting: &EventTask, event: &str) -> Result<EventStep, Halt> {
    let endpoint = work.endpoint_of(&acting.channel, AuthorityService::ConsultaProtocolo, acting.confirming_role())?;
    let line = format!("Consultando pela chave se o evento foi registrado ({}).", endpoint.name);
    work.count_call(budget::QUERY_OF_EVENT, &endpoint, acting.chave.as_str(), &line).await?;
    let wire = acting.channel.family.wire;
    let numero = between(event, "<nSeqEvento>").and_then(|text| text.parse().ok()).unwrap_or(1);
    let call = work.engine.event_query(&acting.channel, &endpoint, &acting.chave, (acting.kind.code, numero));
    let call = call.ok_or(Halt::Store(store::Error::Corrupt("o evento não tem pelo que ser consultado")))?;
    let answer = work.call(&call, &acting.channel, move |reply| wire.read_query_event(reply)).await;
    crash_point("event.asked");
    match answer {
        Ok((_, events)) if wire.asks_for_one_event() => settle_single(work, acting, event, events).await,
        Ok((situation, _)) if acting.cancels() => cancelled(work, acting, event, situation).await,
        Ok((
            DocumentSituation::Authorized(_) | DocumentSituation::Cancelled { .. } | DocumentSituation::Denied(_),
            events,
        )) => settle_among(work, acting, event, events).await,
        Ok((situation, _)) => Ok(EventStep::End(without_document(work, acting, &call.authority, &situation))),
        Err(no_answer) => Ok(EventStep::End(unanswered(work, &no_answer))),
    }
}

/// Handles the single event that was queried: a document has one of its kind, whatever its author.
async fn settle_single(
    work: &mut ClaimedWork,
    acting: &EventTask,
    event: &str,
    events: Vec<FoundEvent>,
) -> Result<EventStep, Halt> {
    match events.into_iter().find(|found| found.tpEvento == acting.kind.code) {
        None => Ok(EventStep::Send(event.to_owned(), PriorSending::NotThere)),
        Some(found) => match acting.registered(found.xml) {
            Some(registered) => settle::registered(work, acting, registered).await.map(EventStep::End),
            None => Ok(EventStep::End(unreadable(work))),
        },
    }
}

/// Accepts any cancellation: a document is cancelled once.
async fn cancelled(
    work: &mut ClaimedWork,
    acting: &EventTask,
    event: &str,
    situation: DocumentSituation,
) -> Result<EventStep, Halt> {
    match situation {
        DocumentSituation::Cancelled { event_xml: Some(found), .. } => match acting.registered(found) {
            Some(registered) => settle::registered(work, acting, registered).await.map(EventStep::End),
            None => Ok(EventStep::End(unreadable(work))),
        },
        DocumentSituation::Cancelled { event_xml: None, .. } => Ok(EventStep::End(unreadable(work))),
        DocumentSituation::Authorized(_) | DocumentSituation::Denied(_) => {
            Ok(EventStep::Send(event.to_owned(), PriorSending::NotThere))
        }
        other => Ok(EventStep::End(without_document(work, acting, "a autoridade", &other))),
    }
}

/// Finds our event by its signed digest; another's event of the same number takes that number from us.
async fn settle_among(
    work: &mut ClaimedWork,
    acting: &EventTask,
    event: &str,
    events: Vec<FoundEvent>,
) -> Result<EventStep, Halt> {
    let nSeqEvento = between(event, "<nSeqEvento>").and_then(|text| text.parse::<u16>().ok());
    let same = |found: &FoundEvent| found.tpEvento == acting.kind.code && Some(found.nSeqEvento) == nSeqEvento;
    match events.into_iter().find(same) {
        None => Ok(EventStep::Send(event.to_owned(), PriorSending::NotThere)),
        Some(found) if found.digest.as_deref() == between(event, "<DigestValue>") => {
            match acting.registered(found.xml) {
                Some(registered) => settle::registered(work, acting, registered).await.map(EventStep::End),
                None => Ok(EventStep::End(unreadable(work))),
            }
        }
        Some(_) => {
            let anew = prepare::rebuild_renumbered(work, acting).await?;
            Ok(EventStep::Send(anew, PriorSending::Never))
        }
    }
}

/// Handles a query whose answer does not describe the document.
fn without_document(
    work: &mut ClaimedWork,
    acting: &EventTask,
    authority: &str,
    situation: &DocumentSituation,
) -> NextStep {
    match situation {
        DocumentSituation::Unavailable(said) => work.after_unavailable(&acting.channel, authority, said),
        DocumentSituation::NeverSeen(said) | DocumentSituation::OtherKey(said) | DocumentSituation::Refused(said) => {
            query_again(work, said)
        }
        DocumentSituation::Named(_)
        | DocumentSituation::Authorized(_)
        | DocumentSituation::Cancelled { .. }
        | DocumentSituation::Denied(_) => unreadable(work),
    }
}

/// Text after a tag of our own signed event.
fn between<'e>(event: &'e str, tag: &str) -> Option<&'e str> {
    event.split_once(tag)?.1.split_once('<').map(|(text, _)| text)
}
