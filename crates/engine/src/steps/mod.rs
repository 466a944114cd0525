//! Steps of one claimed job, as values: each step returns what comes next, and `follow` calls it.
//!
//! Law: MOC 7.0, visão geral (states of a document, query after a timeout). One file per step: `prepare` → `send` →
//! (`ask`) → `settle`; `event` handles events and `void` numbers that are given up. In contingency a document is
//! `issued` before it is sent (`announce`: by EPEC), and a document in doubt may get a second one for its sale
//! (`second_issue`). Several that leave at once may share a message (`lot`). Every change of state is asked of
//! `fiscal::lifecycle` and committed before anything leaves us.

mod absence;
mod announce;
mod ask;
mod build;
mod claim_memory;
mod claimed_work;
mod draft;
mod event;
mod exchange;
mod issued;
mod key_query;
mod layout;
mod lot;
mod number_conflict;
mod number_recovery;
mod outcome;
mod payload_mode;
mod prepare;
mod refusal;
mod reroute;
mod resume;
mod second_issue;
mod send;
mod settle;
pub(crate) mod settled;
mod substitution_request;
mod void;

pub(crate) use claim_memory::ClaimMemory;
pub(crate) use claimed_work::{ClaimedWork, failure};
pub(crate) use exchange::{reply_line, request_line};
pub(crate) use key_query::asking_by_key;
pub(crate) use lot::LotRegistry;

use crate::contingency::NoMode;
use crate::process::cpu_time;
use fiscal::lifecycle::{DocumentState, IllegalTransition, LifecycleEvent};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};
use store::jobs::{JobFailure, Operacao};

/// Code of a job whose sale may be registered by a document that is unknown here.
pub(crate) const UNCERTAIN: &str = "em_duvida";

/// Next action for a job.
#[derive(Debug)]
pub(crate) enum NextStep {
    /// The document is prepared, and sent.
    Prepare,
    /// The document, of which nothing is registered, is sent: the same bytes, or others under another key.
    Resume,
    /// Signed bytes are sent; `Sending` is committed.
    Send(String),
    /// The job is settled.
    Done,
    /// The job runs again later.
    Again {
        after: Duration,
        /// Failure that the job shows meanwhile.
        failure: JobFailure,
    },
    /// Retrying cannot help.
    GiveUp {
        /// Failure that ends the job.
        failure: JobFailure,
    },
}

/// Reason why a step did not run to its end. `?` returns it from any depth.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The next action is decided already.
    Step(NextStep),
    /// The store failed, or the lease was lost: the next claim goes on from what is committed.
    Store(store::Error),
    /// A transition that `fiscal::lifecycle` refuses: our bug.
    Illegal(IllegalTransition),
}

impl From<store::Error> for Halt {
    fn from(error: store::Error) -> Halt {
        match error {
            store::Error::SeriesUncleared => number_recovery::waits(),
            error => Halt::Store(error),
        }
    }
}

impl From<NoMode> for Halt {
    fn from(none: NoMode) -> Halt {
        match none {
            NoMode::Wait { after, why } => {
                let failure = failure("autoridade_indisponivel", "transmissao", why);
                Halt::Step(NextStep::Again { after, failure })
            }
            NoMode::Store(error) => Halt::Store(error),
        }
    }
}

/// Runs one claimed job as far as it goes now, and writes down what comes next.
pub(crate) async fn run(work: &mut ClaimedWork) -> Result<ClaimOutcome, Halt> {
    // blocks by 656 count whichever process received them
    work.engine.authority_overview().await?;
    let mut ended = advance(work).await;
    loop {
        let step = match ended {
            Ok(step) | Err(Halt::Step(step)) => step,
            Err(halt) => return Err(halt),
        };
        match step {
            NextStep::Done => {
                work.engine.inner.claim_memory.ended(&work.job);
                return Ok(ClaimOutcome::Done);
            }
            NextStep::Again { after, failure } => return work.requeue(after, failure).await,
            NextStep::GiveUp { failure } => return work.give_up(failure).await,
            next => ended = follow(work, next).await,
        }
    }
}

/// End of a claim, for metrics and logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimOutcome {
    /// Settled.
    Done,
    /// Requeued.
    Again,
    /// Failed for good.
    GivenUp,
}

async fn advance(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    match work.job.operacao {
        Operacao::Emissao => emission(work).await,
        Operacao::Cancelamento
        | Operacao::CartaCorrecao
        | Operacao::AtorInteressado
        | Operacao::Manifestacao
        | Operacao::Evento
        | Operacao::AnaliseFiscal => timed("event", event::run(work)).await,
        Operacao::Inutilizacao => timed("void", void::run(work)).await,
    }
}

/// Runs an emission by its state: a new document is prepared and sent; one whose sending did not end with an answer is
/// queried first.
async fn emission(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    match work.state() {
        DocumentState::Failed => {
            work.state_after(LifecycleEvent::Retried)?;
            prepare_and_send(work).await
        }
        DocumentState::Accepted => prepare_and_send(work).await,
        DocumentState::Issued => issued(work).await,
        DocumentState::Sending | DocumentState::InDoubt => ask(work).await,
        DocumentState::Authorized | DocumentState::Rejected | DocumentState::Denied | DocumentState::Cancelled => {
            Ok(NextStep::Done)
        }
    }
}

async fn prepare_and_send(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    let signed = timed("prepare", prepare::run(work)).await?;
    match work.state() {
        // given out now; sent to its authority when that works
        DocumentState::Issued => issued(work).await,
        _ if work.is_made_again => ask(work).await,
        _ => timed("send", follow(work, NextStep::Send(signed))).await,
    }
}

async fn issued(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    timed("issued", async {
        let next = issued::run(work).await?;
        follow(work, next).await
    })
    .await
}

async fn ask(work: &mut ClaimedWork) -> Result<NextStep, Halt> {
    timed("ask", async {
        let next = ask::run(work).await?;
        follow(work, next).await
    })
    .await
}

/// Runs a step and those that follow it, until one ends the claim. Boxed: one of them is preparation, which comes back
/// here.
fn follow<'a>(
    work: &'a mut ClaimedWork,
    first: NextStep,
) -> Pin<Box<dyn Future<Output = Result<NextStep, Halt>> + Send + 'a>> {
    Box::pin(async move {
        let mut step = first;
        loop {
            step = match step {
                NextStep::Prepare => Box::pin(prepare_and_send(work)).await?,
                NextStep::Resume => Box::pin(resume::run(work)).await?,
                NextStep::Send(signed) => Box::pin(send::run(work, signed)).await?,
                end @ (NextStep::Done | NextStep::Again { .. } | NextStep::GiveUp { .. }) => return Ok(end),
            };
        }
    })
}

/// Runs a step, boxed: a stack that held all steps at once overflowed in a debug build.
fn timed<'a, T: 'a>(
    step: &'static str,
    running: impl Future<Output = T> + Send + 'a,
) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    // an awaited future is moved into the awaiting one, and a pointer is cheaper to move than a step
    let running = Box::pin(running);
    Box::pin(async move {
        let started = Instant::now();
        let ended = cpu_time::measure(step, running).await;
        metrics::histogram!("carimbo_step_seconds", "step" => step).record(started.elapsed());
        ended
    })
}
