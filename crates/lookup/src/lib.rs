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
pub mod import;
mod ncm;
mod receita;
mod shared_requests;
pub mod source;

pub use address::Endereco;
pub use cep::{AddressPage, StreetSearch};
pub use company::Cadastro;
pub use ncm::Nomenclature;

use outbound::{AddressPolicy, OutboundClient};
use serde_json::Value;
use shared_requests::SharedRequests;
use source::{LookupSource, SourceSpec};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::Store;

/// Options of the operator.
#[derive(Debug, Clone)]
pub struct LookupOptions {
    /// Sources of CEP, in their order.
    pub cep: Vec<SourceSpec>,
    /// Sources of CNPJ, in their order.
    pub cnpj: Vec<SourceSpec>,
    /// Time limit of one source.
    pub within: Duration,
    /// Lifetime of a cached answer about a CEP, in seconds.
    pub cep_age_s: i64,
    /// Lifetime of a cached answer about a CNPJ, in seconds.
    pub cnpj_age_s: i64,
}

impl Default for LookupOptions {
    fn default() -> LookupOptions {
        let (cep_age_s, cnpj_age_s) = (60 * DAY_S, 7 * DAY_S);
        LookupOptions { cep: Vec::new(), cnpj: Vec::new(), within: Duration::from_secs(5), cep_age_s, cnpj_age_s }
    }
}

const DAY_S: i64 = 24 * 3600;
/// Lifetime of "there is none": streets and companies are created every day.
const UNKNOWN_AGE_S: i64 = DAY_S;

/// Error when no source answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SourcesUnavailable {
    /// Reasons and remedy, in Portuguese.
    pub reason: String,
    /// Seconds until a retry may succeed.
    pub retry_after_s: u64,
}

/// Answer to a lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupAnswer<T> {
    Yes(T),
    /// There is none, by this source.
    No(String),
}

/// Error of a lookup.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// No source answered.
    #[error(transparent)]
    Down(#[from] SourcesUnavailable),
    /// No configured source can answer. Portuguese: the operator's remedy.
    #[error("{0}")]
    NotConfigured(&'static str),
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The lookups of this process. Cheap to clone.
#[derive(Clone)]
pub struct Lookup {
    shared: Arc<LookupState>,
}

struct LookupState {
    store: Store,
    outside: SourceClient,
    options: LookupOptions,
    cep: Vec<LookupSource>,
    cnpj: Vec<LookupSource>,
    shared_requests: SharedRequests<Result<LookupAnswer<Value>, SourcesUnavailable>>,
    ncm: Mutex<Option<(i64, Arc<fiscal::ncm::NcmTable>)>>,
}

/// Client for the sources. The operator chose their addresses, so any address may be reached.
struct SourceClient {
    client: OutboundClient,
    reach: AddressPolicy,
    within: Duration,
}

impl Lookup {
    pub fn new(store: Store, client: OutboundClient, options: LookupOptions) -> Lookup {
        let outside = SourceClient { client, reach: AddressPolicy::anywhere(), within: options.within };
        let [cep, cnpj] =
            [&options.cep, &options.cnpj].map(|specs| specs.iter().cloned().map(LookupSource::new).collect());
        let (flights, ncm) = (SharedRequests::default(), Mutex::default());
        Lookup { shared: Arc::new(LookupState { store, outside, options, cep, cnpj, shared_requests: flights, ncm }) }
    }
}
