//! A DPS whose layout its host refuses: built again in the other layout, once, under the same number and Id.
//!
//! Law: rules of reception of the Sefin (E1235 is its refusal by the schema, and registers nothing); NT 009. Only a
//! refusal that names `finNFSe` counts, and only of bytes that left once.

use super::draft::EmissionDraft;
use super::reroute::reroute_dated;
use super::{ClaimedWork, Halt, NextStep};
use crate::authorities::health::Channel;
use crate::contingency::EmissionMode;
use crate::family::layouts::LayoutQuery;
use authority::answer::Rejection;
use fiscal::document::DpsLayout;
use fiscal::xml;

/// Returns the layout in which a document is built now.
pub(super) async fn of(work: &ClaimedWork, draft: &EmissionDraft, channel: &Channel) -> Result<DpsLayout, Halt> {
    match work.requested_layout {
        Some(layout) => Ok(layout),
        None => Ok(work.engine.layout_of(draft.family, &layout_query(work, draft, channel)?).await?),
    }
}

/// Returns the layout by this process's memory alone.
pub(super) fn cached(work: &ClaimedWork, draft: &EmissionDraft, channel: &Channel) -> Result<DpsLayout, Halt> {
    Ok(work.engine.cached_layout(draft.family, &layout_query(work, draft, channel)?))
}

/// `true` if acceptance would build the document in the same layout, and so has checked it.
pub(super) fn is_of_acceptance(
    work: &ClaimedWork,
    draft: &EmissionDraft,
    channel: &Channel,
    layout: DpsLayout,
) -> Result<bool, Halt> {
    if draft.family.layouts.is_none() {
        return Ok(true);
    }
    let tried = cached(work, draft, channel)?;
    Ok(work.requested_layout.is_none() && layout == DpsLayout::Current && tried == layout)
}

fn layout_query<'a>(
    work: &'a ClaimedWork,
    draft: &'a EmissionDraft,
    channel: &'a Channel,
) -> Result<LayoutQuery<'a>, Halt> {
    let host = channel.host.as_deref().map(|host| host.authority.as_str());
    Ok(LayoutQuery { ambiente: work.job.ambiente, host, nota: draft.nota(), dhEmi: &work.document()?.dhEmi })
}

/// Returns the other layout, if a refusal asks for it and it can hold all that the order gives.
pub(super) fn requested_layout(
    work: &ClaimedWork,
    channel: &Channel,
    signed: &str,
    said: &Rejection,
) -> Option<DpsLayout> {
    let row = channel.family.layouts.as_ref()?;
    let texts = said.reasons.iter().flat_map(|reason| [Some(reason.motivo.as_str()), reason.complemento.as_deref()]);
    let texts: Vec<&str> = texts.flatten().chain([said.xMotivo.as_str()]).collect();
    let is_asked = !work.is_repeated
        && work.requested_layout.is_none()
        && work.engine.follows_hosts(work.job.ambiente)
        && (row.is_asked)(said.codigo.as_str(), &texts);
    if !is_asked {
        return None;
    }
    let other = (row.of)(&xml::read(signed.as_bytes()).ok()?).other();
    Some(other).filter(|other| work.order().is_some_and(|order| (row.says_all)(&order.nota, *other)))
}

/// Drops the key, so that the document is built again in that layout: nothing was registered.
pub(super) async fn rebuild_in(
    work: &mut ClaimedWork,
    channel: &Channel,
    layout: DpsLayout,
    said: &Rejection,
) -> Result<NextStep, Halt> {
    work.log(format!(
        "A autoridade não aceita a DPS no leiaute {} ({} {}, que nomeia finNFSe): a mesma DPS, com o mesmo número e Id, vai agora no leiaute {}.",
        layout.other().word(),
        said.codigo,
        said.xMotivo,
        layout.word()
    ));
    let host = channel.host.as_deref().map(|host| host.authority.as_str());
    work.engine.store_layout(work.job.ambiente, host, layout).await?;
    work.requested_layout = Some(layout);
    let document = work.document()?;
    let (tpEmis, dhEmi) = (document.tipo_emissao, document.dhEmi.clone());
    let mode = EmissionMode { tpEmis, role: work.role()?, contingencia: None };
    reroute_dated(work, mode, dhEmi).await?;
    Ok(NextStep::Prepare)
}
