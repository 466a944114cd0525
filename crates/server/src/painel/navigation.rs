//! Sections of the panel, in the order of its navigation.

use maud::{Markup, html};

/// A section: an entry of the navigation.
pub(super) struct Section {
    /// Address of its first page.
    pub(super) path: &'static str,
    pub(super) name: &'static str,
}

pub(super) const HOME: Section = Section { path: "/painel", name: "Início" };
pub(super) const ORDERS: Section = Section { path: "/painel/confirmacoes", name: "Confirmações" };
pub(super) const EXPORTS: Section = Section { path: "/painel/exportacoes", name: "Exportar o mês" };

const SECTIONS: &[&Section] = &[&HOME, &ORDERS, &EXPORTS];

/// The navigation on a page of a section.
pub(super) fn navigation(current: &Section) -> Markup {
    html! {
        nav class="secoes" aria-label="Painel" {
            ul {
                @for section in SECTIONS {
                    li {
                        a href=(section.path) aria-current=[(section.path == current.path).then_some("page")] { (section.name) }
                    }
                }
                li class="fora" { a href="/docs" { "Documentação" } }
            }
        }
    }
}
