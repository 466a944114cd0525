//! Pages of a list that goes on from an id: how many rows it has, and the links to newer and older ones.

use maud::{Markup, html};
use store::emissions::BoundedCount;
use uuid::Uuid;

use super::filters::ListFilters;
use super::words;

/// Number of entries, in words.
pub(super) fn counted(count: BoundedCount) -> String {
    let number = words::decimal(&count.n.to_string());
    match (count.n, count.or_more) {
        (0, true) => "Ainda não se sabe quantos documentos.".to_owned(),
        (_, true) => format!("Mais de {number} documentos."),
        (1, false) => "1 documento.".to_owned(),
        (_, false) => format!("{number} documentos."),
    }
}

/// Place of a page in its list.
pub(super) struct PageEnds {
    pub(super) first: Option<Uuid>,
    pub(super) last: Option<Uuid>,
    pub(super) has_newer: bool,
    pub(super) has_older: bool,
    /// Last row that was tried, when the search was cut.
    pub(super) stopped_at: Option<Uuid>,
}

impl PageEnds {
    /// Links to the pages beside it.
    pub(super) fn links(&self, label: &str, filters: &ListFilters) -> Markup {
        let address = |name: &str, id: Uuid| filters.address(Some((name, id)));
        html! {
            @if self.has_newer || self.has_older || self.stopped_at.is_some() {
                nav class="paginas" aria-label=(label) {
                    @if self.has_newer { a href=(filters.address(None)) { "Os mais novos" } }
                    @if let Some(id) = self.first.filter(|_| self.has_newer) {
                        a rel="prev" href=(address("depois", id)) { "Mais novos" }
                    }
                    @if let Some(id) = self.last.filter(|_| self.has_older) {
                        a rel="next" href=(address("antes", id)) { "Mais antigos" }
                    }
                    @if let Some(id) = self.stopped_at {
                        a rel="next" href=(address("antes", id)) { "Continuar procurando nos mais antigos" }
                    }
                }
            }
        }
    }
}
