//! Mutants: the model without one of its rules breaks a promise, and what the assumptions of the model keep out does too.

use crate::rules::{Family, Rules, Troubles, absence_at_once, any_key, refused_question, unlisted_refuses};
use crate::search::search;
use crate::world::World;
use crate::{MENDED, OVERDUE};
use fiscal::evidence::Question;

/// The promise that is broken without a rule, with the shortest way there printed.
fn breaks(promise: &str, world: World) {
    let found = search(&world);
    let (broken, way) = found.breach.unwrap();
    println!("{broken} after {} states, in {} steps:\n{way}", found.states, way.lines().count() / 2);
    assert_eq!(broken, promise, "{way}");
}

fn without(promise: &str, rules: Rules) {
    breaks(promise, World { rules, ..MENDED });
}

#[test]
fn absence_believed_without_a_quiet_time() {
    without("", Rules { proof: absence_at_once, ..Rules::ALL });
}

#[test]
fn a_refused_question_that_refuses_the_document() {
    without("", Rules { proof: refused_question, ..Rules::ALL });
}

#[test]
fn a_refusal_of_another_key_that_counts() {
    without("", Rules { proof: any_key, ..Rules::ALL });
}

#[test]
fn an_unlisted_code_that_refuses() {
    without("", Rules { proof: unlisted_refuses, ..Rules::ALL });
}

#[test]
fn other_content_told_as_rejected() {
    without("", Rules { content_looked_up: false, ..Rules::ALL });
}

#[test]
fn a_watched_document_dropped_on_an_early_absence() {
    without("", Rules { twin_waits: false, ..Rules::ALL });
}

#[test]
fn another_key_taken_before_the_quiet_time_is_over() {
    without("", Rules { number_waits: false, ..Rules::ALL });
}

#[test]
fn a_former_transmission_told_as_rejected() {
    let rules = Rules { former_readopted: false, ..Rules::ALL };
    breaks("", World { rules, troubles: OVERDUE, ..MENDED });
}

#[test]
fn bytes_sent_again_where_a_repetition_is_not_refused() {
    let rules = Rules { service_waits: false, ..Rules::ALL };
    breaks("", World { family: Family::Service, rules, ..MENDED });
}

#[test]
fn a_quiet_time_by_a_clock_that_jumps() {
    without("", Rules { two_clocks: false, ..Rules::ALL });
}

#[test]
fn a_quiet_time_measured_when_the_answer_is_read() {
    without("", Rules { fresh_question: false, ..Rules::ALL });
}

#[test]
fn the_refusal_of_a_repetition_believed_at_once() {
    without("", Rules { repetition_doubted: false, ..Rules::ALL });
}

#[test]
fn a_repetition_turned_away_believed_unsent() {
    without("", Rules { repetition_sent: false, ..Rules::ALL });
}

#[test]
fn a_refusal_of_a_message_of_many_that_counts() {
    let rules = Rules { shared_named: false, ..Rules::ALL };
    breaks("", World { rules, question: Question::SharedSubmission, ..MENDED });
}

#[test]
fn a_copy_that_arrives_after_its_message_was_turned_away() {
    let troubles = Troubles { late_copies: true, refusals: false, odd: false, ..Troubles::MENDED };
    breaks("", World { troubles, ..MENDED });
}

#[test]
fn a_copy_that_arrives_after_its_message() {
    breaks("", World { troubles: Troubles { late_copies: true, ..Troubles::MENDED }, ..MENDED });
}

#[test]
fn a_second_document_refused_for_itself() {
    breaks("", World { troubles: Troubles { second_refused: true, ..Troubles::MENDED }, ..MENDED });
}
