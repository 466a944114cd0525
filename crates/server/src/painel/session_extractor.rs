//! Extraction of a panel session from a request: its cookie, its rate, and its roles, narrowed by the need of the page.

use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use store::audit::ActorKind;

use super::panel_session::{PanelSession, current_session, proof, redirect_to_login};
use super::{frame, role_refusal};
use crate::api::origin::RequestOrigin;
use crate::api::permission;
use crate::api::rate;
use crate::app::App;
use crate::in_flight::BodyOwner;

impl FromRequestParts<App> for PanelSession {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<PanelSession, Response> {
        let at = current_session(parts, app).await.map_err(|error| frame::failure(&error))?;
        let Some(at) = at else { return Err(redirect_to_login(parts)) };
        let counted = rate::admit(parts, app, at.user_id).and_then(|()| rate::count_in_flight(parts, app, at.user_id));
        counted.map_err(|error| frame::failure(&error))?;
        parts.extensions.insert(BodyOwner::Tenant(at.caller.tenant_id));
        let user = app.store().user(at.caller.tenant_id, at.user_id).await;
        let user = user.map_err(|error| frame::failure(&error.into()))?;
        let actor = RequestOrigin::of(parts, app).actor(ActorKind::User(at.user_id), at.caller.ambiente);
        engine::process::origin::set_author(actor.clone());
        let proof = proof(app, at.session_id).map_err(|error| frame::failure(&error))?;
        let mut visitor = PanelSession { whole: at.caller.clone(), at, user, actor, proof };
        let need = permission::of_request(parts);
        match permission::narrow(&visitor.whole, need) {
            Ok(narrowed) => visitor.at.caller = narrowed,
            Err(_) => return Err(role_refusal::page(app, &visitor, need).await),
        }
        let within = permission::require_company_of_path(parts, app, &visitor.at.caller).await;
        within.map_err(|error| frame::failure(&error))?;
        Ok(visitor)
    }
}
