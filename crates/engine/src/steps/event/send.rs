//! Sending of an event: the stored event is sent once, and its answer is settled or checked by a query.

use super::{EventTask, PriorSending, prepare, query_again, settle, unanswered, unreadable};
use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::process::crash::crash_point;
use crate::process::randomness;
use crate::steps::claim_memory::SendObservation;
use crate::steps::{ClaimedWork, Halt, NextStep};
use authority::answer::{EventAnswer, Rejection};
use authority::table::{AuthorityService, Endpoint};

/// cStat 494: the document is not in the event database yet.
const NOT_REPLICATED: u16 = 494;
/// Attempts that a document may take to appear in the event database.
const REPLICATION_ATTEMPTS: u32 = 6;
/// Most sequence numbers of other events that are skipped in one claim.
const MAX_SKIPPED: u8 = 20;

/// Sends a stored event.
pub(super) async fn run(
    work: &mut ClaimedWork,
    acting: &EventTask,
    event: &str,
    before: PriorSending,
) -> Result<NextStep, Halt> {
    let (mut event, mut before) = (event.to_owned(), before);
    for _ in 0..MAX_SKIPPED {
        match send_once(work, acting, &event, before).await? {
            SendOutcome::Step(step) => return Ok(step),
            SendOutcome::Renumber => {
                event = prepare::rebuild_renumbered(work, acting).await?;
                before = PriorSending::Never;
            }
        }
    }
    Ok(query_again(work, &Rejection::new(573, "Duplicidade de Evento")))
}

enum SendOutcome {
    Step(NextStep),
    /// The sequence number belongs to another event.
    Renumber,
}

async fn send_once(
    work: &mut ClaimedWork,
    acting: &EventTask,
    event: &str,
    before: PriorSending,
) -> Result<SendOutcome, Halt> {
    let endpoint = match may_go(work, acting).await {
        Err(Halt::Step(step)) => {
            // nothing left us now: the next claim sends it, and need not use one of the few queries about the document
            if before != PriorSending::Perhaps {
                work.remember(SendObservation::Unsent);
            }
            return Err(Halt::Step(step));
        }
        endpoint => endpoint?,
    };
    let wire = acting.channel.family.wire;
    let call = wire.event(&endpoint, randomness::draw() % 1_000_000_000_000_000, &acting.chave, event);
    crash_point("event.before");
    let answer = work.call(&call, &acting.channel, move |reply| wire.read_event(reply)).await;
    crash_point("event.reply");
    Ok(SendOutcome::Step(match answer {
        Ok(EventAnswer::Registered { xml, .. }) => {
            let proc_evento = wire.archive_event(event, &xml);
            match acting.registered(proc_evento) {
                Some(registered) if registered.act.chave != acting.chave => after_foreign_answer(work),
                Some(registered) => settle::registered(work, acting, registered).await?,
                None => unreadable(work),
            }
        }
        Ok(EventAnswer::Duplicate(said)) => return duplicate(work, acting, said, before).await,
        Ok(EventAnswer::Rejected(said)) if is_foreign(acting, &said) => after_foreign_answer(work),
        Ok(EventAnswer::Rejected(said)) => refused(work, acting, said, before).await?,
        Ok(EventAnswer::Undecided(said)) => query_again(work, &said),
        Ok(EventAnswer::Unavailable(said)) => {
            if before != PriorSending::Perhaps {
                work.remember(SendObservation::Unsent);
            }
            work.after_unavailable(&acting.channel, &call.authority, &said)
        }
        Err(no_answer) => {
            if matches!(no_answer, NoAnswer::NotSent(_)) && before != PriorSending::Perhaps {
                work.remember(SendObservation::Unsent);
            }
            unanswered(work, &no_answer)
        }
    }))
}

/// `true` if a refusal names another document.
fn is_foreign(acting: &EventTask, said: &Rejection) -> bool {
    said.subject.chave.as_ref().is_some_and(|chave| chave != acting.chave.as_str())
}

/// Handles an answer about another document, which decides nothing about this event.
fn after_foreign_answer(work: &mut ClaimedWork) -> NextStep {
    let why = "a resposta é de outro documento".to_owned();
    unanswered(work, &NoAnswer::NoReply(why))
}

/// Returns the endpoint, once no block is on and the hour's calls are not used up.
async fn may_go(work: &mut ClaimedWork, acting: &EventTask) -> Result<Endpoint, Halt> {
    let endpoint = work.endpoint_of(&acting.channel, AuthorityService::RecepcaoEvento, acting.role())?;
    let line = format!("Evento enviado a {} ({}).", endpoint.authority, endpoint.name);
    let about = format!("{} {}", acting.chave.as_str(), acting.kind.code);
    work.count_call(budget::EVENT, &endpoint, &about, &line).await?;
    Ok(endpoint)
}

/// Handles 573: the authority has an event of this number. Where it can be queried, it is; elsewhere it is ours if it
/// may have been sent before, and another's if it cannot.
async fn duplicate(
    work: &mut ClaimedWork,
    acting: &EventTask,
    said: Rejection,
    before: PriorSending,
) -> Result<SendOutcome, Halt> {
    let told = acting.kind.is_queryable;
    match before {
        PriorSending::Never if !told && acting.kind.most > 1 => Ok(SendOutcome::Renumber),
        PriorSending::NotThere if acting.channel.family.wire.asks_for_one_event() => {
            refused(work, acting, said, before).await.map(SendOutcome::Step)
        }
        PriorSending::NotThere if acting.cancels() && !acting.channel.family.acts.refusal_is_proof => {
            Ok(SendOutcome::Step(query_again(work, &said)))
        }
        PriorSending::Never | PriorSending::Perhaps if told => Ok(SendOutcome::Step(query_again(work, &said))),
        PriorSending::Never | PriorSending::Perhaps | PriorSending::NotThere => {
            settle::settle_unreturned(work, acting, said).await.map(SendOutcome::Step)
        }
    }
}

/// Settles a refused event; the document stays as it is. Two codes are checked by a query first.
async fn refused(
    work: &mut ClaimedWork,
    acting: &EventTask,
    said: Rejection,
    before: PriorSending,
) -> Result<NextStep, Halt> {
    match said.codigo.number() {
        Some(code)
            if code == acting.channel.family.acts.not_authorised
                && acting.cancels()
                && before != PriorSending::NotThere =>
        {
            Ok(query_again(work, &said))
        }
        Some(NOT_REPLICATED) if work.job.tentativas < REPLICATION_ATTEMPTS => {
            work.remember(SendObservation::Unsent);
            Ok(query_again(work, &said))
        }
        _ => settle::refused(work, acting, said).await,
    }
}
