//! `tpAmb`: the two separate environments of the authorities.

use serde::{Deserialize, Serialize};

/// An environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TpAmb {
    /// Documents with fiscal effect.
    Producao,
    /// The authorities' test environment.
    Homologacao,
}

impl TpAmb {
    /// The official digit.
    pub fn code(self) -> &'static str {
        match self {
            TpAmb::Producao => "1",
            TpAmb::Homologacao => "2",
        }
    }
    /// Name in the contract: `producao` or `homologacao`.
    pub const fn word(self) -> &'static str {
        match self {
            TpAmb::Producao => "producao",
            TpAmb::Homologacao => "homologacao",
        }
    }
    /// The environment of a name in the contract.
    pub fn from_word(word: &str) -> Option<TpAmb> {
        match word {
            "producao" => Some(TpAmb::Producao),
            "homologacao" => Some(TpAmb::Homologacao),
            _ => None,
        }
    }
}
