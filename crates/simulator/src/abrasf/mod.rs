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
mod bent;
mod book;
mod cancel;
mod envelope;
mod hall;
mod handle;
mod issue;
mod judge;
mod notes;
mod operation;
mod query;
mod rps;
mod schema;
mod settings;
mod settle;
mod signed;
mod write;

pub(crate) use address::Address;
pub(crate) use cancel::{by_the_city, shown};
pub(crate) use hall::Hall;
pub use hall::Unit;
pub(crate) use handle::handle;
pub(crate) use notes::Notes;
pub use notes::{MunicipalNote, MunicipalStanding, Office};
pub(crate) use operation::SERVICES;
pub use rps::RpsId;
pub use settings::{City, Municipal, Registered};

use crate::credential::Credential;
use crate::faults::{Drawn, FaultType};
use crate::world::World;
use book::Problem;
use jiff::Timestamp;
use std::sync::Arc;

/// A request that reached a municipal provider.
struct Visit<'a> {
    world: &'a World,
    address: Address,
    credential: Option<Arc<Credential>>,
    now: Timestamp,
    drawn: &'a Drawn,
}

impl Visit<'_> {
    fn office(&self) -> Office {
        Office { cidade: self.address.city, ambiente: self.address.ambiente }
    }
    fn meets(&self, fault: FaultType) -> bool {
        self.drawn.kind() == Some(fault)
    }
}

/// Answer of a municipal provider, without its root.
struct Answer {
    content: String,
    /// First code of a refusal.
    codigo: Option<String>,
    /// Subjects of the answer: `serie/numero` of an RPS or the number of a note.
    about: Vec<String>,
}

impl Answer {
    fn of(content: String) -> Answer {
        Answer { content, codigo: None, about: Vec::new() }
    }
    fn refused(problems: &[Problem]) -> Answer {
        let codigo = problems.first().map(|problem| problem.codigo.clone());
        Answer { content: book::list(problems), codigo, about: Vec::new() }
    }
    fn about(mut self, about: Vec<String>) -> Answer {
        self.about = about;
        self
    }
}
