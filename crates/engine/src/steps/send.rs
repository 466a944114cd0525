//! Sending: the stored bytes are sent once; an answer settles the document, no answer leaves it in doubt.
//!
//! Law: MOC 7.0, visão geral (NFeAutorizacao, synchronous answer or receipt). The caller has committed `Sending`
//! before.

use super::in_flight::Seen;
use super::settle::{self, Verdict};
use super::work::failure;
use super::{Halt, Step, Work, ask, elsewhere, in_place, layout, lot, refusal};
use crate::authorities::bridge::Channel;
use crate::authorities::call::NoAnswer;
use crate::crash_point;
use crate::process::chance;
use authority::answer::{Answer, Rejection};
use fiscal::cstat::Class;
use fiscal::evidence::{Proof, Question};
use fiscal::lifecycle::{Happened, State};
use std::time::Duration;
use store::jobs::Receipt;

/// Sends a document whose `Sending` is committed.
pub(super) async fn run(work: &mut Work, signed: String) -> Result<Step, Halt> {
    // an error before the call leaves it unsent, unless it was sent before
    if !work.is_repeated {
        work.remember(Seen::Unsent);
    }
    let channel = work.channel(work.uf()?, work.family()?, "transmissao").await?;
    let endpoint = work.endpoint_for(&channel, &signed)?;
    if let Some(answer) = lot::travel(work, &channel, &endpoint, &signed).await {
        return judge(work, &channel, &endpoint.authority, &signed, answer).await;
    }
    work.note(format!("Enviado a {} ({}).", endpoint.authority, endpoint.name));
    let wire = channel.family.wire;
    let call = wire.authorize(&endpoint, chance::draw() % 1_000_000_000_000_000, &signed);
    crash_point("send.before");
    work.forget();
    let answer = work.call(&call, &channel, move |reply| wire.read_authorize(reply)).await;
    work.driver = None;
    crash_point("send.reply");
    judge(work, &channel, &call.authority, &signed, answer).await
}

async fn judge(
    work: &mut Work,
    channel: &Channel,
    authority: &str,
    signed: &str,
    answer: Result<Answer, NoAnswer>,
) -> Result<Step, Halt> {
    let is_shared = work.lot.is_some_and(|lot| work.job.document.as_ref().is_some_and(|own| own.numero != lot));
    let question = if is_shared { Question::SharedSubmission } else { Question::Submission };
    match answer {
        Ok(answer) => take(work, channel, authority, signed, answer, question).await,
        Err(no_answer) => without_answer(work, no_answer).await,
    }
}

/// Acts on an answer to an authorisation, synchronous or by receipt.
pub(super) async fn take(
    work: &mut Work,
    channel: &Channel,
    authority: &str,
    signed: &str,
    answer: Answer,
    question: Question,
) -> Result<Step, Halt> {
    let role = work.role()?;
    match &answer {
        Answer::Unavailable(said) => work.engine.refused_to_judge(channel, role, said).await,
        _ => work.engine.works(channel, role).await,
    }
    match answer {
        Answer::Authorized(protocol) => {
            settle::with_protocol(work, Verdict::Authorized, protocol, signed, question).await
        }
        Answer::Denied(protocol) => settle::with_protocol(work, Verdict::Denied, protocol, signed, question).await,
        Answer::Rejected(said) | Answer::Duplicate(said) if in_place::may_be_of_the_other(work, signed, &said)? => {
            in_place::refused(work, channel, signed, said).await
        }
        Answer::Rejected(said) => match layout::asked_for(work, channel, signed, &said) {
            Some(other) => layout::turn(work, channel, other, &said).await,
            None => rejected(work, said, question).await,
        },
        Answer::Duplicate(said) => duplicate(work, said).await,
        Answer::Undecided(said) => refusal::keep(work, question, said).await,
        Answer::Pending { nRec, wait_s } => pending(work, nRec, wait_s).await,
        Answer::Unavailable(said) if work.is_repeated => {
            // this message was not received, the first one may be
            work.mark(Happened::NoReply).await?;
            let later = work.unavailable(channel, authority, &said);
            ask::silence(work, channel, later).await
        }
        Answer::Unavailable(said) => {
            if work.state() == State::Sending {
                work.remember(Seen::Unsent);
            }
            Ok(work.unavailable(channel, authority, &said))
        }
    }
}

async fn without_answer(work: &mut Work, no_answer: NoAnswer) -> Result<Step, Halt> {
    let (happened, codigo) = match &no_answer {
        NoAnswer::NotSent(_) if work.is_repeated => (Happened::NoReply, "falha_de_conexao"),
        NoAnswer::NotSent(_) => (Happened::NotSent, "falha_de_conexao"),
        NoAnswer::NoReply(_) => (Happened::NoReply, "sem_resposta"),
    };
    work.note(format!("Sem resposta da autoridade: {no_answer}."));
    if happened == Happened::NotSent {
        work.remember(Seen::Unsent);
    }
    work.mark(happened).await?;
    crash_point("send.no_reply");
    let why = format!("A autoridade não respondeu: {no_answer}.");
    Ok(Step::Again { after: work.backoff(), failure: failure(codigo, "transmissao", why) })
}

async fn rejected(work: &mut Work, rejection: Rejection, question: Question) -> Result<Step, Halt> {
    let proof = refusal::proof(work, question, &rejection)?;
    let family = work.family()?;
    match family.wire.class(&rejection.codigo) {
        Class::Duplicate | Class::Cancelled | Class::DeniedBefore => duplicate(work, rejection).await,
        _ if family.numbers.still_processing.is_some_and(|code| rejection.codigo == code) => {
            pending_by_key(work, &rejection).await
        }
        _ if proof != Proof::Refused => refusal::keep(work, question, rejection).await,
        // this message was refused; the first one may still be in process, judged by the rules of its own moment
        Class::Rejected if work.is_repeated => refusal::keep(work, question, rejection).await,
        Class::DuplicateOtherKey => elsewhere::by_key(work, rejection).await,
        _ => settle::rejected(work, rejection).await,
    }
}

/// Handles a key that the authority has already (204, 205, 218): it knows the outcome, we do not. The next claim
/// queries by key.
async fn duplicate(work: &mut Work, said: Rejection) -> Result<Step, Halt> {
    work.note(format!("A autoridade já tem esta chave: {} {}.", said.codigo, said.xMotivo));
    refusal::of_a_duplicate(work, said).await?;
    crash_point("send.duplicate");
    let why = "A autoridade já tem o documento; consultando pela chave.";
    Ok(Step::Again { after: work.backoff(), failure: failure("em_duvida", "consulta", why) })
}

/// Stores the receipt of cStat 103 or 105: the answer comes by a later query.
async fn pending(work: &mut Work, nRec: String, wait_s: u32) -> Result<Step, Halt> {
    work.note(format!("Lote recebido, recibo {nRec}: a resposta vem depois."));
    let (state, now) = (work.becomes(Happened::NoReply)?, work.engine.now_s());
    let receipt = Receipt { nRec, numero_lote: work.lot.take() };
    let lines = work.lines();
    work.engine.store().mark_receipt(work.lease, state, Some(receipt), now, lines).await?;
    crash_point("send.pending");
    let why = "A autoridade recebeu o documento e ainda o processa.";
    let after = Duration::from_secs(u64::from(wait_s.max(1)));
    Ok(Step::Again { after, failure: failure("em_processamento", "consulta", why) })
}

async fn pending_by_key(work: &mut Work, said: &Rejection) -> Result<Step, Halt> {
    work.note(format!("A autoridade ainda processa este número: {} {}.", said.codigo, said.xMotivo));
    work.mark(Happened::NoReply).await?;
    let why = "A autoridade ainda processa o documento.";
    Ok(Step::Again { after: work.backoff(), failure: failure("em_processamento", "consulta", why) })
}
