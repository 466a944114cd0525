//! An item on the way of a document type to production.

use fiscal::tipo::Tipo;
use fiscal::value::TpAmb;
use store::companies::Company;

use super::configuration_path;
use crate::painel::panel_session::PanelSession;

/// An item of the list.
pub(super) struct ChecklistItem {
    pub(super) state: ItemState,
    pub(super) title: &'static str,
    pub(super) text: String,
    /// Address of the page where it is done, and the link's text.
    pub(super) link: Option<(String, &'static str)>,
}

/// State of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemState {
    Done,
    Missing,
    /// Not visible from here: the person checks it.
    ToCheck,
}

impl ItemState {
    pub(super) fn word(self) -> &'static str {
        match self {
            ItemState::Done => "feito",
            ItemState::Missing => "falta",
            ItemState::ToCheck => "confira",
        }
    }

    /// Class of its colour.
    pub(super) fn class(self) -> &'static str {
        match self {
            ItemState::Done => "autorizada",
            ItemState::Missing => "erro",
            ItemState::ToCheck => "pendente",
        }
    }
}

/// State of an item that is done or missing.
pub(super) fn done_if(done: bool) -> ItemState {
    if done { ItemState::Done } else { ItemState::Missing }
}

/// An item about the part of a configuration that only sessions of production see.
pub(super) fn of_production(
    visitor: &PanelSession,
    company: &Company,
    tipo: Tipo,
    is_done: bool,
    title: &'static str,
    text: &str,
) -> ChecklistItem {
    if visitor.at.caller.ambiente != TpAmb::Producao {
        let text = format!("{text} Veja e mude em produção (no alto da página).");
        let hidden = if title.starts_with("Numeração") { HIDDEN.to_owned() } else { text };
        return ChecklistItem { state: ItemState::ToCheck, title, text: hidden, link: None };
    }
    let link = (!is_done)
        .then(|| (format!("{}?para=producao", configuration_path(company.cpf_cnpj, tipo)), "Configurar a produção"));
    ChecklistItem { state: done_if(is_done), title, text: text.to_owned(), link }
}

const HIDDEN: &str = "Série e primeiro número de produção. Veja e mude em produção (no alto da página).";
