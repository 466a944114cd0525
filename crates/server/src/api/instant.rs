//! Instants of answers: RFC 3339 with the civil offset of the issuing company's state.

use engine::local_time;
use fiscal::value::Uf;
use serde_json::Value;
use store::companies::Company;

/// The civil time of a company's state; Brasília's when the state is unknown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StateTime(Uf);

impl StateTime {
    /// Of a company record.
    pub(crate) fn of(company: Option<&Company>) -> StateTime {
        let sigla = company.and_then(|company| company.dados["endereco"]["uf"].as_str());
        StateTime(sigla.and_then(Uf::from_sigla).unwrap_or(Uf::DF))
    }

    /// Of a state.
    pub(crate) fn in_state(uf: Uf) -> StateTime {
        StateTime(uf)
    }

    /// `"2026-11-20T14:03:11-03:00"`.
    pub(crate) fn json(self, seconds: i64) -> Value {
        let at = jiff::Timestamp::from_second(seconds).unwrap_or_default();
        Value::String(local_time::in_state(at, self.0))
    }

    /// The same, or null.
    pub(crate) fn json_or_null(self, seconds: Option<i64>) -> Value {
        seconds.map_or(Value::Null, |seconds| self.json(seconds))
    }
}
