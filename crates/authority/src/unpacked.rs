//! What comes out of a gzip: a text, or why it is none.

/// The text. XML has no NUL, and PostgreSQL keeps it in no text: who finds one keeps the document as it came, so that
/// it stops none of the others.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| "o documento descompactado não é UTF-8".to_owned())?;
    if text.contains('\0') { Err("o documento descompactado tem um byte nulo".to_owned()) } else { Ok(text) }
}
