//! Intervals between the attempts of a mail, and the end of them.

/// Seconds after the first attempts; the last one repeats.
const INTERVALS_S: &[i64] = &[60, 300, 900, 3_600, 14_400, 43_200];
/// Seconds after the order within which a mail leaves or fails: older news is none.
const LONGEST_S: i64 = 3 * 86_400;

/// Instant of the next attempt after `made` attempts; `None` if it would be past the bound.
pub(super) fn next_attempt(made: u32, began: i64, now: i64) -> Option<i64> {
    let at = usize::try_from(made.saturating_sub(1)).unwrap_or(usize::MAX).min(INTERVALS_S.len() - 1);
    let next = now.saturating_add(INTERVALS_S.get(at).copied().unwrap_or(LONGEST_S));
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
        let (mut now, mut made, mut waits) = (0, 0, Vec::new());
        loop {
            made += 1;
            let Some(next) = next_attempt(made, 0, now) else { break };
            waits.push(next - now);
            now = next;
        }
        assert_eq!(waits[..6], [60, 300, 900, 3_600, 14_400, 43_200]);
        assert!(waits.is_sorted() && now <= LONGEST_S && waits.len() == 10, "{waits:?}");
        assert!(!is_late(0, LONGEST_S) && is_late(0, LONGEST_S + 1));
    }
}
