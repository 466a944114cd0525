//! Budgets that keep us from ever earning "consumo indevido" (656): how often one thing may be asked in an hour.
//!
//! Law: `reference/nfe.md` §4.7 (authorities count over an hour and block for another). Pure: times come in as arguments.
//! The memory of a budget is the job's own history, so that it survives a restart. Sends need no budget of their own: a document or
//! event goes again only after a query by key, which has one.

/// How many calls of one kind an hour takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    per_hour: usize,
}

/// NFeConsultaProtocolo4 of one key: the authorities block above 10.
pub(crate) const QUERY_BY_KEY: Budget = Budget { per_hour: 10 };
/// NFeRetAutorizacao4 of one receipt: the authorities block above 40.
pub(crate) const RECEIPT: Budget = Budget { per_hour: 40 };
const HOUR_MS: i64 = 3_600_000;

impl Budget {
    /// `None` when one more call is allowed now, otherwise the milliseconds to wait until it is.
    pub(crate) fn wait_ms(self, calls_ms: &[i64], now_ms: i64) -> Option<i64> {
        let mut recent: Vec<i64> = calls_ms.iter().copied().filter(|at| now_ms - at < HOUR_MS).collect();
        recent.sort_unstable();
        let spent = recent.len().checked_sub(self.per_hour)?;
        recent.get(spent).map(|leaves| leaves + HOUR_MS - now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allows_ten_queries_of_a_key_in_an_hour_and_not_eleven() {
        let asked: Vec<i64> = (0..10).map(|minute| minute * 60_000).collect();
        assert_eq!(QUERY_BY_KEY.wait_ms(&asked[..9], 600_000), None);
        assert_eq!(QUERY_BY_KEY.wait_ms(&asked, 600_000), Some(3_000_000));
    }

    #[test]
    fn forgets_what_is_an_hour_old() {
        let asked: Vec<i64> = (0..10).map(|minute| minute * 60_000).collect();
        assert_eq!(QUERY_BY_KEY.wait_ms(&asked, HOUR_MS - 1), Some(1));
        assert_eq!(QUERY_BY_KEY.wait_ms(&asked, HOUR_MS), None);
    }

    #[test]
    fn waits_until_enough_calls_are_old_when_more_were_made_than_allowed() {
        let asked = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
        assert_eq!(QUERY_BY_KEY.wait_ms(&asked, 20), Some(2 + HOUR_MS - 20));
    }
}
