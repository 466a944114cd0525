//! A claimed job: its steps, and the renewal of its lease beside them.

use crate::Engine;
use crate::process::backoff;
use crate::process::leases::{HeldLease, JobHold};
use crate::steps::{self, ClaimOutcome, ClaimedWork, Halt, settled};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};
use store::jobs::{ClaimedJob, JobFailure};
use tracing::Instrument;

/// Runs the steps of a job as far as they go; nothing is lost if it never ends.
pub(super) async fn run_job(engine: Engine, claimed: ClaimedJob, mut hold: JobHold, lease: Duration) {
    let (kind, job, put_down) = (claimed.job.operacao.word(), claimed.job.id, engine.clone());
    let span = settled::span(&claimed.job);
    let started = Instant::now();
    async {
        hold.wait_for_former().await;
        let outcome = with_lease(ClaimedWork::new(engine, claimed), &hold.held, lease).await;
        metrics::counter!("carimbo_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
        metrics::histogram!("carimbo_job_seconds", "kind" => kind).record(started.elapsed());
        tracing::debug!(outcome, "job put down");
    }
    .instrument(span)
    .await;
    drop(hold);
    put_down.inner.job_waiters.notify(job);
}

/// Runs the steps until they end or the lease is lost.
async fn with_lease(mut work: ClaimedWork, held: &HeldLease, lease: Duration) -> &'static str {
    let renewal = renew(work.engine.clone(), held, lease);
    let ended = tokio::select! {
        // an end that is written counts, even if the lease was lost by then
        biased;
        ended = catch_panic(boxed_steps(&mut work)) => ended,
        lost = renewal => Some(Err(Halt::Store(lost))),
        () = held.revoked() => Some(Err(Halt::Store(store::Error::LeaseLost))),
    };
    match ended {
        Some(Ok(ClaimOutcome::Done)) => "done",
        Some(Ok(ClaimOutcome::Again)) => "again",
        Some(Ok(ClaimOutcome::GivenUp)) => "failed",
        Some(Err(halt)) => after_halt(&mut work, halt).await,
        None => end_broken(&mut work, "a step panicked").await,
    }
}

type BoxedRun<'r, T> = Pin<Box<dyn Future<Output = T> + Send + 'r>>;

/// Builds the steps' future in a frame of its own: it is large, and the polling frame must not hold room for it too.
fn boxed_steps(work: &mut ClaimedWork) -> BoxedRun<'_, Result<ClaimOutcome, Halt>> {
    Box::pin(steps::run(work))
}

/// Returns `None` when the steps panicked: every claim would panic too, so the job has to end.
async fn catch_panic<T>(mut running: BoxedRun<'_, T>) -> Option<T> {
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| running.as_mut().poll(context))) {
        Ok(ready) => ready.map(Some),
        Err(_) => Poll::Ready(None),
    })
    .await
}

/// Renews a lease three times in its length; ends only when it is lost.
async fn renew(engine: Engine, held: &HeldLease, lease: Duration) -> store::Error {
    loop {
        tokio::time::sleep(lease / 3).await;
        match engine.renew_held(held).await {
            Ok(()) => {}
            Err(store::Error::LeaseLost) => return store::Error::LeaseLost,
            Err(error) => tracing::warn!(%error, "the lease could not be renewed yet"),
        }
    }
}

/// Handles a job that stopped in the middle. A failure of the store is retried; inconsistent data ends the job.
async fn after_halt(work: &mut ClaimedWork, halt: Halt) -> &'static str {
    match halt {
        Halt::Store(store::Error::LeaseLost) => {
            tracing::warn!("the job was taken over or has ended");
            "lost"
        }
        Halt::Store(error @ (store::Error::Unavailable(_) | store::Error::Sealed)) => {
            requeue_after_error(work, &error).await
        }
        // a transaction whose commit was not confirmed may look like this once: the stored state is read anew before it
        // is believed
        Halt::Store(error @ (store::Error::Conflict(_) | store::Error::NotFound)) if work.may_reread() => {
            requeue_after_error(work, &error).await
        }
        Halt::Store(error) => end_broken(work, &error.to_string()).await,
        Halt::Illegal(illegal) => end_broken(work, &illegal.to_string()).await,
        Halt::Step(step) => end_broken(work, &format!("{step:?}")).await,
    }
}

async fn requeue_after_error(work: &mut ClaimedWork, why: &store::Error) -> &'static str {
    tracing::error!(%why, "the job stopped in the middle and goes back into its line");
    let mensagem = "Erro interno; o serviço tentará novamente.".to_owned();
    // If the store does not answer this either, the lease runs out and the job is found again.
    let _ = work.requeue(backoff::LONGEST / 10, JobFailure { mensagem, ..internal_error() }).await;
    "halted"
}

/// Ends a job whose data or steps are wrong; a document that may have left keeps its number and its state.
async fn end_broken(work: &mut ClaimedWork, why: &str) -> &'static str {
    tracing::error!(why, "the job is broken and ends as failed");
    match work.give_up(internal_error()).await {
        Ok(_) => "broken",
        Err(halt) => {
            tracing::error!(?halt, "a broken job could not be ended yet; its lease will run out");
            "halted"
        }
    }
}

/// Failure of a job that cannot go on.
pub(super) fn internal_error() -> JobFailure {
    JobFailure {
        codigo: "erro_interno".to_owned(),
        etapa: "transmissao".to_owned(),
        mensagem:
            "Erro interno: o registro deste job está inconsistente e ele não pode seguir. Informe o job_id ao suporte; \
                   depois da correção, POST /v1/jobs/{job_id}/reprocessar o retoma."
                .to_owned(),
        repetivel: true,
        proxima_tentativa_em: None,
    }
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[tokio::test]
    async fn a_panic_is_caught_and_an_answer_passes() {
        assert_eq!(catch_panic(Box::pin(async { 7 })).await, Some(7));
        let panics = async {
            tokio::task::yield_now().await;
            [1_u8; 0][usize::from(jiff::Timestamp::now().as_second() < 0)]
        };
        let none: Option<u8> = catch_panic(Box::pin(panics)).await;
        assert_eq!(none, None);
    }
}
