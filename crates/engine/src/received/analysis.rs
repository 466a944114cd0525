//! Analysis requests in progress: the events of a note that waits for its município are queried once an hour, until the
//! request is granted or refused. One process at a time queries a note; the store claims it with the instant of the
//! next query.
//!
//! Law: `docs/contract.md`, "NFS-e" (`analise_fiscal` is kept up to date by reading the events).

use crate::authorities::certificates::CertificateUnusable;
use crate::authorities::health::Channel;
use crate::{Engine, family};
use fiscal::value::{Chave, Uf};
use store::jobs::DueAnalysis;

/// Interval between two queries about a note, in seconds: a município takes days.
const EVERY_S: i64 = 3_600;

impl Engine {
    /// Queries the note that is due; `false` if there was none.
    pub(super) async fn query_next_analysis(&self) -> Result<bool, store::Error> {
        let now = self.now_s();
        let Some(due) = self.store().claim_due_analysis(now, now + EVERY_S).await? else { return Ok(false) };
        let DueAnalysis { tenant, cpf_cnpj, ambiente, chave } = due;
        let Chave::Nfse(key) = chave else { return Ok(true) };
        let certificate = match self.certificate(tenant, cpf_cnpj).await {
            Ok(certificate) => certificate,
            Err(CertificateUnusable::Store(error)) => return Err(error),
            Err(unusable) => {
                tracing::warn!(error.cause = %unusable, "a note in analysis waits for its company");
                return Ok(true);
            }
        };
        let (uf, host) = (chave.uf().unwrap_or(Uf::DF), self.host_of_note(tenant, cpf_cnpj, ambiente, &key).await?);
        let channel = Channel { host, ..Channel::to_state(uf, &family::DPS, ambiente, certificate) };
        match self.note_events(&channel, &key).await {
            Ok(events) => self.update_note(tenant, key, &events).await?,
            Err(no_answer) => {
                tracing::warn!(error.cause = %no_answer, "the events of a note in analysis were not told")
            }
        }
        Ok(true)
    }
}
