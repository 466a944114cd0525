//! Pages that differ by installation or by date: of an installation with a changed law, and of the years of the full
//! reform.

use std::sync::OnceLock;

use fiscal::law::Law;
use fiscal::reference::ibscbs::REFORM_IN_FULL;
use jiff::civil::Date;

use super::static_answer::StaticAnswer;
use super::{changes, cte_rules, guides, nfse_rules, receitas, rules};

/// Pages and files by their name.
type Pages = Vec<(&'static str, StaticAnswer)>;

/// Makes the page of a guide with another text.
pub(super) type PageMaker<'a> = &'a dyn Fn(&guides::Guide, &str) -> String;

/// Pages of one installation. Each set is made once, at the first request for one of its pages.
#[derive(Default)]
pub(crate) struct OwnPages {
    of_law: OnceLock<Pages>,
    in_full: OnceLock<Pages>,
}

/// A set of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageSet {
    /// Pages that list the installation's changes of the printed law.
    OfLaw,
    /// Recipes and their page, as valid from [`REFORM_IN_FULL`] on.
    InFull,
}

impl PageSet {
    /// The set that replaces a page on a date; `None` when the common page applies.
    pub(super) fn of(name: &str, today: Date, law: &Law) -> Option<PageSet> {
        if OF_LAW.contains(&name) {
            return (!law.is_as_printed()).then_some(PageSet::OfLaw);
        }
        (today >= REFORM_IN_FULL && receitas::has(name)).then_some(PageSet::InFull)
    }
}

impl OwnPages {
    fn cell(&self, set: PageSet) -> &OnceLock<Pages> {
        match set {
            PageSet::OfLaw => &self.of_law,
            PageSet::InFull => &self.in_full,
        }
    }

    /// True when the pages of a set are made.
    pub(super) fn has(&self, set: PageSet) -> bool {
        self.cell(set).get().is_some()
    }

    /// Pages of a set; the first call is slow, since it makes them.
    pub(super) fn made(&self, set: PageSet, law: &Law, page: PageMaker<'_>) -> &Pages {
        self.cell(set).get_or_init(|| match set {
            PageSet::OfLaw => of_law(law),
            PageSet::InFull => in_full(law, page),
        })
    }
}

const OF_LAW: [&str; 4] = ["regras", "regras-do-cte", "regras-da-nfse", "o-que-muda"];

fn of_law(law: &Law) -> Pages {
    let pages = [rules::page(law), cte_rules::page(law), nfse_rules::page(law), changes::page(law)];
    OF_LAW.into_iter().zip(pages.map(StaticAnswer::page)).collect()
}

fn in_full(law: &Law, maker: PageMaker<'_>) -> Pages {
    let (page, examples) = receitas::of_2027(law);
    let recipes = guides::find(receitas::PAGE);
    let recipes = recipes.map(|guide| (guide.page, StaticAnswer::page(maker(guide, &page))));
    let examples = examples.into_iter().map(|(name, text)| (name, StaticAnswer::of("application/json", text)));
    recipes.into_iter().chain(examples).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_is_of_the_installation_when_its_law_was_changed_or_the_year_has_turned() {
        let changed = Law::read(json!({ "cbs_2027": "8.7" })).unwrap();
        let last = REFORM_IN_FULL.yesterday().unwrap();
        for (name, today, law, expected) in [
            ("regras-do-cte", last, &changed, Some(PageSet::OfLaw)),
            ("regras-do-cte", REFORM_IN_FULL, Law::printed(), None),
            ("receitas", last, &changed, None),
            ("receitas", REFORM_IN_FULL, Law::printed(), Some(PageSet::InFull)),
            ("regime-normal-completa.json", REFORM_IN_FULL, Law::printed(), Some(PageSet::InFull)),
            ("nota.json", REFORM_IN_FULL, &changed, None),
        ] {
            assert_eq!(PageSet::of(name, today, law), expected, "{name} on {today}");
        }
        assert!(
            OF_LAW
                .iter()
                .all(|name| super::super::PAGES.now(crate::routes::described()).iter().any(|page| page.name == *name))
        );
    }

    #[test]
    fn a_set_is_made_once() {
        let pages = OwnPages::default();
        let make = || pages.made(PageSet::InFull, Law::printed(), &|_, text| text.to_owned());
        let first = make();
        assert!(std::ptr::eq(first, make()) && first.len() > 1);
    }
}
