//! Authorities: effect of an accepted message, and answers to queries.

use crate::rules::Family;
use crate::state::{Entry, Key, Reply, Route, State, Tie};
use crate::world::World;
use fiscal::evidence::{AnsweredMessage, MarkMatch};

/// Replies about another document, or without information about this one.
const ODD: [Reply; 6] = [
    Reply::Refusal { key: MarkMatch::Foreign },
    Reply::Unlisted { protocol: false },
    Reply::Unlisted { protocol: true },
    Reply::Success { key: MarkMatch::Foreign, content: None },
    Reply::Success { key: MarkMatch::Ours, content: None },
    Reply::OtherKey(None),
];

/// Returns the odd replies. Refusals of a municipal provider name no key.
fn odd(world: &World) -> impl Iterator<Item = Reply> {
    let names_a_key = world.family == Family::Sefaz;
    let is_said = move |reply: &Reply| names_a_key || *reply != Reply::Refusal { key: MarkMatch::Foreign };
    let odd = world.troubles.odd;
    ODD.into_iter().filter(move |reply| odd && is_said(reply))
}

/// Returns the registers after a message was received, with the possible replies; `true` marks an odd reply.
pub(crate) fn judge(state: &State, key: Key, world: &World) -> Vec<(State, Reply, bool)> {
    if !state.works(key) {
        return vec![(*state, Reply::Unavailable, false)];
    }
    // among many in a message, the refusal may concern any other document
    let of_others =
        (world.question == AnsweredMessage::SharedSubmission).then_some(Reply::Refusal { key: MarkMatch::Absent });
    let odd: Vec<Reply> = odd(world).chain(of_others.filter(|_| world.troubles.odd)).collect();
    let mut judged = Vec::new();
    let mut say = |state: State, replies: &[Reply]| {
        judged.extend(replies.iter().map(|reply| (state, *reply, false)));
        judged.extend(odd.iter().map(|reply| (state, *reply, true)));
    };
    match (state.entry(key), rival(state, key)) {
        (Entry::Live(note), _) if world.family == Family::Service => {
            say(registered(state, key, 3 - note), &[ours(key)]);
        }
        (Entry::Live(_) | Entry::Cancelled, _) => say(*state, &[Reply::Duplicate]),
        (Entry::None, Some(_)) if state.tie == Some(Tie::Key) => say(*state, &[Reply::Duplicate]),
        (Entry::None, Some(other)) => say(*state, &[Reply::OtherKey(Some(other))]),
        // of two copies that arrive together, either answer may be the one that is read
        (Entry::None, None) => {
            say(registered(state, key, 1), &[ours(key), Reply::Duplicate]);
            let spared = !world.troubles.second_refused && key == Key::Second && state.tie == Some(Tie::Twin);
            if world.troubles.refusals && !spared {
                say(*state, &[Reply::Refusal { key: MarkMatch::Absent }, Reply::Refusal { key: MarkMatch::Ours }]);
            }
        }
    }
    judged
}

/// Returns the possible replies to a query for a key.
pub(crate) fn answer(state: &State, key: Key, world: &World) -> Vec<(Reply, bool)> {
    let replies = match (state.entry(key), rival(state, key)) {
        _ if !state.works(key) => vec![Reply::Unavailable],
        (Entry::Live(_), _) if is_hidden(state, key) => vec![Reply::Absent],
        (Entry::Live(_) | Entry::Cancelled, _) => vec![ours(key)],
        (Entry::None, Some(other)) if state.tie == Some(Tie::Key) => {
            vec![Reply::Success { key: MarkMatch::Ours, content: Some(other) }]
        }
        (Entry::None, Some(other)) => vec![Reply::OtherKey(Some(other)), Reply::Absent],
        (Entry::None, None) => vec![Reply::Absent],
    };
    let refused = [MarkMatch::Absent, MarkMatch::Ours].map(|key| Reply::Refusal { key });
    let odd = odd(world).chain(refused.into_iter().filter(|_| world.troubles.odd));
    replies.into_iter().map(|reply| (reply, false)).chain(odd.map(|reply| (reply, true))).collect()
}

fn is_hidden(state: &State, key: Key) -> bool {
    state.air.iter().flatten().any(|message| message.hidden && message.key == key)
}

/// Returns the other key, if it holds the number in the same register.
fn rival(state: &State, key: Key) -> Option<Key> {
    let other = if key == Key::First { Key::Second } else { Key::First };
    let is_same_number = matches!(state.tie, Some(Tie::Number | Tie::Key));
    let is_there = state.entry(other) != Entry::None && state.route(other) == state.route(key);
    (is_same_number && is_there).then_some(other)
}

fn registered(state: &State, key: Key, note: u8) -> State {
    let mut state = *state;
    state.book[key as usize] = Entry::Live(note);
    state
}

fn ours(key: Key) -> Reply {
    Reply::Success { key: MarkMatch::Ours, content: Some(key) }
}

/// Returns the routes that a transmission may take now.
pub(crate) fn ways(state: &State, world: &World) -> impl Iterator<Item = Route> {
    let svc = (state.svc && world.has_detours()).then_some(Route::Svc);
    [Route::Normal].into_iter().chain(svc)
}
