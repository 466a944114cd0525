//! What acceptance wrote of a note: all of it that depends neither on its number nor on the way that it goes.
//! Preparation writes the rest anew, around it. That of many items is kept packed, in a tenth of its length and less.

use fiscal::document::{BodyBefore, BodyWritten, Context};
use std::borrow::Cow;

/// The body of a document that was written.
pub(crate) struct Body {
    text: Text,
    written: BodyWritten,
}

enum Text {
    /// The document in which it stands.
    Whole(String),
    /// Itself.
    Packed { bytes: Vec<u8>, length: usize },
}

impl Body {
    pub(crate) fn of(xml: String, written: BodyWritten) -> Body {
        let text = match xml.get(written.at.clone()).filter(|text| text.len() >= MANY) {
            Some(text) => Text::Packed { bytes: lz4_flex::block::compress(text.as_bytes()), length: text.len() },
            None => Text::Whole(xml),
        };
        Body { text, written }
    }

    /// What it takes up.
    pub(crate) fn bytes(&self) -> usize {
        match &self.text {
            Text::Whole(xml) => xml.len(),
            Text::Packed { bytes, .. } => bytes.len(),
        }
    }

    /// As it was.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        match &self.text {
            Text::Whole(xml) => xml.get(self.written.at.clone()).map(Cow::Borrowed),
            Text::Packed { bytes, length } => {
                let text = String::from_utf8(lz4_flex::block::decompress(bytes, *length).ok()?).ok()?;
                (text.len() == *length).then_some(Cow::Owned(text))
            }
        }
    }

    /// To be put into a document of that context; `None` on another day.
    pub(crate) fn before<'t>(&self, text: &'t str, context: &Context<'_>) -> Option<BodyBefore<'t>> {
        self.written.before(text, context)
    }
}

/// Bytes of some thirty items.
const MANY: usize = 24 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(items: usize) -> (String, Body) {
        let body = "<det><prod><xProd>Pão</xProd></prod></det>".repeat(items);
        let xml = format!("<NFe>{body}</NFe>");
        let at = 5..5 + body.len();
        (body, Body::of(xml, BodyWritten { at, valor: Default::default(), day: "2026-11-27".to_owned() }))
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
