//! The submitted form of a document: thousands of fields, parsed off the threads that answer other requests.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Response;

use super::nota_draft::{NotaDraft, ROOT};
use crate::api::body::inner_object;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::{App, ServiceLimits};
use crate::painel::form::{FormFields, not_our_form, receive_form};
use crate::painel::frame;
use crate::painel::panel_session::PanelSession;

/// A document submitted by a logged-in user from a page of this session.
pub(crate) struct SubmittedIssue {
    pub(super) visitor: PanelSession,
    pub(super) fields: FormFields,
    /// The draft, changed by the fields.
    pub(super) draft: NotaDraft,
}

impl FromRequest<App> for SubmittedIssue {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<SubmittedIssue, Response> {
        let (mut parts, body) = request.into_parts();
        let visitor = PanelSession::from_request_parts(&mut parts, app).await?;
        let read = read(Request::from_parts(parts, body), app, &visitor).await;
        let (fields, draft) = read.map_err(|error| frame::failure(&error))?;
        Ok(SubmittedIssue { visitor, fields, draft })
    }
}

async fn read(request: Request, app: &App, visitor: &PanelSession) -> Result<(FormFields, NotaDraft), ApiError> {
    let (_, bytes) = receive_form(request, app).await?;
    let (limits, proof) = (app.limits(), visitor.proof.clone());
    let parse = move || {
        let fields = FormFields::parse(&bytes, MOST_FIELDS + 1);
        if fields.entries().len() > MOST_FIELDS {
            return Err(ApiError::new(&error_code::CORPO_GRANDE, TOO_MANY));
        }
        if !fields.proves(&proof) {
            return Err(not_our_form());
        }
        let draft = changed_draft(&fields, limits)?;
        Ok((fields, draft))
    };
    app.engine().heavy().run(visitor.at.caller.tenant_id, parse).await?
}

/// The draft that the form carries, with the text of every field in its place.
fn changed_draft(fields: &FormFields, limits: ServiceLimits) -> Result<NotaDraft, ApiError> {
    let mut draft = NotaDraft::of(inner_object(fields.text(DRAFT), limits)?);
    for (name, text) in fields.entries() {
        let is_of_nota = name.strip_prefix(ROOT).is_some_and(|rest| rest.starts_with(['.', '[']));
        if is_of_nota && !draft.set(name, text) {
            let name = fiscal::finding::excerpt(name);
            let detail = format!("O campo {name} não é deste documento, e nada foi feito. Abra o formulário de novo.");
            return Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail));
        }
    }
    Ok(draft)
}

/// Field that carries the draft.
pub(super) const DRAFT: &str = "rascunho";
/// Most fields of a form; also the most that a page shows.
pub(super) const MOST_FIELDS: usize = 20_000;
const TOO_MANY: &str =
    "O formulário tem mais de 20.000 campos, e nada foi feito. Um documento deste tamanho é emitido por programa.";
