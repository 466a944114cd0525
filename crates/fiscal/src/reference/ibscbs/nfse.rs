//! Classifications allowed in a national NFS-e: the indicator `indNFSe` of the table, which the generated one lacks.
//!
//! Law: table of cClassTrib of IT 2025.002 as published on 2026-06-23.

/// True when a service may have this classification.
pub fn allows_class(cClassTrib: &str) -> bool {
    CLASSES.binary_search(&cClassTrib).is_ok()
}

/// Sorted.
#[rustfmt::skip]
static CLASSES: [&str; 71] = [
    "000001", "010001", "010002", "011003", "200001", "200004", "200005", "200006", "200007", "200008", "200016", "200017", "200019", "200020",
    "200021", "200025", "200026", "200027", "200028", "200029", "200030", "200031", "200037", "200038", "200039", "200040", "200041", "200042",
    "200043", "200044", "200045", "200046", "200048", "200051", "200052", "200054", "221001", "400001", "410001", "410003", "410004", "410005",
    "410006", "410007", "410008", "410009", "410010", "410012", "410014", "410015", "410026", "410027", "410028", "410033", "410035", "410999",
    "515001", "550016", "550022", "800001", "800002", "811001", "811002", "811003", "820001", "820002", "820003", "820004", "820006", "820007",
    "820009",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::ibscbs;

    #[test]
    fn what_a_service_takes_is_in_the_table() {
        assert!(CLASSES.is_sorted_by(|one, other| one < other));
        let known: Vec<&str> = ibscbs::classes().iter().map(|row| row.codigo).collect();
        let unknown: Vec<_> = CLASSES.iter().filter(|code| !known.contains(code)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(allows_class("000001") && !allows_class("620001") && !allows_class("999999"));
    }
}
