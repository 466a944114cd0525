//! Lookups: an address by its CEP, a company by its CNPJ, the NCM. Local data first, then the sources that the operator
//! configured.
//!
//! A source that is down never counts as "there is none": without any answer the caller gets `SourcesUnavailable`.
//! Law: the documentation of each source; the layouts of Receita Federal and of Siscomex.
//! Must not know: tenants, quotas, HTTP shapes of our answers, SQL.

mod address;
mod cep;
mod chain;
mod cnpj;
mod company;
mod flight;
pub mod import;
mod ncm;
mod receita;
pub mod source;

pub use address::Endereco;
pub use cep::{Addresses, Street};
pub use company::Cadastro;
pub use ncm::Nomenclature;

use flight::Flights;
use outbound::{Client, Reach};
use serde_json::Value;
use source::{Source, Spec};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::Store;

/// Options of the operator.
#[derive(Debug, Clone)]
pub struct Options {
    /// Sources of CEP, in their order.
    pub cep: Vec<Spec>,
    /// Sources of CNPJ, in their order.
    pub cnpj: Vec<Spec>,
    /// Time limit of one source.
    pub within: Duration,
    /// Lifetime of a cached answer about a CEP, in seconds.
    pub cep_age_s: i64,
    /// Lifetime of a cached answer about a CNPJ, in seconds.
    pub cnpj_age_s: i64,
}

impl Default for Options {
    fn default() -> Options {
        let (cep_age_s, cnpj_age_s) = (60 * DAY_S, 7 * DAY_S);
        Options { cep: Vec::new(), cnpj: Vec::new(), within: Duration::from_secs(5), cep_age_s, cnpj_age_s }
    }
}

const DAY_S: i64 = 24 * 3600;
/// Lifetime of "there is none": streets and companies are created every day.
const UNKNOWN_AGE_S: i64 = DAY_S;

/// Error when no source answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Down {
    /// Reasons and remedy, in Portuguese.
    pub reason: String,
    /// Seconds until a retry may succeed.
    pub retry_after_s: u64,
}

/// Answer to a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<T> {
    Yes(T),
    /// There is none, by this source.
    No(String),
}

/// Error of a lookup.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No source answered.
    #[error(transparent)]
    Down(#[from] Down),
    /// No configured source can answer. Portuguese: the operator's remedy.
    #[error("{0}")]
    NotConfigured(&'static str),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The lookups of this process. Cheap to clone.
#[derive(Clone)]
pub struct Lookup {
    shared: Arc<Shared>,
}

struct Shared {
    store: Store,
    outside: Outside,
    options: Options,
    cep: Vec<Source>,
    cnpj: Vec<Source>,
    flights: Flights<Result<Found<Value>, Down>>,
    ncm: Mutex<Option<(i64, Arc<fiscal::ncm::Table>)>>,
}

/// Client for the sources. The operator chose their addresses, so any address may be reached.
struct Outside {
    client: Client,
    reach: Reach,
    within: Duration,
}

impl Lookup {
    pub fn new(store: Store, client: Client, options: Options) -> Lookup {
        let outside = Outside { client, reach: Reach::anywhere(), within: options.within };
        let [cep, cnpj] = [&options.cep, &options.cnpj].map(|specs| specs.iter().cloned().map(Source::new).collect());
        let (flights, ncm) = (Flights::default(), Mutex::default());
        Lookup { shared: Arc::new(Shared { store, outside, options, cep, cnpj, flights, ncm }) }
    }
}
