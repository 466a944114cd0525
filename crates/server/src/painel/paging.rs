//! Numbered pages of a list, newest first: every row is on some page.

use maud::{Markup, html};
use store::notes::ListWindow;

/// Paging of a list.
pub(super) struct ListPaging {
    /// Parameter of the address with the page, from 1.
    pub(super) parameter: &'static str,
    pub(super) label: &'static str,
    /// Words of the links to newer and to older rows.
    pub(super) links: [&'static str; 2],
    /// Rows of a page.
    pub(super) size: u32,
}

/// A page of a list.
#[derive(Clone, Copy)]
pub(super) struct ListPage {
    paging: &'static ListPaging,
    number: u32,
}

impl ListPaging {
    pub(super) const fn first(&'static self) -> ListPage {
        ListPage { paging: self, number: 1 }
    }

    /// The page that an address names; a wrong one is the first.
    pub(super) fn page(&'static self, query: &str) -> ListPage {
        let found = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == self.parameter);
        let number = found.and_then(|(_, number)| number.parse().ok()).unwrap_or(1).clamp(1, LAST_PAGE);
        ListPage { paging: self, number }
    }
}

impl ListPage {
    /// Rows before it.
    pub(super) fn skip(self) -> u32 {
        (self.number - 1) * self.paging.size
    }

    pub(super) fn window(self) -> ListWindow {
        let whole = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        ListWindow { limit: whole(self.paging.size), skip: whole(self.skip()) }
    }

    /// Links to the pages beside it, of a list at this path with so many rows.
    pub(super) fn links(self, path: &str, total: u64) -> Markup {
        self.links_at(total, |page| format!("{path}?{}={page}", self.paging.parameter))
    }

    /// Links to the pages beside it, of a list with so many rows, by the address of each page.
    pub(super) fn links_at(self, total: u64, address: impl Fn(u32) -> String) -> Markup {
        let ListPage { paging, number } = self;
        let last = total.div_ceil(u64::from(paging.size)).max(1);
        let more = u64::from(number) < last;
        let [newer, older] = paging.links;
        html! {
            @if number > 1 || more {
                nav class="paginas" aria-label=(paging.label) {
                    @if number > 1 { a href=(address(number - 1)) { (newer) } }
                    span { "Página " (number) " de " (last) }
                    @if more { a href=(address(number + 1)) { (older) } }
                }
            }
        }
    }
}

const LAST_PAGE: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: ListPaging =
        ListPaging { parameter: "pagina", label: "Páginas", links: ["Novas", "Antigas"], size: 20 };

    #[test]
    fn every_row_is_on_some_page_and_a_wrong_page_is_the_first() {
        let number = |query: &str| LIST.page(query).number;
        assert_eq!((number(""), number("pagina=x"), number("pagina=0"), number("pagina=3")), (1, 1, 1, 3));
        let third = LIST.page("pagina=3").window();
        assert_eq!((third.limit, third.skip), (20, 40));
        assert!(LIST.first().links("/x", 20).into_string().is_empty());
        let second = LIST.page("pagina=2").links("/x", 41).into_string();
        assert!(
            second.contains("/x?pagina=1") && second.contains("/x?pagina=3") && second.contains("2 de 3"),
            "{second}"
        );
        assert!(!LIST.page("pagina=3").links("/x", 41).into_string().contains("Antigas"));
    }
}
