//! The software house named by the operator (`infRespTec`), with the secret that proves its identity.
//!
//! Law: NT 2018.005, group ZD.
//! Must not know: the source of the settings.

use fiscal::document;
use serde_json::{Map, Value};
use std::fmt;
use zeroize::Zeroizing;

/// A software house; `Debug` shows no secret.
pub struct SoftwareHouse {
    record: Map<String, Value>,
    csrt: Option<Zeroizing<String>>,
}

/// Secret that the authority gave a software house, with its number.
pub struct SoftwareHouseSecret {
    /// `idCSRT`, 1 to 99.
    pub id: u8,
    /// The secret, 16 to 36 characters.
    pub secret: Zeroizing<String>,
}

impl SoftwareHouse {
    /// Takes the official tags: `CNPJ` without mask, `xContato`, `email`, `fone` of digits.
    pub fn new(
        CNPJ: &str,
        xContato: &str,
        email: &str,
        fone: &str,
        csrt: Option<SoftwareHouseSecret>,
    ) -> SoftwareHouse {
        let mut record = Map::new();
        for (tag, text) in [("CNPJ", CNPJ), ("xContato", xContato), ("email", email), ("fone", fone)] {
            record.insert(tag.to_owned(), text.into());
        }
        let csrt = csrt.map(|csrt| {
            record.insert("idCSRT".to_owned(), format!("{:02}", csrt.id).into());
            csrt.secret
        });
        SoftwareHouse { record, csrt }
    }

    /// The record in the form that a document's context takes.
    pub(crate) fn as_document(&self) -> document::SoftwareHouse<'_> {
        document::SoftwareHouse { record: &self.record, csrt: self.csrt.as_ref().map(|secret| secret.as_str()) }
    }
}

impl fmt::Debug for SoftwareHouse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SoftwareHouse").field("record", &self.record).finish_non_exhaustive()
    }
}
