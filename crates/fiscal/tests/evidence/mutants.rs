//! Mutants: without one of its rules the model breaks a promise. Each test prints the shortest path to the failure.

use crate::rules::{
    Family, Rules, Troubles, absence_at_once, absence_never, any_key, refused_question, registered_unmarked,
    unlisted_refuses,
};
use crate::search::search;
use crate::world::World;
use crate::{MENDED, OVERDUE};
use fiscal::evidence::AnsweredMessage;

/// No odd replies and no refusals: failures are caused by time alone.
const CALM: Troubles = Troubles { odd: false, refusals: false, ..Troubles::MENDED };

/// Requires that this promise is the first one to break.
pub(crate) fn breaks(promise: &str, world: World) {
    let found = search(&world);
    let (broken, way) = found.breach.unwrap();
    println!("{broken} after {} states, in {} steps:\n{way}", found.states, way.lines().count() / 2);
    assert_eq!(broken, promise, "{way}");
}

fn without(promise: &str, rules: Rules) {
    breaks(promise, World { rules, ..MENDED });
}

fn without_in_calm(promise: &str, rules: Rules) {
    breaks(promise, World { rules, troubles: CALM, ..MENDED });
}

#[test]
fn absence_believed_without_a_quiet_time() {
    without_in_calm("no_document_is_dropped_alive", Rules { proof: absence_at_once, ..Rules::ALL });
}

#[test]
fn a_refused_question_that_refuses_the_document() {
    without("no_false_refusal", Rules { proof: refused_question, ..Rules::ALL });
}

#[test]
fn a_refusal_of_another_key_that_counts() {
    without("no_false_refusal", Rules { proof: any_key, ..Rules::ALL });
}

#[test]
fn an_unlisted_code_that_refuses() {
    without("no_false_refusal", Rules { proof: unlisted_refuses, ..Rules::ALL });
}

#[test]
fn registration_believed_without_its_marks() {
    without("no_false_authorisation", Rules { proof: registered_unmarked, ..Rules::ALL });
}

#[test]
fn other_content_told_as_rejected() {
    without("no_false_refusal", Rules { content_looked_up: false, ..Rules::ALL });
}

#[test]
fn a_watched_document_dropped_on_an_early_absence() {
    without_in_calm("no_document_is_dropped_alive", Rules { twin_waits: false, ..Rules::ALL });
}

#[test]
fn another_key_taken_before_the_quiet_time_is_over() {
    without_in_calm("one_live_document", Rules { number_waits: false, ..Rules::ALL });
}

/// Rules that only the second document breaks (its instant, its authority) refuse it while the first one is authorised.
#[test]
fn a_refusal_of_the_second_document_told_before_the_first_is_settled() {
    let troubles = Troubles { odd: false, ..Troubles::MENDED };
    breaks("no_false_refusal", World { rules: Rules { second_waits: false, ..Rules::ALL }, troubles, ..MENDED });
}

/// Needs an authority that breaks the assumption of the quiet time.
#[test]
fn a_former_transmission_told_as_rejected() {
    let rules = Rules { former_readopted: false, ..Rules::ALL };
    breaks("no_false_refusal", World { rules, troubles: OVERDUE, ..MENDED });
}

#[test]
fn bytes_sent_again_where_a_repetition_is_not_refused() {
    let rules = Rules { service_waits: false, ..Rules::ALL };
    breaks("no_false_authorisation", World { family: Family::Service, rules, ..MENDED });
}

#[test]
fn a_quiet_time_by_a_clock_that_jumps() {
    without_in_calm("no_document_is_dropped_alive", Rules { two_clocks: false, ..Rules::ALL });
}

#[test]
fn a_quiet_time_measured_when_the_answer_is_read() {
    without_in_calm("no_document_is_dropped_alive", Rules { fresh_question: false, ..Rules::ALL });
}

#[test]
fn a_refusal_of_a_message_of_many_that_counts() {
    let rules = Rules { shared_named: false, ..Rules::ALL };
    breaks("no_false_refusal", World { rules, question: AnsweredMessage::SharedSubmission, ..MENDED });
}

#[test]
fn the_refusal_of_a_repetition_believed_at_once() {
    without("no_false_refusal", Rules { repetition_doubted: false, ..Rules::ALL });
}

#[test]
fn a_repetition_turned_away_believed_unsent() {
    without_in_calm("one_live_document", Rules { repetition_sent: false, ..Rules::ALL });
}

/// The mutant that breaks no promise but never ends: a lost document is never sent again.
#[test]
fn absence_never_believed_by_a_service() {
    let rules = Rules { proof: absence_never, ..Rules::ALL };
    let found = search(&World { family: Family::Service, rules, ..MENDED });
    assert!(found.breach.is_none());
    println!("no end after:\n{}", found.stuck.unwrap());
}
