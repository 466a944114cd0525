//! Calls that ask the client for input before they end, without state between two of their messages (SEP-2322).

use rmcp::model::{ClientCapabilities, ContentBlock, ErrorData, InputRequiredResult, InputResponses};
use serde_json::{Value, json};

use crate::state_signer::StateSigner;

/// A round of a call, with the client's answers to the round before.
pub(crate) struct CallRound<'a> {
    pub(crate) seal: &'a StateSigner,
    pub(crate) responses: InputResponses,
    pub(crate) state: Option<String>,
    pub(crate) capabilities: ClientCapabilities,
}

/// The end of a round: a result, or a request for more input.
pub(crate) enum RoundEnd {
    Done(String),
    Asks(InputRequiredResult),
}

impl CallRound<'_> {
    /// Runs the tool of this name; `None` for other names.
    pub(crate) fn call(&self, tool: &str) -> Option<Result<RoundEnd, ErrorData>> {
        Some(match tool {
            "test_input_required_result_elicitation" => self.after(&[("user_name", name())], None, |round| {
                format!("Hello, {}!", round.filled("user_name", "name").unwrap_or_default())
            }),
            "test_input_required_result_sampling" => {
                let question = sampling("What is the capital of France?", 100);
                self.after(&[("capital_question", question)], None, |round| round.told("capital_question"))
            }
            "test_input_required_result_list_roots" => {
                self.after(&[("client_roots", roots())], None, |round| round.told("client_roots"))
            }
            "test_input_required_result_request_state" => {
                self.after(&[("confirm", confirm())], Some("confirm"), |_| "state-ok".to_owned())
            }
            "test_input_required_result_tampered_state" => {
                self.after(&[("confirm", confirm())], Some("tampered"), |_| "state-ok".to_owned())
            }
            "test_input_required_result_multiple_inputs" => {
                let greeting = sampling("Generate a greeting", 50);
                let asked = [("user_name", name()), ("greeting", greeting), ("client_roots", roots())];
                self.after(&asked, Some("multiple"), |_| "All three came.".to_owned())
            }
            "test_input_required_result_multi_round" => self.two_steps(),
            "test_input_required_result_capabilities" => self.after(&self.declared(), None, |_| "Answered.".to_owned()),
            "test_streaming_elicitation" => self.after(&[("user_name", name())], None, |_| "Answered.".to_owned()),
            _ => return None,
        })
    }

    /// A prompt that asks for its context first.
    pub(crate) fn context(&self) -> Result<RoundEnd, ErrorData> {
        let question = form("What context should the prompt use?", "context", "string");
        self.after(&[("user_context", question)], None, |round| {
            round.filled("user_context", "context").unwrap_or_default().to_owned()
        })
    }

    /// Repeats the request until every input is there, under our signed state if there is one.
    fn after(
        &self,
        asked: &[(&str, Value)],
        state: Option<&str>,
        done: impl FnOnce(&Self) -> String,
    ) -> Result<RoundEnd, ErrorData> {
        if let Some(brought) = &self.state
            && !state.is_some_and(|ours| self.seal.is(brought, ours))
        {
            return Err(ErrorData::invalid_params("requestState is not what was given", None));
        }
        let complete = !asked.is_empty() && asked.iter().all(|(key, _)| self.answered(key));
        if complete && (state.is_none() || self.state.is_some()) {
            return Ok(RoundEnd::Done(done(self)));
        }
        ask(asked, state.and_then(|words| self.seal.sign_state(words)))
    }

    fn two_steps(&self) -> Result<RoundEnd, ErrorData> {
        let second = form("Step 2: What is your favorite color?", "color", "string");
        match self.state.as_deref() {
            Some(state) if self.seal.is(state, "step1") && self.answered("step1") => {
                ask(&[("step2", second)], self.seal.sign_state("step2"))
            }
            Some(state) if self.seal.is(state, "step2") => {
                self.after(&[("step2", second)], Some("step2"), |_| "Both steps came.".to_owned())
            }
            _ => {
                let first = form("Step 1: What is your name?", "name", "string");
                self.after(&[("step1", first)], Some("step1"), |_| String::new())
            }
        }
    }

    /// Requests only input kinds that the client declares as capabilities.
    fn declared(&self) -> Vec<(&'static str, Value)> {
        let can = &self.capabilities;
        let all = [
            (can.elicitation.is_some(), "user_name", name()),
            (can.sampling.is_some(), "greeting", sampling("Generate a greeting", 50)),
            (can.roots.is_some(), "client_roots", roots()),
        ];
        all.into_iter().filter(|(declared, ..)| *declared).map(|(_, key, asked)| (key, asked)).collect()
    }

    fn answered(&self, key: &str) -> bool {
        let answer = self.responses.get(key);
        // a declined form is an answer too
        answer.is_some_and(|answer| ["action", "content", "roots"].iter().any(|member| answer.get(member).is_some()))
    }

    fn filled(&self, key: &str, field: &str) -> Option<&str> {
        self.responses.get(key)?["content"][field].as_str()
    }

    fn told(&self, key: &str) -> String {
        self.responses.get(key).map(ToString::to_string).unwrap_or_default()
    }
}

fn ask(asked: &[(&str, Value)], state: Option<String>) -> Result<RoundEnd, ErrorData> {
    let asked: serde_json::Map<String, Value> =
        asked.iter().map(|(key, asked)| ((*key).to_owned(), asked.clone())).collect();
    let requests = serde_json::from_value(Value::Object(asked));
    let requests = requests.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(RoundEnd::Asks(InputRequiredResult::new(Some(requests), state)))
}

fn form(message: &str, field: &str, kind: &str) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": { "type": "object", "properties": { field: { "type": kind } }, "required": [field] },
        },
    })
}

fn name() -> Value {
    form("What is your name?", "name", "string")
}

fn confirm() -> Value {
    form("Please confirm", "ok", "boolean")
}

fn sampling(question: &str, tokens: u32) -> Value {
    let messages = json!([{ "role": "user", "content": { "type": "text", "text": question } }]);
    json!({ "method": "sampling/createMessage", "params": { "messages": messages, "maxTokens": tokens } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

/// An answer of a single text block.
pub(crate) fn block(text: String) -> Vec<ContentBlock> {
    vec![ContentBlock::text(text)]
}
