//! Transmission of a contingency document that is given out already and of which nothing has been sent to its
//! authority.
//!
//! Law: MOC 7.0, anexo III, 2.3.1, and anexo IV, 4 (same key, as soon as the authority works, within the deadline).

use super::claimed_work::failure;
use super::{ClaimedWork, Halt, NextStep, announce};
use crate::contingency::{self, NoMode};
use crate::family::emission::EPEC;
use crate::process::crash::crash_point;
use authority::table::AuthorityService;
use fiscal::lifecycle::LifecycleEvent;
use store::jobs::LogLine;

/// Sends the document when its authority works.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    let document = work.document()?;
    let announced = document.contingencia.as_ref().is_some_and(|it| it.protocolo.is_some());
    if document.tipo_emissao == EPEC
        && !announced
        && let Some(step) = announce::run(work).await?
    {
        return Ok(step);
    }
    warn_of_the_deadline(work).await?;
    let channel = work.channel(work.uf()?, work.family()?, "transmissao").await?;
    work.endpoint_of(&channel, AuthorityService::Autorizacao, work.role()?)?;
    work.engine.require_normal(&channel).await.map_err(waiting_halt)?;
    let signed = work.signed_xml().await?;
    work.mark(LifecycleEvent::SendStarted).await?;
    crash_point("issued.sending");
    Ok(NextStep::Send(signed))
}

/// Waits, with the failure that the job shows meanwhile.
fn waiting_halt(none: NoMode) -> Halt {
    let NoMode::Wait { after, .. } = none else { return none.into() };
    let why = "A nota foi emitida em contingência e será transmitida quando a autoridade voltar.";
    Halt::Step(NextStep::Again { after, failure: failure("autoridade_indisponivel", "transmissao", why) })
}

/// Warns an operator once, some time before the deadline ends.
async fn warn_of_the_deadline(work: &mut ClaimedWork) -> Result<(), Halt> {
    let document = work.document()?;
    let early_s = contingency::warning_lead_s(document.tipo_emissao);
    let now = work.engine.now();
    let deadline = document.contingencia.as_ref().and_then(|it| it.prazo_transmissao);
    let left_s = deadline.map(|deadline| deadline - now.as_second());
    let Some(left_s) = left_s.filter(|left_s| *left_s < early_s) else { return Ok(()) };
    let chave = work.chave()?;
    let text = format!("O prazo de transmissão da nota emitida em contingência termina em {} min.", left_s / 60);
    let lines = vec![LogLine { at_ms: now.as_millisecond(), text }];
    if work.engine.store().warn_of_deadline(work.lease, now.as_second(), lines).await? {
        metrics::counter!("carimbo_contingency_late_total", "authority" => work.job.authority.clone()).increment(1);
        tracing::warn!(document.chave = %chave, left_s, "a document in contingency is near or beyond its deadline of transmission");
    }
    Ok(())
}
