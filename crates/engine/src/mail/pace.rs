//! Mails of each account in a minute, so that one account uses up neither the server's patience nor the others' turn.

use std::collections::HashMap;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

const MINUTE: Duration = Duration::from_mins(1);

/// Mails that accounts sent since their minutes began.
pub(super) struct AccountPace {
    most: u32,
    sent: HashMap<Uuid, (Instant, u32)>,
}

impl AccountPace {
    pub(super) fn new(most: u32) -> AccountPace {
        AccountPace { most: most.max(1), sent: HashMap::new() }
    }

    /// `true` if the account may send a further mail.
    pub(super) fn may_send(&self, account: Uuid, now: Instant) -> bool {
        let this_minute = self.sent.get(&account).filter(|(began, _)| now.duration_since(*began) < MINUTE);
        this_minute.is_none_or(|(_, sent)| *sent < self.most)
    }

    /// Counts a mail, and forgets the minutes that are over.
    pub(super) fn count(&mut self, account: Uuid, now: Instant) {
        self.sent.retain(|_, (began, _)| now.duration_since(*began) < MINUTE);
        self.sent.entry(account).or_insert((now, 0)).1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_waits_for_its_next_minute_and_no_other_does() {
        let (mut pace, now) = (AccountPace::new(2), Instant::now());
        let [one, other] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        for _ in 0..2 {
            assert!(pace.may_send(one, now));
            pace.count(one, now);
        }
        assert!(!pace.may_send(one, now + Duration::from_secs(59)));
        assert!(pace.may_send(other, now) && pace.may_send(one, now + MINUTE));
        pace.count(other, now + MINUTE);
        assert_eq!(pace.sent.len(), 1);
    }
}
