//! Words of receipts. Law: IT 2024.002 (means of payment).

/// The name of a means of payment; the code itself when it has none.
pub(super) fn payment(tPag: &str) -> &str {
    let codigo = tPag.parse::<u8>().ok();
    let known = fiscal::reference::tpag::all().iter().find(|row| Some(row.codigo) == codigo);
    known.map_or(tPag, |row| row.descricao)
}

/// Whether an amount is more than nothing.
pub(super) fn says_something(amount: &str) -> bool {
    amount.bytes().any(|byte| (b'1'..=b'9').contains(&byte))
}
