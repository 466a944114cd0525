//! The act of a job other than issuing, as stored with the job: written at registration, completed at the end.

use super::{NewJob, words};
use crate::Error;
use crate::events::{self, NewEvent};
use crate::numbers::{Range, Sequence, Series, void};
use crate::row::params;
use crate::tx::{Step, Tx};
use fiscal::value::Chave;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An act to register with a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewAct {
    /// Registers an event.
    Event(NewEvent),
    /// Voids numbers.
    Void(NewVoid),
}

/// Numbers to void.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewVoid {
    pub series: Series,
    pub range: Range,
    /// The range in the authority's terms.
    pub act: VoidAct,
}

/// The act of a job other than issuing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Registers an event.
    Event(EventAct),
    /// Voids numbers.
    Void(VoidAct),
    /// Issues a sale again, in contingency; the named job has the first document, which is in doubt.
    Replaces(Uuid),
    /// The job has the first document of a sale, in doubt; the named job issued the sale again.
    ReplacedBy(Uuid),
}

/// An event of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventAct {
    pub chave: Chave,
    pub tpEvento: String,
    pub nSeqEvento: u16,
    pub nProt: Option<String>,
    pub dhRegEvento: Option<String>,
}

/// A range of numbers that no document will carry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoidAct {
    pub cUF: u8,
    pub ano: u8,
    pub modelo: u8,
    pub serie: u16,
    pub nNFIni: u32,
    pub nNFFin: u32,
    /// `true` once the authority has voided it.
    pub voided: bool,
    pub nProt: Option<String>,
    pub dhRecbto: Option<String>,
}

impl Act {
    /// Returns the event, if the act is one.
    pub fn event(&self) -> Option<&EventAct> {
        match self {
            Act::Event(event) => Some(event),
            Act::Void(_) | Act::Replaces(_) | Act::ReplacedBy(_) => None,
        }
    }

    /// Returns the range, if the act voids numbers.
    pub fn void(&self) -> Option<&VoidAct> {
        match self {
            Act::Void(void) => Some(void),
            Act::Event(_) | Act::Replaces(_) | Act::ReplacedBy(_) => None,
        }
    }

    /// Returns the job with the document in doubt of a sale that was issued again.
    pub fn replaces(&self) -> Option<Uuid> {
        match self {
            Act::Replaces(twin) => Some(*twin),
            Act::Event(_) | Act::Void(_) | Act::ReplacedBy(_) => None,
        }
    }

    /// Returns the job that issued the sale again.
    pub fn replaced_by(&self) -> Option<Uuid> {
        match self {
            Act::ReplacedBy(job) => Some(*job),
            Act::Event(_) | Act::Void(_) | Act::Replaces(_) => None,
        }
    }
}

/// Allocates what a new job's act needs and stores the act with the job.
pub(super) async fn begin<T: Tx>(tx: &mut T, job: &NewJob) -> Result<Option<Act>, Error> {
    let act = match &job.act {
        None => return Ok(None),
        Some(NewAct::Event(new)) => {
            let nSeqEvento = events::hold(tx, job.tenant_id, job.id, new).await?;
            let (chave, tpEvento) = (new.chave, new.tpEvento.clone());
            Act::Event(EventAct { chave, tpEvento, nSeqEvento, nProt: None, dhRegEvento: None })
        }
        Some(NewAct::Void(new)) => {
            let sequence = Sequence { tenant: job.tenant_id, series: new.series };
            void::hold(tx, &sequence, new.range, job.id).await?;
            Act::Void(new.act.clone())
        }
    };
    tx.query_all(&[keep(job.tenant_id, job.id, &act)?]).await?;
    Ok(Some(act))
}

/// Stores the act with the job.
pub(super) fn keep(tenant: Uuid, job: Uuid, act: &Act) -> Result<Step<'static>, Error> {
    let sql = "UPDATE jobs SET act = $3 WHERE tenant_id = $1 AND id = $2";
    Ok(Step::new(sql, params![tenant, job, words::json(act)?]))
}
