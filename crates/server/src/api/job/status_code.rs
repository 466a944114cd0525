//! The code of an authority in the contract's form: a number for authorities of the SEFAZ family, a text for all
//! others, even when its characters are digits.
//!
//! Law: `docs/contract.md`, "Emission" (`codigo_status`) and "NFS-e" (a text).

use fiscal::tipo::Tipo;
use fiscal::value::Codigo;
use serde::{Serialize, Serializer};

use crate::api::schema::Type;
use crate::api::view::ViewValue;

/// A status code, serialised as a number or as a text.
#[derive(Debug, Clone)]
pub(crate) struct StatusCode {
    pub(crate) codigo: Codigo,
    pub(crate) is_text: bool,
}

impl StatusCode {
    /// Code of the authority of a document type.
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

impl ViewValue for StatusCode {
    const KIND: Type = Type::Code;
}
