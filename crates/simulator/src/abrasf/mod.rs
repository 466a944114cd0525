//! The municipal providers, simulated: servers in ABRASF, over the same listener as the authorities.
//!
//! Address: `/municipal/{provider}/{city}/{prod|hom}` is a city (IBGE code) served by a provider, a name of
//! `halls.json`, with its version behind a dash where it has several.
//!
//! A lot is processed whole or not at all.
//! Law: ABRASF 1.00 to 2.04 and the extension of GovDigital for the messages, the annex of 1.00 for the codes,
//! `provider` for the differences on the wire.
//! Must not know: the rows by which the product calls.

mod address;
mod book;
mod cancel;
mod envelope;
mod handle;
mod issue;
pub(crate) mod notes;
mod operation;
mod provider;
mod query;
mod reply_alterations;
mod rps;
mod rps_checks;
mod schema;
pub(crate) mod settings;
mod settle;
mod signatures;
mod write;

pub(crate) use address::MunicipalAddress;
pub(crate) use cancel::{cancel_ex_officio, comp_nfse_of};
pub(crate) use handle::handle;
pub use notes::{CityEnvironment, MunicipalNote, MunicipalStanding};
pub(crate) use operation::SERVICES;
pub(crate) use provider::ProviderServer;
pub use provider::RateScale;
pub use rps::RpsIdentity;
pub use settings::{CitySettings, MunicipalSettings, MunicipalTaxpayer};

use crate::credential::CertificateFacts;
use crate::faults::{DrawnFaults, FaultType};
use crate::simulator_state::SimulatorState;
use book::ReturnMessage;
use jiff::Timestamp;
use std::sync::Arc;

/// A request that reached a municipal provider.
struct MunicipalRequest<'a> {
    world: &'a SimulatorState,
    address: MunicipalAddress,
    credential: Option<Arc<CertificateFacts>>,
    now: Timestamp,
    drawn: &'a DrawnFaults,
}

impl MunicipalRequest<'_> {
    fn office(&self) -> CityEnvironment {
        CityEnvironment { cidade: self.address.city, ambiente: self.address.ambiente }
    }
    fn meets(&self, fault: FaultType) -> bool {
        self.drawn.kind() == Some(fault)
    }
}

/// Answer of a municipal provider, without its root.
struct MunicipalAnswer {
    content: String,
    /// First code of a refusal.
    codigo: Option<String>,
    /// Subjects of the answer: `serie/numero` of an RPS or the number of a note.
    about: Vec<String>,
}

impl MunicipalAnswer {
    fn of(content: String) -> MunicipalAnswer {
        MunicipalAnswer { content, codigo: None, about: Vec::new() }
    }
    fn refused(problems: &[ReturnMessage]) -> MunicipalAnswer {
        let codigo = problems.first().map(|problem| problem.codigo.clone());
        MunicipalAnswer { content: book::list(problems), codigo, about: Vec::new() }
    }
    fn about(mut self, about: Vec<String>) -> MunicipalAnswer {
        self.about = about;
        self
    }
}
