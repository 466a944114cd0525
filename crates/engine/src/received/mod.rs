//! Received documents: a search through the distribution of the Ambiente Nacional (of NFS-e: the ADN), and queries of
//! one document.
//!
//! Law: NT 2014.002 v1.30 (NF-e), NT 2015.002 (CT-e), OpenAPI of the ADN contribuinte (NFS-e). `query_policy`, pure,
//! decides when a query is permitted; the store holds budgets and cursor, so that a restart does not forget them.
//! Must not know: the form of lists of received notes.

mod analysis;
mod manifest;
mod prediction;
mod query_policy;
mod read;
mod step;
mod walker;

pub use authority::answer::DistributionOutcome;

pub use manifest::ManifestError;
pub use prediction::{AWARENESS, CONCLUSION};
pub use walker::DistributionWalker;

use crate::authorities::certificates::CertificateUnusable;
use crate::family::Family;
use crate::family::issuer::NotIssuer;
use crate::{Engine, family};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, TpAmb};
use step::WalkStepOutcome;
use store::accounts::Caller;
use store::audit::Actor;
use store::received::{Cursor, NewDocuments, WalkClaim};

/// Most lots of fifty in one call of the interface.
const LOTS: usize = 10;

/// Types of documents that are distributed.
pub const DISTRIBUTED: [Tipo; 3] = [Tipo::Nfe, Tipo::Cte, Tipo::Nfse];

/// Query of one document.
#[derive(Debug, Clone, Copy)]
pub enum DocumentQuery {
    /// The document of this number.
    Nsu(u64),
    /// The document of this key, where documents are distributed by key.
    Chave(Chave),
}

/// Result of a query to the Ambiente Nacional.
#[derive(Debug, Clone)]
pub struct SyncOutcome {
    /// Environment of the query.
    pub ambiente: TpAmb,
    /// Count of new documents.
    pub kept: NewDocuments,
    /// Kind of the last answer, or of the last one that brought documents.
    pub handing: DistributionOutcome,
    /// Code and text of that answer.
    pub said: (Option<Codigo>, String),
    /// True if the authority has nothing more.
    pub whole: bool,
    /// State of the search now.
    pub cursor: Cursor,
}

impl SyncOutcome {
    fn new(ambiente: TpAmb, walked: WalkStepOutcome, cursor: Cursor) -> SyncOutcome {
        let WalkStepOutcome { kept, handing, said, whole, .. } = walked;
        SyncOutcome { ambiente, kept, handing, said, whole, cursor }
    }
}

/// Reason why there was no query, or no answer.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The tenant has no such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration of the type, which decides the environment.
    #[error("empresa sem configuração de {}", .0.name())]
    NotConfigured(Tipo),
    /// Such documents are not distributed.
    #[error("não se buscam {} recebidos", .0.name())]
    NotHandedOut(Tipo),
    /// Distributed by number only.
    #[error("{} não se pede pela chave", .0.name())]
    NotByKey(Tipo),
    /// No usable certificate; the text names the remedy.
    #[error("{0}")]
    Certificate(String),
    /// The law forbids a query before that moment (seconds since 1970).
    #[error("a consulta não é permitida agora")]
    NotBefore(i64),
    /// Another process queries for this company right now.
    #[error("a empresa está sendo sincronizada")]
    Busy,
    /// No answer came; the next attempt is permitted from that moment.
    #[error("{cause}")]
    NoAnswer {
        /// Portuguese text.
        cause: String,
        /// Seconds since 1970.
        next_at: i64,
    },
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl SyncError {
    fn of_issuer(why: NotIssuer, tipo: Tipo) -> SyncError {
        match why {
            NotIssuer::UnknownCompany => SyncError::UnknownCompany,
            NotIssuer::NotConfigured => SyncError::NotConfigured(tipo),
            NotIssuer::Store(error) => SyncError::Store(error),
        }
    }
}

impl From<CertificateUnusable> for SyncError {
    fn from(why: CertificateUnusable) -> SyncError {
        match why {
            CertificateUnusable::Store(error) => SyncError::Store(error),
            unusable => SyncError::Certificate(unusable.to_string()),
        }
    }
}

impl Engine {
    /// Queries everything new of a type, as far as the law and a few lots go.
    pub async fn sync_received(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        tipo: Tipo,
    ) -> Result<SyncOutcome, SyncError> {
        let (owner, channel) = self.owner_and_channel(caller, cpf_cnpj, row(tipo)?).await?;
        let now = self.now_s();
        let (lease, cursor) = match self.store().claim_walk(owner, query_policy::claim(now)).await? {
            WalkClaim::Claimed(lease, cursor) => (lease, cursor),
            WalkClaim::NotBefore(at) => return Err(SyncError::NotBefore(at)),
            WalkClaim::Busy => return Err(SyncError::Busy),
        };
        let walked = self.walk(lease, cursor, &channel, LOTS).await?;
        let cursor = self.store().distribution(owner).await?;
        match walked.no_answer {
            Some(cause) => Err(SyncError::NoAnswer { cause, next_at: cursor.next_at }),
            None => Ok(SyncOutcome::new(owner.ambiente, walked, cursor)),
        }
    }

    /// Queries one document: at most twenty such queries an hour.
    pub async fn ask_received(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        tipo: Tipo,
        point: DocumentQuery,
    ) -> Result<SyncOutcome, SyncError> {
        let family = row(tipo)?;
        if matches!(point, DocumentQuery::Chave(_)) && !family.wire.has_query_by_key() {
            return Err(SyncError::NotByKey(tipo));
        }
        let (owner, channel) = self.owner_and_channel(caller, cpf_cnpj, family).await?;
        if let Some(at) = self.store().count_single_query(owner, self.now_s()).await? {
            return Err(SyncError::NotBefore(at));
        }
        let walked = self.query_document(owner, &channel, point).await?;
        let cursor = self.store().distribution(owner).await?;
        Ok(SyncOutcome::new(owner.ambiente, walked, cursor))
    }

    /// State of a company's distribution, in the environment of credential and configuration.
    pub async fn distribution(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        tipo: Tipo,
    ) -> Result<(TpAmb, Cursor), SyncError> {
        let owner = self.owner(caller, cpf_cnpj, row(tipo)?).await?;
        Ok((owner.ambiente, self.store().distribution(owner).await?))
    }

    /// Switches the search in the background on or off.
    pub async fn switch_distribution(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        tipo: Tipo,
        ativa: bool,
        by: &Actor,
    ) -> Result<(TpAmb, Cursor), SyncError> {
        let owner = self.owner(caller, cpf_cnpj, row(tipo)?).await?;
        Ok((owner.ambiente, self.store().switch_distribution(owner, ativa, by, self.now_s()).await?))
    }
}

/// Family of a type whose documents are distributed.
fn row(tipo: Tipo) -> Result<&'static Family, SyncError> {
    family::handed_out(tipo).ok_or(SyncError::NotHandedOut(tipo))
}
