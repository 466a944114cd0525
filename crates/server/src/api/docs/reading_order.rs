//! Every page in reading order, by the groups of the navigation: the guides, then the reference.

use std::sync::LazyLock;

use super::families::FAMILIES;
use super::guides::{self, Guide};
use super::{front_doors, table_pages};

/// A group of the navigation.
pub(super) struct PageGroup {
    pub(super) title: &'static str,
    pub(super) pages: Vec<ListedPage>,
}

/// A page as the navigation lists it.
pub(super) struct ListedPage {
    pub(super) address: String,
    pub(super) title: String,
    /// True below the page of its document family.
    pub(super) is_below: bool,
}

/// Title of the last group.
pub(super) const REFERENCE: &str = "Referência";

/// All groups.
pub(super) fn groups() -> &'static [PageGroup] {
    static GROUPS: LazyLock<Vec<PageGroup>> =
        LazyLock::new(|| guides::groups().map(of_guides).chain(Some(reference())).collect());
    &GROUPS
}

/// Group that a page belongs to; pages of routes and of errors belong to the reference.
pub(super) fn group_of(path: &str) -> Option<&'static PageGroup> {
    let listed = groups().iter().find(|group| group.pages.iter().any(|page| page.address == path));
    let is_reference = ["/docs/rotas/", "/docs/erros/"].iter().any(|folder| path.starts_with(folder));
    listed.or_else(|| groups().last().filter(|_| is_reference))
}

/// Pages before and after a listed page.
pub(super) fn neighbours(path: &str) -> (Option<&'static ListedPage>, Option<&'static ListedPage>) {
    let pages: Vec<&ListedPage> = groups().iter().flat_map(|group| &group.pages).collect();
    let Some(at) = pages.iter().position(|page| page.address == path) else { return (None, None) };
    let before = at.checked_sub(1).and_then(|at| pages.get(at));
    (before.copied(), pages.get(at + 1).copied())
}

fn of_guides(guides: &'static [Guide]) -> PageGroup {
    let has_doors = guides.iter().any(|guide| front_doors::find(guide.page).is_some());
    let listed = |guide: &Guide| ListedPage {
        address: format!("/docs/guia/{}", guide.page),
        title: guide.title.to_owned(),
        is_below: has_doors && front_doors::find(guide.page).is_none(),
    };
    let title = guides.first().map_or("", |guide| guide.group);
    PageGroup { title, pages: guides.iter().map(listed).collect() }
}

fn reference() -> PageGroup {
    let page = |address: &str, title: &str| ListedPage {
        address: address.to_owned(),
        title: title.to_owned(),
        is_below: false,
    };
    let fields = FAMILIES
        .iter()
        .map(|family| page(&format!("/docs/guia/campos-{}", family.page), &format!("Campos {}", family.of)));
    let tables = table_pages::ALL.iter().map(|table| page(table.address, table.title));
    let first = page("/docs/guia/api", "Rotas e objetos");
    let last = page("/docs/erros", "Códigos de erro");
    PageGroup {
        title: REFERENCE,
        pages: Some(first).into_iter().chain(fields).chain(tables).chain(Some(last)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_are_read_one_after_the_other() {
        let names: Vec<&str> = groups().iter().map(|group| group.title).collect();
        assert_eq!(
            names,
            [
                "Começar",
                "Por documento",
                "Eventos e correções",
                "Receber",
                "Imprimir",
                "Integrar",
                "Contas e empresas",
                "Operar",
                "Migrar",
                "Referência"
            ]
        );
        for pair in groups().windows(2) {
            let (last, first) = (pair[0].pages.last().unwrap(), &pair[1].pages[0]);
            assert_eq!(neighbours(&last.address).1.unwrap().address, first.address, "{}", pair[1].title);
            assert_eq!(neighbours(&first.address).0.unwrap().address, last.address, "{}", pair[1].title);
        }
        let (first, last) = ("/docs/guia/primeira-nota", "/docs/erros");
        assert!(neighbours(first).0.is_none() && neighbours(last).1.is_none() && neighbours("/docs").1.is_none());
    }

    #[test]
    fn a_page_belongs_to_one_group() {
        for (path, title) in [
            ("/docs/guia/documento-cte", Some("Por documento")),
            ("/docs/rotas/emitirNfe", Some("Referência")),
            ("/docs/erros/validacao", Some("Referência")),
            ("/docs", None),
        ] {
            assert_eq!(group_of(path).map(|group| group.title), title, "{path}");
        }
    }
}
