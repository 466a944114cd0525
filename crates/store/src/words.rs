//! Database words and digits of the fiscal values, and the table by which an enum of the store has words of its own.

use crate::Error;
use crate::row::unexpected;
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, Serie, TpAmb};

/// The two-way table between the variants of an enum and its words; the compiler checks that it is complete.
macro_rules! word_table {
    ($visibility:vis $type:ident { $($variant:ident => $word:literal),* $(,)? }) => {
        impl $type {
            $visibility const fn word(self) -> &'static str {
                match self { $($type::$variant => $word),* }
            }
            pub(crate) fn read(word: &str) -> Result<$type, $crate::Error> {
                match word { $($word => Ok($type::$variant),)* _ => Err($crate::row::unexpected()) }
            }
        }
    };
    ($write:ident, $read:ident: $type:ident { $($variant:ident => $word:literal),* $(,)? }) => {
        pub(crate) const fn $write(value: $type) -> &'static str {
            match value { $($type::$variant => $word),* }
        }
        pub(crate) fn $read(word: &str) -> Result<$type, Error> {
            match word { $($word => Ok($type::$variant),)* _ => Err(unexpected()) }
        }
    };
}
pub(crate) use word_table;

word_table!(state, read_state: DocumentState {
    Accepted => "accepted",
    Sending => "sending",
    InDoubt => "in_doubt",
    Authorized => "authorized",
    Rejected => "rejected",
    Denied => "denied",
    Cancelled => "cancelled",
    Failed => "failed",
    Issued => "issued",
});

/// Official digit.
pub(crate) fn ambiente(ambiente: TpAmb) -> u8 {
    match ambiente {
        TpAmb::Producao => 1,
        TpAmb::Homologacao => 2,
    }
}

pub(crate) fn read_ambiente(digit: u8) -> Result<TpAmb, Error> {
    match digit {
        1 => Ok(TpAmb::Producao),
        2 => Ok(TpAmb::Homologacao),
        _ => Err(unexpected()),
    }
}

pub(crate) fn read_tipo(word: &str) -> Result<Tipo, Error> {
    Tipo::from_word(word).ok_or_else(unexpected)
}

pub(crate) fn read_cpf_cnpj(text: String) -> Result<CnpjCpf, Error> {
    CnpjCpf::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_chave(text: String) -> Result<Chave, Error> {
    Chave::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_codigo(text: String) -> Result<Codigo, Error> {
    Codigo::parse(&text).map_err(|_| unexpected())
}

pub(crate) fn read_serie(text: String) -> Result<Serie, Error> {
    Serie::parse(&text).map_err(|_| unexpected())
}

/// An instant in the official time of Brasília, as RFC 3339.
pub(crate) fn brasilia_instant(at: i64) -> String {
    let Ok(at) = jiff::Timestamp::from_second(at) else { return String::new() };
    at.display_with_offset(jiff::tz::Offset::constant(-3)).to_string()
}

/// Serialises JSON of our own.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|_| unexpected())
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(text: String) -> Result<T, Error> {
    serde_json::from_str(&text).map_err(|_| unexpected())
}
