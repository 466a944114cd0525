//! The circuit as a series of signals, and the invariants of every series.

use super::*;
use CircuitSignal::{Failed, QueryAnswered, QueryFailed, StatusDown, StatusSilent, StatusUp, Worked};
use CircuitState::{Closed, HalfOpen, Open};
use fiscal::value::TpAmb;

const THRESHOLDS: CircuitThresholds = CircuitThresholds { failures: 5, failing_for_s: 20, least_open_s: 60 };

struct Story {
    circuit: Circuit,
    tally: FailureStreak,
}

impl Story {
    fn new() -> Story {
        let key = CircuitKey { authority: "SP".to_owned(), modelo: 55, ambiente: TpAmb::Homologacao };
        Story { circuit: unknown(key), tally: FailureStreak::default() }
    }

    fn hears(&mut self, signal: CircuitSignal, now: i64) -> CircuitState {
        if let Some(next) = next(&self.circuit, &mut self.tally, signal, "sem resposta", now, &THRESHOLDS) {
            self.circuit = next;
        }
        self.circuit.state
    }
}

fn check(story: &[(CircuitSignal, i64, CircuitState)]) {
    let mut told = Story::new();
    for (position, (signal, now, expected)) in story.iter().enumerate() {
        assert_eq!(told.hears(*signal, *now), *expected, "step {position}: {signal:?} at {now}");
    }
}

#[test]
fn five_failures_within_a_second_are_a_hiccup() {
    check(&[
        (Failed, 100, Closed),
        (Failed, 100, Closed),
        (Failed, 101, Closed),
        (Failed, 101, Closed),
        (Failed, 101, Closed),
    ]);
}

#[test]
fn failures_that_go_on_open_it() {
    check(&[
        (Failed, 100, Closed),
        (Failed, 105, Closed),
        (Failed, 110, Closed),
        (Failed, 119, Closed),
        (Failed, 120, Open),
    ]);
}

#[test]
fn a_judged_document_ends_the_count() {
    check(&[
        (Failed, 100, Closed),
        (Failed, 110, Closed),
        (Failed, 119, Closed),
        (Failed, 119, Closed),
        (Worked, 119, Closed),
        (Failed, 121, Closed),
    ]);
}

#[test]
fn failed_questions_open_it_like_documents_that_were_not_judged() {
    check(&[
        (Failed, 100, Closed),
        (QueryFailed, 101, Closed),
        (QueryFailed, 103, Closed),
        (QueryFailed, 107, Closed),
        (QueryFailed, 120, Open),
    ]);
    check(&[(StatusDown, 100, Open), (StatusUp, 280, HalfOpen), (QueryFailed, 281, Open)]);
}

#[test]
fn an_answered_question_ends_a_row_of_questions_and_no_other() {
    let questions = [(QueryFailed, 100, Closed); 4];
    check(&[&questions[..], &[(QueryAnswered, 119, Closed), (QueryFailed, 121, Closed)]].concat());
    check(&[&questions[..], &[(Failed, 118, Closed), (QueryAnswered, 119, Closed), (Failed, 121, Open)]].concat());
    check(&[
        (StatusDown, 100, Open),
        (QueryAnswered, 200, Open),
        (StatusUp, 280, HalfOpen),
        (QueryAnswered, 281, HalfOpen),
    ]);
}

#[test]
fn what_the_status_service_confirms_is_believed_at_once() {
    check(&[(Failed, 100, Closed), (StatusDown, 101, Open)]);
    check(&[(StatusDown, 100, Open)]);
    check(&[(StatusSilent, 100, Closed)]);
    check(&[(Failed, 100, Closed), (StatusUp, 101, Closed)]);
}

#[test]
fn it_is_tried_again_after_a_107_and_closed_by_a_judged_document() {
    check(&[(StatusDown, 100, Open), (StatusUp, 280, HalfOpen), (Worked, 281, Closed)]);
    check(&[(StatusDown, 100, Open), (StatusUp, 280, HalfOpen), (Failed, 281, Open), (StatusUp, 460, HalfOpen)]);
}

#[test]
fn an_open_circuit_rests_a_minute_whatever_is_heard() {
    check(&[(StatusDown, 100, Open), (StatusUp, 159, Open), (Worked, 159, Open), (StatusUp, 160, HalfOpen)]);
}

#[test]
fn the_contingency_began_with_the_first_failure_and_keeps_its_beginning() {
    let mut story = Story::new();
    story.hears(Failed, 97);
    story.hears(StatusDown, 100);
    assert_eq!(story.circuit.opened_at, Some(97));
    story.hears(StatusUp, 300);
    story.hears(Failed, 301);
    assert_eq!((story.circuit.state, story.circuit.opened_at), (Open, Some(97)));
    story.hears(StatusUp, 500);
    story.hears(Worked, 501);
    assert_eq!((story.circuit.state, story.circuit.opened_at), (Closed, None));
}

/// Every series of six signals with every pace: none opens a circuit without a failure or a status that reports one,
/// none closes it without a judged document, and none leaves `Open` before its shortest time.
#[test]
fn holds_for_every_short_story() {
    let signals = [Worked, Failed, QueryFailed, QueryAnswered, StatusUp, StatusDown, StatusSilent];
    let paces = [0, 7, 70];
    let choices = signals.len() * paces.len();
    for mut number in 0..choices.pow(5) {
        let (mut story, mut now, mut failed, mut down) = (Story::new(), 1_000, false, false);
        for _ in 0..5 {
            let (signal, pace) = (signals[number % signals.len()], paces[number / signals.len() % paces.len()]);
            number /= choices;
            now += pace;
            failed |= matches!(signal, Failed | QueryFailed | StatusSilent);
            down |= signal == StatusDown;
            let before = story.circuit.clone();
            let after = story.hears(signal, now);
            match (before.state, after) {
                (Closed, Open) => assert!(failed || down),
                (Closed, HalfOpen) | (Open, Closed) => panic!("{:?} → {after:?}", before.state),
                (HalfOpen, Closed) => assert_eq!(signal, Worked),
                (Open, HalfOpen) => assert!(now - before.since >= THRESHOLDS.least_open_s),
                _ => {}
            }
            assert_eq!(after == Closed, story.circuit.opened_at.is_none());
        }
    }
}
