//! Emission mode that the payload asks for (`tpEmis`), independent of the recorded state of the normal authority.
//!
//! Law: MOC 7.0, anexo III, 2.1.2 (FS-DA), 2.1.3 (SVC: only while the state has it open) and 2.1.4 (EPEC); anexo IV
//! (offline).

use super::draft::EmissionDraft;
use super::{ClaimedWork, Halt};
use crate::authorities::health::Channel;
use crate::contingency::EmissionMode;
use crate::family::emission::{EPEC, FS_DA, NORMAL, RequestedEmission};
use crate::process::local_time;
use authority::table::AuthorityRole;
use fiscal::lifecycle::DocumentState;
use store::jobs::Contingencia;

/// Returns the mode that the payload asks for, if it asks for one that is open.
pub(super) async fn requested_mode(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
) -> Result<Option<EmissionMode>, Halt> {
    let emission =
        RequestedEmission::requested(draft.family, draft.nota(), draft.issuer.civil, &local_now(work, draft));
    if emission.tpEmis == EPEC && left_its_epec(work) {
        return Ok(None);
    }
    if emission.tpEmis == NORMAL {
        return open_svc_mode(work, draft, channel).await;
    }
    let contingencia = emission.reasons().map(|(desde, justificativa)| {
        let (tipo, autoridade, prazo) = match emission.tpEmis {
            EPEC => ("epec", work.engine.epec_authority(channel), work.engine.epec_until()),
            FS_DA => ("fs_da", None, work.engine.epec_until()),
            _ => ("offline", None, work.engine.offline_until(draft.family, draft.issuer.civil, draft.emitted())),
        };
        Contingencia { autoridade, prazo_transmissao: Some(prazo), ..begun(tipo, desde, justificativa) }
    });
    Ok(Some(EmissionMode { tpEmis: emission.tpEmis, role: AuthorityRole::Normal, contingencia }))
}

/// `true` if the document left its EPEC: a refused one has sent its note another way, and its key is gone. A process
/// that ended before the note was signed anew must not begin with the EPEC again.
fn left_its_epec(work: &ClaimedWork) -> bool {
    work.job
        .document
        .as_ref()
        .is_some_and(|document| document.state == DocumentState::Accepted && document.tipo_emissao != EPEC)
}

/// `true` if the payload asks for an EPEC.
pub(super) fn asks_epec(draft: &EmissionDraft) -> bool {
    (draft.family.contingency.asked)(draft.nota()).chosen == Some(EPEC)
}

/// Returns the SVC mode while the SVC takes notes of this state; otherwise the note goes as if the payload had not
/// asked.
async fn open_svc_mode(
    work: &mut ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
) -> Result<Option<EmissionMode>, Halt> {
    let asked = (draft.family.contingency.asked)(draft.nota());
    let Some(tpEmis) = asked.svc else { return Ok(None) };
    let now = local_now(work, draft);
    let (desde, justificativa) = (asked.dhCont.unwrap_or(&now), asked.xJust.unwrap_or(SVC_IS_OPEN));
    let mode = work.engine.open_svc(channel, begun("svc", desde, justificativa)).await?;
    let mode = mode.filter(|mode| mode.tpEmis == tpEmis);
    if mode.is_none() {
        work.log(format!(
            "A nota pede tpEmis {tpEmis}, e essa SVC não está aberta para o estado: a nota segue sem ela."
        ));
    }
    Ok(mode)
}

fn begun(tipo: &str, desde: &str, justificativa: &str) -> Contingencia {
    Contingencia {
        tipo: tipo.to_owned(),
        autoridade: None,
        desde: desde.to_owned(),
        justificativa: justificativa.to_owned(),
        prazo_transmissao: None,
        protocolo: None,
        registrado_em: None,
        no_lugar_de: None,
        epec_recusado: None,
    }
}

fn local_now(work: &ClaimedWork, draft: &EmissionDraft) -> String {
    local_time::written(work.engine.now(), draft.issuer.civil)
}

/// `xJust` of a payload that gives none.
const SVC_IS_OPEN: &str = "SVC aberta pela SEFAZ do estado";
