//! The act of a job other than issuing, as stored with the job: written at registration, completed at the end.

use crate::events::new_event::NewEvent;
use crate::numbers::sequence::{SequenceRange, Series};
use crate::row::params;
use crate::tx::SqlStep;
use crate::{Error, words};
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
    pub range: SequenceRange,
    /// The range in the authority's terms.
    pub act: VoidAct,
}

/// The act of a job other than issuing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobAct {
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

impl VoidAct {
    /// First and last number.
    pub fn bounds(&self) -> (u32, u32) {
        (self.nNFIni, self.nNFFin)
    }
}

impl JobAct {
    /// Returns the event, if the act is one.
    pub fn event(&self) -> Option<&EventAct> {
        match self {
            JobAct::Event(event) => Some(event),
            JobAct::Void(_) | JobAct::Replaces(_) | JobAct::ReplacedBy(_) => None,
        }
    }

    /// Returns the range, if the act voids numbers.
    pub fn void(&self) -> Option<&VoidAct> {
        match self {
            JobAct::Void(void) => Some(void),
            JobAct::Event(_) | JobAct::Replaces(_) | JobAct::ReplacedBy(_) => None,
        }
    }

    /// Returns the job with the document in doubt of a sale that was issued again.
    pub fn replaces(&self) -> Option<Uuid> {
        match self {
            JobAct::Replaces(twin) => Some(*twin),
            JobAct::Event(_) | JobAct::Void(_) | JobAct::ReplacedBy(_) => None,
        }
    }

    /// Returns the job that issued the sale again.
    pub fn replaced_by(&self) -> Option<Uuid> {
        match self {
            JobAct::ReplacedBy(job) => Some(*job),
            JobAct::Event(_) | JobAct::Void(_) | JobAct::Replaces(_) => None,
        }
    }
}

/// Stores the act with the job.
pub(super) fn save_act(tenant: Uuid, job: Uuid, act: &JobAct) -> Result<SqlStep<'static>, Error> {
    let sql = "UPDATE jobs SET act = $3 WHERE tenant_id = $1 AND id = $2";
    Ok(SqlStep::new(sql, params![tenant, job, words::json(act)?]))
}
