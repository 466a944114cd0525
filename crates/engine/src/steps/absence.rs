//! Absence: the authority does not know a document that it is asked for. This is proof only after the quiet time. Until
//! then the same bytes are sent again to an authority that refuses repetitions; elsewhere the job waits.
//!
//! Law: MOC 7.0, visão geral, 4 (asynchronous processing); manual of the national NFS-e (a DPS is queried before it is
//! sent again).

use super::claimed_work::failure;
use super::{ClaimedWork, Halt, NextStep, number_recovery, refusal, resume, second_issue, settle};
use crate::authorities::health::Channel;
use crate::contingency::NoMode;
use crate::family::{RepetitionAnswer, marks};
use crate::process::crash::crash_point;
use authority::answer::Rejection;
use authority::table::AuthorityRole;
use fiscal::evidence::{self, AnsweredMessage, CodeMeaning, ProvenFate, QuietTime};
use fiscal::lifecycle::LifecycleEvent;
use std::time::Duration;
use store::jobs::JobAct;

/// Acts on a query that did not find the document and began with `left` of the quiet time to go.
pub(super) async fn run(
    work: &mut ClaimedWork,
    channel: &Channel,
    said: &Rejection,
    left: Duration,
) -> Result<NextStep, Halt> {
    let silence = if left.is_zero() { QuietTime::Over } else { QuietTime::Running };
    let marks = marks::of_refusal(work.document()?, said);
    match evidence::proven_fate(AnsweredMessage::Identity, CodeMeaning::NeverSeen, marks, silence) {
        ProvenFate::NeverSeen if !refusal::is_registered(work) => after_proven_absence(work, channel, said).await,
        _ => after_unproven_absence(work, channel, said, left).await,
    }
}

async fn after_proven_absence(work: &mut ClaimedWork, channel: &Channel, said: &Rejection) -> Result<NextStep, Halt> {
    work.log(format!("A autoridade não conhece o documento: {} {}.", said.codigo, said.xMotivo));
    number_recovery::halt_if_elsewhere(work, channel).await?;
    if is_replaced(work) {
        return second_issue::drop_first(work).await;
    }
    if let Some(said) = refusal::after_absence(work)? {
        return settle::rejected(work, said).await;
    }
    work.mark(LifecycleEvent::NeverSeen).await?;
    crash_point("ask.never_seen");
    Ok(NextStep::Resume)
}

async fn after_unproven_absence(
    work: &mut ClaimedWork,
    channel: &Channel,
    said: &Rejection,
    left: Duration,
) -> Result<NextStep, Halt> {
    work.log(format!(
        "A autoridade ainda não conhece o documento: {} {}. Ele pode estar em processamento por mais {} s.",
        said.codigo,
        said.xMotivo,
        left.as_secs()
    ));
    let why = "A autoridade ainda não conhece o documento enviado; ela será consultada de novo antes de qualquer outra emissão.";
    // the authority answered that it has the document, and does not find it: nothing hurries
    let least = if refusal::is_registered(work) { work.backoff() } else { MIN_QUERY_WAIT };
    let later = NextStep::Again { after: left.max(least), failure: failure("em_duvida", "consulta", why) };
    let goes_again = channel.family.repetition == RepetitionAnswer::IsRefused && work.document()?.refusal.is_none();
    if is_replaced(work) || !goes_again || resume::would_be_too_old(work).await? {
        return Ok(later);
    }
    match may_go(work, channel).await {
        Ok(()) => send_again(work).await,
        Err(NoMode::Store(error)) => Err(error.into()),
        Err(NoMode::Wait { after, .. }) => second_issue::after_no_answer(work, channel, sooner(later, after)).await,
    }
}

/// `Ok` if the document's authority works, as far as recorded.
async fn may_go(work: &ClaimedWork, channel: &Channel) -> Result<(), NoMode> {
    // a contingency authority answers itself when it is closed
    let is_elsewhere = matches!(work.role(), Ok(AuthorityRole::Contingency));
    // the query went the normal way just now: a half-open circuit grants its trial once
    if is_elsewhere || second_issue::can_wait(work).unwrap_or_default() {
        return Ok(());
    }
    work.engine.require_normal(channel).await
}

/// Sends the same bytes again; the state is committed before they leave, as the first time.
async fn send_again(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    let signed = work.signed_xml().await?;
    work.is_repeated = true;
    work.log("Os mesmos bytes são reenviados: a autoridade recusa uma repetição (204) e fica com o primeiro.");
    work.mark(LifecycleEvent::SendStarted).await?;
    crash_point("ask.repeated");
    Ok(NextStep::Send(signed))
}

fn sooner(later: NextStep, other: Duration) -> NextStep {
    match later {
        NextStep::Again { after, failure } => NextStep::Again { after: after.min(other), failure },
        step => step,
    }
}

fn is_replaced(work: &ClaimedWork) -> bool {
    work.job.act.as_ref().and_then(JobAct::replaced_by).is_some()
}

/// Shortest wait between two queries.
const MIN_QUERY_WAIT: Duration = Duration::from_secs(1);
