//! The national NFS-e, simulated: the Sefin Nacional (documents and events), servers of municípios in the national
//! layout, the ADN (distribution) and the parameters of municípios. REST with JSON over the same listener as the SOAP
//! services.
//!
//! | base | service |
//! |---|---|
//! | `/nfse/{prod\|hom}/SefinNacional` | the Sefin Nacional |
//! | `/nfse/{prod\|hom}/municipios/{cMun}` | a município's own server, in the national layout (`ambGer` 1) |
//! | `/nfse/{prod\|hom}/contribuintes` | ADN, its distribution to a taxpayer |
//! | `/nfse/{prod\|hom}/parametrizacao` | parameters of a município |
//!
//! Law: OpenAPI of the Sefin Nacional and of the ADN (2025-12), manual of the contributors 1.2, anexo I of 2026-02-09,
//! anexo II of 2026-01-22.

mod address;
mod adn;
mod alterations;
mod answer;
mod certificate;
mod control;
mod dps_rules;
mod envelope;
mod events;
mod handle;
mod issue;
mod municipality;
pub(crate) mod notes;
mod parameters;
mod query;
mod reform;
mod seal;
pub mod settings;
mod stored;
pub(crate) mod traffic_log;
mod write;

pub(crate) use address::{NationalAddress, SERVICES};
pub(crate) use control::{MunicipalAct, register};
pub(crate) use handle::handle;
pub use municipality::{BenefitRow, Convenio, DeductionKind, MunicipalConvention, table};
pub use notes::{NfseEvent, NfseStanding, StoredNfse};

use crate::credential::CertificateFacts;
use crate::faults::DrawnFaults;
use crate::simulator_state::SimulatorState;
use address::NationalHost;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use jiff::Timestamp;
use std::sync::Arc;

/// A request that reached a service.
struct NationalRequest<'a> {
    world: &'a SimulatorState,
    ambiente: TpAmb,
    host: NationalHost,
    credential: Option<Arc<CertificateFacts>>,
    now: Timestamp,
    body: &'a [u8],
    drawn: &'a DrawnFaults,
}

impl NationalRequest<'_> {
    fn holder(&self) -> &str {
        self.credential.as_ref().map_or("", |credential| credential.holder())
    }
}

/// Namespace of every document.
const NAMESPACE: &str = "http://www.sped.fazenda.gov.br/nfse";
/// Version of the accepted layout.
const VERSAO: &str = "1.01";
/// Name and version of the application.
const VER_APLIC: &str = "SIM_1.0";

/// CNPJ or CPF of a party.
fn document_of(party: &Element) -> Option<&str> {
    ["CNPJ", "CPF"].iter().find_map(|tag| party.text_at(tag))
}

/// The declaration inside a stored note.
fn dps_of(nfse: &Element) -> Option<&Element> {
    nfse.at("infNFSe/DPS/infDPS")
}
