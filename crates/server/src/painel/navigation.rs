//! Sections of the panel, in the order of its navigation.

use maud::{Markup, html};

use super::panel_session::PanelSession;
use crate::api::permission::RequiredPermission::{self, Act, Administer, Export, Free, Read};

/// A section: an entry of the navigation.
pub(super) struct PanelSection {
    /// Address of its first page.
    pub(super) path: &'static str,
    pub(super) name: &'static str,
    /// Need of its first page.
    need: RequiredPermission,
}

pub(super) const HOME: PanelSection = section("/painel", "Início", Read);
pub(super) const DOCUMENTS: PanelSection = section("/painel/documentos", "Documentos", Read);
pub(super) const ISSUE: PanelSection = section("/painel/emitir", "Emitir", Act);
pub(super) const RECEIVED: PanelSection = section("/painel/recebidos", "Recebidos", Read);
pub(super) const ORDERS: PanelSection = section("/painel/confirmacoes", "Confirmações", Read);
pub(super) const EXPORTS: PanelSection = section("/painel/exportacoes", "Exportar o mês", Export);
pub(super) const MAIL: PanelSection = section("/painel/emails", "E-mails", Read);
pub(super) const COMPANIES: PanelSection = section("/painel/empresas", "Empresas", Read);
pub(super) const INTEGRATIONS: PanelSection = section("/painel/integracoes", "Integrações", Read);
pub(super) const KEYS: PanelSection = section("/painel/chaves", "Chaves de API", Administer);
pub(super) const PEOPLE: PanelSection = section("/painel/pessoas", "Pessoas", Administer);
pub(super) const AUDIT: PanelSection = section("/painel/auditoria", "Auditoria", Administer);
pub(super) const ACCOUNT: PanelSection = section("/painel/conta", "Minha conta", Free);

const SECTIONS: &[&PanelSection] = &[
    &HOME,
    &DOCUMENTS,
    &ISSUE,
    &RECEIVED,
    &ORDERS,
    &EXPORTS,
    &MAIL,
    &COMPANIES,
    &INTEGRATIONS,
    &KEYS,
    &PEOPLE,
    &AUDIT,
    &ACCOUNT,
];

impl PanelSection {
    /// True when the user's role reaches its first page.
    fn is_open_to(&self, visitor: &PanelSession) -> bool {
        visitor.may(self.need)
    }
}

const fn section(path: &'static str, name: &'static str, need: RequiredPermission) -> PanelSection {
    PanelSection { path, name, need }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::PANEL;

    #[test]
    fn a_section_has_the_need_of_its_first_page() {
        for section in SECTIONS {
            let row = PANEL.iter().find(|row| row.method == "GET" && row.path == section.path).unwrap();
            assert_eq!(section.need, row.permission, "{}", section.path);
        }
    }
}
