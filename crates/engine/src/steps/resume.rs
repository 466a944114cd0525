//! Resumption of a signed document of which nothing has left us: it is sent by the mode that is right now, built anew
//! if that is another one.
//!
//! Law: MOC 7.0, anexo III, 2.1.3.5: tpEmis is part of the key, the number is not. MOC CT-e 4.00, 11.5.3: in
//! contingency no number is used again that was transmitted as normal, whatever the answer was. A document that may
//! have been judged is not resumed.

use super::claim_memory::SendObservation;
use super::draft::{EmissionDraft, draft};
use super::reroute::reroute;
use super::{ClaimedWork, Halt, NextStep};
use crate::contingency::{EmissionMode, NoMode};
use crate::family::emission::NORMAL;
use jiff::{SignedDuration, Timestamp};

/// Greatest age of a document that is dated at sending: retail is refused after five minutes (704), and clocks differ.
const OLDEST: SignedDuration = SignedDuration::from_mins(4);

/// Sends the document: the same bytes, or others under another key.
pub(super) async fn run(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    // whatever stops us before the call, the next claim need not query
    work.remember(SendObservation::Unsent);
    match another_mode(work).await? {
        None => Ok(NextStep::Send(work.signed_xml().await?)),
        Some(mode) => {
            reroute(work, mode).await?;
            Ok(NextStep::Prepare)
        }
    }
}

/// Returns the mode to change to, if it differs from that of the document.
async fn another_mode(work: &mut ClaimedWork) -> Result<Option<EmissionMode>, Halt> {
    let draft = match draft(work).await {
        Ok(draft) => draft,
        // the company was removed meanwhile, or changed so that nothing can be built: the signed bytes are sent as they
        // are
        Err(Halt::Step(_)) => return Ok(None),
        Err(halt) => return Err(halt),
    };
    let tpEmis = work.document()?.tipo_emissao;
    let channel = work.channel(draft.uf, draft.family, "transmissao").await?;
    if draft.family.is_given_out(tpEmis) {
        // the buyer has it already
        work.engine.require_normal(&channel).await?;
        return Ok(None);
    }
    let family = draft.family;
    if family.contingency.number_of_its_own
        && tpEmis == NORMAL
        && (family.builder.numbering)(draft.nota()).numero.is_some()
    {
        // the payload asked for the number: contingency may not use it, and no other number would be the requested one
        work.engine.require_normal(&channel).await.map_err(asked_number)?;
        return Ok(None);
    }
    let mode = work.engine.emission_mode(&channel, draft.mode_request(work)).await?;
    let too_old = is_too_old(work, &draft)?;
    if too_old && mode.tpEmis == tpEmis {
        work.log("A data de emissão ficou velha demais para a autoridade (704): o documento é montado de novo, com a hora de agora.");
    }
    Ok(Some(mode).filter(|mode| too_old || mode.tpEmis != tpEmis))
}

/// `true` if the same bytes would be refused for their age alone: they are built anew once proven absent.
pub(super) async fn would_be_too_old(work: &ClaimedWork) -> Result<bool, Halt> {
    match draft(work).await {
        Ok(draft) => Ok(!work.is_given_out()? && is_too_old(work, &draft)?),
        Err(Halt::Step(_)) => Ok(false),
        Err(halt) => Err(halt),
    }
}

/// `true` if the authority would refuse the document for its age alone, and its instant is ours to choose.
fn is_too_old(work: &ClaimedWork, draft: &EmissionDraft) -> Result<bool, Halt> {
    let (family, nota) = (draft.family, draft.nota());
    let is_ours = (family.builder.dated_at_sending)(nota) && (family.contingency.asked)(nota).dhEmi.is_none();
    let signed: Option<Timestamp> = work.document()?.dhEmi.parse().ok();
    Ok(is_ours && signed.is_some_and(|dhEmi| work.engine.now().duration_since(dhEmi) > OLDEST))
}

/// Wait of a document whose number may not be used in contingency.
fn asked_number(no: NoMode) -> NoMode {
    match no {
        NoMode::Wait { after, why } => {
            let why = format!(
                "{why} O número foi pedido pela nota e pode já ter sido transmitido: em contingência ele não se repete (MOC CT-e 4.00, 11.5.3)."
            );
            NoMode::Wait { after, why }
        }
        no => no,
    }
}
