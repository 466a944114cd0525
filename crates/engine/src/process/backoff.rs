//! Wait before a further attempt: 1 s, 2 s, 4 s … at most five minutes, drawn from half of the step to the whole.
//!
//! Pure: the random number is an argument. Drawn, so that jobs that failed together do not return together; never below
//! the half, since six short waits would be used up before an outage differs from a hiccup.

use std::time::Duration;

/// Longest wait.
pub(crate) const LONGEST: Duration = Duration::from_secs(300);

/// Wait after `failures` in a row, drawn by `chance` from half of the last step to the whole, both included.
pub(crate) fn wait(failures: u32, chance: u64) -> Duration {
    let step = ceiling(failures).as_millis();
    let drawn = u128::from(chance) % (step / 2 + 1);
    Duration::from_millis(u64::try_from(step / 2 + drawn).unwrap_or(u64::MAX))
}

/// Longest wait after so many failures in a row.
fn ceiling(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    Duration::from_secs(1 << doublings).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_up_to_five_minutes() {
        let ceilings: Vec<u64> = (1..=11).map(|failures| ceiling(failures).as_secs()).collect();
        assert_eq!(ceilings, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        assert_eq!(ceiling(u32::MAX), LONGEST);
    }

    #[test]
    fn draws_from_half_of_the_step_to_the_whole() {
        assert_eq!(wait(3, 0), Duration::from_secs(2));
        assert_eq!(wait(3, 2_000), Duration::from_secs(4));
        assert_eq!(wait(3, 2_001), Duration::from_secs(2));
        for chance in 0..10_000 {
            let drawn = wait(2, chance * 7_919);
            assert!(drawn >= Duration::from_secs(1) && drawn <= Duration::from_secs(2), "{drawn:?}");
        }
    }

    /// A job waits whole seconds and is requeued at the current second, so each wait may be a second shorter.
    #[test]
    fn five_questions_last_longer_than_a_hiccup_and_shorter_than_a_customer() {
        let shortest: u64 = (1..=5).map(|failures| wait(failures, 0).as_secs().saturating_sub(1)).sum();
        let longest: u64 = (1..=5).map(|failures| ceiling(failures).as_secs()).sum();
        assert!(shortest >= 10 && longest <= 60, "{shortest} {longest}");
    }
}
