//! Text of gzip data.

/// UTF-8 text without NUL: XML has none, and PostgreSQL stores none. The caller keeps a faulty document as received, so
/// that the others continue.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|_| "o documento descompactado não é UTF-8".to_owned())?;
    if text.contains('\0') { Err("o documento descompactado tem um byte nulo".to_owned()) } else { Ok(text) }
}
