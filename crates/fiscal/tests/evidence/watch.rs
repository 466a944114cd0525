//! Steps of the job that watches the superseded document of a sale (`steps/second_issue.rs`), and the cancellation
//! that it registers.

use crate::rules::Rules;
use crate::sale::silence;
use crate::state::{Call, Clocks, Entry, Key, Reply, Sale, Stage, State, Twin};
use fiscal::evidence::{AnswerMarks, AnsweredMessage, CodeMeaning, MarkMatch, ProvenFate, QuietTime};

/// Applies an answer about the watched document.
pub(crate) fn found(state: &State, rules: &Rules, clocks: Clocks, before: QuietTime, reply: Reply) -> State {
    let waits = Twin::Watched { clocks, call: Call::None };
    let twin = match reply {
        Reply::Success { key, content } => match registered(rules, key, content) {
            ProvenFate::Registered => return settled(state),
            ProvenFate::OtherContent => Twin::Uncertain,
            ProvenFate::Refused | ProvenFate::NeverSeen | ProvenFate::Unknown => waits,
        },
        Reply::Absent if is_absent(rules, clocks, before) => Twin::Dropped,
        Reply::OtherKey(_) => Twin::Uncertain,
        Reply::Absent | Reply::Refusal { .. } | Reply::Unlisted { .. } | Reply::Duplicate | Reply::Unavailable => waits,
    };
    let stage = match (state.sale.stage, twin) {
        (Stage::Refused, Twin::Dropped) => Stage::Rejected,
        (Stage::Refused, Twin::Uncertain) => Stage::Uncertain,
        (stage, _) => stage,
    };
    State { twin, sale: Sale { stage, ..state.sale }, ..*state }
}

fn registered(rules: &Rules, key: MarkMatch, content: Option<Key>) -> ProvenFate {
    let content = if content == Some(Key::First) { MarkMatch::Ours } else { MarkMatch::Foreign };
    let marks = AnswerMarks { key, content, protocol: true };
    (rules.proof)(AnsweredMessage::Identity, CodeMeaning::Registered, marks, QuietTime::Running)
}

fn is_absent(rules: &Rules, clocks: Clocks, before: QuietTime) -> bool {
    let over = match () {
        () if !rules.twin_waits => QuietTime::Over,
        () if rules.fresh_question => before,
        () => silence(clocks, rules),
    };
    let marks = AnswerMarks { key: MarkMatch::Absent, content: MarkMatch::Absent, protocol: false };
    (rules.proof)(AnsweredMessage::Identity, CodeMeaning::NeverSeen, marks, over) == ProvenFate::NeverSeen
}

/// `settle_twin`: the document belongs to its sale again, or a cancellation is registered.
fn settled(state: &State) -> State {
    let is_alone = matches!(state.sale.stage, Stage::Accepted | Stage::Refused);
    if is_alone { home(state) } else { State { twin: Twin::Apart, ..*state } }
}

/// Makes the first document the sale's again, authorised.
pub(crate) fn home(state: &State) -> State {
    let note = match state.entry(Key::First) {
        Entry::Live(note) => note,
        Entry::None | Entry::Cancelled => 0,
    };
    let sale = Sale { stage: Stage::Authorized, note, ..Sale::new(Key::First) };
    State { twin: Twin::Home, sale, ..*state }
}

/// Cancels the first document once the second one is authorised.
pub(crate) fn cancelled(state: &State) -> Option<State> {
    match (state.twin, state.sale.stage) {
        (Twin::Apart, Stage::Authorized) => {
            let mut state = State { twin: Twin::Cancelled, ..*state };
            state.book[Key::First as usize] = Entry::Cancelled;
            Some(state)
        }
        (Twin::Apart, Stage::Rejected) => Some(State { twin: Twin::Kept, ..*state }),
        _ => None,
    }
}
