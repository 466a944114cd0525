//! Absence: the authority does not know a document that it is asked for. This is proof only after the quiet time. Until
//! then the same bytes are sent again to an authority that refuses repetitions; elsewhere the job waits.
//!
//! Law: MOC 7.0, visão geral, 4 (asynchronous processing); manual of the national NFS-e (a DPS is queried before it is
//! sent again).

use super::ask::silence;
use super::work::failure;
use super::{Halt, Step, Work, prepare, refusal, restored, resume, send, twin};
use crate::authorities::bridge::Channel;
use crate::contingency::NoWay;
use crate::crash_point;
use crate::family::{Repetition, ours};
use authority::answer::Rejection;
use authority::table::Role;
use fiscal::evidence::{self, Meaning, Proof, Question, Silence};
use fiscal::lifecycle::Happened;
use std::time::Duration;
use store::jobs::Act;

/// Acts on a query that did not find the document and began with `left` of the quiet time to go.
pub(super) async fn run(work: &mut Work, channel: &Channel, said: &Rejection, left: Duration) -> Result<Step, Halt> {
    let silence = if left.is_zero() { Silence::Over } else { Silence::Running };
    let marks = ours::of_refusal(work.document()?, said);
    match evidence::proof(Question::Identity, Meaning::NeverSeen, marks, silence) {
        Proof::NeverSeen if !refusal::is_registered(work) => proven(work, channel, said).await,
        _ => unproven(work, channel, said, left).await,
    }
}

async fn proven(work: &mut Work, channel: &Channel, said: &Rejection) -> Result<Step, Halt> {
    work.note(format!("A autoridade não conhece o documento: {} {}.", said.codigo, said.xMotivo));
    restored::halt_if_elsewhere(work, channel).await?;
    if is_replaced(work) {
        return twin::drop(work).await;
    }
    if let Some(step) = refusal::after_absence(work).await? {
        return Ok(step);
    }
    work.mark(Happened::NeverSeen).await?;
    crash_point("ask.never_seen");
    resume::run(work).await
}

async fn unproven(work: &mut Work, channel: &Channel, said: &Rejection, left: Duration) -> Result<Step, Halt> {
    work.note(format!(
        "A autoridade ainda não conhece o documento: {} {}. Ele pode estar em processamento por mais {} s.",
        said.codigo,
        said.xMotivo,
        left.as_secs()
    ));
    let why = "A autoridade ainda não conhece o documento enviado; ela será consultada de novo antes de qualquer outra emissão.";
    // the authority answered that it has the document, and does not find it: nothing hurries
    let least = if refusal::is_registered(work) { work.backoff() } else { SHORTEST };
    let later = Step::Again { after: left.max(least), failure: failure("em_duvida", "consulta", why) };
    let goes_again = channel.family.repetition == Repetition::IsRefused && work.document()?.refusal.is_none();
    if is_replaced(work) || !goes_again || resume::would_be_too_old(work).await? {
        return Ok(later);
    }
    match may_go(work, channel).await {
        Ok(()) => repeat(work).await,
        Err(NoWay::Store(error)) => Err(error.into()),
        Err(NoWay::Wait { after, .. }) => self::silence(work, channel, sooner(later, after)).await,
    }
}

/// `Ok` if the document's authority works, as far as recorded.
async fn may_go(work: &Work, channel: &Channel) -> Result<(), NoWay> {
    // a contingency authority answers itself when it is closed
    let is_elsewhere = matches!(work.role(), Ok(Role::Contingency));
    // the query went the normal way just now: a half-open circuit grants its trial once
    if is_elsewhere || twin::waits(work).unwrap_or_default() {
        return Ok(());
    }
    work.engine.normal_way(channel).await
}

/// Sends the same bytes again; the state is committed before they leave, as the first time.
async fn repeat(work: &mut Work) -> Result<Step, Halt> {
    let signed = prepare::stored(work).await?;
    work.is_repeated = true;
    work.note("Os mesmos bytes são reenviados: a autoridade recusa uma repetição (204) e fica com o primeiro.");
    work.mark(Happened::SendStarted).await?;
    crash_point("ask.repeated");
    send::run(work, signed).await
}

fn sooner(later: Step, other: Duration) -> Step {
    match later {
        Step::Again { after, failure } => Step::Again { after: after.min(other), failure },
        step => step,
    }
}

fn is_replaced(work: &Work) -> bool {
    work.job.act.as_ref().and_then(Act::replaced_by).is_some()
}

/// Shortest wait between two queries.
const SHORTEST: Duration = Duration::from_secs(1);
