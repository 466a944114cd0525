//! Long texts of a job, packed: a database writes every byte twice, and the items of a note are much like each other. LZ4, which packs and unpacks
//! half a megabyte of them in a fifth of a millisecond each; what deflating saves beyond that costs ten times as much.

use crate::Error;
use crate::row::unexpected;

/// Below this the pages that are not written are few, and packing has its own price: a table of its own for each text.
const WORTH_PACKING: usize = 16 << 10;
/// What one text may unfold to: far above what a caller or an authority may send.
const MOST_UNPACKED: usize = 64 << 20;

/// The text as it is kept: in its own column, or in the other, behind its length.
pub(super) fn packed(content: &str) -> (&str, Option<Vec<u8>>) {
    match content.len() {
        WORTH_PACKING..=MOST_UNPACKED => ("", Some(lz4_flex::block::compress_prepend_size(content.as_bytes()))),
        _ => (content, None),
    }
}

/// The text, from whichever column it is in.
pub(super) fn unpacked(content: String, packed: Option<Vec<u8>>) -> Result<String, Error> {
    let Some(packed) = packed else { return Ok(content) };
    let length = packed.first_chunk().map(|length| u32::from_le_bytes(*length)).and_then(|it| it.try_into().ok());
    length.filter(|length: &usize| *length <= MOST_UNPACKED).ok_or_else(unexpected)?;
    let bytes = lz4_flex::block::decompress_size_prepended(&packed).map_err(|_| unexpected())?;
    String::from_utf8(bytes).map_err(|_| unexpected())
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
        // cut short; longer than any file; no text
        let endless = [&u32::MAX.to_le_bytes()[..], &kept[4..]].concat();
        let no_text = lz4_flex::block::compress_prepend_size(&[0xff]);
        for wrong in [kept[..kept.len() - 1].to_vec(), vec![1, 2], endless, no_text] {
            assert!(matches!(unpacked(String::new(), Some(wrong)), Err(Error::Corrupt(_))));
        }
    }
}
