//! The code of an authority as the contract shows it: the number that an authority of the SEFAZ family says, the text
//! of any other, also where that text is a number.
//!
//! Law: `spec/interface.md` (`codigo_status`); `spec/not-shown.md` 11.2 (a text for NFS-e).

use fiscal::tipo::Tipo;
use fiscal::value::Codigo;
use serde::{Serialize, Serializer};

use crate::api::schema::Type;
use crate::api::view::Shown;

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct StatusCode {
    pub(crate) codigo: Codigo,
    pub(crate) is_text: bool,
}

impl StatusCode {
    /// Of an authority of that type.
    pub(crate) fn of(tipo: Tipo, codigo: Codigo) -> StatusCode {
        StatusCode { codigo, is_text: tipo == Tipo::Nfse }
    }
}

impl From<Codigo> for StatusCode {
    fn from(codigo: Codigo) -> StatusCode {
        StatusCode { codigo, is_text: false }
    }
}

impl Serialize for StatusCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_text {
            true => serializer.serialize_str(self.codigo.as_str()),
            false => self.codigo.serialize(serializer),
        }
    }
}

impl Shown for StatusCode {
    const KIND: Type = Type::Code;
}
