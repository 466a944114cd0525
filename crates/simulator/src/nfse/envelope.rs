//! Unpacks the document of a request: JSON, base64, gzip, XML, layout; and packs that of an answer.
//!
//! Law: rules of reception E1225 to E1242; a schema error of an event is refused as RNG6110 (seen in answers; the annex
//! has E1235).

use super::NAMESPACE;
use super::answer::ProcessingMessage;
use super::settings::AcceptedLayouts;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fiscal::layout::{self, Layout};
use fiscal::xml::{self, Element};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::{Read as _, Write as _};

/// Largest document accepted, unpacked; no limit is published.
const LARGEST: u64 = 4 << 20;

/// A document of a request.
pub(super) struct NationalDocument {
    pub(super) root: Element,
    /// The text from its start tag to its end tag: its signature is verified in it, and it is stored.
    pub(super) source: String,
}

/// The bytes under a member of the request's JSON.
pub(super) fn unpack(body: &[u8], member: &str) -> Result<Vec<u8>, ProcessingMessage> {
    let unreadable = |why: String| ProcessingMessage::about("E1225", why);
    let json: Value = serde_json::from_slice(body).map_err(|error| unreadable(format!("JSON: {error}")))?;
    let packed = json.get(member).and_then(Value::as_str).ok_or_else(|| unreadable(format!("falta {member}")))?;
    let gzip = STANDARD.decode(packed.trim()).map_err(|error| unreadable(format!("base64: {error}")))?;
    let mut bytes = Vec::new();
    let read = GzDecoder::new(gzip.as_slice()).take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(format!("gzip: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(unreadable(format!("o documento passa de {LARGEST} bytes")));
    }
    Ok(bytes)
}

/// Reads a document and checks its layout; `schema` is the code of a deviation.
pub(super) fn read(
    bytes: Vec<u8>,
    layout: &'static Layout,
    schema: &'static str,
) -> Result<NationalDocument, ProcessingMessage> {
    read_by(bytes, |_| layout, schema)
}

/// Reads a declaration in one of the accepted layouts.
pub(super) fn read_dps(bytes: Vec<u8>, taken: AcceptedLayouts) -> Result<NationalDocument, ProcessingMessage> {
    read_by(bytes, |root| taken.layout_for(root).table(), "E1235")
}

fn read_by(
    bytes: Vec<u8>,
    layout: impl Fn(&Element) -> &'static Layout,
    schema: &'static str,
) -> Result<NationalDocument, ProcessingMessage> {
    let text = String::from_utf8(bytes).map_err(|_| ProcessingMessage::new("E1229"))?;
    let root = xml::read(text.as_bytes()).map_err(|error| ProcessingMessage::about("E1226", error.to_string()))?;
    if has_prefix(&root) || text.contains(" xmlns:") {
        return Err(ProcessingMessage::new("E1228"));
    }
    let layout = layout(&root);
    if root.name != layout.root.name || root.namespace != NAMESPACE {
        return Err(ProcessingMessage::new("E1242"));
    }
    if let Some(fault) = layout::check(layout, &root).first() {
        return Err(ProcessingMessage::about(schema, format!("{}: {}", fault.path, fault.message)));
    }
    let source = text.get(root.span.clone()).unwrap_or_default().to_owned();
    Ok(NationalDocument { root, source })
}

fn has_prefix(element: &Element) -> bool {
    !element.prefix.as_str().is_empty() || element.children().any(has_prefix)
}

/// A document as answers carry it. Writing to memory does not fail.
pub(super) fn pack(xml: &str) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    let written = gzip.write_all(xml.as_bytes()).and_then(|()| gzip.finish());
    STANDARD.encode(written.unwrap_or_default())
}
