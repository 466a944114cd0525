//! Breadth-first search over every reachable state, and back from the final states.

use crate::promises::{broken, is_at_rest};
use crate::state::State;
use crate::world::World;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// Most states of a search.
const MOST: usize = 20_000_000;

/// Result of a search.
pub(crate) struct Found {
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    /// First broken promise, and the shortest path to it.
    pub(crate) breach: Option<(&'static str, String)>,
    /// A state from which no final state is reachable without further failures.
    pub(crate) stuck: Option<String>,
    /// Final states.
    pub(crate) ends: Vec<State>,
}

/// Searches until a promise is broken, or to the end.
pub(crate) fn search(world: &World) -> Found {
    let mut search = Search::default();
    search.reach(State::start(), None);
    let (mut transitions, mut back) = (0, Vec::new());
    let mut at = 0;
    while at < search.states.len() {
        assert!(at < MOST, "more states than expected");
        let state = search.states[at];
        if let Some(promise) = broken(&state) {
            let breach = Some((promise, search.way(world, at)));
            return Found { states: search.states.len(), transitions, breach, stuck: None, ends: Vec::new() };
        }
        for event in world.events(&state) {
            transitions += 1;
            let to = search.reach(event.after, Some(at));
            if event.healthy {
                back.push((to, index(at)));
            }
        }
        at += 1;
    }
    let (ends, stuck) = search.stuck(back);
    let stuck = stuck.map(|at| search.way(world, at));
    Found { states: search.states.len(), transitions, breach: None, stuck, ends }
}

#[derive(Default)]
struct Search {
    states: Vec<State>,
    from: Vec<u32>,
    seen: HashMap<State, u32, BuildHasherDefault<Mix>>,
}

impl Search {
    fn reach(&mut self, state: State, from: Option<usize>) -> u32 {
        match self.seen.entry(state) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.states.push(state);
                self.from.push(from.map_or(0, index));
                *new.insert(index(self.states.len() - 1))
            }
        }
    }

    /// Returns the shortest path to a state, line by line.
    fn way(&self, world: &World, end: usize) -> String {
        let mut way = vec![end];
        while let Some(at) = way.last().filter(|at| **at != 0) {
            way.push(self.from[*at] as usize);
        }
        way.reverse();
        let step = |pair: &[usize]| {
            let (before, after) = (self.states[pair[0]], self.states[pair[1]]);
            let event = world.events(&before).into_iter().find(|event| event.after == after);
            let told = event.map(|event| (event.what, event.reply));
            let (what, reply) = told.unwrap_or_default();
            let reply = reply.map(|reply| format!(" [{reply:?}]")).unwrap_or_default();
            format!("{what}{reply}\n      {}", after.line())
        };
        way.windows(2).map(step).collect::<Vec<_>>().join("\n")
    }

    /// Returns the final states, and the first state from which none is reachable.
    fn stuck(&self, mut back: Vec<(u32, u32)>) -> (Vec<State>, Option<usize>) {
        back.sort_unstable();
        let resting = self.states.iter().enumerate().filter(|(_, state)| is_at_rest(state));
        let mut open: Vec<u32> = resting.map(|(at, _)| index(at)).collect();
        let ends = open.iter().map(|at| self.states[*at as usize]).collect();
        let mut reached = vec![false; self.states.len()];
        for at in &open {
            reached[*at as usize] = true;
        }
        while let Some(to) = open.pop() {
            let first = back.partition_point(|edge| edge.0 < to);
            for (_, from) in back[first..].iter().take_while(|edge| edge.0 == to) {
                if !std::mem::replace(&mut reached[*from as usize], true) {
                    open.push(*from);
                }
            }
        }
        (ends, reached.iter().position(|is_reached| !is_reached))
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap()
}

/// Hashes the small values of a state; the standard hasher takes most of the time of a search.
#[derive(Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value.unsigned_abs() as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
