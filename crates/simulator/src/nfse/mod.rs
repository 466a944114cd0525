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
mod answer;
mod bent;
mod certificate;
mod control;
mod envelope;
mod events;
mod handle;
mod issue;
mod judge;
mod municipality;
mod notes;
mod parameters;
mod query;
mod reform;
mod seal;
pub mod settings;
mod stored;
mod witness;
mod write;

pub(crate) use address::{Address, SERVICES};
pub(crate) use control::{Act, register};
pub(crate) use handle::handle;
pub use municipality::{Benefit, Convenio, Deduction, Municipality, table};
pub(crate) use notes::Notes;
pub use notes::{Nfse, NfseEvent, NfseStanding};
pub(crate) use witness::Witness;

use crate::credential::Credential;
use crate::faults::Drawn;
use crate::world::World;
use address::Host;
use fiscal::value::TpAmb;
use fiscal::xml::Element;
use jiff::Timestamp;
use std::sync::Arc;

/// A request that reached a service.
struct Visit<'a> {
    world: &'a World,
    ambiente: TpAmb,
    host: Host,
    credential: Option<Arc<Credential>>,
    now: Timestamp,
    body: &'a [u8],
    drawn: &'a Drawn,
}

impl Visit<'_> {
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

/// True when two documents are of one taxpayer: the root of a CNPJ, the whole of a CPF.
pub(crate) fn same_taxpayer(one: &str, other: &str) -> bool {
    match (one.len(), other.len()) {
        (14, 14) => one.get(..8) == other.get(..8),
        _ => !one.is_empty() && one == other,
    }
}
