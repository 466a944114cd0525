//! Pages that differ by installation or by date: of an installation with a changed law, and of the years of the full
//! reform.

use fiscal::law::Law;
use fiscal::reference::ibscbs::REFORM_IN_FULL;
use jiff::civil::Date;

use super::page_set::{OwnPages, PageSet, Pages};
use super::static_answer::StaticAnswer;
use super::{changes, cte_rules, guide_page, guides, nfse_rules, receitas, rules};
use crate::api::error::ApiError;
use crate::app::App;

/// The set that replaces a page on a date; `None` when the common page applies.
fn replacing_set(name: &str, today: Date, law: &Law) -> Option<PageSet> {
    if OF_LAW.contains(&name) {
        return (!law.is_as_printed()).then_some(PageSet::OfLaw);
    }
    (today >= REFORM_IN_FULL && receitas::has(name)).then_some(PageSet::InFull)
}

/// Pages of a set; the first call is slow, since it makes them.
fn made<'a>(own: &'a OwnPages, set: PageSet, law: &Law) -> &'a Pages {
    own.cell(set).get_or_init(|| match set {
        PageSet::OfLaw => of_law(law),
        PageSet::InFull => in_full(law),
    })
}

/// The installation's own page or file of a name today, if any.
pub(super) async fn find<'a>(app: &'a App, name: &str) -> Result<Option<&'a StaticAnswer>, ApiError> {
    let law = app.engine().law();
    let Some(set) = replacing_set(name, app.today(), law) else { return Ok(None) };
    if app.own_pages().cell(set).get().is_none() {
        let app = app.clone();
        let make = move || made(app.own_pages(), set, app.engine().law()).len();
        tokio::task::spawn_blocking(make).await.map_err(|_| ApiError::internal())?;
    }
    // a recipe that no law changes has no page of its own
    Ok(made(app.own_pages(), set, law).iter().find(|(own, _)| *own == name).map(|(_, page)| page))
}

const OF_LAW: [&str; 4] = ["regras", "regras-do-cte", "regras-da-nfse", "o-que-muda"];

fn of_law(law: &Law) -> Pages {
    let pages = [rules::page(law), cte_rules::page(law), nfse_rules::page(law), changes::page(law)];
    OF_LAW.into_iter().zip(pages.map(StaticAnswer::page)).collect()
}

fn in_full(law: &Law) -> Pages {
    let (page, examples) = receitas::of_2027(law);
    let recipes = guides::GUIDES.iter().find(|guide| guide.page == receitas::PAGE);
    let recipes = recipes.map(|guide| (guide.page, StaticAnswer::page(guide_page::page_of(guide, &page))));
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
            assert_eq!(replacing_set(name, today, law), expected, "{name} on {today}");
        }
        assert!(OF_LAW.iter().all(|name| super::super::PAGES.now().iter().any(|page| page.name == *name)));
    }

    #[test]
    fn a_set_is_made_once() {
        let pages = OwnPages::default();
        let first = made(&pages, PageSet::InFull, Law::printed());
        assert!(std::ptr::eq(first, made(&pages, PageSet::InFull, Law::printed())) && first.len() > 1);
    }
}
