//! All answers about a note that a caller received, compared with its outcome.

use serde_json::Value;
use std::collections::BTreeMap;

/// The recorded part of an answer about a note.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    status: String,
    nota: String,
    chave: String,
}

impl Answer {
    fn read(job: &Value) -> Answer {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let nota = &job["nota"];
        Answer { status: text(&job["status"]), nota: text(&nota["status"]), chave: text(&nota["chave"]) }
    }

    fn is_end(&self) -> bool {
        matches!(self.status.as_str(), "completed" | "failed" | "cancelled")
    }

    /// `true` if this last answer does not contradict the earlier one.
    fn bears_out(&self, before: &Answer) -> bool {
        match (before.status.as_str(), before.nota.as_str()) {
            (_, "autorizada") => matches!(self.nota.as_str(), "autorizada" | "cancelada") && self.chave == before.chave,
            (_, "cancelada") => self.nota == "cancelada" && self.chave == before.chave,
            (_, "rejeitada") => self.nota == "rejeitada",
            ("failed" | "cancelled", _) => self.status == before.status,
            _ => true,
        }
    }
}

/// Answers by job, in order of time.
#[derive(Debug, Default)]
pub(crate) struct AnswerLog(BTreeMap<String, Vec<Answer>>);

impl AnswerLog {
    pub(crate) fn keep(&mut self, job: &Value) {
        let Some(job_id) = job["job_id"].as_str() else { return };
        let answers = self.0.entry(job_id.to_owned()).or_default();
        let answer = Answer::read(job);
        if answers.last() != Some(&answer) {
            answers.push(answer);
        }
    }

    pub(crate) fn has_end(&self, job_id: &str) -> bool {
        self.0.get(job_id).and_then(|answers| answers.last()).is_some_and(Answer::is_end)
    }

    /// Compares every answer with the outcome of its job; returns the number of answers.
    pub(crate) fn judge(&self, ended: &BTreeMap<String, Value>) -> usize {
        for (job_id, answers) in &self.0 {
            let last = Answer::read(&ended[job_id]);
            for before in answers {
                assert!(last.bears_out(before), "told {before:?}, then {last:?}: {:#}", ended[job_id]);
            }
        }
        self.0.values().map(Vec::len).sum()
    }
}

#[test]
fn a_refusal_that_was_taken_back_is_noticed() {
    let job = |status: &str, nota: &str| serde_json::json!({ "job_id": "1", "status": status, "nota": { "status": nota, "chave": "K" } });
    let mut given = AnswerLog::default();
    given.keep(&job("pending", "processando"));
    given.keep(&job("completed", "rejeitada"));
    let ended = BTreeMap::from([("1".to_owned(), job("completed", "autorizada"))]);
    assert!(std::panic::catch_unwind(|| given.judge(&ended)).is_err());
    let ended = BTreeMap::from([("1".to_owned(), job("completed", "rejeitada"))]);
    assert_eq!(given.judge(&ended), 2);
}
