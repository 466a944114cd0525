//! `/painel`: the pages of people. A program prepares; here a person who has logged in looks at what was stored, and decides.

use uuid::Uuid;

use crate::edge::Edge;

/// Where a person finds what was prepared.
pub(crate) fn address(edge: &Edge, id: Uuid) -> String {
    format!("{}/painel/confirmar/{id}", edge.public_url.as_deref().unwrap_or_default())
}
