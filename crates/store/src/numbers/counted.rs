//! Kinds of numbered documents: the models with an official number, and the two declarations that precede an NFS-e.

/// A kind of document with numbers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Counted {
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
struct Row {
    counted: Counted,
    word: &'static str,
    modelo: Option<u8>,
    last: u64,
}

/// `nNF` and `nCT`.
const NINE_DIGITS: u64 = 999_999_999;
/// `nDPS`; `Numero` of an RPS.
const FIFTEEN_DIGITS: u64 = 999_999_999_999_999;

const ROWS: [Row; 6] = [
    Row { counted: Counted::Nfe, word: "55", modelo: Some(55), last: NINE_DIGITS },
    Row { counted: Counted::Nfce, word: "65", modelo: Some(65), last: NINE_DIGITS },
    Row { counted: Counted::Cte, word: "57", modelo: Some(57), last: NINE_DIGITS },
    Row { counted: Counted::CteOs, word: "67", modelo: Some(67), last: NINE_DIGITS },
    Row { counted: Counted::Dps, word: "dps", modelo: None, last: FIFTEEN_DIGITS },
    Row { counted: Counted::Rps, word: "rps", modelo: None, last: FIFTEEN_DIGITS },
];

impl Counted {
    /// Returns the kind of a model.
    pub fn of_modelo(modelo: u8) -> Option<Counted> {
        ROWS.iter().find(|row| row.modelo == Some(modelo)).map(|row| row.counted)
    }
    /// The model; `None` for a declaration.
    pub fn modelo(self) -> Option<u8> {
        self.row().modelo
    }
    /// Highest number.
    pub fn last(self) -> u64 {
        self.row().last
    }
    /// Word as stored.
    pub(crate) fn word(self) -> &'static str {
        self.row().word
    }
    pub(crate) fn from_word(word: &str) -> Option<Counted> {
        ROWS.iter().find(|row| row.word == word).map(|row| row.counted)
    }

    fn row(self) -> &'static Row {
        match self {
            Counted::Nfe => &ROWS[0],
            Counted::Nfce => &ROWS[1],
            Counted::Cte => &ROWS[2],
            Counted::CteOs => &ROWS[3],
            Counted::Dps => &ROWS[4],
            Counted::Rps => &ROWS[5],
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
            assert_eq!(Counted::from_word(row.word), Some(row.counted));
            assert_eq!(row.modelo.and_then(Counted::of_modelo), row.modelo.map(|_| row.counted));
        }
        assert_eq!((Counted::of_modelo(99), Counted::from_word("99")), (None, None));
    }
}
