//! A file in a request: base64 in JSON, or a part of a form. Limits of size and time are those of any other body.

use axum::body::Body;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header;
use zeroize::Zeroizing;

use super::body;
use super::error::ApiError;
use super::error_code;
use crate::app::App;

/// A part of a form: name and content, wiped on drop since it may be a secret.
pub(crate) struct FormPart {
    pub(crate) name: String,
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

/// All parts of a form. `what` describes the expected form in the refusal of another one.
pub(crate) async fn parts(request: Request, app: &App, what: &str) -> Result<Vec<FormPart>, ApiError> {
    let headers = request.headers().clone();
    if headers.get(header::CONTENT_TYPE).is_some_and(|media| media.len() > MOST_MEDIA) {
        return Err(unreadable(what));
    }
    let bytes = body::read_limited(request, app).await?.into_bytes()?;
    let mut request = Request::new(Body::from(bytes.to_vec()));
    *request.headers_mut() = headers;
    let mut multipart = Multipart::from_request(request, app).await.map_err(|_| unreadable(what))?;
    let mut parts = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(|error| form_error(&error, what))? {
        if parts.len() == MOST_PARTS {
            return Err(ApiError::new(
                &error_code::REQUISICAO_INVALIDA,
                format!("O formulário tem mais de {MOST_PARTS} partes. {what}"),
            ));
        }
        let head: usize = field.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
        if head > MOST_HEAD {
            let detail = format!("Os cabeçalhos de uma parte do formulário passam de {MOST_HEAD} bytes. {what}");
            return Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail));
        }
        let name = field.name().unwrap_or_default().to_owned();
        let bytes = Zeroizing::new(field.bytes().await.map_err(|error| form_error(&error, what))?.to_vec());
        parts.push(FormPart { name, bytes });
    }
    Ok(parts)
}

/// Removes and returns the part with one of these names. Two such parts are refused.
pub(crate) fn remove_part(parts: &mut Vec<FormPart>, names: &[&str]) -> Result<Option<Zeroizing<Vec<u8>>>, ApiError> {
    let is_it = |part: &mut FormPart| names.contains(&part.name.as_str());
    let mut found = parts.extract_if(.., is_it).map(|part| part.bytes);
    let (first, second) = (found.next(), found.next());
    if second.is_some() {
        let names = names.join(" ou ");
        let detail = format!("A parte {names} do formulário veio mais de uma vez. Envie cada parte uma vez só.");
        return Err(ApiError::new(&error_code::REQUISICAO_INVALIDA, detail));
    }
    Ok(first)
}

/// Decodes base64 with or without line breaks and `data:` prefix; `None` when invalid.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    let bare = text.split_once("base64,").map_or(text, |(_, bare)| bare);
    let bare: Zeroizing<String> = Zeroizing::new(bare.split_ascii_whitespace().collect());
    STANDARD.decode(bare.as_bytes()).ok().map(Zeroizing::new)
}

/// Refusal of a malformed form. The library's own limit is 2 MB, many times the size of any of our files.
fn form_error(error: &MultipartError, what: &str) -> ApiError {
    if error.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
        return ApiError::new(&error_code::CORPO_GRANDE, format!("O formulário passa de 2 MB. {what}"));
    }
    unreadable(what)
}

fn unreadable(what: &str) -> ApiError {
    ApiError::new(&error_code::REQUISICAO_INVALIDA, format!("O formulário multipart não pôde ser lido. {what}"))
}

/// Largest number of parts in a form; ours use two.
const MOST_PARTS: usize = 16;
/// Largest head of a part, bytes.
const MOST_HEAD: usize = 4 << 10;
/// Longest media type, bytes: a boundary has at most 70 characters (RFC 2046, 5.1.1).
const MOST_MEDIA: usize = 256;

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn base64_may_be_broken_in_lines_or_a_data_url() {
        assert_eq!(decode("data:application/x-pkcs12;base64,\nAQ\nID\n").unwrap().as_slice(), [1, 2, 3]);
        assert!(decode("não").is_none());
    }
}
