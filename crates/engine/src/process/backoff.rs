//! How long to wait before a further attempt: 1 s, 2 s, 4 s … at most five minutes, with full jitter.
//!
//! Pure: the chance comes in as an argument. Full jitter, since jobs that failed together must not come back together.

use std::time::Duration;

/// No wait is longer.
pub(crate) const LONGEST: Duration = Duration::from_secs(300);

/// Wait after so many failures in a row, drawn by `chance` from zero to the step of the last one, both included.
pub(crate) fn wait(failures: u32, chance: u64) -> Duration {
    let step = ceiling(failures).as_millis();
    let drawn = u128::from(chance) % (step + 1);
    Duration::from_millis(u64::try_from(drawn).unwrap_or(u64::MAX))
}

/// Longest wait after so many failures.
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
    fn draws_from_nothing_to_the_whole_step() {
        assert_eq!(wait(3, 0), Duration::ZERO);
        assert_eq!(wait(3, 4_000), Duration::from_secs(4));
        assert_eq!(wait(3, 4_001), Duration::ZERO);
        for chance in 0..10_000 {
            assert!(wait(2, chance * 7_919) <= Duration::from_secs(2));
        }
    }
}
