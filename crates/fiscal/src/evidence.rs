//! Evidence: the proof that one answer of an authority gives about one document, as a pure function.
//!
//! Law: MOC 7.0, visão geral, 4 (an answer names its document by key and digest) and anexo I; NT 008/2026 of the NFS-e;
//! ABRASF, manual de integração (messages of a batch). An answer proves only the thing that it names; a code in no list
//! proves nothing.

/// The message that an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnsweredMessage {
    /// The signed document, alone in its message.
    Submission,
    /// The signed document, in a message with others.
    SharedSubmission,
    /// The receipt of a submission that was accepted and not decided yet.
    Receipt,
    /// The document's key, or the identity of its DPS or RPS.
    Identity,
}

/// A mark of an answer, compared with the document's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkMatch {
    /// The answer does not carry it.
    Absent,
    /// Equal to the document's.
    Ours,
    /// Another document's.
    Foreign,
}

/// The marks of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnswerMarks {
    /// Key or identity.
    pub key: MarkMatch,
    /// Digest, or the content where an authority keeps no digest.
    pub content: MarkMatch,
    /// Presence of a protocol, or of the note that the authority wrote.
    pub protocol: bool,
}

/// The meaning of an answer's code in its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeMeaning {
    /// Authorised, cancelled or denied: a final state that comes with a protocol.
    Registered,
    /// A rule refuses the document.
    Refusal,
    /// The key or the identity is registered already.
    Duplicate,
    /// The number is registered under another key, which leaves this one refused.
    DuplicateOtherKey,
    /// Nothing is registered under the key.
    NeverSeen,
    /// Accepted and not decided yet.
    Pending,
    /// The state of the service or of the caller, not of a document.
    Service,
    /// In no list of the family.
    Unlisted,
}

/// The time since the last byte of the document may have left, against the time that its authority may need to register
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuietTime {
    /// The authority may still have the message in process.
    Running,
    /// The quiet time of the family is over.
    Over,
}

/// The proven fate of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProvenFate {
    /// Registered with the document's own content, in the state that the answer names.
    Registered,
    /// Another content is registered under the document's key.
    OtherContent,
    /// Refused, and not registered.
    Refused,
    /// Never received.
    NeverSeen,
    /// Nothing: the document may be registered, now or later.
    Unknown,
}

/// The proof that an answer gives.
pub fn proven_fate(
    question: AnsweredMessage,
    meaning: CodeMeaning,
    marks: AnswerMarks,
    silence: QuietTime,
) -> ProvenFate {
    if marks.key == MarkMatch::Foreign {
        return ProvenFate::Unknown;
    }
    match meaning {
        CodeMeaning::Registered => registered(marks),
        CodeMeaning::Refusal | CodeMeaning::DuplicateOtherKey => refusal(question, marks),
        CodeMeaning::NeverSeen if question == AnsweredMessage::Identity && silence == QuietTime::Over => {
            ProvenFate::NeverSeen
        }
        CodeMeaning::NeverSeen
        | CodeMeaning::Duplicate
        | CodeMeaning::Pending
        | CodeMeaning::Service
        | CodeMeaning::Unlisted => ProvenFate::Unknown,
    }
}

fn registered(marks: AnswerMarks) -> ProvenFate {
    match marks {
        AnswerMarks { protocol: false, .. } => ProvenFate::Unknown,
        AnswerMarks { content: MarkMatch::Ours, .. } => ProvenFate::Registered,
        AnswerMarks { content: MarkMatch::Absent | MarkMatch::Foreign, .. } => ProvenFate::OtherContent,
    }
}

/// A refusal counts for the document that it names, or for a message with no other document. A refusal with a protocol
/// contradicts itself and proves nothing.
fn refusal(question: AnsweredMessage, marks: AnswerMarks) -> ProvenFate {
    let is_of_the_document = match question {
        AnsweredMessage::Submission => true,
        AnsweredMessage::SharedSubmission | AnsweredMessage::Receipt => marks.key == MarkMatch::Ours,
        // the refusal is of the query, not of the document
        AnsweredMessage::Identity => false,
    };
    if is_of_the_document && !marks.protocol { ProvenFate::Refused } else { ProvenFate::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AnsweredMessage::{Identity, Receipt, SharedSubmission, Submission};
    use MarkMatch::{Absent, Foreign, Ours};

    const QUESTIONS: [AnsweredMessage; 4] = [Submission, SharedSubmission, Receipt, Identity];
    const MEANINGS: [CodeMeaning; 8] = [
        CodeMeaning::Registered,
        CodeMeaning::Refusal,
        CodeMeaning::Duplicate,
        CodeMeaning::DuplicateOtherKey,
        CodeMeaning::NeverSeen,
        CodeMeaning::Pending,
        CodeMeaning::Service,
        CodeMeaning::Unlisted,
    ];
    const MARKS: [MarkMatch; 3] = [Absent, Ours, Foreign];

    fn all() -> impl Iterator<Item = (AnsweredMessage, CodeMeaning, AnswerMarks, QuietTime, ProvenFate)> {
        let marks = MARKS.into_iter().flat_map(|key| {
            MARKS
                .into_iter()
                .flat_map(move |content| [true, false].map(|protocol| AnswerMarks { key, content, protocol }))
        });
        let asked = QUESTIONS.into_iter().flat_map(|question| MEANINGS.map(|meaning| (question, meaning)));
        asked.flat_map(move |(question, meaning)| {
            marks.clone().flat_map(move |marks| {
                [QuietTime::Running, QuietTime::Over]
                    .map(|silence| (question, meaning, marks, silence, proven_fate(question, meaning, marks, silence)))
            })
        })
    }

    #[test]
    fn nothing_is_proven_by_an_answer_that_names_another_document() {
        assert_eq!(all().count(), 1_152);
        assert!(all().filter(|(_, _, marks, ..)| marks.key == Foreign).all(|(.., proof)| proof == ProvenFate::Unknown));
    }

    #[test]
    fn registration_wants_a_protocol_and_the_documents_own_content() {
        for (_, meaning, marks, _, proof) in all() {
            if proof == ProvenFate::Registered {
                assert_eq!((meaning, marks.content, marks.protocol), (CodeMeaning::Registered, Ours, true));
            }
        }
    }

    #[test]
    fn absence_is_proven_by_a_question_for_the_document_after_the_quiet_time_only() {
        for (question, meaning, _, silence, proof) in all() {
            if proof == ProvenFate::NeverSeen {
                assert_eq!((question, meaning, silence), (Identity, CodeMeaning::NeverSeen, QuietTime::Over));
            }
        }
    }

    #[test]
    fn a_refused_question_refuses_no_document() {
        for (question, _, marks, _, proof) in all() {
            if proof == ProvenFate::Refused {
                assert_ne!(question, Identity);
                assert!(!marks.protocol);
                assert!(question == Submission || marks.key == Ours, "{question:?} {marks:?}");
            }
        }
    }

    #[test]
    fn codes_of_the_service_and_codes_in_no_list_prove_nothing() {
        for (_, meaning, .., proof) in all() {
            let is_silent = matches!(
                meaning,
                CodeMeaning::Service | CodeMeaning::Unlisted | CodeMeaning::Pending | CodeMeaning::Duplicate
            );
            assert!(!is_silent || proof == ProvenFate::Unknown, "{meaning:?}");
        }
    }
}
