//! Head of every HTML page, the same in the documentation, the console and the panel: mark and areas.

use maud::{Markup, html};

/// An area of the service with HTML pages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteArea {
    /// `/`, in none of the areas of the navigation.
    Entry,
    Documentation,
    Console,
    Panel,
}

const AREAS: [(SiteArea, &str, &str); 3] = [
    (SiteArea::Documentation, "/docs", "Documentação"),
    (SiteArea::Console, "/swagger", "Console"),
    (SiteArea::Panel, "/painel", "Painel"),
];

/// Mark and areas; the mark leads to the start of the service, in the panel to the start of the panel.
pub(crate) fn masthead(current: SiteArea) -> Markup {
    let home = if current == SiteArea::Panel { "/painel" } else { "/" };
    html! {
        a class="marca" href=(home) {
            img src="/docs/recursos/marca.svg" alt="" width="28" height="28";
            span { "Carimbo" }
        }
        nav class="areas" aria-label="Áreas" {
            @for (area, path, name) in AREAS {
                a href=(path) aria-current=[(area == current).then_some("true")] { (name) }
            }
        }
    }
}
