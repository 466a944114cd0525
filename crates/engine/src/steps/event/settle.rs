//! Settlement of an event: the authority's decision is written in one transaction.

use super::EventTask;
use super::archive::ArchivedEvent;
use crate::process::crash::crash_point;
use crate::steps::claimed_work::failure;
use crate::steps::{ClaimedWork, Halt, NextStep, settled};
use authority::answer::Rejection;
use fiscal::lifecycle::{self, DocumentState, LifecycleEvent};
use fiscal::value::Codigo;
use store::jobs::{EventAct, EventOutcome, JobAct, JobFailure, RegisteredEvent};
use store::webhooks::Evento;

/// Settles an event that the authority has registered.
pub(super) async fn registered(
    work: &mut ClaimedWork,
    acting: &EventTask,
    registered: ArchivedEvent,
) -> Result<NextStep, Halt> {
    let ArchivedEvent { codigo, xMotivo, act, proc_evento } = registered;
    let (cancels, analysis) = (acting.cancels(), acting.kind.analysis);
    let event = RegisteredEvent { act, proc_evento: Some(proc_evento), cancels, analysis };
    commit(work, acting, codigo, xMotivo, Some(event)).await
}

/// Settles an event that the authority reports as registered without returning it.
pub(super) async fn settle_unreturned(
    work: &mut ClaimedWork,
    acting: &EventTask,
    said: Rejection,
) -> Result<NextStep, Halt> {
    let nProt = said.xMotivo.split_once("[nProt:").and_then(|(_, rest)| rest.split_once(']'));
    let nProt = nProt.map(|(nProt, _)| nProt.trim().to_owned());
    let held = work.job.act.as_ref().and_then(JobAct::event).map_or(1, |event| event.nSeqEvento);
    let (chave, tpEvento) = (acting.chave, acting.kind.code.to_owned());
    let act = EventAct { chave, tpEvento, nSeqEvento: held, nProt, dhRegEvento: None };
    let event = RegisteredEvent { act, proc_evento: None, cancels: acting.cancels(), analysis: acting.kind.analysis };
    commit(work, acting, said.codigo, said.xMotivo, Some(event)).await
}

/// Settles an event that a rule refused.
pub(super) async fn refused(work: &mut ClaimedWork, acting: &EventTask, said: Rejection) -> Result<NextStep, Halt> {
    commit(work, acting, said.codigo, said.xMotivo, None).await
}

async fn commit(
    work: &mut ClaimedWork,
    acting: &EventTask,
    codigo: Codigo,
    xMotivo: String,
    registered: Option<RegisteredEvent>,
) -> Result<NextStep, Halt> {
    let state = acting.document.as_ref().map(|document| document.state);
    if let (Some(state), Some(RegisteredEvent { cancels: true, .. })) = (state, &registered)
        && state != DocumentState::Cancelled
    {
        lifecycle::next(state, LifecycleEvent::Cancelled).map_err(Halt::Illegal)?;
    }
    let evento = match (acting.cancels(), registered.is_some()) {
        (true, true) => Evento::Cancelada,
        (true, false) => Evento::CancelamentoRejeitado,
        (false, true) => Evento::EventoRegistrado,
        (false, false) => Evento::EventoRejeitado,
    };
    work.log(format!("Resposta da autoridade: {codigo} {xMotivo}."));
    let lines = work.take_lines();
    let erro = match registered {
        Some(_) => None,
        None => deadline_failure(acting, &codigo, &xMotivo),
    };
    let outcome = EventOutcome { codigo: codigo.clone(), xMotivo, registered, evento, erro };
    crash_point("event.before_settle");
    work.engine.store().settle_event(work.lease, outcome, work.engine.now_s(), lines).await?;
    settled::log_judgement(work, Some(evento), &codigo);
    crash_point("event.committed");
    Ok(NextStep::Done)
}

/// Failure after a refusal that leaves another way; the failure names it.
fn deadline_failure(acting: &EventTask, codigo: &Codigo, xMotivo: &str) -> Option<JobFailure> {
    let (_, other_way) = acting.kind.too_late.iter().find(|(code, _)| *code == codigo.as_str())?;
    let why = format!("{codigo}: {}. {other_way}", xMotivo.trim_end_matches('.'));
    Some(JobFailure { repetivel: false, ..failure("prazo_encerrado", "transmissao", why) })
}
