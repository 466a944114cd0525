//! The items of a large note as acceptance wrote them: what takes longest to read, to write and to keep of it, and depends neither on its number nor on
//! the way that it goes. Preparation writes the rest anew and puts them in. They are kept packed, in a tenth of their length and less.

use fiscal::document::{ItemsBefore, ItemsWritten};

/// Items of a note, packed.
pub(crate) struct Items {
    packed: Vec<u8>,
    length: usize,
    sums: Vec<i64>,
}

/// Items that were unpacked.
pub(crate) struct Unpacked<'i> {
    xml: String,
    sums: &'i [i64],
}

impl Items {
    /// `None` of few: those are written again sooner than packed.
    pub(crate) fn of(xml: &str, written: Option<&ItemsWritten>) -> Option<Items> {
        let ItemsWritten { at, sums } = written?;
        let items = xml.get(at.clone()).filter(|items| items.len() >= MANY)?;
        let packed = lz4_flex::block::compress(items.as_bytes());
        Some(Items { packed, length: items.len(), sums: sums.clone() })
    }

    /// What they take up.
    pub(crate) fn bytes(&self) -> usize {
        self.packed.len()
    }

    /// As they were.
    pub(crate) fn unpacked(&self) -> Option<Unpacked<'_>> {
        let bytes = lz4_flex::block::decompress(&self.packed, self.length).ok()?;
        let xml = String::from_utf8(bytes).ok().filter(|xml| xml.len() == self.length)?;
        Some(Unpacked { xml, sums: &self.sums })
    }
}

impl Unpacked<'_> {
    /// To be put into a document.
    pub(crate) fn before(&self) -> ItemsBefore<'_> {
        ItemsBefore { xml: &self.xml, sums: self.sums }
    }
}

/// Bytes of some thirty items.
const MANY: usize = 24 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_items_come_back_as_they_were_and_few_are_not_kept() {
        let items = "<det><prod><xProd>Pão</xProd></prod></det>".repeat(1_000);
        let xml = format!("<NFe>{items}</NFe>");
        let written = ItemsWritten { at: 5..5 + items.len(), sums: vec![1, 2] };
        let kept = Items::of(&xml, Some(&written)).unwrap();
        assert!(kept.bytes() < items.len() / 20, "{}", kept.bytes());
        let unpacked = kept.unpacked().unwrap();
        assert_eq!((unpacked.before().xml, unpacked.before().sums), (items.as_str(), &[1, 2][..]));
        assert!(Items::of(&xml, Some(&ItemsWritten { at: 5..900, sums: Vec::new() })).is_none());
        assert!(Items::of(&xml, None).is_none());
    }
}
