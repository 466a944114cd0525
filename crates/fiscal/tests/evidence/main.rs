//! An exhaustive model of the rules of evidence: every interleaving of one sale, with `fiscal::evidence::proof` as it is and the engine's steps in miniature
//! (docs/concepts/exploration.md).
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod authority;
mod promises;
mod rules;
mod sale;
mod search;
mod state;
mod watch;
mod world;

use rules::{Family, Rules, Troubles};
use search::search;
use world::World;

fn keeps_every_promise(family: Family) {
    let found = search(&World { family, rules: Rules::ALL, troubles: Troubles::MENDED, messages: 2 });
    println!("{family:?}: {} states, {} transitions, {} ends", found.states, found.transitions, found.ends);
    if let Some((promise, way)) = found.breach {
        panic!("{promise} is broken:\n{way}");
    }
    if let Some(way) = found.stuck {
        panic!("no end is reached:\n{way}");
    }
}

#[test]
fn sefaz_keeps_every_promise() {
    keeps_every_promise(Family::Sefaz);
}

#[test]
fn a_service_keeps_every_promise() {
    keeps_every_promise(Family::Service);
}
