//! Lost books: documents that an authority registered and has forgotten.

use crate::abrasf::notes::MunicipalNote;
use crate::ledger::LedgerDocument;
use crate::nfse::notes::StoredNfse;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Selects the documents to forget; an absent member fits every document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LostBook {
    /// Key; of a DPS its Id, of an RPS `serie/numero`.
    pub chave: Option<String>,
    /// CNPJ or CPF of the issuer.
    pub emitente: Option<String>,
    /// As in requests: `sp`, `svc-an`, `sefin`, `govdigital-2.01/3138203`.
    pub autoridade: Option<String>,
    /// Registered at this instant or later, by the simulator's clock.
    pub desde: Option<Timestamp>,
}

impl LostBook {
    pub(crate) fn has(&self, document: &LedgerDocument) -> bool {
        self.fits(&[&document.chave], &document.emitente, &document.autoridade, document.received_at)
    }
    pub(crate) fn has_nfse(&self, note: &StoredNfse) -> bool {
        // The own server of a município is named by its code, which begins the key.
        let authority = if note.ambGer == 1 { note.chave.get(..MUNICIPIO).unwrap_or_default() } else { "sefin" };
        self.fits(&[&note.chave, &note.id_dps], &note.emitente, authority, note.made_at())
    }
    pub(crate) fn has_municipal(&self, note: &MunicipalNote) -> bool {
        let rps = format!("{}/{}", note.rps.serie, note.rps.numero);
        let authority = format!("{}/{}", note.provedor, note.office.cidade);
        self.fits(&[&rps], &note.emitente, &authority, note.emitida_em)
    }
    fn fits(&self, names: &[&str], emitente: &str, autoridade: &str, at: Timestamp) -> bool {
        self.chave.as_deref().is_none_or(|chave| names.contains(&chave))
            && self.emitente.as_deref().is_none_or(|known| known == emitente)
            && self.autoridade.as_deref().is_none_or(|known| known == autoridade)
            && self.desde.is_none_or(|since| at >= since)
    }
}

/// Digits of an IBGE code.
const MUNICIPIO: usize = 7;
