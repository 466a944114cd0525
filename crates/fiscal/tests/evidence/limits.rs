//! Failures that the model's assumptions exclude: limits of the engine, each with the shortest path to the failure.

use crate::MENDED;
use crate::mutants::breaks;
use crate::rules::Troubles;
use crate::world::World;

fn limited(promise: &str, troubles: Troubles) {
    breaks(promise, World { troubles, ..MENDED });
}

/// A message refused for unavailability (108) counts as unsent: its number is reused at once, and the copy reaches an
/// authority that works again.
#[test]
fn a_copy_that_comes_after_its_message_was_turned_away() {
    let troubles = Troubles { late_copies: true, refusals: false, odd: false, ..Troubles::MENDED };
    limited("one_live_document", troubles);
}

/// A refusal counts at once: a copy of its message is checked by the rules of a later moment.
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
