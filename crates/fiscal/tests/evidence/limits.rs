//! What the model's assumptions keep out, and what breaks when they fail: limits of the engine, each with the shortest way there.

use crate::mutants::breaks;
use crate::rules::{Rules, Troubles};
use crate::world::World;
use crate::{MENDED, keeps_every_promise};

fn limited(promise: &str, troubles: Troubles) {
    breaks(promise, World { troubles, ..MENDED });
}

/// Rules of the second document's own (its instant, its authority) may refuse it while the first one is authorised.
#[test]
fn a_second_document_refused_for_itself() {
    limited("no_false_refusal", Troubles { second_refused: true, odd: false, ..Troubles::MENDED });
}

/// What mends it: the second document's refusal is not told before the first one is settled.
#[test]
fn a_refused_second_document_that_waits_for_the_first() {
    let rules = Rules { second_waits: true, ..Rules::ALL };
    let troubles = Troubles { second_refused: true, ..Troubles::MENDED };
    keeps_every_promise(World { rules, troubles, ..MENDED });
}

/// A message turned away (108) is believed unsent: its number goes elsewhere at once, and the copy comes to an authority that works again.
#[test]
fn a_copy_that_comes_after_its_message_was_turned_away() {
    let troubles = Troubles { late_copies: true, refusals: false, odd: false, ..Troubles::MENDED };
    limited("one_live_document", troubles);
}

/// A refusal is believed at once: a copy of its message is judged by the rules of a later moment.
#[test]
fn a_copy_that_comes_after_its_message_was_refused() {
    limited("no_false_refusal", Troubles { late_copies: true, odd: false, ..Troubles::MENDED });
}

/// A message that outlives the quiet time, of a first document that was dropped.
#[test]
fn a_message_that_comes_after_the_quiet_time() {
    limited(
        "no_document_is_dropped_alive",
        Troubles { overdue: true, odd: false, refusals: false, ..Troubles::MENDED },
    );
}
