//! A document that is signed and of which nothing has left us: it goes the way that is right now, made anew if that is another one.
//!
//! Law: MOC 7.0, anexo III, 2.1.3.5: tpEmis is part of the key, the number is not. A document that may have left us never comes here.

use super::in_flight::Seen;
use super::{Halt, Step, Work, prepare, send};
use crate::contingency::EmissionMode;
use crate::crash_point;
use crate::process::local_time;
use fiscal::lifecycle::Happened;
use store::jobs::Reroute;

/// Sends it: the same bytes, or others under another key.
pub(super) async fn run(work: &mut Work) -> Result<Step, Halt> {
    // whatever stops us before the call, the next claim need not ask
    work.remember(Seen::Unsent);
    match another_mode(work).await? {
        None => {
            let signed = prepare::stored(work).await?;
            send::run(work, signed).await
        }
        Some(mode) => {
            reroute(work, mode).await?;
            super::prepare_and_send(work).await
        }
    }
}

/// The mode to change to, when it is not the one the document is made for.
async fn another_mode(work: &mut Work) -> Result<Option<EmissionMode>, Halt> {
    let draft = match prepare::draft(work).await {
        Ok(draft) => draft,
        // the company was removed meanwhile, or changed so that nothing can be built: what is signed is sent as it is
        Err(Halt::Step(_)) => return Ok(None),
        Err(halt) => return Err(halt),
    };
    let tpEmis = work.document()?.tipo_emissao;
    let channel = work.channel(draft.uf, draft.family, "transmissao").await?;
    if draft.family.is_given_out(tpEmis) {
        // it is in the buyer's hands
        work.engine.normal_way(&channel).await?;
        return Ok(None);
    }
    let mode = work.engine.mode(&channel, draft.wish(work)).await?;
    Ok(Some(mode).filter(|mode| mode.tpEmis != tpEmis))
}

/// One transaction: no key any more, the same number.
pub(super) async fn reroute(work: &mut Work, mode: EmissionMode) -> Result<(), Halt> {
    let state = work.becomes(Happened::Rerouted)?;
    let uf = work.uf()?;
    work.note(mode.told());
    work.mode = Some(mode.clone());
    let (tipo_emissao, contingencia) = (mode.tpEmis, mode.contingencia);
    let reroute = Reroute { state, tipo_emissao, dhEmi: local_time::in_state(work.engine.now(), uf), contingencia };
    let lines = work.lines();
    work.engine.store().reroute(work.lease, reroute.clone(), work.engine.now_s(), lines).await?;
    crash_point("resume.rerouted");
    if let Some(document) = &mut work.job.document {
        let Reroute { state, tipo_emissao, dhEmi, contingencia } = reroute;
        document.state = state;
        (document.tipo_emissao, document.dhEmi, document.contingencia) = (tipo_emissao, dhEmi, contingencia);
        (document.asked_by, document.chave, document.digest) = (None, None, None);
    }
    work.job.event_xml = None;
    Ok(())
}
