//! One claimed job: its steps, while its lease is renewed beside them.

use crate::steps::{self, Halt, Outcome, Work};
use crate::{Engine, backoff, settled};
use std::time::{Duration, Instant};
use store::jobs::{Claimed, Failure, Lease};
use tracing::Instrument;

/// End of a lease taken now. At least two seconds, since the store counts whole ones.
pub(super) fn lease_end(now: i64, lease: Duration) -> i64 {
    now.saturating_add(i64::try_from(lease.as_secs().max(2)).unwrap_or(i64::MAX))
}

/// Carries a job as far as it goes; nothing is lost if this never ends.
pub(super) async fn carry(engine: Engine, claimed: Claimed, lease: Duration) {
    let kind = claimed.job.operacao.word();
    let span = settled::span(&claimed.job);
    let started = Instant::now();
    async {
        let outcome = with_lease(Work::new(engine, claimed), lease).await;
        metrics::counter!("carimbo_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
        metrics::histogram!("carimbo_job_seconds", "kind" => kind).record(started.elapsed());
        tracing::debug!(outcome, "job put down");
    }
    .instrument(span)
    .await;
}

/// The steps, until they end or the lease is lost.
async fn with_lease(mut work: Work, lease: Duration) -> &'static str {
    let renewal = renew(work.engine.clone(), work.lease, lease);
    let ended = tokio::select! {
        ended = steps::run(&mut work) => ended,
        lost = renewal => Err(Halt::Store(lost)),
    };
    match ended {
        Ok(Outcome::Done) => "done",
        Ok(Outcome::Again) => "again",
        Ok(Outcome::GivenUp) => "failed",
        Err(halt) => halted(&mut work, halt).await,
    }
}

/// Renews a lease three times in its length; ends only when it is lost.
async fn renew(engine: Engine, held: Lease, lease: Duration) -> store::Error {
    loop {
        tokio::time::sleep(lease / 3).await;
        let until = lease_end(engine.now_s(), lease);
        match engine.store().renew(held, until).await {
            Ok(()) => {}
            Err(lost @ (store::Error::Conflict(_) | store::Error::NotFound)) => return lost,
            Err(error) => tracing::warn!(%error, "the lease could not be renewed yet"),
        }
    }
}

/// What stopped a job in the middle: the next claim goes on from what is committed.
async fn halted(work: &mut Work, halt: Halt) -> &'static str {
    let why = match halt {
        Halt::Store(store::Error::Conflict(why)) => {
            tracing::warn!(why, "the job was taken over or has moved on");
            return "lost";
        }
        Halt::Store(error) => error.to_string(),
        Halt::Illegal(illegal) => illegal.to_string(),
        Halt::Step(step) => format!("{step:?}"),
    };
    tracing::error!(why, "the job stopped in the middle");
    let failure = Failure {
        codigo: "erro_interno".to_owned(),
        etapa: "transmissao".to_owned(),
        mensagem: "Erro interno; o serviço tentará novamente.".to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    };
    // If the store does not answer this either, the lease runs out and the job is found again.
    let _ = work.again(backoff::LONGEST / 10, failure).await;
    "halted"
}
