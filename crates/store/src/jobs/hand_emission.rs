//! An emission by hand: lines in the histories of its job and of the earlier document that it began with, written with
//! the registration.

use super::log::{self, LogLine};
use super::new_job::{HandEmission, NewJob};
use crate::Error;
use crate::tx::SqlStep;

/// Statements that write the lines of a new job.
pub(super) fn steps(job: &NewJob, now: i64) -> Result<Vec<SqlStep<'static>>, Error> {
    let Some(HandEmission { line, earlier }) = &job.by_hand else { return Ok(Vec::new()) };
    let line_of = |text: String| LogLine { at_ms: now.saturating_mul(1_000), text };
    let own = log::append(job.tenant_id, job.id, &[line_of(line.clone())])?;
    let of_earlier = match earlier {
        Some(earlier) => {
            let text = format!("{} {}.", earlier.line, job.id);
            log::append(job.tenant_id, earlier.job, &[line_of(text)])?
        }
        None => None,
    };
    Ok(own.into_iter().chain(of_earlier).collect())
}
