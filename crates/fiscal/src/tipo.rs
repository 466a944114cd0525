//! Types of document of the contract, one row each.
//!
//! Law: `docs/contract.md`, "Documents" (routes, `tipo`), "CT-e" and "NFS-e". Must not know their processing.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A type of document, named as in the contract's routes and lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tipo {
    /// NF-e: goods.
    Nfe,
    /// NFC-e: goods sold to consumers at the counter.
    Nfce,
    /// CT-e and CT-e OS: transport.
    Cte,
    /// NFS-e: services, national and municipal.
    Nfse,
}

/// Model number of the DPS of a national NFS-e, which has no official one. Official models have two digits.
pub const DPS: u8 = 100;

/// Model number of the RPS of a municipal NFS-e.
pub const RPS: u8 = 101;

/// Facts about a type.
struct TipoRow {
    tipo: Tipo,
    word: &'static str,
    name: &'static str,
    modelos: &'static [u8],
}

const ROWS: [TipoRow; 4] = [
    TipoRow { tipo: Tipo::Nfe, word: "nfe", name: "NF-e", modelos: &[55] },
    TipoRow { tipo: Tipo::Nfce, word: "nfce", name: "NFC-e", modelos: &[65] },
    TipoRow { tipo: Tipo::Cte, word: "cte", name: "CT-e", modelos: &[57, 67] },
    TipoRow { tipo: Tipo::Nfse, word: "nfse", name: "NFS-e", modelos: &[DPS, RPS] },
];

impl Tipo {
    /// Every type, in the order of the contract.
    pub const ALL: [Tipo; 4] = [Tipo::Nfe, Tipo::Nfce, Tipo::Cte, Tipo::Nfse];

    /// Parses the contract's word.
    pub fn from_word(word: &str) -> Option<Tipo> {
        ROWS.iter().find(|row| row.word == word).map(|row| row.tipo)
    }

    /// The type of a model.
    pub fn of_modelo(modelo: u8) -> Option<Tipo> {
        ROWS.iter().find(|row| row.modelos.contains(&modelo)).map(|row| row.tipo)
    }

    /// The contract's word: `nfe`.
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// Display name: `NF-e`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Models of this type, [`DPS`] and [`RPS`] included.
    pub fn modelos(self) -> &'static [u8] {
        self.row().modelos
    }

    const fn row(self) -> &'static TipoRow {
        match self {
            Tipo::Nfe => &ROWS[0],
            Tipo::Nfce => &ROWS[1],
            Tipo::Cte => &ROWS[2],
            Tipo::Nfse => &ROWS[3],
        }
    }
}

/// Serialised as the contract's word.
impl Serialize for Tipo {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Tipo {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tipo, D::Error> {
        let word = String::deserialize(from)?;
        Tipo::from_word(&word).ok_or_else(|| D::Error::custom("no type of document"))
    }
}

impl fmt::Display for Tipo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_own_row() {
        for tipo in Tipo::ALL {
            assert_eq!(tipo.row().tipo, tipo);
            assert_eq!(Tipo::from_word(tipo.word()), Some(tipo));
            assert!(tipo.modelos().iter().all(|modelo| Tipo::of_modelo(*modelo) == Some(tipo)));
        }
        assert_eq!(Tipo::of_modelo(58), None);
        assert_eq!(Tipo::from_word("mdfe"), None);
    }
}
