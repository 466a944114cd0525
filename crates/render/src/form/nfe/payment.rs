//! Payments of a note, with the names of their means. Law: IT 2024.002 (means of payment).

use crate::form::dfe::Dfe;
use crate::form::stored::StoredElement;
use crate::form::value;

/// A payment: its means and its amount.
pub(super) struct Payment<'x> {
    pub(super) means: &'x str,
    pub(super) amount: &'x str,
}

impl Payment<'_> {
    /// Means and amount in a single text.
    pub(super) fn words(&self) -> String {
        format!("{}: {}", self.means, value::amount(self.amount))
    }
}

/// Payments in the order of the note.
pub(super) fn all<'x>(note: Dfe<'x>) -> impl Iterator<Item = Payment<'x>> {
    let at = |paid: StoredElement<'x>, tag: &str| paid.text_at(tag).unwrap_or_default();
    note.all("pag", "detPag").map(move |paid| {
        let means = paid.text_at("xPag").unwrap_or_else(|| name(at(paid, "tPag")));
        Payment { means, amount: at(paid, "vPag") }
    })
}

/// Change; empty when the note has none.
pub(super) fn change<'x>(note: Dfe<'x>) -> &'x str {
    note.text("pag/vTroco")
}

/// Name of a means of payment; the code itself when it has none.
fn name(tPag: &str) -> &str {
    let codigo = tPag.parse::<u8>().ok();
    let known = fiscal::reference::tpag::all().iter().find(|row| Some(row.codigo) == codigo);
    known.map_or(tPag, |row| row.descricao)
}
