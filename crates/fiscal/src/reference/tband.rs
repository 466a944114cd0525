//! Card operators (`tBand`).
//!
//! Law: table of operators of the NF-e portal, as of 2026-06; NT 2020.006 v1.31, YA06-10.

/// True for an operator of the table: 01 (Visa) to 27 (Ticket), and 99 (others).
pub fn exists(tBand: &str) -> bool {
    tBand.len() == 2 && tBand.parse().is_ok_and(|codigo: u8| matches!(codigo, 1..=27 | 99))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_numbered_and_the_others_are_99() {
        assert!(["01", "09", "27", "99"].into_iter().all(exists));
        assert!(!["00", "28", "98", "1", "099", ""].into_iter().any(exists));
    }
}
