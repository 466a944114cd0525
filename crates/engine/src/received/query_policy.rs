//! Query policy of the distribution: the instant of the next permitted query. Pure: answers and times are arguments.
//!
//! Law: NT 2014.002 v1.30, 3.11.4, taken to hold for the CT-e too, and for the NFS-e, whose ADN publishes none: an hour
//! without queries after "no more documents" (137, or ultNSU = maxNSU), each query from the end of the last answer, an
//! hour without queries after 656 (429), which every call restarts.

use authority::answer::{DistributionBatch, DistributionOutcome};
use fiscal::value::Codigo;
use store::received::{Cursor, Situacao, WalkOutcome, WalkTerms};

/// The authority's hour, and a minute for clocks that differ.
const QUIET_HOUR_S: i64 = 3_600 + 60;
/// Wait before a stopped service (108, 109) is queried again.
const STOPPED_WAIT_S: i64 = 600;
/// Wait when nothing left us: the next attempt costs nothing but time.
const UNSENT_WAIT_S: i64 = 300;
/// Bounds of a wait that an authority asks for: clocks differ, and its own slip must not stop us for good.
const MIN_WAIT_S: i64 = 60;
const MAX_WAIT_S: i64 = 86_400;
/// Seconds of a claim, longer than any query: one process at a time queries.
const CLAIM_S: i64 = 180;
/// "NSU informado superior ao maior NSU" of NF-e and CT-e.
const UNKNOWN_NSU: u16 = 589;
/// Blocks in a row after which another reader of the company's documents is assumed to have gone on without us.
const BLOCKS_BEFORE_SKIP: u32 = 2;

/// Claim of a query. If this process dies before it has stored the answer, the authority may have answered "no more",
/// or moved on: only the full hour is safe then.
pub(super) fn claim(now: i64) -> WalkTerms {
    WalkTerms { now, lease_until: now + CLAIM_S, if_lost: now + QUIET_HOUR_S }
}

/// Outcome of an answer to "everything after `cursor`", without its documents.
pub(super) fn after_answer(cursor: &Cursor, answer: &DistributionBatch, now: i64) -> WalkOutcome {
    let said = (Some(answer.codigo.clone()), answer.xMotivo.clone());
    let outcome = WalkOutcome { answer: said, gap: cursor.gap, next_at: now + QUIET_HOUR_S, ..WalkOutcome::default() };
    match answer.outcome {
        DistributionOutcome::None | DistributionOutcome::Some => {
            let handed_out = answer.documents.iter().filter_map(|document| document.nsu).max();
            // a number beyond the authority's own highest leads nowhere
            let said = answer.ultNSU.map(|ult| answer.maxNSU.map_or(ult, |max| ult.min(max))).max(handed_out);
            let ult = said.unwrap_or(cursor.ult_nsu).max(cursor.ult_nsu);
            // an authority that gives no highest number is queried until it has nothing more
            let more = answer.maxNSU.is_none_or(|max| ult < max);
            let max = answer.maxNSU.unwrap_or(ult).max(ult);
            let goes_on = answer.outcome == DistributionOutcome::Some && ult > cursor.ult_nsu && more;
            let next_at = if goes_on { now } else { outcome.next_at };
            WalkOutcome { ult_nsu: Some(ult), max_nsu: Some(max), next_at, goes_on, ..outcome }
        }
        DistributionOutcome::UndueUse => after_block(cursor, answer, now, outcome),
        DistributionOutcome::Stopped => {
            WalkOutcome { next_at: now + requested_wait(answer).unwrap_or(STOPPED_WAIT_S), ..outcome }
        }
        DistributionOutcome::Refused if is_beyond(cursor, answer) => after_unknown_nsu(cursor, outcome),
        DistributionOutcome::Refused => outcome,
    }
}

/// `true` if the authority has no number as high as that of the query (rule H06).
fn is_beyond(cursor: &Cursor, answer: &DistributionBatch) -> bool {
    answer.codigo.number() == Some(UNKNOWN_NSU) && cursor.ult_nsu > 0
}

/// Resets the cursor; the next query waits as after any refusal, since one asked at once from elsewhere may be undue.
fn after_unknown_nsu(cursor: &Cursor, outcome: WalkOutcome) -> WalkOutcome {
    let (codigo, xMotivo) = outcome.answer;
    let told = format!(
        "{xMotivo} A autoridade não conhece o NSU {}: a busca volta ao último de que há documento guardado, ou ao começo.",
        cursor.ult_nsu
    );
    WalkOutcome { answer: (codigo, told), unknown_nsu: Some(cursor.ult_nsu), gap: None, ..outcome }
}

/// Wait that an authority asks for by the second, within a minute and a day.
fn requested_wait(answer: &DistributionBatch) -> Option<i64> {
    answer.retry_after_s.map(|seconds| i64::from(seconds).clamp(MIN_WAIT_S, MAX_WAIT_S))
}

/// Handles a 656, which contains the authority's own position. When that is ahead of ours again and again, another
/// program reads the same company's documents: the search may go on only from there, and the passed numbers are left to
/// be queried one by one.
fn after_block(cursor: &Cursor, answer: &DistributionBatch, now: i64, outcome: WalkOutcome) -> WalkOutcome {
    let blocks = cursor.blocks.saturating_add(1);
    let theirs = answer.ultNSU.filter(|theirs| *theirs > cursor.ult_nsu && blocks >= BLOCKS_BEFORE_SKIP);
    let until = now + requested_wait(answer).unwrap_or(QUIET_HOUR_S);
    let outcome = WalkOutcome { blocks, blocked_until: Some(until), next_at: until, ..outcome };
    match theirs {
        Some(theirs) => {
            let from = cursor.gap.map_or(cursor.ult_nsu + 1, |(from, _)| from);
            WalkOutcome { ult_nsu: Some(theirs), gap: Some((from, theirs)), ..outcome }
        }
        None => outcome,
    }
}

/// Outcome of a query without a readable answer.
pub(super) fn after_no_answer(cursor: &Cursor, left_us: bool, cause: &str, now: i64) -> WalkOutcome {
    let next_at = now + if left_us { QUIET_HOUR_S } else { UNSENT_WAIT_S };
    WalkOutcome {
        answer: (None, cause.to_owned()),
        gap: cursor.gap,
        blocks: cursor.blocks,
        next_at,
        ..WalkOutcome::default()
    }
}

/// End of the block after a 656 to a query about one document.
pub(super) fn blocked_until(answer: &DistributionBatch, now: i64) -> Option<i64> {
    (answer.outcome == DistributionOutcome::UndueUse).then(|| now + requested_wait(answer).unwrap_or(QUIET_HOUR_S))
}

/// State of a document by the refusal to distribute it (rules H18 and H19).
pub(super) fn document_state(codigo: &Codigo) -> Option<Situacao> {
    match codigo.number()? {
        653 => Some(Situacao::Cancelada),
        654 => Some(Situacao::Denegada),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use authority::answer::DistributionAnswer;

    const NOW: i64 = 1_795_000_000;

    fn answer(cStat: u16, ult: u64, max: u64) -> DistributionBatch {
        let (xMotivo, dhResp) = ("X".to_owned(), String::new());
        DistributionAnswer { cStat, xMotivo, dhResp, ultNSU: Some(ult), maxNSU: Some(max), documents: Vec::new() }
            .into()
    }

    fn of_services(handing: DistributionOutcome, ult: Option<u64>) -> DistributionBatch {
        DistributionBatch { outcome: handing, ultNSU: ult, maxNSU: None, ..answer(138, 0, 0) }
    }

    fn at(ult_nsu: u64) -> Cursor {
        Cursor { ult_nsu, ..Cursor::default() }
    }

    #[test]
    fn goes_on_at_once_only_while_there_is_more() {
        let more = after_answer(&at(0), &answer(138, 50, 120), NOW);
        assert_eq!((more.goes_on, more.next_at, more.ult_nsu, more.max_nsu), (true, NOW, Some(50), Some(120)));
        let last = after_answer(&at(100), &answer(138, 120, 120), NOW);
        assert_eq!((last.goes_on, last.next_at), (false, NOW + QUIET_HOUR_S));
        let none = after_answer(&at(120), &answer(137, 120, 120), NOW);
        assert_eq!((none.goes_on, none.next_at), (false, NOW + QUIET_HOUR_S));
    }

    #[test]
    fn who_does_not_tell_the_end_is_asked_until_there_is_nothing_more() {
        let some = after_answer(&at(3), &of_services(DistributionOutcome::Some, Some(7)), NOW);
        assert_eq!((some.goes_on, some.next_at, some.ult_nsu, some.max_nsu), (true, NOW, Some(7), Some(7)));
        let stuck = after_answer(&at(7), &of_services(DistributionOutcome::Some, Some(7)), NOW);
        assert_eq!((stuck.goes_on, stuck.next_at), (false, NOW + QUIET_HOUR_S));
        let none = after_answer(&at(7), &of_services(DistributionOutcome::None, None), NOW);
        assert_eq!((none.goes_on, none.next_at, none.ult_nsu), (false, NOW + QUIET_HOUR_S, Some(7)));
        let undue =
            after_answer(&Cursor { blocks: 5, ..at(7) }, &of_services(DistributionOutcome::UndueUse, None), NOW);
        assert_eq!((undue.blocks, undue.gap, undue.blocked_until), (6, None, Some(NOW + QUIET_HOUR_S)));
    }

    #[test]
    fn who_says_for_how_long_is_left_alone_for_so_long() {
        let resting =
            |handing, seconds| DistributionBatch { retry_after_s: Some(seconds), ..of_services(handing, None) };
        for (handing, seconds, waits) in [
            (DistributionOutcome::UndueUse, 120, 120),
            (DistributionOutcome::UndueUse, 7_200, 7_200),
            (DistributionOutcome::UndueUse, 0, MIN_WAIT_S),
            (DistributionOutcome::Stopped, u32::MAX, MAX_WAIT_S),
            (DistributionOutcome::Stopped, 90, 90),
        ] {
            let outcome = after_answer(&at(7), &resting(handing, seconds), NOW);
            assert_eq!(outcome.next_at, NOW + waits, "{handing:?} {seconds}");
            let undue = handing == DistributionOutcome::UndueUse;
            assert_eq!(outcome.blocked_until, undue.then_some(NOW + waits));
            assert_eq!(blocked_until(&resting(handing, seconds), NOW), undue.then_some(NOW + waits));
        }
    }

    #[test]
    fn a_number_that_the_authority_does_not_know_leads_back_after_the_hour() {
        let lost = after_answer(&Cursor { gap: Some((3, 9)), ..at(1_000_000) }, &answer(589, 0, 0), NOW);
        assert_eq!((lost.unknown_nsu, lost.ult_nsu, lost.max_nsu, lost.gap), (Some(1_000_000), None, None, None));
        assert_eq!((lost.next_at, lost.goes_on), (NOW + QUIET_HOUR_S, false));
        assert!(lost.answer.1.contains("NSU 1000000"), "{:?}", lost.answer);
        assert_eq!(after_answer(&at(0), &answer(589, 0, 0), NOW).unknown_nsu, None);
    }

    #[test]
    fn a_walk_goes_no_further_than_the_authority_itself_says_it_counts() {
        let contradicts = after_answer(&at(40), &answer(138, 900, 50), NOW);
        assert_eq!((contradicts.ult_nsu, contradicts.max_nsu, contradicts.goes_on), (Some(50), Some(50), false));
    }

    #[test]
    fn an_answer_that_leads_nowhere_ends_the_walk() {
        let stuck = after_answer(&at(50), &answer(138, 50, 120), NOW);
        assert_eq!((stuck.goes_on, stuck.next_at), (false, NOW + QUIET_HOUR_S));
        let back = after_answer(&at(50), &answer(138, 10, 120), NOW);
        assert_eq!((back.ult_nsu, back.goes_on), (Some(50), false));
    }

    #[test]
    fn a_block_is_an_hour_and_more_and_the_second_one_shows_another_reader() {
        let first = after_answer(&at(50), &answer(656, 90, 0), NOW);
        assert_eq!((first.blocks, first.ult_nsu, first.gap), (1, None, None));
        assert_eq!((first.next_at, first.blocked_until), (NOW + QUIET_HOUR_S, Some(NOW + QUIET_HOUR_S)));
        let second = after_answer(&Cursor { blocks: 1, ..at(50) }, &answer(656, 90, 0), NOW);
        assert_eq!((second.ult_nsu, second.gap), (Some(90), Some((51, 90))));
        let third = after_answer(&Cursor { blocks: 2, gap: Some((51, 90)), ..at(90) }, &answer(656, 95, 0), NOW);
        assert_eq!(third.gap, Some((51, 95)));
        assert_eq!(after_answer(&Cursor { blocks: 3, ..at(90) }, &answer(656, 90, 0), NOW).gap, None);
    }

    #[test]
    fn what_left_us_without_an_answer_may_have_been_the_last_word() {
        let cursor = at(7);
        assert_eq!(after_no_answer(&cursor, true, "sem resposta", NOW).next_at, NOW + QUIET_HOUR_S);
        assert_eq!(after_no_answer(&cursor, false, "sem conexão", NOW).next_at, NOW + UNSENT_WAIT_S);
        assert_eq!(claim(NOW).if_lost, NOW + QUIET_HOUR_S);
    }

    #[test]
    fn a_stopped_service_is_asked_again_soon_and_a_refusal_is_not() {
        assert_eq!(after_answer(&at(7), &answer(108, 0, 0), NOW).next_at, NOW + STOPPED_WAIT_S);
        let refused = after_answer(&at(7), &answer(593, 0, 0), NOW);
        assert_eq!((refused.next_at, refused.ult_nsu), (NOW + QUIET_HOUR_S, None));
    }
}
