//! Kinds of numbered documents: the models with an official number, and the two declarations that precede an NFS-e.

use crate::Error;
use crate::row::unexpected;

/// A kind of document with numbers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NumberedKind {
    /// Model 55.
    Nfe,
    /// Model 65.
    Nfce,
    /// Model 57.
    Cte,
    /// Model 67.
    CteOs,
    /// Declarations of the national NFS-e.
    Dps,
    /// Provisional receipts of a municipal NFS-e.
    Rps,
}

/// Properties of a kind.
struct KindProperties {
    counted: NumberedKind,
    word: &'static str,
    modelo: Option<u8>,
    last: u64,
}

/// `nNF` and `nCT`.
const NINE_DIGITS: u64 = 999_999_999;
/// `nDPS`; `Numero` of an RPS.
const FIFTEEN_DIGITS: u64 = 999_999_999_999_999;

const ROWS: [KindProperties; 6] = [
    KindProperties { counted: NumberedKind::Nfe, word: "55", modelo: Some(55), last: NINE_DIGITS },
    KindProperties { counted: NumberedKind::Nfce, word: "65", modelo: Some(65), last: NINE_DIGITS },
    KindProperties { counted: NumberedKind::Cte, word: "57", modelo: Some(57), last: NINE_DIGITS },
    KindProperties { counted: NumberedKind::CteOs, word: "67", modelo: Some(67), last: NINE_DIGITS },
    KindProperties { counted: NumberedKind::Dps, word: "dps", modelo: None, last: FIFTEEN_DIGITS },
    KindProperties { counted: NumberedKind::Rps, word: "rps", modelo: None, last: FIFTEEN_DIGITS },
];

impl NumberedKind {
    /// Returns the kind of a model.
    pub fn of_modelo(modelo: u8) -> Option<NumberedKind> {
        ROWS.iter().find(|row| row.modelo == Some(modelo)).map(|row| row.counted)
    }
    /// The model; `None` for a declaration.
    pub fn modelo(self) -> Option<u8> {
        self.row().modelo
    }
    /// Highest number.
    pub fn highest_number(self) -> u64 {
        self.row().last
    }
    /// Word as stored.
    pub(crate) fn word(self) -> &'static str {
        self.row().word
    }
    fn from_word(word: &str) -> Option<NumberedKind> {
        ROWS.iter().find(|row| row.word == word).map(|row| row.counted)
    }
    pub(crate) fn read(word: &str) -> Result<NumberedKind, Error> {
        NumberedKind::from_word(word).ok_or_else(unexpected)
    }

    fn row(self) -> &'static KindProperties {
        match self {
            NumberedKind::Nfe => &ROWS[0],
            NumberedKind::Nfce => &ROWS[1],
            NumberedKind::Cte => &ROWS[2],
            NumberedKind::CteOs => &ROWS[3],
            NumberedKind::Dps => &ROWS[4],
            NumberedKind::Rps => &ROWS[5],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_own_row() {
        for row in &ROWS {
            assert_eq!(row.counted.row().word, row.word);
            assert_eq!(NumberedKind::from_word(row.word), Some(row.counted));
            assert_eq!(row.modelo.and_then(NumberedKind::of_modelo), row.modelo.map(|_| row.counted));
        }
        assert_eq!((NumberedKind::of_modelo(99), NumberedKind::from_word("99")), (None, None));
    }
}
