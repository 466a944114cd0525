//! Rules of evidence in the model, and the mutants: each omits one.

use fiscal::evidence::{AnswerMarks, AnsweredMessage, CodeMeaning, ProvenFate, QuietTime, proven_fate};

/// The deciding function.
pub(crate) type Decide = fn(AnsweredMessage, CodeMeaning, AnswerMarks, QuietTime) -> ProvenFate;

/// Reaction of the authorities of a family to a repeated message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Refuse a repetition and keep the first document.
    Sefaz,
    /// Cancel the NFS-e of a used RPS and write another.
    Service,
}

/// Rules of the engine.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one rule that a mutant leaves out")]
pub(crate) struct Rules {
    pub(crate) proof: Decide,
    /// The quiet time is over only by both clocks.
    pub(crate) two_clocks: bool,
    /// The quiet time is measured before the query is sent.
    pub(crate) fresh_question: bool,
    /// Bytes are sent again before the proof only where a repetition is refused.
    pub(crate) service_waits: bool,
    /// A refusal in a message of many counts for the document it names.
    pub(crate) shared_named: bool,
    /// The refusal of a repeated message waits for the absence of the first one.
    pub(crate) repetition_doubted: bool,
    /// 108 for a repeated message proves nothing about the first one.
    pub(crate) repetition_sent: bool,
    /// Other bytes under our key are a former transmission, or uncertain.
    pub(crate) content_looked_up: bool,
    /// 539 with the key of a former transmission adopts that one again.
    pub(crate) former_readopted: bool,
    /// A watched document is dropped only after the quiet time.
    pub(crate) twin_waits: bool,
    /// A refused second document waits for the first one, which becomes the sale's if it is authorised.
    pub(crate) second_waits: bool,
    /// Another key is used only after the quiet time.
    pub(crate) number_waits: bool,
}

impl Rules {
    pub(crate) const ALL: Rules = Rules {
        proof: proven_fate,
        two_clocks: true,
        fresh_question: true,
        service_waits: true,
        shared_named: true,
        repetition_doubted: true,
        repetition_sent: true,
        content_looked_up: true,
        former_readopted: true,
        twin_waits: true,
        second_waits: true,
        number_waits: true,
    };
}

/// Optional failures, beside those that are always possible: crashes, lost messages and answers, outages, jumps of the
/// clock.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one kind of trouble")]
pub(crate) struct Troubles {
    pub(crate) odd: bool,
    /// Rules that refuse a document, at one moment or at all.
    pub(crate) refusals: bool,
    /// A registered document that queries do not find before the quiet time is over.
    pub(crate) hidden: bool,
    /// Contingency: an SVC, offline, a second document beside the first.
    pub(crate) detours: bool,
    /// Messages that are received after the quiet time.
    pub(crate) overdue: bool,
    /// A network that delivers a copy of a message later than the message.
    pub(crate) late_copies: bool,
    /// A rule refuses the second document of a sale, and none refuses the first.
    pub(crate) second_refused: bool,
}

impl Troubles {
    pub(crate) const MENDED: Troubles = Troubles {
        odd: true,
        refusals: true,
        hidden: true,
        detours: true,
        overdue: false,
        late_copies: false,
        second_refused: true,
    };
}

pub(crate) fn absence_at_once(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    _: QuietTime,
) -> ProvenFate {
    proven_fate(question, meaning, marks, QuietTime::Over)
}

pub(crate) fn absence_never(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    _: QuietTime,
) -> ProvenFate {
    proven_fate(question, meaning, marks, QuietTime::Running)
}

pub(crate) fn refused_question(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    silence: QuietTime,
) -> ProvenFate {
    match (question, meaning) {
        (AnsweredMessage::Identity, CodeMeaning::Refusal) => {
            proven_fate(AnsweredMessage::Submission, meaning, marks, silence)
        }
        _ => proven_fate(question, meaning, marks, silence),
    }
}

pub(crate) fn any_key(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    silence: QuietTime,
) -> ProvenFate {
    let key = fiscal::evidence::MarkMatch::Ours;
    proven_fate(question, meaning, AnswerMarks { key, ..marks }, silence)
}

pub(crate) fn unlisted_refuses(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    silence: QuietTime,
) -> ProvenFate {
    let meaning = if meaning == CodeMeaning::Unlisted { CodeMeaning::Refusal } else { meaning };
    proven_fate(question, meaning, marks, silence)
}

pub(crate) fn registered_unmarked(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    silence: QuietTime,
) -> ProvenFate {
    match meaning {
        CodeMeaning::Registered => ProvenFate::Registered,
        _ => proven_fate(question, meaning, marks, silence),
    }
}
