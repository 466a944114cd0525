//! Lines about an emission by hand: who issued it, and what it corrects. They are written with its registration.

use engine::process::origin;
use store::jobs::{EarlierDocument, HandEmission};

use super::issue_form::IssueOrigin;
use crate::painel::panel_session::PanelSession;

/// Describes the emission of this request for the histories of both documents.
pub(super) fn describe_emission(visitor: &PanelSession, begun_from: Option<&IssueOrigin>) {
    let by = &visitor.user.email;
    let corrects = begun_from.map_or_else(String::new, |origin| {
        let verb = if origin.rejected().is_some() { "corrige" } else { "parte de" };
        let name = origin.job.referencia.clone().map_or_else(String::new, |name| format!(" (referência {name})"));
        format!(" {verb} o job {}{name}.", origin.job.id)
    });
    let earlier = begun_from.map(|origin| EarlierDocument {
        job: origin.job.id,
        line: format!("No painel, {by} emitiu a partir deste documento o job"),
    });
    origin::set_hand_emission(HandEmission { line: format!("Emitida no painel por {by}.{corrects}"), earlier });
}
