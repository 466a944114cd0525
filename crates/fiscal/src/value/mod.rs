//! Values that are valid by construction: the check is written once.
//!
//! Law: MOC 7.0 anexo I; joint technical note on the alphanumeric CNPJ (2025.001).

/// `Serialize` as text, `Deserialize` through `parse`.
macro_rules! text_serde {
    ($value:ty) => {
        impl serde::Serialize for $value {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
        impl<'de> serde::Deserialize<'de> for $value {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                <$value>::parse(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}
use text_serde;

mod amount;
mod any_chave;
pub mod brasilia;
mod chave;
mod civil_offset;
mod cnpj;
mod codigo;
mod cpf;
pub mod ie;
mod modulo;
pub mod municipio;
mod protocol;
mod rps_id;
mod serie;
pub(crate) mod suframa;
mod taxpayer;
mod tp_amb;
mod uf;

pub use amount::{amount, number, product};
pub use any_chave::{Chave, ChaveNfse, ChaveRps};
pub use chave::{ChaveAcesso, ChaveParts, InvalidChave, bare_chave};
pub use civil_offset::CivilOffset;
pub use cnpj::{Cnpj, InvalidCnpj};
pub use codigo::{Codigo, InvalidCodigo};
pub use cpf::{Cpf, InvalidCpf};
pub use protocol::{dfe_number, has_chave_form, protocol};
pub use rps_id::{InvalidRpsId, RpsId};
pub use serie::{InvalidSerie, Serie};
pub use taxpayer::{CnpjCpf, InvalidCnpjCpf, masked};
pub use tp_amb::TpAmb;
pub use uf::Uf;
