//! Query policy of the distribution: the instant of the next permitted query. Pure: answers and times are arguments.
//!
//! Law: NT 2014.002 v1.30, 3.11.4, taken to hold for the CT-e too, and for the NFS-e, whose ADN publishes none: an hour
//! without queries after "no more documents" (137, or ultNSU = maxNSU), each query from the end of the last answer, an
//! hour without queries after 656 (429), which every call restarts.

use authority::answer::{Batch, Handing};
use fiscal::value::Codigo;
use store::received::{Claim, Cursor, Outcome, Situacao};

/// The authority's hour, and a minute for clocks that differ.
const SILENCE: i64 = 3_600 + 60;
/// Wait before a stopped service (108, 109) is queried again.
const STOPPED: i64 = 600;
/// Wait when nothing left us: the next attempt costs nothing but time.
const UNSENT: i64 = 300;
/// Bounds of a wait that an authority asks for: clocks differ, and its own slip must not stop us for good.
const LEAST_REST: i64 = 60;
const MOST_REST: i64 = 86_400;
/// Seconds of a claim, longer than any query: one process at a time queries.
const LEASE: i64 = 180;
/// "NSU informado superior ao maior NSU" of NF-e and CT-e.
const BEYOND: u16 = 589;
/// Blocks in a row after which another reader of the company's documents is assumed to have gone on without us.
const BLOCKS: u32 = 2;

/// Claim of a query. If this process dies before it has stored the answer, the authority may have answered "no more",
/// or moved on: only the full hour is safe then.
pub(super) fn claim(now: i64) -> Claim {
    Claim { now, lease_until: now + LEASE, if_lost: now + SILENCE }
}

/// Outcome of an answer to "everything after `cursor`", without its documents.
pub(super) fn answered(cursor: &Cursor, answer: &Batch, now: i64) -> Outcome {
    let said = (Some(answer.codigo.clone()), answer.xMotivo.clone());
    let outcome = Outcome { said, gap: cursor.gap, next_at: now + SILENCE, ..Outcome::default() };
    match answer.handing {
        Handing::None | Handing::Some => {
            let handed_out = answer.documents.iter().filter_map(|document| document.nsu).max();
            // a number beyond the authority's own highest leads nowhere
            let said = answer.ultNSU.map(|ult| answer.maxNSU.map_or(ult, |max| ult.min(max))).max(handed_out);
            let ult = said.unwrap_or(cursor.ult_nsu).max(cursor.ult_nsu);
            // an authority that gives no highest number is queried until it has nothing more
            let more = answer.maxNSU.is_none_or(|max| ult < max);
            let max = answer.maxNSU.unwrap_or(ult).max(ult);
            let goes_on = answer.handing == Handing::Some && ult > cursor.ult_nsu && more;
            let next_at = if goes_on { now } else { outcome.next_at };
            Outcome { ult_nsu: Some(ult), max_nsu: Some(max), next_at, goes_on, ..outcome }
        }
        Handing::UndueUse => blocked(cursor, answer, now, outcome),
        Handing::Stopped => Outcome { next_at: now + asked_for(answer).unwrap_or(STOPPED), ..outcome },
        Handing::Refused if is_beyond(cursor, answer) => beyond(cursor, outcome),
        Handing::Refused => outcome,
    }
}

/// `true` if the authority has no number as high as that of the query (rule H06).
fn is_beyond(cursor: &Cursor, answer: &Batch) -> bool {
    answer.codigo.number() == Some(BEYOND) && cursor.ult_nsu > 0
}

/// Resets the cursor; the next query waits as after any refusal, since one asked at once from elsewhere may be undue.
fn beyond(cursor: &Cursor, outcome: Outcome) -> Outcome {
    let (codigo, xMotivo) = outcome.said;
    let told = format!(
        "{xMotivo} A autoridade não conhece o NSU {}: a busca volta ao último de que há documento guardado, ou ao começo.",
        cursor.ult_nsu
    );
    Outcome { said: (codigo, told), unknown_nsu: Some(cursor.ult_nsu), gap: None, ..outcome }
}

/// Wait that an authority asks for by the second, within a minute and a day.
fn asked_for(answer: &Batch) -> Option<i64> {
    answer.retry_after_s.map(|seconds| i64::from(seconds).clamp(LEAST_REST, MOST_REST))
}

/// Handles a 656, which contains the authority's own position. When that is ahead of ours again and again, another
/// program reads the same company's documents: the search may go on only from there, and the passed numbers are left to
/// be queried one by one.
fn blocked(cursor: &Cursor, answer: &Batch, now: i64, outcome: Outcome) -> Outcome {
    let blocks = cursor.blocks.saturating_add(1);
    let theirs = answer.ultNSU.filter(|theirs| *theirs > cursor.ult_nsu && blocks >= BLOCKS);
    let until = now + asked_for(answer).unwrap_or(SILENCE);
    let outcome = Outcome { blocks, blocked_until: Some(until), next_at: until, ..outcome };
    match theirs {
        Some(theirs) => {
            let from = cursor.gap.map_or(cursor.ult_nsu + 1, |(from, _)| from);
            Outcome { ult_nsu: Some(theirs), gap: Some((from, theirs)), ..outcome }
        }
        None => outcome,
    }
}

/// Outcome of a query without a readable answer.
pub(super) fn unanswered(cursor: &Cursor, left_us: bool, cause: &str, now: i64) -> Outcome {
    let next_at = now + if left_us { SILENCE } else { UNSENT };
    Outcome { said: (None, cause.to_owned()), gap: cursor.gap, blocks: cursor.blocks, next_at, ..Outcome::default() }
}

/// End of the block after a 656 to a query about one document.
pub(super) fn silenced_until(answer: &Batch, now: i64) -> Option<i64> {
    (answer.handing == Handing::UndueUse).then(|| now + asked_for(answer).unwrap_or(SILENCE))
}

/// State of a document by the refusal to distribute it (rules H18 and H19).
pub(super) fn ended(codigo: &Codigo) -> Option<Situacao> {
    match codigo.number()? {
        653 => Some(Situacao::Cancelada),
        654 => Some(Situacao::Denegada),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use authority::answer::Distribution;

    const NOW: i64 = 1_795_000_000;

    fn answer(cStat: u16, ult: u64, max: u64) -> Batch {
        let (xMotivo, dhResp) = ("X".to_owned(), String::new());
        Distribution { cStat, xMotivo, dhResp, ultNSU: Some(ult), maxNSU: Some(max), documents: Vec::new() }.into()
    }

    fn of_services(handing: Handing, ult: Option<u64>) -> Batch {
        Batch { handing, ultNSU: ult, maxNSU: None, ..answer(138, 0, 0) }
    }

    fn at(ult_nsu: u64) -> Cursor {
        Cursor { ult_nsu, ..Cursor::default() }
    }

    #[test]
    fn goes_on_at_once_only_while_there_is_more() {
        let more = answered(&at(0), &answer(138, 50, 120), NOW);
        assert_eq!((more.goes_on, more.next_at, more.ult_nsu, more.max_nsu), (true, NOW, Some(50), Some(120)));
        let last = answered(&at(100), &answer(138, 120, 120), NOW);
        assert_eq!((last.goes_on, last.next_at), (false, NOW + SILENCE));
        let none = answered(&at(120), &answer(137, 120, 120), NOW);
        assert_eq!((none.goes_on, none.next_at), (false, NOW + SILENCE));
    }

    #[test]
    fn who_does_not_tell_the_end_is_asked_until_there_is_nothing_more() {
        let some = answered(&at(3), &of_services(Handing::Some, Some(7)), NOW);
        assert_eq!((some.goes_on, some.next_at, some.ult_nsu, some.max_nsu), (true, NOW, Some(7), Some(7)));
        let stuck = answered(&at(7), &of_services(Handing::Some, Some(7)), NOW);
        assert_eq!((stuck.goes_on, stuck.next_at), (false, NOW + SILENCE));
        let none = answered(&at(7), &of_services(Handing::None, None), NOW);
        assert_eq!((none.goes_on, none.next_at, none.ult_nsu), (false, NOW + SILENCE, Some(7)));
        let undue = answered(&Cursor { blocks: 5, ..at(7) }, &of_services(Handing::UndueUse, None), NOW);
        assert_eq!((undue.blocks, undue.gap, undue.blocked_until), (6, None, Some(NOW + SILENCE)));
    }

    #[test]
    fn who_says_for_how_long_is_left_alone_for_so_long() {
        let resting = |handing, seconds| Batch { retry_after_s: Some(seconds), ..of_services(handing, None) };
        for (handing, seconds, waits) in [
            (Handing::UndueUse, 120, 120),
            (Handing::UndueUse, 7_200, 7_200),
            (Handing::UndueUse, 0, LEAST_REST),
            (Handing::Stopped, u32::MAX, MOST_REST),
            (Handing::Stopped, 90, 90),
        ] {
            let outcome = answered(&at(7), &resting(handing, seconds), NOW);
            assert_eq!(outcome.next_at, NOW + waits, "{handing:?} {seconds}");
            let undue = handing == Handing::UndueUse;
            assert_eq!(outcome.blocked_until, undue.then_some(NOW + waits));
            assert_eq!(silenced_until(&resting(handing, seconds), NOW), undue.then_some(NOW + waits));
        }
    }

    #[test]
    fn a_number_that_the_authority_does_not_know_leads_back_after_the_hour() {
        let lost = answered(&Cursor { gap: Some((3, 9)), ..at(1_000_000) }, &answer(589, 0, 0), NOW);
        assert_eq!((lost.unknown_nsu, lost.ult_nsu, lost.max_nsu, lost.gap), (Some(1_000_000), None, None, None));
        assert_eq!((lost.next_at, lost.goes_on), (NOW + SILENCE, false));
        assert!(lost.said.1.contains("NSU 1000000"), "{:?}", lost.said);
        assert_eq!(answered(&at(0), &answer(589, 0, 0), NOW).unknown_nsu, None);
    }

    #[test]
    fn a_walk_goes_no_further_than_the_authority_itself_says_it_counts() {
        let contradicts = answered(&at(40), &answer(138, 900, 50), NOW);
        assert_eq!((contradicts.ult_nsu, contradicts.max_nsu, contradicts.goes_on), (Some(50), Some(50), false));
    }

    #[test]
    fn an_answer_that_leads_nowhere_ends_the_walk() {
        let stuck = answered(&at(50), &answer(138, 50, 120), NOW);
        assert_eq!((stuck.goes_on, stuck.next_at), (false, NOW + SILENCE));
        let back = answered(&at(50), &answer(138, 10, 120), NOW);
        assert_eq!((back.ult_nsu, back.goes_on), (Some(50), false));
    }

    #[test]
    fn a_block_is_an_hour_and_more_and_the_second_one_shows_another_reader() {
        let first = answered(&at(50), &answer(656, 90, 0), NOW);
        assert_eq!((first.blocks, first.ult_nsu, first.gap), (1, None, None));
        assert_eq!((first.next_at, first.blocked_until), (NOW + SILENCE, Some(NOW + SILENCE)));
        let second = answered(&Cursor { blocks: 1, ..at(50) }, &answer(656, 90, 0), NOW);
        assert_eq!((second.ult_nsu, second.gap), (Some(90), Some((51, 90))));
        let third = answered(&Cursor { blocks: 2, gap: Some((51, 90)), ..at(90) }, &answer(656, 95, 0), NOW);
        assert_eq!(third.gap, Some((51, 95)));
        assert_eq!(answered(&Cursor { blocks: 3, ..at(90) }, &answer(656, 90, 0), NOW).gap, None);
    }

    #[test]
    fn what_left_us_without_an_answer_may_have_been_the_last_word() {
        let cursor = at(7);
        assert_eq!(unanswered(&cursor, true, "sem resposta", NOW).next_at, NOW + SILENCE);
        assert_eq!(unanswered(&cursor, false, "sem conexão", NOW).next_at, NOW + UNSENT);
        assert_eq!(claim(NOW).if_lost, NOW + SILENCE);
    }

    #[test]
    fn a_stopped_service_is_asked_again_soon_and_a_refusal_is_not() {
        assert_eq!(answered(&at(7), &answer(108, 0, 0), NOW).next_at, NOW + STOPPED);
        let refused = answered(&at(7), &answer(593, 0, 0), NOW);
        assert_eq!((refused.next_at, refused.ult_nsu), (NOW + SILENCE, None));
    }
}
