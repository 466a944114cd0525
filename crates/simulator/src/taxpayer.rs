//! Identity of taxpayers.

/// True when two documents are of one taxpayer: the root of a CNPJ, the whole of a CPF.
pub(crate) fn same_taxpayer(one: &str, other: &str) -> bool {
    match (one.len(), other.len()) {
        (14, 14) => one.get(..8) == other.get(..8),
        _ => !one.is_empty() && one == other,
    }
}
