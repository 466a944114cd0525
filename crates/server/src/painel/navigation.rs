//! Sections of the panel, in the order of its navigation.

use maud::{Markup, html};

use super::panel_session::PanelSession;
use crate::routes::PANEL;

/// A section: an entry of the navigation.
pub(super) struct PanelSection {
    /// Address of its first page.
    pub(super) path: &'static str,
    pub(super) name: &'static str,
}

pub(super) const HOME: PanelSection = PanelSection { path: "/painel", name: "Início" };
pub(super) const DOCUMENTS: PanelSection = PanelSection { path: "/painel/documentos", name: "Documentos" };
pub(super) const ISSUE: PanelSection = PanelSection { path: "/painel/emitir", name: "Emitir" };
pub(super) const RECEIVED: PanelSection = PanelSection { path: "/painel/recebidos", name: "Recebidos" };
pub(super) const ORDERS: PanelSection = PanelSection { path: "/painel/confirmacoes", name: "Confirmações" };
pub(super) const EXPORTS: PanelSection = PanelSection { path: "/painel/exportacoes", name: "Exportar o mês" };

pub(super) const PEOPLE: PanelSection = PanelSection { path: "/painel/pessoas", name: "Pessoas" };
pub(super) const AUDIT: PanelSection = PanelSection { path: "/painel/auditoria", name: "Auditoria" };

const SECTIONS: &[&PanelSection] = &[&HOME, &DOCUMENTS, &ISSUE, &RECEIVED, &ORDERS, &EXPORTS, &PEOPLE, &AUDIT];

impl PanelSection {
    /// True when the user's role reaches its first page, by the row of that page.
    fn is_open_to(&self, visitor: &PanelSession) -> bool {
        let mut rows = PANEL.iter().filter(|row| row.method == "GET" && row.path == self.path);
        rows.next().is_some_and(|row| visitor.may(row.permission))
    }
}

/// The navigation on a page of a section: the sections that the user's role reaches.
pub(super) fn navigation(visitor: &PanelSession, current: &PanelSection) -> Markup {
    html! {
        nav class="secoes" aria-label="Painel" {
            ul {
                @for section in SECTIONS.iter().filter(|section| section.is_open_to(visitor)) {
                    li {
                        a href=(section.path) aria-current=[(section.path == current.path).then_some("page")] { (section.name) }
                    }
                }
            }
        }
    }
}
