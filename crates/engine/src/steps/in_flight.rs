//! What this process remembers of a job between two of its claims. Losing it costs one query by key and a shorter wait, never
//! correctness.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use store::jobs::Job;
use uuid::Uuid;

/// What was seen at the last claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The last send surely did not leave us, or was turned away unread: the same bytes may go without asking.
    Unsent,
}

/// Above this nothing more is remembered.
const MOST: usize = 100_000;
/// Questions that come as quickly as failures allow; ten is what an hour takes.
const QUICK: usize = 6;
/// And the others: an authority that comes and goes, or stays away for a while, must not leave a note waiting for the next hour.
const APART_S: i64 = 12 * 60;
/// As `budget` counts it.
const HOUR_S: i64 = 3_660;

/// By job.
#[derive(Default)]
pub(crate) struct InFlight {
    /// Valid only for the very next claim.
    seen: Mutex<HashMap<Uuid, (u32, Seen)>>,
    failures: Mutex<HashMap<Uuid, u32>>,
    stumbles: Mutex<HashMap<Uuid, u32>>,
    /// When its key was asked about, within the hour.
    questions: Mutex<HashMap<Uuid, Vec<i64>>>,
}

impl InFlight {
    /// Remembers for the next claim of this job.
    pub(crate) fn remember(&self, job: &Job, seen: Seen) {
        let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST {
            all.insert(job.id, (job.tentativas, seen));
        }
    }

    /// One more call failed; how many that makes. Attempts that our own restart cut short are no failures of the authority, which
    /// is why this is not the job's number of attempts.
    pub(crate) fn failed(&self, job: &Job) -> u32 {
        one_more(&self.failures, job.id)
    }

    /// What is stored was once more not what a step expects; how often that makes.
    pub(crate) fn stumbled(&self, job: &Job) -> u32 {
        one_more(&self.stumbles, job.id)
    }

    /// A question about its key is made now.
    pub(crate) fn asked(&self, job: Uuid, now: i64) {
        let mut all = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST {
            all.clear();
        }
        let asked = all.entry(job).or_default();
        asked.retain(|at| (now - at).abs() < HOUR_S);
        asked.push(now);
    }

    /// How long the next question should wait, seconds: after the first few the rest of the hour's are kept apart.
    pub(crate) fn until_next_question(&self, job: Uuid, now: i64) -> Option<u64> {
        let all = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let recent: Vec<i64> = all.get(&job)?.iter().copied().filter(|at| (now - at).abs() < HOUR_S).collect();
        let last = recent.last().filter(|_| recent.len() >= QUICK)?;
        u64::try_from(APART_S - (now - last).abs()).ok().filter(|left| *left > 0)
    }

    /// The job ended.
    pub(crate) fn ended(&self, job: &Job) {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id);
        for counts in [&self.failures, &self.stumbles] {
            counts.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id);
        }
    }

    /// Nothing is known any more.
    pub(crate) fn forget(&self, job: &Job) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id);
    }

    /// What the claim before this one saw, unless another process had the job in between.
    pub(crate) fn recall(&self, job: &Job) -> Option<Seen> {
        let (tentativas, seen) = self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(&job.id)?;
        (tentativas.checked_add(1) == Some(job.tentativas)).then_some(seen)
    }
}

fn one_more(counts: &Mutex<HashMap<Uuid, u32>>, job: Uuid) -> u32 {
    let mut all = counts.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= MOST {
        all.clear();
    }
    let count = all.entry(job).or_insert(0);
    *count = count.saturating_add(1);
    *count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_questions_are_quick_and_four_are_spread_over_the_hour() {
        let (job, memory) = (Uuid::from_u128(1), InFlight::default());
        let mut asked_at = Vec::new();
        for now in 0..HOUR_S {
            if memory.until_next_question(job, now).is_none() {
                memory.asked(job, now);
                asked_at.push(now);
            }
        }
        assert_eq!(asked_at[..QUICK], [0, 1, 2, 3, 4, 5]);
        assert_eq!(asked_at[QUICK..], [725, 1445, 2165, 2885, 3605]);
        assert_eq!(memory.until_next_question(job, HOUR_S + 5), None, "the first six count no more");
        assert_eq!(memory.until_next_question(Uuid::from_u128(2), 10), None);
    }
}
