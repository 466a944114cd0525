//! Another way for a document of which nothing has left us: other tipo_emissao, and so another key, under the same number.
//!
//! Law: MOC 7.0, anexo III, 2.1.3.5. When that is safe is decided by the engine.

use super::contingency::drop_event;
use super::lease::{hold, touch};
use super::{Document, Lease, LogLine, Reroute, Reserve, words};
use crate::row::params;
use crate::tx::{Lane, Operation, Step, Tx};
use crate::{Error, Store};

impl Store {
    /// One transaction: the document has no key any more and goes another way; `begin_sending` gives it its next key.
    pub async fn reroute(&self, lease: Lease, reroute: Reroute, now: i64, log: Vec<LogLine>) -> Result<(), Error> {
        self.write(Redirect { lease, reroute, now, log }).await
    }
}

struct Redirect {
    lease: Lease,
    reroute: Reroute,
    now: i64,
    log: Vec<LogLine>,
}

impl Operation for Redirect {
    type Output = ();
    const LANE: Lane = Lane::Urgent;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Redirect { lease, reroute, now, log } = self;
        let sql =
            "UPDATE documents SET state = $3, tipo_emissao = $4, dhEmi = $5, contingencia = $6, asked_by = NULL, chave = NULL, digest = NULL
                   WHERE tenant_id = $1 AND job_id = $2 AND state IN ('accepted', 'issued', 'sending') RETURNING numero";
        let params = params![
            lease.tenant_id,
            lease.job_id,
            words::state(reroute.state),
            reroute.tipo_emissao,
            &reroute.dhEmi,
            reroute.contingencia.as_ref().map(words::json).transpose()?,
        ];
        // an EPEC that was refused is none
        let mut steps = vec![Step { sql, params }, drop_event(lease)];
        steps.extend(touch(lease, *now, log)?);
        match hold(tx, lease, steps).await?.first() {
            Some(updated) if !updated.is_empty() => Ok(()),
            _ => Err(Error::Conflict("o documento já pode ter sido enviado")),
        }
    }
}

/// A document that was only numbered takes the way that is right now.
pub(super) async fn otherwise<T: Tx>(
    tx: &mut T,
    lease: &Lease,
    reserve: &Reserve,
    document: Document,
) -> Result<Document, Error> {
    let sql = "UPDATE documents SET tipo_emissao = $3, dhEmi = $4, contingencia = $5
               WHERE tenant_id = $1 AND job_id = $2 AND state = 'accepted'";
    let contingencia = reserve.contingencia.as_ref().map(words::json).transpose()?;
    let params = params![lease.tenant_id, lease.job_id, reserve.tipo_emissao, &reserve.dhEmi, contingencia];
    tx.execute(sql, &params).await?;
    let Reserve { tipo_emissao, dhEmi, contingencia, .. } = reserve.clone();
    Ok(Document { tipo_emissao, dhEmi, contingencia, ..document })
}
