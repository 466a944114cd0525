//! The condition of a list, put together from the filters that were given; values only ever travel as parameters.

use crate::row::{Params, Value, params};
use uuid::Uuid;

/// `tenant_id = $1 AND …` and its parameters.
pub(crate) struct Conditions {
    text: String,
    params: Params,
}

impl Conditions {
    /// Of one tenant; `column` is its name in this query.
    pub(crate) fn of_tenant(column: &str, tenant: Uuid) -> Conditions {
        Conditions { text: format!("{column} = $1"), params: params![tenant] }
    }

    /// One more term, without parameters.
    pub(crate) fn and(&mut self, term: &str) {
        self.text.push_str(" AND ");
        self.text.push_str(term);
    }

    /// `comparison` ends in its operator: `"d.state ="`.
    pub(crate) fn and_value(&mut self, comparison: &str, value: impl Into<Value>) {
        self.params.push(value.into());
        let place = self.params.len();
        self.and(&format!("{comparison} ${place}"));
    }

    /// The same, when there is a value.
    pub(crate) fn and_given<V: Into<Value>>(&mut self, comparison: &str, value: Option<V>) {
        if let Some(value) = value {
            self.and_value(comparison, value);
        }
    }

    /// Ids (UUID v7) made within these instants.
    pub(crate) fn and_made_within(&mut self, column: &str, period: &Period) {
        self.and_given(&format!("{column} >="), period.from.map(first_id_at));
        self.and_given(&format!("{column} <"), period.until.map(first_id_at));
    }

    /// What stands after `WHERE`.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The parameters, and these behind them; gives the place of the first one of these.
    pub(crate) fn with(&self, more: Params) -> (usize, Params) {
        let mut params = self.params.clone();
        params.extend(more);
        (self.params.len() + 1, params)
    }

    /// The parameters alone.
    pub(crate) fn params(&self) -> &[Value] {
        &self.params
    }
}

/// Instants, seconds since 1970: from this one on, until before that one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// First.
    pub from: Option<i64>,
    /// First that is outside.
    pub until: Option<i64>,
}

/// The lowest UUID v7 of a second: its first 48 bits are milliseconds.
fn first_id_at(second: i64) -> Uuid {
    let ms = u64::try_from(second).unwrap_or(0).saturating_mul(1_000).min((1 << 48) - 1);
    Uuid::from_u128(u128::from(ms) << 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_lies_in_the_second_it_was_made_in() {
        let id = Uuid::now_v7();
        let (second, _) = id.get_timestamp().map(|made| made.to_unix()).unwrap();
        let second = i64::try_from(second).unwrap();
        assert!(first_id_at(second) <= id && id < first_id_at(second + 1));
        assert_eq!(first_id_at(-5), Uuid::nil());
    }

    #[test]
    fn every_term_has_a_place_of_its_own() {
        let mut conditions = Conditions::of_tenant("tenant_id", Uuid::nil());
        conditions.and_given("a =", Some("x"));
        conditions.and_given("b =", None::<i64>);
        conditions.and_value("c >", 5_i64);
        assert_eq!(conditions.text(), "tenant_id = $1 AND a = $2 AND c > $3");
        assert_eq!(conditions.with(params![7_i64]).0, 4);
    }
}
