//! Forms with a file (`multipart/form-data`), under the same proof as other forms.

use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Response;
use http::header;
use http_body_util::BodyExt as _;
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::form::{PROOF, is_proof, not_our_form};
use super::frame;
use super::origin::is_ours;
use super::panel_session::PanelSession;
use crate::api::body::media_type;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::api::size;
use crate::api::upload::{self, FormPart};
use crate::app::App;

/// A form with a file, submitted by a logged-in user from a page of this session. The refusal of an oversized or
/// unreadable form is left to the handler, which shows it beside the field and does nothing else.
pub(crate) struct UploadedForm {
    pub(super) visitor: PanelSession,
    parts: Result<Vec<FormPart>, ApiError>,
}

impl FromRequest<App> for UploadedForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<UploadedForm, Response> {
        let (mut head, body) = request.into_parts();
        let visitor = PanelSession::from_request_parts(&mut head, app).await?;
        if !is_ours(&head, app.edge()) {
            return Err(frame::failure(&not_our_form()));
        }
        let request = Request::from_parts(head, body);
        if media_type(&request).as_deref() != Some("multipart/form-data") {
            let error = ApiError::new(&error_code::MIDIA_INVALIDA, "O formulário veio em outro formato.");
            return Err(frame::failure(&error));
        }
        let parts = receive_parts(request, app).await;
        let proves = |part: &FormPart| part.name == PROOF && is_proof(&part.bytes, &visitor.proof);
        if parts.as_ref().is_ok_and(|parts| !parts.iter().any(proves)) {
            return Err(frame::failure(&not_our_form()));
        }
        Ok(UploadedForm { visitor, parts })
    }
}

/// Contents of parts; `None` for an empty one.
pub(super) type PartContents<const N: usize> = [Option<Zeroizing<Vec<u8>>>; N];

impl UploadedForm {
    /// Session of the form, and the content of the part with each of these names; an empty part is absent.
    pub(super) fn into_parts<const N: usize>(
        self,
        names: [&str; N],
    ) -> (PanelSession, Result<PartContents<N>, ApiError>) {
        let found = self.parts.map(|mut parts| {
            names.map(|name| {
                let at = parts.iter().position(|part| part.name == name)?;
                Some(parts.swap_remove(at).bytes).filter(|bytes| !bytes.is_empty())
            })
        });
        (self.visitor, found)
    }
}

async fn receive_parts(request: Request, app: &App) -> Result<Vec<FormPart>, ApiError> {
    let limit = size::of_request(&request).bytes(app.limits());
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > limit) {
        drain(request, app).await;
        let detail = format!("O arquivo é grande demais: o limite é de {} KB. Nada foi guardado.", limit >> 10);
        return Err(ApiError::new(&error_code::CORPO_GRANDE, detail));
    }
    upload::parts(request, app, "Atualize a página e envie de novo.").await
}

/// Reads and drops a refused body, up to a bound: a browser that is still sending would show no answer.
async fn drain(request: Request, app: &App) {
    let mut body = request.into_body();
    let read = async {
        let mut left = MOST_DRAINED;
        while let Some(Ok(frame)) = body.frame().await {
            left = left.saturating_sub(frame.data_ref().map_or(0, bytes::Bytes::len));
            if left == 0 {
                break;
            }
        }
    };
    let _ = timeout(Duration::from_secs(app.limits().body_s), read).await;
}

const MOST_DRAINED: usize = 32 << 20;
