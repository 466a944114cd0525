//! `tpAmb`: the authorities' two separate worlds.

use serde::{Deserialize, Serialize};

/// Identification of the environment.
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
    /// The contract's word: `producao` or `homologacao`.
    pub const fn word(self) -> &'static str {
        match self {
            TpAmb::Producao => "producao",
            TpAmb::Homologacao => "homologacao",
        }
    }
    /// From the contract's word.
    pub fn from_word(word: &str) -> Option<TpAmb> {
        match word {
            "producao" => Some(TpAmb::Producao),
            "homologacao" => Some(TpAmb::Homologacao),
            _ => None,
        }
    }
}
