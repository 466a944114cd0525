//! The page of a guide, with links to the guides before and after.

use super::guides::{GUIDES, Guide};
use super::markdown;
use super::page::frame;

/// Page of a guide.
pub(crate) fn page(guide: &Guide) -> String {
    page_of(guide, guide.text)
}

/// Page of a guide with another text.
pub(crate) fn page_of(guide: &Guide, text: &str) -> String {
    let path = format!("/docs/guia/{}", guide.page);
    let body = markdown::to_html(text) + &adjacent_guides(guide);
    frame(guide.title, &path, &body, &markdown::headings(text))
}

/// Links to the guides before and after; the search ignores them.
fn adjacent_guides(guide: &Guide) -> String {
    let at = GUIDES.iter().position(|one| one.page == guide.page).unwrap_or_default();
    let link = |place: Option<usize>, rel: &str, word: &str| {
        let found = place.and_then(|place| GUIDES.get(place));
        found.map_or_else(String::new, |guide| {
            let (page, title) = (guide.page, markdown::escaped(guide.title));
            format!("<a rel=\"{rel}\" href=\"/docs/guia/{page}\"><small>{word}</small> {title}</a>")
        })
    };
    let (before, after) = (link(at.checked_sub(1), "prev", "Anterior"), link(Some(at + 1), "next", "Próximo"));
    format!("<nav class=\"vizinhos\" aria-label=\"Guias vizinhos\" data-busca=\"nao\">{before}{after}</nav>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guide_leads_to_its_neighbours() {
        let middle = page(&GUIDES[1]);
        for (at, rel) in [(0, "prev"), (2, "next")] {
            assert!(middle.contains(&format!("<a rel=\"{rel}\" href=\"/docs/guia/{}\">", GUIDES[at].page)), "{rel}");
        }
        let (first, last) = (page(&GUIDES[0]), page(GUIDES.last().unwrap()));
        assert!(!first.contains("rel=\"prev\"") && !last.contains("rel=\"next\""));
    }
}
