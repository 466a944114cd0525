//! First days of the fields that technical notes add to the layout of NF-e and NFC-e.
//!
//! Law: `additions.tsv`, each row with its source; `cargo xtask layouts` adds them to the layout. Must not know a
//! document.

use crate::value::TpAmb;
use jiff::civil::Date;
use std::sync::LazyLock;

/// A field, or a group with all its members, that the published schemas do not have yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayoutAddition {
    /// Group of the field, as a path of the document: `infNFe/det/prod`.
    pub parent: &'static str,
    /// Official tag.
    pub element: &'static str,
    /// First day of reception in homologação and in production.
    since: (Date, Date),
    /// Technical note, and the identifier in it.
    pub source: &'static str,
}

impl LayoutAddition {
    /// The first day of reception in an environment.
    pub fn since(&self, ambiente: TpAmb) -> Date {
        match ambiente {
            TpAmb::Homologacao => self.since.0,
            TpAmb::Producao => self.since.1,
        }
    }
}

/// Every added field and group, without the members of added groups.
pub fn additions() -> &'static [LayoutAddition] {
    &ADDITIONS
}

static ADDITIONS: LazyLock<Vec<LayoutAddition>> = LazyLock::new(|| {
    let all: Vec<LayoutAddition> = rows().filter_map(read).collect();
    let is_member =
        |one: &LayoutAddition| all.iter().any(|group| one.parent == format!("{}/{}", group.parent, group.element));
    all.iter().filter(|one| !is_member(one)).copied().collect()
});

fn rows() -> impl Iterator<Item = &'static str> {
    include_str!("additions.tsv").lines().filter(|line| !line.starts_with('#'))
}

/// Name of a sequence, which is no element of a document: its members belong to the group around it.
const UNNAMED_SEQUENCE: &str = "-x-";

/// `None` for such a sequence.
fn read(row: &'static str) -> Option<LayoutAddition> {
    let mut columns = row.split('\t');
    let (parent, element) = (columns.next()?, columns.next()?);
    let mut columns = columns.skip(3);
    let mut day = || columns.next()?.parse::<Date>().ok();
    let since = (day()?, day()?);
    let parent = parent.strip_suffix(UNNAMED_SEQUENCE).map_or(parent, |around| around.trim_end_matches('/'));
    (element != UNNAMED_SEQUENCE).then_some(LayoutAddition { parent, element, since, source: columns.next()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{ContentModel, Element, NFE};

    fn child(element: &Element, name: &str) -> Option<&'static Element> {
        let ContentModel::Group(complex) = &element.kind else { return None };
        crate::map::members(complex).into_iter().find(|element| element.name == name)
    }

    #[test]
    fn every_row_is_read_and_stands_in_the_layout() {
        assert_eq!(rows().filter(|row| read(row).is_none()).filter(|row| !row.contains(UNNAMED_SEQUENCE)).count(), 0);
        for one in additions() {
            let group = one.parent.split('/').try_fold(NFE.root, child);
            assert!(group.and_then(|group| child(group, one.element)).is_some(), "{one:?}");
            assert!(one.since(TpAmb::Homologacao) <= one.since(TpAmb::Producao), "{one:?}");
        }
    }

    #[test]
    fn members_of_an_added_group_are_not_told_again() {
        let of_the_item: Vec<&str> =
            additions().iter().filter(|one| one.parent.ends_with("IBSCBS")).map(|one| one.element).collect();
        assert_eq!(of_the_item, ["gTribSN"]);
    }
}
