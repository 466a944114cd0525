//! `/painel`: the web panel. A program prepares; here a logged-in user reviews the stored order and decides.
//!
//! Law: `docs/concepts/permissions.md`. Pages are written with `maud`, so that every text is escaped by its type; links
//! and forms, no scripts. Must not know: documents beyond the engine's view of them.

mod act;
mod ambiente;
mod asset;
mod confirmar;
mod decidir;
mod entrada;
mod entrar;
mod form;
mod frame;
mod lista;
mod note;
mod origin;
mod sair;
mod visit;
mod words;

pub(crate) use ambiente::switch_environment;
pub(crate) use asset::style_sheet;
pub(crate) use confirmar::{show_form, show_order};
pub(crate) use decidir::submit_decision;
pub(crate) use entrar::{show_login, submit_login};
pub(crate) use lista::list_orders;
pub(crate) use sair::submit_logout;
pub(crate) use words::question;

use uuid::Uuid;

use crate::edge::Edge;

/// Public URL of a prepared order's page.
pub(crate) fn address(edge: &Edge, id: Uuid) -> String {
    format!("{}{}", edge.public_url.as_deref().unwrap_or_default(), path(id))
}

/// Path of a prepared order's page.
fn path(id: Uuid) -> String {
    format!("/painel/confirmar/{id}")
}
