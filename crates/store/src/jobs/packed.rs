//! Packing of a job's long texts: a database writes every byte twice, and the items of a note are much alike. LZ4 packs
//! and unpacks half a megabyte of them in a fifth of a millisecond each; the further savings of deflating cost ten
//! times as much.

use crate::Error;
use crate::row::unexpected;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Smallest text worth packing: below it few pages are saved, and packing allocates a table for each text.
const WORTH_PACKING: usize = 16 << 10;
/// Largest unpacked size of a text: far above what a caller or an authority may send.
const MOST_UNPACKED: usize = 64 << 20;

/// A text in its stored form. A long one is packed by its owner and not by the single writer thread, and unpacked by
/// its reader. Cheap to clone when it is long.
#[derive(Clone, PartialEq, Eq)]
pub struct LongText(StoredForm);

#[derive(Clone, PartialEq, Eq)]
enum StoredForm {
    Plain(String),
    Packed(Arc<Vec<u8>>),
}

impl LongText {
    /// Returns the text; `Corrupt` when the stored bytes are not a text.
    pub fn text(&self) -> Result<Cow<'_, str>, Error> {
        match &self.0 {
            StoredForm::Plain(text) => Ok(text.into()),
            StoredForm::Packed(packed) => decompressed(packed).map(Cow::Owned),
        }
    }

    /// Bytes of the text.
    pub fn len(&self) -> usize {
        match &self.0 {
            StoredForm::Plain(text) => text.len(),
            StoredForm::Packed(packed) => length(packed).unwrap_or_default(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes the text from both columns of a row.
    pub(super) fn from_columns(content: String, packed: Option<Vec<u8>>) -> Result<LongText, Error> {
        let Some(packed) = packed else { return Ok(LongText(StoredForm::Plain(content))) };
        length(&packed).ok_or_else(unexpected)?;
        Ok(LongText(StoredForm::Packed(Arc::new(packed))))
    }

    /// Returns the stored form: the text in its own column, or packed behind its length in the other.
    pub(super) fn columns(&self) -> (&str, Option<Vec<u8>>) {
        match &self.0 {
            StoredForm::Plain(text) => (text.as_str(), None),
            StoredForm::Packed(packed) => ("", Some(packed.to_vec())),
        }
    }
}

impl From<String> for LongText {
    fn from(text: String) -> LongText {
        LongText(packed(&text).1.map_or(StoredForm::Plain(text), |packed| StoredForm::Packed(Arc::new(packed))))
    }
}

impl From<&str> for LongText {
    fn from(text: &str) -> LongText {
        LongText(
            packed(text)
                .1
                .map_or_else(|| StoredForm::Plain(text.to_owned()), |packed| StoredForm::Packed(Arc::new(packed))),
        )
    }
}

/// Prints no content: it is a caller's.
impl fmt::Debug for LongText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LongText({} bytes)", self.len())
    }
}

/// Returns the stored form: the text in its own column, or packed behind its length in the other.
pub(super) fn packed(content: &str) -> (&str, Option<Vec<u8>>) {
    match content.len() {
        WORTH_PACKING..=MOST_UNPACKED => ("", Some(lz4_flex::block::compress_prepend_size(content.as_bytes()))),
        _ => (content, None),
    }
}

/// Reads the text from whichever column holds it.
pub(super) fn unpacked(content: String, packed: Option<Vec<u8>>) -> Result<String, Error> {
    packed.map_or(Ok(content), |packed| decompressed(&packed))
}

fn decompressed(packed: &[u8]) -> Result<String, Error> {
    length(packed).ok_or_else(unexpected)?;
    let bytes = lz4_flex::block::decompress_size_prepended(packed).map_err(|_| unexpected())?;
    String::from_utf8(bytes).map_err(|_| unexpected())
}

/// Length recorded in a packed text; `None` above the limit.
fn length(packed: &[u8]) -> Option<usize> {
    let length = packed.first_chunk().map(|length| u32::from_le_bytes(*length)).and_then(|it| it.try_into().ok());
    length.filter(|length| *length <= MOST_UNPACKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_kept_packed_and_read_back_whole() {
        let long = format!("<NFe>{}</NFe>", "<det><xProd>Pão de queijo</xProd></det>".repeat(2_000));
        let (content, kept) = packed(&long);
        let kept = kept.unwrap();
        assert!(content.is_empty() && kept.len() < long.len() / 20, "{}", kept.len());
        assert_eq!(unpacked(content.to_owned(), Some(kept.clone())).unwrap(), long);
        assert_eq!(packed("<NFe/>"), ("<NFe/>", None));
        assert_eq!(unpacked(long.clone(), None).unwrap(), long);
        for text in [long.as_str(), "<NFe/>"] {
            let as_it_comes = [LongText::from(text), LongText::from(text.to_owned())];
            for as_kept in as_it_comes {
                let (content, packed) = as_kept.columns();
                assert_eq!((as_kept.text().unwrap(), as_kept.len()), (text.into(), text.len()));
                assert_eq!(LongText::from_columns(content.to_owned(), packed).unwrap(), as_kept);
                assert!(!format!("{as_kept:?}").contains("NFe"));
            }
        }
        // Cut short; longer than any file; not a text.
        let endless = [&u32::MAX.to_le_bytes()[..], &kept[4..]].concat();
        let no_text = lz4_flex::block::compress_prepend_size(&[0xff]);
        for wrong in [kept[..kept.len() - 1].to_vec(), vec![1, 2], endless, no_text] {
            assert!(matches!(unpacked(String::new(), Some(wrong.clone())), Err(Error::Corrupt(_))));
            let read = LongText::from_columns(String::new(), Some(wrong));
            assert!(matches!(read.and_then(|kept| kept.text().map(drop)), Err(Error::Corrupt(_))));
        }
    }
}
