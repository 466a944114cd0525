//! An exhaustive model of the rules of evidence: every interleaving of one sale, with `fiscal::evidence::proof` as it
//! is and the engine's steps in miniature (docs/concepts/exploration.md).
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod authority;
mod limits;
mod mutants;
mod promises;
mod rules;
mod sale;
mod search;
mod state;
mod trace;
mod watch;
mod world;

use fiscal::evidence::AnsweredMessage;
use rules::{Family, Rules, Troubles};
use search::search;
use state::{Entry, Key, Stage, State, Twin};
use world::World;

/// Settings with which every mutant is explored: two messages in flight, and odd replies.
const MENDED: World = World {
    family: Family::Sefaz,
    rules: Rules::ALL,
    troubles: Troubles::MENDED,
    question: AnsweredMessage::Submission,
    messages: 2,
};

pub(crate) fn keeps_every_promise(world: World) -> Vec<State> {
    let found = search(&world);
    println!(
        "{:?} {:?}: {} states, {} transitions, {} ends",
        world.family,
        world.question,
        found.states,
        found.transitions,
        found.ends.len()
    );
    if let Some((promise, way)) = found.breach {
        panic!("{promise} is broken:\n{way}");
    }
    if let Some(way) = found.stuck {
        panic!("no end is reached:\n{way}");
    }
    found.ends
}

#[test]
fn sefaz_keeps_every_promise() {
    let ends = keeps_every_promise(MENDED);
    // no document remains for lack of a route
    let has = |is: &dyn Fn(&State) -> bool| ends.iter().any(is);
    for stage in [Stage::Accepted, Stage::Authorized, Stage::Rejected, Stage::Uncertain] {
        assert!(has(&|end| end.sale.stage == stage), "{stage:?}");
    }
    for twin in [Twin::None, Twin::Dropped, Twin::Home, Twin::Apart, Twin::Cancelled, Twin::Uncertain] {
        assert!(has(&|end| end.twin == twin), "{twin:?}");
    }
    assert!(has(&|end| end.sale.key == Key::Second && end.entry(Key::First) == Entry::Cancelled));
}

#[test]
fn a_service_keeps_every_promise() {
    keeps_every_promise(World { family: Family::Service, ..MENDED });
}

#[test]
fn a_message_of_many_keeps_every_promise() {
    keeps_every_promise(World { question: AnsweredMessage::SharedSubmission, ..MENDED });
}

#[test]
fn a_message_after_the_quiet_time_is_recognised_in_its_own_book() {
    keeps_every_promise(World { troubles: OVERDUE, ..MENDED });
}

/// The assumption of the quiet time broken, at an authority that refuses nothing.
const OVERDUE: Troubles = Troubles { odd: false, refusals: false, detours: false, overdue: true, ..Troubles::MENDED };
