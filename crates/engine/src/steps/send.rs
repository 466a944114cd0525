//! Sending: the stored bytes are sent once; an answer settles the document, no answer leaves it in doubt.
//!
//! Law: MOC 7.0, visão geral (NFeAutorizacao, synchronous answer or receipt). The caller has committed `Sending`
//! before.

use super::claim_memory::SendObservation;
use super::claimed_work::failure;
use super::settle::{self, ProtocolVerdict};
use super::{ClaimedWork, Halt, NextStep, layout, lot, number_conflict, refusal, second_issue, substitution_request};
use crate::authorities::call::NoAnswer;
use crate::authorities::health::Channel;
use crate::process::crash::crash_point;
use crate::process::randomness;
use authority::answer::{AuthorizationAnswer, Rejection};
use fiscal::cstat::CodeClass;
use fiscal::evidence::{AnsweredMessage, ProvenFate};
use fiscal::lifecycle::{DocumentState, LifecycleEvent};
use std::time::Duration;
use store::jobs::AuthorityReceipt;

/// Sends a document whose `Sending` is committed.
pub(super) async fn run(work: &mut ClaimedWork, signed: String) -> Result<NextStep, Halt> {
    // an error before the call leaves it unsent, unless it was sent before
    if !work.is_repeated {
        work.remember(SendObservation::Unsent);
    }
    let channel = work.channel(work.uf()?, work.family()?, "transmissao").await?;
    let endpoint = work.endpoint_for(&channel, &signed)?;
    if let Some(answer) = lot::send_in_lot(work, &channel, &endpoint, &signed).await {
        return after_exchange(work, &channel, &endpoint.authority, &signed, answer).await;
    }
    work.log(format!("Enviado a {} ({}).", endpoint.authority, endpoint.name));
    let wire = channel.family.wire;
    let call = wire.authorize(&endpoint, randomness::draw() % 1_000_000_000_000_000, &signed);
    crash_point("send.before");
    work.forget();
    let answer = work.call(&call, &channel, move |reply| wire.read_authorize(reply)).await;
    work.lot_leader = None;
    crash_point("send.reply");
    after_exchange(work, &channel, &call.authority, &signed, answer).await
}

async fn after_exchange(
    work: &mut ClaimedWork,
    channel: &Channel,
    authority: &str,
    signed: &str,
    answer: Result<AuthorizationAnswer, NoAnswer>,
) -> Result<NextStep, Halt> {
    let is_shared = work.lot.is_some_and(|lot| work.job.document.as_ref().is_some_and(|own| own.numero != lot));
    let question = if is_shared { AnsweredMessage::SharedSubmission } else { AnsweredMessage::Submission };
    match answer {
        Ok(answer) => act_on_answer(work, channel, authority, signed, answer, question).await,
        Err(no_answer) => without_answer(work, no_answer).await,
    }
}

/// Acts on an answer to an authorisation, synchronous or by receipt.
pub(super) async fn act_on_answer(
    work: &mut ClaimedWork,
    channel: &Channel,
    authority: &str,
    signed: &str,
    answer: AuthorizationAnswer,
    question: AnsweredMessage,
) -> Result<NextStep, Halt> {
    let role = work.role()?;
    match &answer {
        AuthorizationAnswer::Unavailable(said) => work.engine.record_no_judgement(channel, role, said).await,
        _ => work.engine.record_judgement(channel, role).await,
    }
    match answer {
        AuthorizationAnswer::Authorized(protocol) => {
            settle::with_protocol(work, ProtocolVerdict::Authorized, protocol, signed, question).await
        }
        AuthorizationAnswer::Denied(protocol) => {
            settle::with_protocol(work, ProtocolVerdict::Denied, protocol, signed, question).await
        }
        AuthorizationAnswer::Rejected(said) | AuthorizationAnswer::Duplicate(said)
            if substitution_request::may_concern_replaced(work, signed, &said)? =>
        {
            substitution_request::check_refusal(work, channel, signed, said).await
        }
        AuthorizationAnswer::Rejected(said) => match layout::requested_layout(work, channel, signed, &said) {
            Some(other) => layout::rebuild_in(work, channel, other, &said).await,
            None => rejected(work, said, question).await,
        },
        AuthorizationAnswer::Duplicate(said) => duplicate(work, said).await,
        AuthorizationAnswer::Undecided(said) => refusal::store_refusal(work, question, said).await,
        AuthorizationAnswer::Pending { nRec, wait_s } => pending(work, nRec, wait_s).await,
        AuthorizationAnswer::Unavailable(said) if work.is_repeated => {
            // this message was not received, the first one may be
            work.mark(LifecycleEvent::NoReply).await?;
            let later = work.after_unavailable(channel, authority, &said);
            second_issue::after_no_answer(work, channel, later).await
        }
        AuthorizationAnswer::Unavailable(said) => {
            if work.state() == DocumentState::Sending {
                work.remember(SendObservation::Unsent);
            }
            Ok(work.after_unavailable(channel, authority, &said))
        }
    }
}

async fn without_answer(work: &mut ClaimedWork, no_answer: NoAnswer) -> Result<NextStep, Halt> {
    let (happened, codigo) = match &no_answer {
        NoAnswer::NotSent(_) if work.is_repeated => (LifecycleEvent::NoReply, "falha_de_conexao"),
        NoAnswer::NotSent(_) => (LifecycleEvent::NotSent, "falha_de_conexao"),
        NoAnswer::NoReply(_) => (LifecycleEvent::NoReply, "sem_resposta"),
    };
    work.log(format!("Sem resposta da autoridade: {no_answer}."));
    if happened == LifecycleEvent::NotSent {
        work.remember(SendObservation::Unsent);
    }
    work.mark(happened).await?;
    crash_point("send.no_reply");
    let why = format!("A autoridade não respondeu: {no_answer}.");
    Ok(NextStep::Again { after: work.backoff(), failure: failure(codigo, "transmissao", why) })
}

async fn rejected(work: &mut ClaimedWork, rejection: Rejection, question: AnsweredMessage) -> Result<NextStep, Halt> {
    let proof = refusal::proof(work, question, &rejection)?;
    let family = work.family()?;
    match family.wire.class(&rejection.codigo) {
        CodeClass::Duplicate | CodeClass::Cancelled | CodeClass::DeniedBefore => duplicate(work, rejection).await,
        _ if family.numbers.still_processing.is_some_and(|code| rejection.codigo == code) => {
            pending_by_key(work, &rejection).await
        }
        _ if proof != ProvenFate::Refused => refusal::store_refusal(work, question, rejection).await,
        // this message was refused; the first one may still be in process, judged by the rules of its own moment
        CodeClass::Rejected if work.is_repeated => refusal::store_refusal(work, question, rejection).await,
        CodeClass::DuplicateOtherKey => number_conflict::by_key(work, rejection).await,
        _ => settle::rejected(work, rejection).await,
    }
}

/// Handles a key that the authority has already (204, 205, 218): it knows the outcome, we do not. The next claim
/// queries by key.
async fn duplicate(work: &mut ClaimedWork, said: Rejection) -> Result<NextStep, Halt> {
    work.log(format!("A autoridade já tem esta chave: {} {}.", said.codigo, said.xMotivo));
    refusal::record_duplicate(work, said).await?;
    crash_point("send.duplicate");
    let why = "A autoridade já tem o documento; consultando pela chave.";
    Ok(NextStep::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
}

/// Stores the receipt of cStat 103 or 105: the answer comes by a later query.
async fn pending(work: &mut ClaimedWork, nRec: String, wait_s: u32) -> Result<NextStep, Halt> {
    work.log(format!("Lote recebido, recibo {nRec}: a resposta vem depois."));
    let (state, now) = (work.state_after(LifecycleEvent::NoReply)?, work.engine.now_s());
    let receipt = AuthorityReceipt { nRec, numero_lote: work.lot.take() };
    let lines = work.take_lines();
    work.engine.store().mark_receipt(work.lease, state, Some(receipt), now, lines).await?;
    crash_point("send.pending");
    let why = "A autoridade recebeu o documento e ainda o processa.";
    let after = Duration::from_secs(u64::from(wait_s.max(1)));
    Ok(NextStep::Again { after, failure: failure("em_processamento", "consulta", why) })
}

async fn pending_by_key(work: &mut ClaimedWork, said: &Rejection) -> Result<NextStep, Halt> {
    work.log(format!("A autoridade ainda processa este número: {} {}.", said.codigo, said.xMotivo));
    work.mark(LifecycleEvent::NoReply).await?;
    let why = "A autoridade ainda processa o documento.";
    Ok(NextStep::Again { after: work.backoff(), failure: failure("em_processamento", "consulta", why) })
}
