//! Comparison of orders: two payloads are the same order if they have the same values under the same names, in any
//! order of the names. It separates a repetition from another order under its reference, and an act from another on the
//! same document.

use super::job::Job;
use super::new_job::RegistrationResult;
use super::operation::Operacao;
use super::packed::LongText;
use crate::Error;
use serde_json::Value;

impl LongText {
    /// `true` if this payload is the same order as another. The order of items matters, and every digit; an unreadable
    /// payload equals nothing else.
    pub fn is_same_order(&self, other: &str) -> bool {
        self.text().is_ok_and(|own| is_same_order(&own, other))
    }
}

impl Job {
    /// Refuses an order whose reference belongs to this job of another operation, so that the caller does not take that
    /// job for its own. An emission is not refused (docs/contract.md, "Jobs": a used reference is answered with its
    /// job).
    pub fn refuse_another(&self, operacao: Operacao) -> Result<(), Error> {
        if operacao == self.operacao || operacao == Operacao::Emissao {
            return Ok(());
        }
        Err(Error::ReferenceTaken { job: self.id, tipo: self.tipo, operacao: self.operacao })
    }
}

/// Compares two stored payloads.
pub(super) fn is_same_payload(one: &LongText, other: &LongText) -> bool {
    one == other || other.text().is_ok_and(|other| one.is_same_order(&other))
}

fn is_same_order(one: &str, other: &str) -> bool {
    let read = |payload: &str| serde_json::from_str::<Value>(payload).ok();
    // A repetition usually has the same text.
    one == other || read(one).is_some_and(|one| read(other).is_some_and(|other| one == other))
}

/// Completes a registration whose transaction compared only the texts: parsing two long payloads there would block
/// other transactions.
pub(crate) fn with_divergence(registered: RegistrationResult, payload: &LongText) -> RegistrationResult {
    match registered {
        RegistrationResult::Replay { job, divergent: true } => {
            let divergent = !is_same_payload(&job.payload, payload);
            RegistrationResult::Replay { job, divergent }
        }
        registered => registered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_stand_in_any_order_and_nothing_else_may_differ() {
        let order = r#"{"nota":{"itens":[{"q":1.50},{"q":2}],"n":null},"modelo":55}"#;
        let again = r#" {"modelo":55,"nota":{"n":null,"itens":[{"q":1.50},{"q":2}]}} "#;
        assert!(is_same_order(order, order) && is_same_order(order, again));
        let others = [
            r#"{"modelo":55,"nota":{"n":null,"itens":[{"q":2},{"q":1.50}]}}"#,
            r#"{"modelo":55,"nota":{"n":null,"itens":[{"q":1.5},{"q":2}]}}"#,
            r#"{"modelo":55,"nota":{"itens":[{"q":1.50},{"q":2}]}}"#,
            r#"{"modelo":"55","nota":{"n":null,"itens":[{"q":1.50},{"q":2}]}}"#,
            "",
        ];
        assert!(others.iter().all(|other| !is_same_order(order, other)));
        assert!(!is_same_order("", "{"), "what cannot be read is like nothing else");
    }

    #[test]
    fn a_long_one_is_compared_as_it_is_kept_or_as_it_was_written() {
        let items =
            |name: &str| format!(r#"{{"modelo":55,"nota":[{}]}}"#, vec![format!(r#"{{"{name}":1}}"#); 4_000].join(","));
        let turned = format!(
            r#"{{"nota":{},"modelo":55}}"#,
            items("a").trim_start_matches(r#"{"modelo":55,"nota":"#).trim_end_matches('}')
        );
        let kept = |text: &str| LongText::from(text);
        assert!(is_same_payload(&kept(&items("a")), &kept(&items("a"))));
        assert!(is_same_payload(&kept(&items("a")), &kept(&turned)));
        assert!(!is_same_payload(&kept(&items("a")), &kept(&items("b"))));
        // Packed, and damaged.
        let damaged =
            LongText::from_columns(String::new(), Some([&3_u32.to_le_bytes()[..], &[0xff; 9]].concat())).unwrap();
        assert!(damaged.text().is_err() && !is_same_payload(&damaged, &kept(&items("a"))));
    }
}
