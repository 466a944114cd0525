//! Record of an emission by hand: who issued it, and what it corrects.

use store::jobs::Job;

use super::issue_form::IssueOrigin;
use crate::app::App;
use crate::painel::panel_session::PanelSession;

/// Writes the person into the trail, and both jobs into each other's history. The document is registered already: a
/// failure is logged and stops nothing.
pub(super) async fn record_emission(app: &App, visitor: &PanelSession, job: &Job, origin: Option<&IssueOrigin>) {
    let by = &visitor.user.email;
    let corrected = origin.map(|origin| {
        let verb = if origin.rejected().is_some() { "corrige" } else { "parte de" };
        let name = origin.job.referencia.clone().map_or_else(String::new, |name| format!(" (referência {name})"));
        let own = format!(" {verb} o job {}{name}.", origin.job.id);
        let of_other = format!("No painel, {by} emitiu a partir deste documento o job {}.", job.id);
        (own, origin.job.id, of_other)
    });
    let (own, other) = match corrected {
        Some((own, id, text)) => (own, Some((id, text))),
        None => (String::new(), None),
    };
    let own = format!("Emitida no painel por {by}.{own}");
    let at = &visitor.at.caller;
    let recorded = app
        .store()
        .record_emission_by_user(at.tenant_id, job.id, own, other, &visitor.actor, app.engine().now_s())
        .await;
    if let Err(error) = recorded {
        tracing::error!(job.id = %job.id, error.cause = %error, "an emission by a user is not in the trail");
    }
}
