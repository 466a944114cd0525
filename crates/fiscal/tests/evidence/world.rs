//! All possible next events: steps of our jobs, actions of the network and the authorities, and failures.

use crate::authority::{answer, judge};
use crate::rules::{Family, Rules, Troubles};
use crate::sale::{claim, found, or_twin, silence, take};
use crate::state::{Call, Clocks, Key, MOST, Message, QUIET, Reply, Sale, Stage, State, Twin};
use crate::watch;
use fiscal::evidence::{AnsweredMessage, QuietTime};

/// Settings of an exploration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) family: Family,
    pub(crate) rules: Rules,
    pub(crate) troubles: Troubles,
    /// Alone in its message, or with others.
    pub(crate) question: AnsweredMessage,
    /// Most messages in flight, at most [`MOST`].
    pub(crate) messages: usize,
}

/// An event.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    pub(crate) what: &'static str,
    pub(crate) reply: Option<Reply>,
    /// True for an event that also happens without failures.
    pub(crate) healthy: bool,
    pub(crate) after: State,
}

impl World {
    /// Returns every event that a state allows.
    pub(crate) fn events(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::with_capacity(32);
        self.sale(state, &mut events);
        self.twin(state, &mut events);
        self.messages(state, &mut events);
        outside(state, self, &mut events);
        events.retain(|event| event.after != *state);
        events
    }

    fn sale(&self, state: &State, events: &mut Vec<Event>) {
        let idle = state.with(Sale { call: Call::None, ..state.sale });
        match state.sale.call {
            Call::None => {
                let next = claim(state, self);
                events.extend(next.into_iter().map(|(what, after)| well(what, after)));
            }
            Call::Leaving { repeated } => self.leave(state, repeated, events),
            Call::Submitted { repeated, reply } => {
                let is_awaited = state.air.iter().flatten().any(|message| message.heard) || reply.is_some();
                let doubted = state.with(state.sale.doubted()).unheard();
                events.push(Event { healthy: !is_awaited, ..ill("no answer came to the message", doubted) });
                let Some(reply) = reply else { return };
                for after in take(state, self, repeated, reply) {
                    events.push(well("the answer to the message is read", after.unheard()).with(reply));
                }
            }
            Call::Asked { before, reply: None } => {
                events.extend(or_twin(idle, self).map(|after| ill("no answer came to the question", after)));
                self.answer_sale(state, before, events);
            }
            Call::Asked { before, reply: Some(reply) } => {
                events.extend(or_twin(idle, self).map(|after| ill("the answer to the question is lost", after)));
                for after in found(state, self, before, reply) {
                    events.push(well("the answer to the question is read", after).with(reply));
                }
            }
        }
    }

    /// Answers a query of the sale. An odd reply is read at once: later events do not change it.
    fn answer_sale(&self, state: &State, before: QuietTime, events: &mut Vec<Event>) {
        for (reply, odd) in answer(state, state.sale.key, self) {
            if odd {
                let read = found(state, self, before, reply).into_iter();
                events.extend(read.map(|after| ill("the question is answered oddly", after).with(reply)));
            } else {
                let call = Call::Asked { before, reply: Some(reply) };
                let after = state.with(Sale { call, ..state.sale });
                events.push(well("the question is answered", after).with(reply));
            }
        }
    }

    /// Sends the signed bytes, or fails before any byte is sent.
    fn leave(&self, state: &State, repeated: bool, events: &mut Vec<Event>) {
        let sale = state.sale;
        let left = if self.troubles.overdue { 2 * QUIET } else { QUIET };
        let unsent = Sale { call: Call::None, unsent: true, ..sale };
        events.push(ill("the connection is refused", state.with(if repeated { sale.doubted() } else { unsent })));
        if let Some(place) = state.air.iter().position(Option::is_none).filter(|_| self.has_room(state)) {
            let mut after = state.with(Sale { call: Call::Submitted { repeated, reply: None }, ..sale });
            after.air[place] = Some(Message { key: sale.key, left, heard: true, hidden: false });
            events.push(well("the message leaves", after.sorted()));
        }
    }

    pub(crate) fn has_detours(&self) -> bool {
        self.family == Family::Sefaz && self.troubles.detours
    }

    fn has_room(&self, state: &State) -> bool {
        state.air.iter().flatten().count() < self.messages.min(MOST)
    }

    fn twin(&self, state: &State, events: &mut Vec<Event>) {
        events.extend(watch::cancelled(state).map(|after| well("the cancellation ends", after)));
        let Twin::Watched { clocks, call } = state.twin else { return };
        let with = |call| State { twin: Twin::Watched { clocks, call }, ..*state };
        match call {
            Call::Asked { before, reply: None } => {
                events.push(ill("no answer came to the watch", with(Call::None)));
                for (reply, odd) in answer(state, Key::First, self) {
                    events.push(if odd {
                        let after = watch::found(state, &self.rules, clocks, before, reply);
                        ill("the watch is answered oddly", after).with(reply)
                    } else {
                        let after = with(Call::Asked { before, reply: Some(reply) });
                        well("the watch is answered", after).with(reply)
                    });
                }
            }
            Call::Asked { before, reply: Some(reply) } => {
                events.push(ill("the answer to the watch is lost", with(Call::None)));
                let after = watch::found(state, &self.rules, clocks, before, reply);
                events.push(well("the answer to the watch is read", after).with(reply));
            }
            Call::None | Call::Leaving { .. } | Call::Submitted { .. } => {
                let call = Call::Asked { before: silence(clocks, &self.rules), reply: None };
                events.push(well("the first document is watched", with(call)));
            }
        }
    }

    /// Lets each message in flight be received.
    fn messages(&self, state: &State, events: &mut Vec<Event>) {
        for (at, message) in state.air.iter().enumerate().filter_map(|(at, message)| Some((at, (*message)?))) {
            if message.hidden {
                continue;
            }
            let mut judged = judge(state, message.key, self);
            if !message.heard {
                // the answer is not read
                judged.dedup_by_key(|(after, ..)| *after);
            }
            for (mut after, reply, odd) in judged {
                if message.heard
                    && let Call::Submitted { repeated, .. } = after.sale.call
                {
                    after.sale.call = Call::Submitted { repeated, reply: Some(reply) };
                }
                after.air[at] = None;
                let taken_in = Event { healthy: !odd, ..well("a message is judged", after.sorted()) };
                events.push(taken_in.with(reply));
                if self.troubles.hidden && after.book != state.book {
                    after.air[at] = Some(Message { heard: false, hidden: true, ..message });
                    events.push(Event { after: after.sorted(), ..taken_in.with(reply) });
                }
                if self.troubles.late_copies {
                    after.air[at] = Some(Message { heard: false, ..message });
                    events.push(ill("a message is judged, and a copy waits", after.sorted()).with(reply));
                }
            }
        }
    }
}

impl Event {
    fn with(self, reply: Reply) -> Event {
        Event { reply: Some(reply), ..self }
    }
}

fn well(what: &'static str, after: State) -> Event {
    Event { what, reply: None, healthy: true, after }
}

fn ill(what: &'static str, after: State) -> Event {
    Event { healthy: false, ..well(what, after) }
}

/// Time, crashes, clocks, outages.
fn outside(state: &State, world: &World, events: &mut Vec<Event>) {
    events.push(well("time passes", later(state)));
    events.push(ill("the process ends and starts", crashed(state)));
    events.push(ill("the clock jumps ahead", moved(state, |clocks| Clocks { wall: QUIET, ..clocks })));
    events.push(Event { healthy: state.out, ..well("an outage begins or ends", State { out: !state.out, ..*state }) });
    if world.has_detours() {
        events.push(Event {
            healthy: !state.svc,
            ..well("the SVC opens or closes", State { svc: !state.svc, ..*state })
        });
    }
}

fn later(state: &State) -> State {
    let mut later =
        moved(state, |clocks| Clocks { wall: (clocks.wall + 1).min(QUIET), own: (clocks.own + 1).min(QUIET) });
    for message in &mut later.air {
        *message = message.and_then(|it| (it.left > 1).then(|| Message { left: it.left - 1, ..it }));
    }
    later.sorted()
}

fn crashed(state: &State) -> State {
    let mut after = moved(state, |clocks| Clocks { own: 0, ..clocks }).unheard();
    (after.sale.call, after.sale.unsent) = (Call::None, false);
    if let Twin::Watched { call, .. } = &mut after.twin {
        *call = Call::None;
    }
    after
}

/// Returns the state with its running clocks changed.
fn moved(state: &State, change: impl Fn(Clocks) -> Clocks) -> State {
    let mut moved = *state;
    if matches!(moved.sale.stage, Stage::Sending | Stage::InDoubt) {
        moved.sale.clocks = change(moved.sale.clocks);
    }
    if let Twin::Watched { clocks, .. } = &mut moved.twin {
        *clocks = change(*clocks);
    }
    moved
}
