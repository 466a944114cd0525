//! What a job does to a document that exists, as it is kept with the job: written when it is registered, completed when it ends.

use super::{NewJob, words};
use crate::Error;
use crate::events::{self, NewEvent};
use crate::row::params;
use crate::tx::{Step, Tx};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a job is to do beside issuing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewAct {
    /// It registers an event.
    Event(NewEvent),
}

/// What a job does beside issuing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// It registers an event.
    Event(EventAct),
}

/// An event of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "official tags")]
pub struct EventAct {
    pub chave: String,
    pub tpEvento: String,
    pub nSeqEvento: u8,
    pub nProt: Option<String>,
    pub dhRegEvento: Option<String>,
}

impl Act {
    /// The event, when it is one.
    pub fn event(&self) -> Option<&EventAct> {
        let Act::Event(event) = self;
        Some(event)
    }
}

/// Takes what a new job needs to act, and keeps it with the job.
pub(super) async fn begin<T: Tx>(tx: &mut T, job: &NewJob) -> Result<Option<Act>, Error> {
    let Some(NewAct::Event(new)) = &job.act else { return Ok(None) };
    let nSeqEvento = events::hold(tx, job.tenant_id, job.id, new).await?;
    let (chave, tpEvento) = (new.chave.clone(), new.tpEvento.clone());
    let act = Act::Event(EventAct { chave, tpEvento, nSeqEvento, nProt: None, dhRegEvento: None });
    tx.query_all(&[keep(job.tenant_id, job.id, &act)?]).await?;
    Ok(Some(act))
}

/// Keeps it with the job.
pub(super) fn keep(tenant: Uuid, job: Uuid, act: &Act) -> Result<Step<'static>, Error> {
    let sql = "UPDATE jobs SET act = $3 WHERE tenant_id = $1 AND id = $2";
    Ok(Step { sql, params: params![tenant, job, words::json(act)?] })
}
