//! Sections of the panel, in the order of its navigation.

use maud::{Markup, html};

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
pub(super) const INTEGRATIONS: PanelSection = PanelSection { path: "/painel/integracoes", name: "Integrações" };
pub(super) const KEYS: PanelSection = PanelSection { path: "/painel/chaves", name: "Chaves de API" };

const SECTIONS: &[&PanelSection] = &[&HOME, &DOCUMENTS, &ISSUE, &RECEIVED, &ORDERS, &EXPORTS, &INTEGRATIONS, &KEYS];

/// The navigation on a page of a section.
pub(super) fn navigation(current: &PanelSection) -> Markup {
    html! {
        nav class="secoes" aria-label="Painel" {
            ul {
                @for section in SECTIONS {
                    li {
                        a href=(section.path) aria-current=[(section.path == current.path).then_some("page")] { (section.name) }
                    }
                }
            }
        }
    }
}
