//! What others issue to our companies: walking the distribution of the Ambiente Nacional (of NFS-e: the ADN), and
//! asking for one document.
//!
//! Law: NT 2014.002 v1.30 (NF-e), NT 2015.002 (CT-e), OpenAPI of the ADN contribuinte (NFS-e). When asking is lawful is
//! decided in `law`, pure; the budgets and the cursor are the store's, so that a restart does not forget them. Must not
//! know: how lists of received notes are written.

mod analysis;
mod foresight;
mod law;
mod manifest;
mod read;
mod step;
mod walker;

pub use authority::answer::Handing;

pub use crate::acceptance::event::manifestation::{Manifestacao, Manifestation};
pub use manifest::ManifestError;
pub use walker::Walker;

use crate::authorities::certificates::Unusable;
use crate::family::Family;
use crate::family::issuer::NotIssuer;
use crate::{Engine, family};
use fiscal::tipo::Tipo;
use fiscal::value::{Chave, CnpjCpf, Codigo, TpAmb};
use step::Walked;
use store::accounts::Caller;
use store::audit::Actor;
use store::received::{Cursor, Kept, Taken};

/// Answers of one call of the interface: at most so many lots of fifty.
const LOTS: usize = 10;

/// What may be asked for besides "everything new".
#[derive(Debug, Clone, Copy)]
pub enum Point {
    /// The document of this number.
    Nsu(u64),
    /// The document of this key, where documents are handed out by it.
    Chave(Chave),
}

/// What a question to the Ambiente Nacional brought.
#[derive(Debug, Clone)]
pub struct Synced {
    /// Environment asked in.
    pub ambiente: TpAmb,
    /// New documents.
    pub kept: Kept,
    /// What the last answer was, or the last one that brought documents.
    pub handing: Handing,
    /// Its code and text.
    pub said: (Option<Codigo>, String),
    /// Whether the authority has nothing more.
    pub whole: bool,
    /// How the walk stands now.
    pub cursor: Cursor,
}

impl Synced {
    fn new(ambiente: TpAmb, walked: Walked, cursor: Cursor) -> Synced {
        let Walked { kept, handing, said, whole, .. } = walked;
        Synced { ambiente, kept, handing, said, whole, cursor }
    }
}

/// Why nothing was asked, or nothing was answered.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// No such company.
    #[error("empresa não encontrada")]
    UnknownCompany,
    /// No configuration of the type, which says the environment.
    #[error("empresa sem configuração de {}", .0.name())]
    NotConfigured(Tipo),
    /// Nobody hands these out.
    #[error("não se buscam {} recebidos", .0.name())]
    NotHandedOut(Tipo),
    /// They are handed out by their number only.
    #[error("{} não se pede pela chave", .0.name())]
    NotByKey(Tipo),
    /// No usable certificate; says what to do.
    #[error("{0}")]
    Certificate(String),
    /// The law forbids asking before that moment (seconds since 1970).
    #[error("a consulta não é permitida agora")]
    NotBefore(i64),
    /// Another process asks for this company right now.
    #[error("a empresa está sendo sincronizada")]
    Busy,
    /// No answer came; the next attempt is lawful from that moment on.
    #[error("{cause}")]
    NoAnswer {
        /// Portuguese.
        cause: String,
        /// Seconds since 1970.
        next_at: i64,
    },
    /// Store.
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

impl From<Unusable> for SyncError {
    fn from(why: Unusable) -> SyncError {
        match why {
            Unusable::Store(error) => SyncError::Store(error),
            unusable => SyncError::Certificate(unusable.to_string()),
        }
    }
}

impl Engine {
    /// Asks for everything new of a type, as far as the law and a few lots go.
    pub async fn sync_received(&self, caller: &Caller, cpf_cnpj: CnpjCpf, tipo: Tipo) -> Result<Synced, SyncError> {
        let (owner, channel) = self.receiver(caller, cpf_cnpj, row(tipo)?).await?;
        let now = self.now_s();
        let (lease, cursor) = match self.store().take_walk(owner, law::claim(now)).await? {
            Taken::Ours(lease, cursor) => (lease, cursor),
            Taken::NotBefore(at) => return Err(SyncError::NotBefore(at)),
            Taken::Busy => return Err(SyncError::Busy),
        };
        let walked = self.walk(lease, cursor, &channel, LOTS).await?;
        let cursor = self.store().distribution(owner).await?;
        match walked.no_answer {
            Some(cause) => Err(SyncError::NoAnswer { cause, next_at: cursor.next_at }),
            None => Ok(Synced::new(owner.ambiente, walked, cursor)),
        }
    }

    /// Asks for one document: at most twenty such questions an hour.
    pub async fn ask_received(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        tipo: Tipo,
        point: Point,
    ) -> Result<Synced, SyncError> {
        let family = row(tipo)?;
        if matches!(point, Point::Chave(_)) && !family.wire.hands_out_by_key() {
            return Err(SyncError::NotByKey(tipo));
        }
        let (owner, channel) = self.receiver(caller, cpf_cnpj, family).await?;
        if let Some(at) = self.store().spend_point(owner, self.now_s()).await? {
            return Err(SyncError::NotBefore(at));
        }
        let walked = self.point(owner, &channel, point).await?;
        let cursor = self.store().distribution(owner).await?;
        Ok(Synced::new(owner.ambiente, walked, cursor))
    }

    /// Where the distribution of a company stands, in the environment of credential and configuration.
    pub async fn distribution(
        &self,
        caller: &Caller,
        cpf_cnpj: CnpjCpf,
        tipo: Tipo,
    ) -> Result<(TpAmb, Cursor), SyncError> {
        let owner = self.owner(caller, cpf_cnpj, row(tipo)?).await?;
        Ok((owner.ambiente, self.store().distribution(owner).await?))
    }

    /// Switches the walk in the background.
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

/// The row of a type whose documents are handed out.
fn row(tipo: Tipo) -> Result<&'static Family, SyncError> {
    family::handed_out(tipo).ok_or(SyncError::NotHandedOut(tipo))
}
