//! Sending of an event: the stored event is sent once, and its answer is settled or checked by a query.

use super::{Acting, Before, ask, look_again, prepare, settle, unanswered};
use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::crash_point;
use crate::process::chance;
use crate::steps::in_flight::Seen;
use crate::steps::{Halt, Step, Work};
use authority::answer::{EventAnswer, Rejection};
use authority::table::{Endpoint, Service};
use std::sync::Arc;

/// cStat 494: the document is not in the event database yet.
const NOT_REPLICATED: u16 = 494;
/// Attempts that a document may take to appear in the event database.
const REPLICATION_ATTEMPTS: u32 = 6;
/// Most sequence numbers of other events that are skipped in one claim.
const STEPS_OVER: u8 = 20;

/// Sends a stored event.
pub(super) async fn run(work: &mut Work, acting: &Acting, event: &str, before: Before) -> Result<Step, Halt> {
    let (mut event, mut before) = (event.to_owned(), before);
    for _ in 0..STEPS_OVER {
        match once(work, acting, &event, before).await? {
            Next::Step(step) => return Ok(step),
            Next::Renumber => {
                event = prepare::again(work, acting).await?;
                before = Before::Never;
            }
        }
    }
    Ok(look_again(work, &Rejection::new(573, "Duplicidade de Evento")))
}

enum Next {
    Step(Step),
    /// The sequence number belongs to another event.
    Renumber,
}

async fn once(work: &mut Work, acting: &Acting, event: &str, before: Before) -> Result<Next, Halt> {
    let endpoint = match may_go(work, acting).await {
        Err(Halt::Step(step)) => {
            // nothing left us now: the next claim sends it, and need not use one of the few queries about the document
            if before != Before::Perhaps {
                work.remember(Seen::Unsent);
            }
            return Err(Halt::Step(step));
        }
        endpoint => endpoint?,
    };
    let wire = acting.channel.family.wire;
    let call = wire.event(&endpoint, chance::draw() % 1_000_000_000_000_000, &acting.chave, event);
    crash_point("event.before");
    let answer = work.call(&call, &acting.channel, move |reply| wire.read_event(reply)).await;
    crash_point("event.reply");
    Ok(Next::Step(match answer {
        Ok(EventAnswer::Registered { xml, .. }) => {
            let proc_evento = wire.archive_event(event, &xml);
            match acting.registered(proc_evento) {
                Some(registered) if registered.act.chave != acting.chave => of_another(work),
                Some(registered) => settle::registered(work, acting, registered).await?,
                None => ask::unreadable(work),
            }
        }
        Ok(EventAnswer::Duplicate(said)) => return duplicate(work, acting, said, before).await,
        Ok(EventAnswer::Rejected(said)) if is_foreign(acting, &said) => of_another(work),
        Ok(EventAnswer::Rejected(said)) => refused(work, acting, said, before).await?,
        Ok(EventAnswer::Undecided(said)) => look_again(work, &said),
        Ok(EventAnswer::Unavailable(said)) => {
            if before != Before::Perhaps {
                work.remember(Seen::Unsent);
            }
            work.unavailable(&acting.channel, &call.authority, &said)
        }
        Err(no_answer) => {
            if matches!(no_answer, NoAnswer::NotSent(_)) && before != Before::Perhaps {
                work.remember(Seen::Unsent);
            }
            unanswered(work, &no_answer)
        }
    }))
}

/// `true` if a refusal names another document.
fn is_foreign(acting: &Acting, said: &Rejection) -> bool {
    said.subject.chave.as_ref().is_some_and(|chave| chave != acting.chave.as_str())
}

/// Handles an answer about another document, which decides nothing about this event.
fn of_another(work: &mut Work) -> Step {
    let why = "a resposta é de outro documento".to_owned();
    unanswered(work, &NoAnswer::NoReply(why))
}

/// Returns the endpoint, once no block is on and the hour's calls are not used up.
async fn may_go(work: &mut Work, acting: &Acting) -> Result<Arc<Endpoint>, Halt> {
    let endpoint = work.endpoint_of(&acting.channel, Service::RecepcaoEvento, acting.role())?;
    let line = format!("Evento enviado a {} ({}).", endpoint.authority, endpoint.name);
    let about = format!("{} {}", acting.chave.as_str(), acting.kind.code);
    work.spend(budget::EVENT, &endpoint, &about, &line).await?;
    Ok(endpoint)
}

/// Handles 573: the authority has an event of this number. Where it can be queried, it is; elsewhere it is ours if it
/// may have been sent before, and another's if it cannot.
async fn duplicate(work: &mut Work, acting: &Acting, said: Rejection, before: Before) -> Result<Next, Halt> {
    let told = acting.kind.told_by_query;
    match before {
        Before::Never if !told && acting.kind.most > 1 => Ok(Next::Renumber),
        Before::NotThere if acting.channel.family.wire.asks_for_one_event() => {
            refused(work, acting, said, before).await.map(Next::Step)
        }
        Before::NotThere if acting.cancels() && !acting.channel.family.acts.refusal_is_proof => {
            Ok(Next::Step(look_again(work, &said)))
        }
        Before::Never | Before::Perhaps if told => Ok(Next::Step(look_again(work, &said))),
        Before::Never | Before::Perhaps | Before::NotThere => settle::known(work, acting, said).await.map(Next::Step),
    }
}

/// Settles a refused event; the document stays as it is. Two codes are checked by a query first.
async fn refused(work: &mut Work, acting: &Acting, said: Rejection, before: Before) -> Result<Step, Halt> {
    match said.codigo.number() {
        Some(code)
            if code == acting.channel.family.acts.not_authorised && acting.cancels() && before != Before::NotThere =>
        {
            Ok(look_again(work, &said))
        }
        Some(NOT_REPLICATED) if work.job.tentativas < REPLICATION_ATTEMPTS => {
            work.remember(Seen::Unsent);
            Ok(look_again(work, &said))
        }
        _ => settle::refused(work, acting, said).await,
    }
}
