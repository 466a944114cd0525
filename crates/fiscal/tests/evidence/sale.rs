//! Simplified steps of the sale's own job, named as the engine's steps are (`crates/engine/src/steps`).

use crate::authority::ways;
use crate::rules::{Family, Rules};
use crate::state::{Call, Clocks, Entry, Key, Reply, Route, Sale, Stage, State, Tie, Twin};
use crate::watch::home;
use crate::world::World;
use fiscal::evidence::{AnswerMarks, AnsweredMessage, CodeMeaning, MarkMatch, ProvenFate, QuietTime};

/// Returns the next steps of a process with a job that none of its calls holds.
pub(crate) fn claim(state: &State, world: &World) -> Vec<(&'static str, State)> {
    let sale = state.sale;
    match (sale.stage, sale.unsent) {
        (Stage::Accepted, _) => prepare(state, world),
        (Stage::Issued, _) if state.out => Vec::new(),
        (Stage::Issued, _) => vec![("offline document is sent", state.with(leaving(sale, false)))],
        (Stage::Sending, true) => resume(state, world),
        (Stage::Sending | Stage::InDoubt, _) => vec![("asks", state.with(ask(sale, &world.rules)))],
        (Stage::Authorized | Stage::Rejected | Stage::Refused | Stage::Uncertain, _) => Vec::new(),
    }
}

fn prepare(state: &State, world: &World) -> Vec<(&'static str, State)> {
    let sending = state.with(leaving(state.sale, false));
    let key = state.sale.key as usize;
    let by = |route: Route| {
        let mut sending = sending;
        sending.routes[key] = route;
        sending
    };
    // while the first document is in doubt, the second one goes only to contingency
    let first_is_settled = !matches!(state.twin, Twin::Watched { .. } | Twin::Uncertain);
    let may_go = |route: &Route| *route == Route::Svc || first_is_settled;
    let made_anew = (state.tie == Some(Tie::Key)).then(|| state.route(Key::First));
    let ways = ways(state, world).filter(|route| made_anew.is_none_or(|same| same == *route));
    let mut next: Vec<_> = ways.filter(may_go).map(|route| ("is written and committed", by(route))).collect();
    if state.tie == Some(Tie::Twin) && state.out {
        next.push(("is given out offline", state.with(Sale { stage: Stage::Issued, ..state.sale })));
    }
    next
}

/// Continues a job of which nothing was sent, or whose document is proven absent.
fn resume(state: &State, world: &World) -> Vec<(&'static str, State)> {
    let mut next = vec![("the same bytes are to leave", state.with(leaving(state.sale, false)))];
    if state.sale.key == Key::First && state.tie.is_none() && world.family == Family::Sefaz {
        next.push(("another key takes the number", made_anew(state, Tie::Number)));
        next.push(("is made anew under its key", made_anew(state, Tie::Key)));
    }
    next
}

fn made_anew(state: &State, tie: Tie) -> State {
    State { tie: Some(tie), sale: Sale::new(Key::Second), ..*state }
}

fn leaving(sale: Sale, repeated: bool) -> Sale {
    Sale { call: Call::Leaving { repeated }, ..sale.marked(Stage::Sending) }
}

fn ask(sale: Sale, rules: &Rules) -> Sale {
    let sale = sale.doubted();
    Sale { call: Call::Asked { before: silence(sale.clocks, rules), reply: None }, ..sale }
}

pub(crate) fn silence(clocks: Clocks, rules: &Rules) -> QuietTime {
    let passed = if rules.two_clocks { clocks.wall.min(clocks.own) } else { clocks.wall };
    if passed >= crate::state::QUIET { QuietTime::Over } else { QuietTime::Running }
}

/// `send::take`.
pub(crate) fn take(state: &State, world: &World, repeated: bool, reply: Reply) -> Vec<State> {
    let sale = state.sale;
    let counts = !(repeated && world.rules.repetition_doubted);
    let refused = |meaning, key, protocol| {
        let marks = AnswerMarks { key, content: MarkMatch::Absent, protocol };
        let question = if world.rules.shared_named { world.question } else { AnsweredMessage::Submission };
        (world.rules.proof)(question, meaning, marks, QuietTime::Running) == ProvenFate::Refused
    };
    match reply {
        Reply::Success { .. } => vec![succeeded(state, world, world.question, reply)],
        Reply::Refusal { key } if refused(CodeMeaning::Refusal, key, false) && counts => {
            vec![rejected(state, world)]
        }
        Reply::Refusal { key } => vec![state.with(kept(sale, world, key))],
        Reply::Unlisted { protocol } if refused(CodeMeaning::Unlisted, MarkMatch::Absent, protocol) && counts => {
            vec![rejected(state, world)]
        }
        Reply::Unlisted { .. } => vec![state.with(kept(sale, world, MarkMatch::Absent))],
        Reply::OtherKey(named) if refused(CodeMeaning::DuplicateOtherKey, MarkMatch::Absent, false) => {
            vec![elsewhere(state, world, named)]
        }
        Reply::OtherKey(_) => vec![state.with(kept(sale, world, MarkMatch::Absent))],
        Reply::Duplicate | Reply::Absent => vec![state.with(sale.doubted())],
        Reply::Unavailable if repeated && world.rules.repetition_sent => {
            or_twin(state.with(sale.doubted()), world).into_iter().collect()
        }
        Reply::Unavailable => vec![state.with(Sale { call: Call::None, unsent: true, ..sale })],
    }
}

/// `settle::rejected`.
fn rejected(state: &State, world: &World) -> State {
    match state.twin {
        Twin::Watched { .. } if world.rules.second_waits => state.with(state.sale.ended(Stage::Refused)),
        Twin::Apart if world.rules.second_waits => home(state),
        Twin::Uncertain if world.rules.second_waits => state.with(state.sale.ended(Stage::Uncertain)),
        _ => state.with(state.sale.ended(Stage::Rejected)),
    }
}

/// `refusal::keep`.
fn kept(sale: Sale, world: &World, key: MarkMatch) -> Sale {
    let refusal = sale.refusal || (key != MarkMatch::Foreign && world.question == AnsweredMessage::Submission);
    Sale { refusal, ..sale.marked(Stage::InDoubt) }
}

/// `settle::not_ours`, and the commit of a proven document.
fn succeeded(state: &State, world: &World, question: AnsweredMessage, reply: Reply) -> State {
    let sale = state.sale;
    let Reply::Success { key, content } = reply else { return *state };
    let content_mark = if content == Some(sale.key) { MarkMatch::Ours } else { MarkMatch::Foreign };
    let marks = AnswerMarks { key, content: content_mark, protocol: true };
    match (world.rules.proof)(question, CodeMeaning::Registered, marks, QuietTime::Running) {
        ProvenFate::Registered => {
            let note = match state.entry(sale.key) {
                Entry::Live(note) => note,
                Entry::None | Entry::Cancelled => 0,
            };
            state.with(Sale { note, ..sale.ended(Stage::Authorized) })
        }
        ProvenFate::OtherContent if !world.rules.content_looked_up => state.with(sale.ended(Stage::Rejected)),
        ProvenFate::OtherContent if world.family == Family::Sefaz && is_former(state, content) => readopted(state),
        ProvenFate::OtherContent => state.with(sale.ended(Stage::Uncertain)),
        ProvenFate::Refused | ProvenFate::NeverSeen | ProvenFate::Unknown => state.with(sale.doubted()),
    }
}

/// `elsewhere::by_key`.
fn elsewhere(state: &State, world: &World, named: Option<Key>) -> State {
    match is_former(state, named) {
        true if world.rules.former_readopted => readopted(state),
        true => state.with(state.sale.ended(Stage::Rejected)),
        false => state.with(state.sale.ended(Stage::Uncertain)),
    }
}

/// True for a transmission that the sale made before its present one.
fn is_former(state: &State, named: Option<Key>) -> bool {
    named == Some(Key::First) && state.sale.key == Key::Second && state.tie != Some(Tie::Twin)
}

fn readopted(state: &State) -> State {
    let clocks = Clocks { wall: 0, ..state.sale.clocks };
    state.with(Sale { stage: Stage::InDoubt, clocks, ..Sale::new(Key::First) })
}

/// `ask::found`.
pub(crate) fn found(state: &State, world: &World, before: QuietTime, reply: Reply) -> Vec<State> {
    let sale = Sale { call: Call::None, ..state.sale };
    let state = state.with(sale);
    match reply {
        Reply::Success { .. } => vec![succeeded(&state, world, AnsweredMessage::Identity, reply)],
        Reply::Absent => absence(&state, world, before),
        Reply::OtherKey(named) => vec![elsewhere(&state, world, named)],
        Reply::Unavailable => or_twin(state, world).into_iter().collect(),
        Reply::Refusal { key } => vec![questioned(&state, world, CodeMeaning::Refusal, key, false)],
        Reply::Unlisted { protocol } => {
            vec![questioned(&state, world, CodeMeaning::Unlisted, MarkMatch::Absent, protocol)]
        }
        Reply::Duplicate => vec![state],
    }
}

/// A refused query.
fn questioned(state: &State, world: &World, meaning: CodeMeaning, key: MarkMatch, protocol: bool) -> State {
    let marks = AnswerMarks { key, content: MarkMatch::Absent, protocol };
    match (world.rules.proof)(AnsweredMessage::Identity, meaning, marks, QuietTime::Running) {
        ProvenFate::Refused => state.with(state.sale.ended(Stage::Rejected)),
        _ => *state,
    }
}

/// `absence::run`.
fn absence(state: &State, world: &World, before: QuietTime) -> Vec<State> {
    let sale = state.sale;
    let marks = AnswerMarks { key: MarkMatch::Absent, content: MarkMatch::Absent, protocol: false };
    let over = if world.rules.fresh_question { before } else { silence(sale.clocks, &world.rules) };
    if (world.rules.proof)(AnsweredMessage::Identity, CodeMeaning::NeverSeen, marks, over) == ProvenFate::NeverSeen {
        let absent = Sale { unsent: true, ..sale.marked(Stage::Sending) };
        return vec![if sale.refusal { rejected(state, world) } else { state.with(absent) }];
    }
    let mut next: Vec<State> = or_twin(*state, world).into_iter().collect();
    if !sale.refusal && (world.family == Family::Sefaz || !world.rules.service_waits) {
        next.push(state.with(leaving(sale, true)));
    }
    if !world.rules.number_waits && sale.key == Key::First && state.tie.is_none() {
        next.push(made_anew(state, Tie::Number));
    }
    next
}

/// `twin::issue_again`, with and without a second document.
pub(crate) fn or_twin(state: State, world: &World) -> [State; 2] {
    let sale = state.sale;
    let is_first = sale.key == Key::First && state.tie.is_none() && state.route(Key::First) == Route::Normal;
    if !is_first || !world.has_detours() || sale.stage != Stage::InDoubt {
        return [state; 2];
    }
    let twin = Twin::Watched { clocks: Clocks { own: 0, ..sale.clocks }, call: Call::None };
    [state, State { twin, tie: Some(Tie::Twin), sale: Sale::new(Key::Second), ..state }]
}
