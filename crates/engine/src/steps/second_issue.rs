//! Second issue of a sale: when its document is in doubt while the authority is out, the sale is issued again in
//! contingency, under another number. The first document (superseded) is queried until its authority answers: never
//! seen, it is dropped; authorised, it is cancelled.
//!
//! Law: MOC 7.0, anexo III, 2.3.3 (NF-e), anexo IV, 5 (NFC-e); NT 2018.004 (cancellation by substitution). The first
//! document is never sent again and never cancelled before the second one is authorised.

use super::claimed_work::failure;
use super::draft::draft;
use super::{ClaimedWork, Halt, NextStep, UNCERTAIN, number_recovery, refusal};
use crate::authorities::health::Channel;
use crate::contingency::EmissionMode;
use crate::family::emission::NORMAL;
use crate::order::act::Cancelamento;
use crate::order::{DocumentOrder, JobScope, Order};
use crate::process::backoff;
use crate::process::crash::crash_point;
use crate::steps::settled;
use authority::answer::Rejection;
use fiscal::event::NfeEventKind;
use fiscal::lifecycle::{DocumentState, LifecycleEvent};
use std::time::Duration;
use store::Visibility;
use store::events::NewEvent;
use store::jobs::{DocumentOutcome, Job, JobAct, JobStatus, NewAct, NewJob, SupersededOutcome};
use store::webhooks::Evento;
use uuid::Uuid;

/// Pause between two checks of the sale's other document.
const CHECK_PAUSE: Duration = Duration::from_secs(20);
/// Pause while a query of the other document is under way.
const QUERY_PAUSE: Duration = Duration::from_secs(2);

/// Handles a query without a decisive answer: while the authority is out, the sale may go another way.
pub(super) async fn after_no_answer(
    work: &mut ClaimedWork,
    channel: &Channel,
    later: NextStep,
) -> Result<NextStep, Halt> {
    match issue_again(work, channel).await? {
        Some(step) => Ok(step),
        None => Ok(later),
    }
}

/// Issues the sale again, if its authority is out and the company's setting allows contingency. The first document was
/// queried just now, without an answer.
async fn issue_again(work: &mut ClaimedWork, channel: &Channel) -> Result<Option<NextStep>, Halt> {
    let Some(mode) = contingency_mode(work, channel).await? else { return Ok(None) };
    let document = work.document()?;
    let numero = document.numero;
    let chave = work.chave()?;
    work.log(format!(
        "A autoridade está fora de operação e a nota {numero} (chave {chave}) está em dúvida: a venda é emitida de novo em contingência, com \
         outro número. A nota {numero} será consultada quando a autoridade voltar."
    ));
    work.log(mode.log_line());
    let (twin, now) = (Uuid::now_v7(), work.engine.now_s());
    let lines = work.take_lines();
    work.engine.store().supersede_document(work.lease, twin, now.saturating_add(1), now, lines).await?;
    crash_point("twin.set_aside");
    work.job.document = None;
    work.job.act = Some(JobAct::Replaces(twin));
    Ok(Some(NextStep::Prepare))
}

/// Returns the contingency mode, if there is one. A number that the caller asked for cannot be replaced.
async fn contingency_mode(work: &ClaimedWork, channel: &Channel) -> Result<Option<EmissionMode>, Halt> {
    let document = work.document()?;
    let first = work.job.act.is_none() && document.tipo_emissao == NORMAL && document.nRec.is_none();
    if number_recovery::is_of_a_copy(work) {
        // it may have been issued again already, after the copy was made
        return Ok(None);
    }
    let Some(doubt_s) = work.family()?.contingency.doubt_s else { return Ok(None) };
    let doubt_s = doubt_s(&work.engine.inner.circuit_monitor.options.doubt());
    if !first || !work.engine.is_out_for(channel, doubt_s).await? {
        return Ok(None);
    }
    let mode = async {
        let draft = draft(work).await?;
        if (draft.family.builder.numbering)(draft.nota()).numero.is_some() {
            return Ok(None);
        }
        let mode = work.engine.emission_mode(channel, draft.mode_request(work)).await.map_err(Halt::from)?;
        Ok(Some(mode).filter(|mode| mode.contingencia.is_some()))
    };
    match mode.await {
        Err(Halt::Step(_)) => Ok(None),
        mode => mode,
    }
}

/// Keeps the second document in contingency while the first one is in doubt: an authority that works again must first
/// answer about that one.
pub(super) async fn first_is_settled(work: &ClaimedWork, mode: &EmissionMode) -> Result<(), Halt> {
    if mode.contingencia.is_some() { Ok(()) } else { until_first_is_settled(work).await }
}

/// Leaves the trial of a half-open authority to the first document while it is in doubt: the second one would use it
/// every time without being sent.
pub(super) async fn first_has_the_trial(work: &ClaimedWork, channel: &Channel) -> Result<(), Halt> {
    let is_second = work.job.act.as_ref().and_then(JobAct::replaces).is_some();
    if is_second && work.engine.is_half_open(channel).await? { until_first_is_settled(work).await } else { Ok(()) }
}

async fn until_first_is_settled(work: &ClaimedWork) -> Result<(), Halt> {
    let Some(twin) = work.job.act.as_ref().and_then(JobAct::replaces) else { return Ok(()) };
    let after = match work.engine.store().job(Visibility::whole(work.job.tenant_id), twin).await?.status {
        JobStatus::Completed | JobStatus::Cancelled => return Ok(()),
        JobStatus::Failed => backoff::LONGEST,
        JobStatus::Pending | JobStatus::Processing => QUERY_PAUSE,
    };
    let why = "A primeira nota desta venda está em dúvida e é consultada antes de outra ser emitida.";
    Err(Halt::Step(NextStep::Again { after, failure: failure("em_duvida", "consulta", why) }))
}

/// `true` if a document in doubt can wait for its authority: the sale has another document, or this one is given out.
pub(super) fn can_wait(work: &ClaimedWork) -> Result<bool, Halt> {
    let replaced = work.job.act.as_ref().and_then(JobAct::replaced_by).is_some();
    Ok(replaced || work.is_given_out()?)
}

/// Drops the first document, which the authority never saw and which is sent no more.
pub(super) async fn drop_first(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    work.log("A venda foi emitida em contingência com outro número; esta nota não será mais enviada, e o número volta à série.");
    let lines = work.take_lines();
    work.engine.store().drop_superseded(work.lease, work.engine.now_s(), lines).await?;
    settled::dropped(work);
    crash_point("twin.dropped");
    Ok(NextStep::Done)
}

/// Settles an authorised first document: it is its sale's again, or it is cancelled.
pub(super) async fn settle(work: &mut ClaimedWork, sale: Uuid, outcome: DocumentOutcome) -> Result<NextStep, Halt> {
    work.log(format!("Resposta da autoridade: {} {}.", outcome.codigo, outcome.xMotivo));
    let cancellation = cancellation(work, sale)?;
    let lines = work.take_lines();
    crash_point("twin.before_settle");
    let (evento, codigo) = (Evento::of(outcome.state), outcome.codigo.clone());
    let store = work.engine.store();
    let now = work.engine.now_s();
    match store.settle_superseded(work.lease, sale, outcome, cancellation, now, lines).await? {
        SupersededOutcome::Restored => {
            tracing::info!(job.id = %sale, "the first document of a sale was authorised before it had a second")
        }
        SupersededOutcome::Cancelling => {
            tracing::warn!(sale = %sale, "a sale has two documents; the first one is to be cancelled")
        }
    }
    settled::log_judgement(work, evento, &codigo);
    crash_point("twin.settled");
    Ok(NextStep::Done)
}

/// Handles the refusal of a second document while the first is in doubt: the first one decides the sale's outcome. If
/// that needs an operator, the sale gets no outcome.
pub(super) async fn first_is_in_doubt(work: &mut ClaimedWork, said: &Rejection) -> Result<Option<NextStep>, Halt> {
    let Some(first) = first_of(work).await? else { return Ok(None) };
    let is_open = first.document.is_some_and(|it| matches!(it.state, DocumentState::Sending | DocumentState::InDoubt));
    if !is_open {
        return Ok(None);
    }
    let what = format!("A nota em contingência foi recusada ({} {})", said.codigo, said.xMotivo);
    if first.status == JobStatus::Failed {
        work.mark(LifecycleEvent::NoReply).await?;
        let why = format!(
            "{what}, e a primeira nota desta venda, do job {}, pode estar autorizada. Consulte-a no portal da autoridade e reprocesse aquele job antes \
             de emitir outra nota para esta venda.",
            first.id
        );
        return Ok(Some(NextStep::GiveUp { failure: failure(UNCERTAIN, "consulta", why) }));
    }
    let why = format!("{what}, e a primeira nota desta venda ainda está em dúvida: a resposta dela decide a venda.");
    postpone_refusal(work, said, why).await.map(Some)
}

/// Stores a refusal that is reported when the other document of the sale is settled.
async fn postpone_refusal(work: &mut ClaimedWork, said: &Rejection, why: String) -> Result<NextStep, Halt> {
    if refusal::postponed(work).is_none() {
        work.log(why.clone());
        refusal::postpone(work, said.clone()).await?;
    }
    Ok(NextStep::Again { after: CHECK_PAUSE, failure: failure("em_duvida", "consulta", why) })
}

/// Gives the sale its first document, if that is authorised, in place of the refused second one.
pub(super) async fn swap_documents(
    work: &mut ClaimedWork,
    said: &Rejection,
    refusal: &DocumentOutcome,
) -> Result<Option<NextStep>, Halt> {
    let Some(first) = first_of(work).await? else { return Ok(None) };
    let Some(document) = first.document.filter(|document| document.state == DocumentState::Authorized) else {
        return Ok(None);
    };
    let what = format!("A nota em contingência foi recusada ({} {})", said.codigo, said.xMotivo);
    work.log(format!(
        "{what}, e a primeira nota desta venda, número {}, está autorizada: ela fica com a venda, e não será cancelada.",
        document.numero
    ));
    let (lines, now) = (work.take_lines(), work.engine.now_s());
    if !work.engine.store().swap_documents(work.lease, first.id, refusal.clone(), now, lines.clone()).await? {
        work.restore_lines(lines);
        // a worker holds the cancellation, and releases it in a moment
        let why = format!("{what}, e a primeira nota desta venda está autorizada: ela volta a ser a da venda.");
        return postpone_refusal(work, said, why).await.map(Some);
    }
    let codigo = document.codigo.unwrap_or_else(|| refusal.codigo.clone());
    settled::log_judgement(work, Evento::of(DocumentState::Authorized), &codigo);
    Ok(Some(NextStep::Done))
}

/// Job of the sale's first document, if this job's document is the second.
async fn first_of(work: &ClaimedWork) -> Result<Option<Job>, Halt> {
    let Some(twin) = work.job.act.as_ref().and_then(JobAct::replaces) else { return Ok(None) };
    Ok(Some(work.engine.store().job(Visibility::whole(work.job.tenant_id), twin).await?))
}

/// A job that cancels the document once that of the sale is authorised.
fn cancellation(work: &ClaimedWork, sale: Uuid) -> Result<NewJob, Halt> {
    let job = &work.job;
    let by_substitution = work.family()?.acts.substitution;
    let kind = if by_substitution { NfeEventKind::CancelamentoPorSubstituicao } else { NfeEventKind::Cancelamento };
    let event = NewEvent { chave: work.chave()?.into(), tpEvento: kind.code().to_owned(), most: kind.most().into() };
    let order = Order::Cancelamento(DocumentOrder {
        cpf_cnpj: job.cpf_cnpj,
        job_id: Some(job.id),
        chave: None,
        webhook_url: job.webhook_url.clone(),
        referencia: None,
        act: Cancelamento {
            justificativa: WHY.to_owned(),
            chave_substituta: None,
            sucessora: Some(sale),
            por_substituicao: Some(by_substitution),
            codigo_motivo: None,
            codigo_cancelamento: None,
        },
    });
    let belongs =
        JobScope { tenant_id: job.tenant_id, tipo: job.tipo, ambiente: job.ambiente, authority: &job.authority };
    let payload = order.to_payload();
    Ok(NewJob {
        alvo: Some(job.id),
        act: Some(NewAct::Event(event)),
        // no request ordered it: it counts against no quota, and belongs to the request of the sale
        cota: None,
        request_id: job.request_id.clone(),
        author: None,
        by_hand: None,
        ..order.job(payload, belongs)
    })
}

/// `xJust` of that cancellation.
const WHY: &str =
    "Emitida em duplicidade: sem resposta da SEFAZ, a operacao foi emitida em contingencia com outro numero";
