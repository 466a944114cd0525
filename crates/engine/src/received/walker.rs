//! Background search of the distribution: every company that enabled it, one after the other, whenever the law permits
//! the next query.
//!
//! Between companies it queries the notes in analysis (`analysis`).
//!
//! One process at a time queries for a company (lease); any number of processes may run this.

use super::query_policy;
use crate::authorities::certificates::CertificateUnusable;
use crate::authorities::health::Channel;
use crate::family::issuer::NotIssuer;
use crate::process::background_task::{BackgroundTask, idle};
use crate::process::outage_log::OutageLog;
use crate::{Engine, family};
use fiscal::value::{TpAmb, Uf};
use std::time::Duration;
use store::received::{Cursor, WalkLease, WalkOutcome};
use tokio::sync::watch;

/// Pause when nothing is due.
const REST: Duration = Duration::from_secs(2);
/// Lots of one company before the next one has its turn.
const LOTS: usize = 20;

/// The running background search.
pub struct DistributionWalker(BackgroundTask);

impl DistributionWalker {
    /// Starts it on the current runtime.
    pub fn start(engine: Engine) -> DistributionWalker {
        DistributionWalker(BackgroundTask::start(|stopped| run(engine, stopped)))
    }

    /// Waits at most `grace` for the running query to end, and stops.
    pub async fn stop(self, grace: Duration) {
        if !self.0.stop(grace).await {
            tracing::warn!("a distribution is still being asked for after the grace period; its lease will run out");
        }
    }
}

async fn run(engine: Engine, mut stopped: watch::Receiver<bool>) {
    let mut trouble = OutageLog::with("walk distributions");
    while !*stopped.borrow() && stopped.has_changed().is_ok() {
        let walked = match engine.walk_next().await {
            Ok(false) => engine.query_next_analysis().await,
            walked => walked,
        };
        if walked.is_ok() {
            trouble.record_recovery();
        }
        match walked {
            Ok(true) => {}
            Ok(false) => idle(REST, &mut stopped).await,
            Err(error) => {
                trouble.record_failure(&error);
                idle(REST, &mut stopped).await;
            }
        }
    }
}

impl Engine {
    /// Searches for the company that has been due longest; `false` if there was none.
    async fn walk_next(&self) -> Result<bool, store::Error> {
        let Some((lease, cursor)) = self.store().claim_due_walk(query_policy::claim(self.now_s())).await? else {
            return Ok(false);
        };
        match self.background_channel(&lease).await? {
            Ok(channel) => {
                self.walk(lease, cursor, &channel, LOTS).await?;
            }
            Err(why) => self.retry_later(lease, &cursor, &why).await?,
        }
        Ok(true)
    }

    /// Channel of the company, or the reason in Portuguese why it cannot query now.
    async fn background_channel(&self, lease: &WalkLease) -> Result<Result<Channel, String>, store::Error> {
        let owner = &lease.owner;
        let Some(family) = family::handed_out(owner.tipo) else {
            return Ok(Err(format!("Esta versão não busca {} recebidos.", owner.tipo.name())));
        };
        let issuer = match self.party(store::Visibility::whole(owner.tenant), owner.cpf_cnpj, family).await {
            Ok(issuer) => issuer,
            Err(NotIssuer::Store(error)) => return Err(error),
            Err(NotIssuer::UnknownCompany | NotIssuer::NotConfigured) => {
                return Ok(Err(format!("A empresa não tem mais configuração de {}.", owner.tipo.name())));
            }
        };
        // production needs the company's configuration as well as the credential that switched this on
        if owner.ambiente == TpAmb::Producao && issuer.ambiente(TpAmb::Producao) != TpAmb::Producao {
            return Ok(Err(format!("A configuração de {} da empresa está em homologação.", owner.tipo.name())));
        }
        match self.certificate(owner.tenant, owner.cpf_cnpj).await {
            Ok(certificate) => {
                let (uf, ambiente) = (issuer.uf.unwrap_or(Uf::DF), owner.ambiente);
                Ok(Ok(Channel::to_state(uf, family, ambiente, certificate)))
            }
            Err(CertificateUnusable::Store(error)) => Err(error),
            Err(unusable) => Ok(Err(unusable.to_string())),
        }
    }

    async fn retry_later(&self, lease: WalkLease, cursor: &Cursor, why: &str) -> Result<(), store::Error> {
        tracing::warn!(error.cause = why, "a distribution waits for its company");
        let now = self.now_s();
        let outcome: WalkOutcome = query_policy::after_no_answer(cursor, false, why, now);
        self.store().record_walk(lease, outcome, now).await.map(drop)
    }
}
