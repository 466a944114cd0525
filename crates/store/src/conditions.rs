//! The `WHERE` condition of a list, built from the filters given. Values are always passed as parameters.

use crate::roles::CompanyReach;
use crate::row::{Params, Value, params};
use uuid::Uuid;

/// `tenant_id = $1 AND …` with its parameters.
pub(crate) struct Conditions {
    text: String,
    params: Params,
}

impl Conditions {
    /// Starts with the tenant; `column` is the tenant column's name in the query.
    pub(crate) fn of_tenant(column: &str, tenant: Uuid) -> Conditions {
        Conditions { text: format!("{column} = $1"), params: params![tenant] }
    }

    /// Adds a term without parameters.
    pub(crate) fn and(&mut self, term: &str) {
        self.text.push_str(" AND ");
        self.text.push_str(term);
    }

    /// Adds a comparison with a value. `comparison` ends in its operator, as in `"d.state ="`.
    pub(crate) fn and_value(&mut self, comparison: &str, value: impl Into<Value>) {
        self.params.push(value.into());
        let place = self.params.len();
        self.and(&format!("{comparison} ${place}"));
    }

    /// Adds a term that names the place of a value, which is behind the others.
    pub(crate) fn and_listed(&mut self, term: &str, value: impl Into<Value>) {
        self.params.push(value.into());
        self.and(term);
    }

    /// Adds a comparison if there is a value.
    pub(crate) fn and_optional<V: Into<Value>>(&mut self, comparison: &str, value: Option<V>) {
        if let Some(value) = value {
            self.and_value(comparison, value);
        }
    }

    /// Restricts a column to the companies within reach.
    pub(crate) fn and_within(&mut self, column: &str, reach: Option<CompanyReach>) {
        if let Some(reach) = reach {
            self.params.push(reach.user().into());
            let term = reach.term(column, &format!("${}", self.params.len()));
            self.and(&term);
        }
    }

    /// Adds a range of ids (UUID v7) made within a period.
    pub(crate) fn and_made_within(&mut self, column: &str, period: &Period) {
        self.and_optional(&format!("{column} >="), period.from.map(first_id_at));
        self.and_optional(&format!("{column} <"), period.until.map(first_id_at));
    }

    /// Text after `WHERE`.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends parameters to a copy; returns the position of the first appended one and all parameters.
    pub(crate) fn with_params(&self, more: Params) -> (usize, Params) {
        let mut params = self.params.clone();
        params.extend(more);
        (self.params.len() + 1, params)
    }

    /// Parameters without additions.
    pub(crate) fn params(&self) -> &[Value] {
        &self.params
    }
}

/// A period in seconds since 1970, half open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Period {
    /// First second included.
    pub from: Option<i64>,
    /// First second excluded.
    pub until: Option<i64>,
}

/// Returns the lowest UUID v7 of a second: its first 48 bits are milliseconds.
pub(crate) fn first_id_at(second: i64) -> Uuid {
    let ms = u64::try_from(second).unwrap_or(0).saturating_mul(1_000).min((1 << 48) - 1);
    Uuid::from_u128(u128::from(ms) << 80)
}

/// A part of a list.
#[derive(Debug, Clone, Copy)]
pub struct ListWindow {
    /// Most entries.
    pub limit: usize,
    /// Number of newer entries to skip.
    pub skip: usize,
}

impl ListWindow {
    /// Parameters of `LIMIT` and `OFFSET`.
    pub(crate) fn params(self) -> Params {
        let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        params![whole(self.limit), whole(self.skip)]
    }
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
        conditions.and_optional("a =", Some("x"));
        conditions.and_optional("b =", None::<i64>);
        conditions.and_value("c >", 5_i64);
        assert_eq!(conditions.text(), "tenant_id = $1 AND a = $2 AND c > $3");
        assert_eq!(conditions.with_params(params![7_i64]).0, 4);
    }
}
