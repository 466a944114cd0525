//! Query: a document whose sending did not end with an answer is queried by key or receipt, and never sent again
//! before.
//!
//! Law: MOC 7.0, visão geral (receipt of a batch; query of the protocol after a timeout).

use super::claim_memory::SendObservation;
use super::claimed_work::failure;
use super::key_query::{asking_by_key, fetch_named, no_identity};
use super::second_issue::after_no_answer;
use super::settle::{self, ProtocolVerdict};
use super::{ClaimedWork, Halt, NextStep, absence, lot, number_conflict, refusal, second_issue, send};
use crate::authorities::budget;
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::process::crash::crash_point;
use authority::answer::{AuthorizationAnswer, DocumentSituation, Rejection};
use authority::table::AuthorityService;
use authority::wire::WireProtocol;
use fiscal::evidence::AnsweredMessage;
use fiscal::lifecycle::{DocumentState, LifecycleEvent};
use std::time::Duration;

/// Longest wait before the next search for another way while the next query is not due.
const MAX_SEARCH_WAIT: Duration = Duration::from_secs(60);

/// Finds out the outcome of a document in `Sending` or `InDoubt`.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    if let Some(said) = refusal::postponed(work) {
        return settle::rejected(work, said).await;
    }
    let nRec = work.document()?.nRec.clone();
    match (work.recall(), nRec) {
        (Some(SendObservation::Unsent), _) if work.state() == DocumentState::Sending => Ok(NextStep::Resume),
        (_, Some(nRec)) => by_receipt(work, &nRec).await,
        _ => {
            work.mark(LifecycleEvent::NoReply).await?;
            crash_point("ask.in_doubt");
            by_key(work).await
        }
    }
}

async fn by_key(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    let asked_by = work.asked_by()?;
    let channel = work.channel(work.uf()?, work.family()?, "consulta").await?;
    if second_issue::can_wait(work)? {
        // the sale has its document: no caller waits for this answer, and none comes while the authority is out
        work.engine.require_normal(&channel).await?;
    }
    let endpoint = work.endpoint_of(&channel, AuthorityService::ConsultaProtocolo, work.role()?)?;
    match work.count_call(budget::QUERY_BY_KEY, &endpoint, &asked_by, &asking_by_key(&endpoint)).await {
        // the job runs again before its next query: there may be another way for the sale by then
        Err(Halt::Step(NextStep::Again { after, failure })) => {
            let sooner = NextStep::Again { after: after.min(MAX_SEARCH_WAIT), failure };
            // no query of this job shows meanwhile that the authority is back
            work.engine.poll_soon(&channel, work.role()?);
            return after_no_answer(work, &channel, sooner).await;
        }
        spent => spent?,
    }
    let wire = channel.family.wire;
    let call = work.engine.rps_query(&channel, &endpoint, &asked_by).ok_or_else(no_identity)?;
    // taken before the query leaves: a document absent then may be registered before the answer is read
    let left = work.quiet_time_left(channel.family)?;
    let situation = work.call(&call, &channel, move |reply| wire.read_query(reply)).await;
    crash_point("ask.reply");
    let situation = match situation {
        Ok(DocumentSituation::Named(chave)) => match fetch_named(work, &channel, &endpoint, &chave).await {
            // the authority named the key a moment ago: not to be fetched yet is no proof of absence
            Ok(DocumentSituation::NeverSeen(said)) => Ok(DocumentSituation::Refused(said)),
            fetched => fetched,
        },
        situation => situation,
    };
    match situation {
        Ok(DocumentSituation::Unavailable(said)) => {
            let later = work.after_unavailable(&channel, &call.authority, &said);
            if is_out(&said) { after_no_answer(work, &channel, later).await } else { Ok(later) }
        }
        Ok(situation) => act_on_situation(work, &channel, &call.authority, situation, left).await,
        Err(no_answer) => {
            let later = unanswered(work, &no_answer);
            after_no_answer(work, &channel, later).await
        }
    }
}

async fn act_on_situation(
    work: &mut ClaimedWork,
    channel: &Channel,
    authority: &str,
    situation: DocumentSituation,
    left: Duration,
) -> Result<NextStep, Halt> {
    match situation {
        DocumentSituation::Authorized(protocol) => {
            let signed = work.signed_xml().await?;
            settle::with_protocol(work, ProtocolVerdict::Authorized, protocol, &signed, AnsweredMessage::Identity).await
        }
        DocumentSituation::Denied(protocol) => {
            let signed = work.signed_xml().await?;
            settle::with_protocol(work, ProtocolVerdict::Denied, protocol, &signed, AnsweredMessage::Identity).await
        }
        DocumentSituation::Cancelled { protocol, .. } => settle::cancelled(work, protocol).await,
        DocumentSituation::NeverSeen(said) => absence::run(work, channel, &said, left).await,
        DocumentSituation::OtherKey(said) => number_conflict::by_key(work, said).await,
        // the named document cannot be fetched: nothing is known, and asking again loses nothing
        DocumentSituation::Named(_) => Ok(refused(work, &Rejection::new(404, "Documento não devolvido"))),
        DocumentSituation::Refused(said) => Ok(refused(work, &said)),
        DocumentSituation::Unavailable(said) => Ok(work.after_unavailable(channel, authority, &said)),
    }
}

async fn by_receipt(work: &mut ClaimedWork, nRec: &str) -> Result<NextStep, Halt> {
    let channel = work.channel(work.uf()?, work.family()?, "consulta").await?;
    let none = || Halt::Store(store::Error::Corrupt("um recibo de quem não recebe lotes"));
    let receipt = channel.family.receipt.as_ref().ok_or_else(none)?;
    let endpoint = work.endpoint_of(&channel, AuthorityService::RetAutorizacao, work.role()?)?;
    let answer = match lot::by_receipt(work, &channel, &endpoint, nRec).await? {
        Some(answer) => answer,
        None => {
            let line = format!("Consultando pelo recibo ({}).", endpoint.name);
            work.count_call(budget::RECEIPT, &endpoint, nRec, &line).await?;
            let call = work.engine.receipt_query(&channel, &endpoint, receipt, nRec).ok_or_else(no_identity)?;
            work.call(&call, &channel, receipt.read).await
        }
    };
    crash_point("ask.receipt_reply");
    match answer {
        Ok(answer) => {
            let answer = match answer {
                // not every authority repeats the receipt
                AuthorizationAnswer::Pending { nRec: none, wait_s } if none.is_empty() => {
                    AuthorizationAnswer::Pending { nRec: nRec.to_owned(), wait_s }
                }
                answer => answer,
            };
            if let AuthorizationAnswer::Unavailable(said) = &answer
                && keeps_receipt(channel.family.wire, said)
            {
                return Ok(work.after_unavailable(&channel, &endpoint.authority, said));
            }
            if !matches!(answer, AuthorizationAnswer::Pending { .. }) {
                work.protocol_of_lot = Some(nRec.to_owned()).filter(|_| receipt.is_kept);
                // any further query goes by key
                forget_receipt(work).await?;
            }
            let signed = work.signed_xml().await?;
            send::act_on_answer(work, &channel, &endpoint.authority, &signed, answer, AnsweredMessage::Receipt).await
        }
        Err(no_answer) => Ok(unanswered(work, &no_answer)),
    }
}

/// `true` if an authority that is queried by receipt is out, or was queried too often: the batch may still be in
/// process there, and its receipt is the way to it.
fn keeps_receipt(wire: WireProtocol, said: &Rejection) -> bool {
    wire.is_undue_use(&said.codigo) || is_out(said)
}

/// `true` if the authority reports itself out: for a while (108), or without a known end (109).
fn is_out(said: &Rejection) -> bool {
    matches!(said.codigo.number(), Some(108 | 109))
}

async fn forget_receipt(work: &mut ClaimedWork) -> Result<(), Halt> {
    let (state, now) = (work.state(), work.engine.now_s());
    let lines = work.take_lines();
    work.engine.store().mark_receipt(work.lease, state, None, now, lines).await?;
    Ok(())
}

fn unanswered(work: &mut ClaimedWork, no_answer: &NoAnswer) -> NextStep {
    work.log(format!("A consulta ficou sem resposta: {no_answer}."));
    let why = format!("A autoridade não respondeu à consulta: {no_answer}.");
    NextStep::Again { after: work.backoff(), failure: failure("sem_resposta", "consulta", why) }
}

/// The query itself was refused: the document stays in doubt.
fn refused(work: &mut ClaimedWork, said: &Rejection) -> NextStep {
    work.log(format!("A consulta foi recusada: {} {}.", said.codigo, said.xMotivo));
    let why = format!("A autoridade recusou a consulta: {} {}", said.codigo, said.xMotivo);
    NextStep::Again { after: work.backoff(), failure: failure("consulta_recusada", "consulta", why) }
}
