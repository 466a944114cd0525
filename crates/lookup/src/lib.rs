//! Lookups: an address by its CEP, a company by its CNPJ, the NCM. Local data first, then the sources that the operator
//! configured.
//!
//! Law: `spec/interface.md`, Lookups; `reference/lookups.md`. A source that is down is never taken for "there is none":
//! without any answer the caller gets [`Down`]. Must not know: tenants, quotas, HTTP shapes of our answers, SQL.

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

/// What the operator chose.
#[derive(Debug, Clone)]
pub struct Options {
    /// Sources of CEP, in their order.
    pub cep: Vec<Spec>,
    /// Sources of CNPJ, in their order.
    pub cnpj: Vec<Spec>,
    /// Time for one source.
    pub within: Duration,
    /// How long an answer about a CEP is good, in seconds.
    pub cep_age_s: i64,
    /// How long an answer about a CNPJ is good, in seconds.
    pub cnpj_age_s: i64,
}

impl Default for Options {
    fn default() -> Options {
        let (cep_age_s, cnpj_age_s) = (60 * DAY_S, 7 * DAY_S);
        Options { cep: Vec::new(), cnpj: Vec::new(), within: Duration::from_secs(5), cep_age_s, cnpj_age_s }
    }
}

const DAY_S: i64 = 24 * 3600;
/// How long "there is none" is good: streets and companies are made every day.
const UNKNOWN_AGE_S: i64 = DAY_S;

/// Nobody could say. Portuguese, for people: why, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Down {
    /// Why.
    pub reason: String,
    /// When asking again may help, in seconds.
    pub retry_after_s: u64,
}

/// What a lookup gives: the thing, or that there is none (and who says so).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<T> {
    /// The thing.
    Yes(T),
    /// There is none, says this source.
    No(String),
}

/// Why a lookup has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No source can say.
    #[error(transparent)]
    Down(#[from] Down),
    /// No source of this installation could answer. Portuguese: the operator's remedy.
    #[error("{0}")]
    NotConfigured(&'static str),
    /// Our own store failed.
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

/// How sources are reached: the operator chose them, so any address is good.
struct Outside {
    client: Client,
    reach: Reach,
    within: Duration,
}

impl Lookup {
    /// Wires it.
    pub fn new(store: Store, client: Client, options: Options) -> Lookup {
        let outside = Outside { client, reach: Reach::anywhere(), within: options.within };
        let [cep, cnpj] = [&options.cep, &options.cnpj].map(|specs| specs.iter().cloned().map(Source::new).collect());
        let (flights, ncm) = (Flights::default(), Mutex::default());
        Lookup { shared: Arc::new(Shared { store, outside, options, cep, cnpj, flights, ncm }) }
    }
}
