//! Intervals between the attempts of a mail, and the end of them.

/// Seconds between the attempts; the last interval repeats.
const INTERVALS_S: &[i64] = &[60, 300, 900, 3_600, 14_400, 43_200];
/// Seconds after the order within which a mail leaves or fails: older news is none.
const LONGEST_S: i64 = 3 * 86_400;

/// Instant of the attempt after one at `now`, in a series that began at `began`; `None` if it would be past the bound.
/// The time since the beginning decides, so that a resend begins with short intervals again.
pub(super) fn next_attempt(began: i64, now: i64) -> Option<i64> {
    let mut left = now.saturating_sub(began);
    let mut interval = LONGEST_S;
    for candidate in INTERVALS_S {
        interval = *candidate;
        if left < interval {
            break;
        }
        left -= interval;
    }
    let next = now.saturating_add(interval);
    (!is_late(began, next)).then_some(next)
}

/// `true` for a mail that no attempt may send any more.
pub(super) fn is_late(began: i64, now: i64) -> bool {
    now > began.saturating_add(LONGEST_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_grow_and_end_after_three_days() {
        let (mut now, mut waits) = (0, Vec::new());
        while let Some(next) = next_attempt(0, now) {
            waits.push(next - now);
            now = next;
        }
        assert_eq!(waits[..6], [60, 300, 900, 3_600, 14_400, 43_200]);
        assert!(waits.is_sorted() && now <= LONGEST_S && waits.len() == 10, "{waits:?}");
        assert_eq!(next_attempt(1_000, 1_010), Some(1_070));
        assert!(!is_late(0, LONGEST_S) && is_late(0, LONGEST_S + 1));
    }
}
