//! The register of the Receita Federal (LCC), which the authorities ask about the CNPJs of a note. It is the operator's
//! (`receita` of a taxpayer), and open by default.
//!
//! Law: NT 2026.007 v1.10, 12C02-10, 12C02-20, 12C21-20 (CRT against regTrib), and 181 to 186 of addressee, pickup and
//! delivery.

use crate::settings::{FederalRecord, SimulatorSettings};
use fiscal::nfe::rules::NfeView;

/// Facts of a document for the register.
#[derive(Debug, Default)]
pub(super) struct FederalQuery {
    CRT: String,
    /// CNPJ of addressee, place of pickup and place of delivery, with the codes for one that is absent or not active.
    parties: Vec<(String, [u16; 2])>,
}

const PARTIES: [(&str, [u16; 2]); 3] =
    [("dest/CNPJ", [181, 182]), ("retirada/CNPJ", [183, 184]), ("entrega/CNPJ", [185, 186])];

impl FederalQuery {
    pub(super) fn of(note: &NfeView<'_>) -> FederalQuery {
        let parties = PARTIES.into_iter().map(|(path, codes)| (note.text(path).to_owned(), codes));
        FederalQuery {
            CRT: note.text("emit/CRT").to_owned(),
            parties: parties.filter(|(cnpj, _)| !cnpj.is_empty()).collect(),
        }
    }

    /// Codes of the issuer.
    pub(super) fn issuer(&self, settings: &SimulatorSettings, emitente: &str) -> Vec<u16> {
        let Some(record) = record(settings, emitente) else { return Vec::new() };
        let differs = record.regTrib.is_some_and(|regTrib| regTrib_of(&self.CRT).is_some_and(|told| told != regTrib));
        let codes = [(178, record.ausente), (179, record.inativo), (180, differs)];
        codes.into_iter().filter(|(_, broken)| *broken).map(|(cStat, _)| cStat).collect()
    }

    /// Codes of the other parties.
    pub(super) fn others(&self, settings: &SimulatorSettings) -> Vec<u16> {
        let of = |(cnpj, [absent, inactive]): &(String, [u16; 2])| {
            let record = record(settings, cnpj)?;
            [(*absent, record.ausente), (*inactive, record.inativo)].into_iter().find(|(_, broken)| *broken)
        };
        self.parties.iter().filter_map(of).map(|(cStat, _)| cStat).collect()
    }
}

fn record<'s>(settings: &'s SimulatorSettings, cnpj: &str) -> Option<&'s FederalRecord> {
    settings.contribuintes.get(cnpj).filter(|_| cnpj.len() == 14).map(|listed| &listed.receita)
}

/// 12C21-20: 1 Simples, 2 MEI, 9 others.
fn regTrib_of(CRT: &str) -> Option<u8> {
    match CRT {
        "1" | "2" => Some(1),
        "3" => Some(9),
        "4" => Some(2),
        _ => None,
    }
}
