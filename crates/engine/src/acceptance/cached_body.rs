//! Text of a note written by acceptance: the part that depends neither on its number nor on its emission mode.
//! Preparation writes the rest around it. A long body is kept compressed, in a tenth of its length or less.

use fiscal::document::{BuildContext, ReusableBody, WrittenBody};
use std::borrow::Cow;

/// The written body of a document.
pub(crate) struct CachedBody {
    text: BodyText,
    written: WrittenBody,
}

enum BodyText {
    /// The document that contains the body.
    Whole(String),
    /// The compressed body alone.
    Packed { bytes: Vec<u8>, length: usize },
}

impl CachedBody {
    pub(crate) fn of(xml: String, written: WrittenBody) -> CachedBody {
        let text = match xml.get(written.at.clone()).filter(|text| text.len() >= COMPRESSED_FROM_BYTES) {
            Some(text) => BodyText::Packed { bytes: lz4_flex::block::compress(text.as_bytes()), length: text.len() },
            None => BodyText::Whole(xml),
        };
        CachedBody { text, written }
    }

    /// Memory that the body takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.text {
            BodyText::Whole(xml) => xml.len(),
            BodyText::Packed { bytes, .. } => bytes.len(),
        }
    }

    /// Returns the text of the body.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        match &self.text {
            BodyText::Whole(xml) => xml.get(self.written.at.clone()).map(Cow::Borrowed),
            BodyText::Packed { bytes, length } => {
                let text = String::from_utf8(lz4_flex::block::decompress(bytes, *length).ok()?).ok()?;
                (text.len() == *length).then_some(Cow::Owned(text))
            }
        }
    }

    /// Returns the body for a document of that context; `None` on another day.
    pub(crate) fn reusable<'t>(&self, text: &'t str, context: &BuildContext<'_>) -> Option<ReusableBody<'t>> {
        self.written.reuse_in(text, context)
    }
}

/// Length in bytes from which a body is compressed: some thirty items.
const COMPRESSED_FROM_BYTES: usize = 24 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(items: usize) -> (String, CachedBody) {
        let body = "<det><prod><xProd>Pão</xProd></prod></det>".repeat(items);
        let xml = format!("<NFe>{body}</NFe>");
        let at = 5..5 + body.len();
        (body, CachedBody::of(xml, WrittenBody { at, valor: Default::default(), day: "2026-11-27".to_owned() }))
    }

    #[test]
    fn a_body_comes_back_as_it_was_and_a_long_one_is_packed() {
        for (items, is_large) in [(1, false), (1_000, true)] {
            let (body, kept) = kept(items);
            assert_eq!(kept.text().unwrap(), body);
            assert_eq!(kept.bytes() < body.len() / 20, is_large, "{}", kept.bytes());
        }
    }
}
