//! Settlement of an event: the authority's decision is written in one transaction.

use super::Acting;
use super::proc::Registered;
use crate::crash_point;
use crate::steps::work::failure;
use crate::steps::{Halt, Step, Work, settled};
use authority::answer::Rejection;
use fiscal::lifecycle::{self, Happened, State};
use fiscal::value::Codigo;
use store::jobs::{Act, EventAct, EventOutcome, Failure, RegisteredEvent};
use store::webhooks::Evento;

/// Settles an event that the authority has registered.
pub(super) async fn registered(work: &mut Work, acting: &Acting, registered: Registered) -> Result<Step, Halt> {
    let Registered { codigo, xMotivo, act, proc_evento } = registered;
    let (cancels, analysis) = (acting.cancels(), acting.kind.analysis);
    let event = RegisteredEvent { act, proc_evento: Some(proc_evento), cancels, analysis };
    commit(work, acting, codigo, xMotivo, Some(event)).await
}

/// Settles an event that the authority reports as registered without returning it.
pub(super) async fn known(work: &mut Work, acting: &Acting, said: Rejection) -> Result<Step, Halt> {
    let nProt = said.xMotivo.split_once("[nProt:").and_then(|(_, rest)| rest.split_once(']'));
    let nProt = nProt.map(|(nProt, _)| nProt.trim().to_owned());
    let held = work.job.act.as_ref().and_then(Act::event).map_or(1, |event| event.nSeqEvento);
    let (chave, tpEvento) = (acting.chave, acting.kind.code.to_owned());
    let act = EventAct { chave, tpEvento, nSeqEvento: held, nProt, dhRegEvento: None };
    let event = RegisteredEvent { act, proc_evento: None, cancels: acting.cancels(), analysis: acting.kind.analysis };
    commit(work, acting, said.codigo, said.xMotivo, Some(event)).await
}

/// Settles an event that a rule refused.
pub(super) async fn refused(work: &mut Work, acting: &Acting, said: Rejection) -> Result<Step, Halt> {
    commit(work, acting, said.codigo, said.xMotivo, None).await
}

async fn commit(
    work: &mut Work,
    acting: &Acting,
    codigo: Codigo,
    xMotivo: String,
    registered: Option<RegisteredEvent>,
) -> Result<Step, Halt> {
    let state = acting.document.as_ref().map(|document| document.state);
    if let (Some(state), Some(RegisteredEvent { cancels: true, .. })) = (state, &registered)
        && state != State::Cancelled
    {
        lifecycle::next(state, Happened::Cancelled).map_err(Halt::Illegal)?;
    }
    let evento = match (acting.cancels(), registered.is_some()) {
        (true, true) => Evento::Cancelada,
        (true, false) => Evento::CancelamentoRejeitado,
        (false, true) => Evento::EventoRegistrado,
        (false, false) => Evento::EventoRejeitado,
    };
    work.note(format!("Resposta da autoridade: {codigo} {xMotivo}."));
    let lines = work.lines();
    let erro = match registered {
        Some(_) => None,
        None => too_late(acting, &codigo, &xMotivo),
    };
    let outcome = EventOutcome { codigo: codigo.clone(), xMotivo, registered, evento, erro };
    crash_point("event.before_settle");
    work.engine.store().settle_event(work.lease, outcome, work.engine.now_s(), lines).await?;
    settled::judged(work, Some(evento), &codigo);
    crash_point("event.committed");
    Ok(Step::Done)
}

/// Failure after a refusal that leaves another way; the failure names it.
fn too_late(acting: &Acting, codigo: &Codigo, xMotivo: &str) -> Option<Failure> {
    let (_, other_way) = acting.kind.too_late.iter().find(|(code, _)| *code == codigo.as_str())?;
    let why = format!("{codigo}: {}. {other_way}", xMotivo.trim_end_matches('.'));
    Some(Failure { repetivel: false, ..failure("prazo_encerrado", "transmissao", why) })
}
