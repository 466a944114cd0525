//! Forms of the panel. Handlers extract `SubmittedForm`, which first verifies that a page of this session sent the
//! form.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Response;
use http::header;
use http::request::Parts;

use super::frame;
use super::origin::is_ours;
use super::panel_session::PanelSession;
use crate::api::body::read_limited;
use crate::api::error::ApiError;
use crate::api::error_code;
use crate::app::App;
use zeroize::Zeroizing;

/// Fields of a form, by name; of repeated names the first counts.
pub(crate) struct FormFields(Vec<(String, Zeroizing<String>)>);

impl FormFields {
    /// Reads a form, if a page of ours sent it.
    pub(super) async fn read(request: Request, app: &App) -> Result<(Parts, FormFields), ApiError> {
        let (parts, bytes) = receive_form(request, app).await?;
        Ok((parts, FormFields::parse(&bytes, MOST_FIELDS)))
    }

    /// Parses at most so many fields.
    pub(super) fn parse(bytes: &[u8], most: usize) -> FormFields {
        let pairs = form_urlencoded::parse(bytes).take(most);
        FormFields(pairs.map(|(name, value)| (name.into_owned(), Zeroizing::new(value.into_owned()))).collect())
    }

    /// Every field, in the order of the form.
    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Value of a field, empty when absent.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value.as_str())
    }

    /// True when the form has this proof; compared in constant time.
    pub(super) fn proves(&self, proof: &str) -> bool {
        is_proof(self.text(PROOF).as_bytes(), proof)
    }
}

/// Compares a proof in constant time.
pub(super) fn is_proof(given: &[u8], proof: &str) -> bool {
    given.len() == proof.len() && openssl::memcmp::eq(given, proof.as_bytes())
}

/// Receives the bytes of a form, if a page of ours sent it.
pub(super) async fn receive_form(request: Request, app: &App) -> Result<(Parts, Zeroizing<Vec<u8>>), ApiError> {
    let (parts, body) = request.into_parts();
    if !is_ours(&parts, app.edge()) {
        return Err(not_our_form());
    }
    let media = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !media.starts_with("application/x-www-form-urlencoded") {
        return Err(ApiError::new(&error_code::MIDIA_INVALIDA, "O formulário veio em outro formato."));
    }
    let bytes = read_limited(Request::from_parts(parts.clone(), body), app).await?.into_bytes()?;
    Ok((parts, bytes))
}

/// Refusal of a form that no page of this session sent.
pub(super) fn not_our_form() -> ApiError {
    ApiError::new(&error_code::PERMISSAO_NEGADA, NOT_OUR_FORM)
}

/// A form submitted by a logged-in user from a page of this session.
pub(crate) struct SubmittedForm {
    pub(super) visitor: PanelSession,
    pub(super) fields: FormFields,
    pub(super) parts: Parts,
}

impl FromRequest<App> for SubmittedForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<SubmittedForm, Response> {
        let (mut parts, body) = request.into_parts();
        let visitor = PanelSession::from_request_parts(&mut parts, app).await?;
        let read = FormFields::read(Request::from_parts(parts, body), app).await;
        let (parts, fields) = read.map_err(|error| frame::failure(&error))?;
        if !fields.proves(&visitor.proof) {
            return Err(frame::failure(&not_our_form()));
        }
        Ok(SubmittedForm { visitor, fields, parts })
    }
}

/// Name of the hidden field.
pub(super) const PROOF: &str = "prova";
/// The largest form is the configuration of NFS-e.
const MOST_FIELDS: usize = 64;
const NOT_OUR_FORM: &str =
    "Este formulário não veio de uma página desta sessão, e nada foi feito. Volte, atualize a página e tente de novo.";
