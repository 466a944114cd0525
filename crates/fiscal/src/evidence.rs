//! Evidence: the proof that one answer of an authority gives about one document, as a pure function.
//!
//! Law: MOC 7.0, visão geral, 4 (an answer names its document by key and digest) and anexo I; NT 008/2026 of the NFS-e;
//! ABRASF, manual de integração (messages of a batch). An answer proves only the thing that it names; a code in no list
//! proves nothing.

/// The message that an answer belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Question {
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
pub enum Mark {
    /// The answer does not carry it.
    Absent,
    /// Equal to the document's.
    Ours,
    /// Another document's.
    Foreign,
}

/// The marks of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Marks {
    /// Key or identity.
    pub key: Mark,
    /// Digest, or the content where an authority keeps no digest.
    pub content: Mark,
    /// Presence of a protocol, or of the note that the authority wrote.
    pub protocol: bool,
}

/// The meaning of an answer's code in its family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
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
pub enum Silence {
    /// The authority may still have the message in process.
    Running,
    /// The quiet time of the family is over.
    Over,
}

/// The proven fate of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Proof {
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
pub fn proof(question: Question, meaning: Meaning, marks: Marks, silence: Silence) -> Proof {
    if marks.key == Mark::Foreign {
        return Proof::Unknown;
    }
    match meaning {
        Meaning::Registered => registered(marks),
        Meaning::Refusal | Meaning::DuplicateOtherKey => refusal(question, marks),
        Meaning::NeverSeen if question == Question::Identity && silence == Silence::Over => Proof::NeverSeen,
        Meaning::NeverSeen | Meaning::Duplicate | Meaning::Pending | Meaning::Service | Meaning::Unlisted => {
            Proof::Unknown
        }
    }
}

fn registered(marks: Marks) -> Proof {
    match marks {
        Marks { protocol: false, .. } => Proof::Unknown,
        Marks { content: Mark::Ours, .. } => Proof::Registered,
        Marks { content: Mark::Absent | Mark::Foreign, .. } => Proof::OtherContent,
    }
}

/// A refusal counts for the document that it names, or for a message with no other document. A refusal with a protocol
/// contradicts itself and proves nothing.
fn refusal(question: Question, marks: Marks) -> Proof {
    let is_of_the_document = match question {
        Question::Submission => true,
        Question::SharedSubmission | Question::Receipt => marks.key == Mark::Ours,
        // the refusal is of the query, not of the document
        Question::Identity => false,
    };
    if is_of_the_document && !marks.protocol { Proof::Refused } else { Proof::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Mark::{Absent, Foreign, Ours};
    use Question::{Identity, Receipt, SharedSubmission, Submission};

    const QUESTIONS: [Question; 4] = [Submission, SharedSubmission, Receipt, Identity];
    const MEANINGS: [Meaning; 8] = [
        Meaning::Registered,
        Meaning::Refusal,
        Meaning::Duplicate,
        Meaning::DuplicateOtherKey,
        Meaning::NeverSeen,
        Meaning::Pending,
        Meaning::Service,
        Meaning::Unlisted,
    ];
    const MARKS: [Mark; 3] = [Absent, Ours, Foreign];

    fn all() -> impl Iterator<Item = (Question, Meaning, Marks, Silence, Proof)> {
        let marks = MARKS.into_iter().flat_map(|key| {
            MARKS.into_iter().flat_map(move |content| [true, false].map(|protocol| Marks { key, content, protocol }))
        });
        let asked = QUESTIONS.into_iter().flat_map(|question| MEANINGS.map(|meaning| (question, meaning)));
        asked.flat_map(move |(question, meaning)| {
            marks.clone().flat_map(move |marks| {
                [Silence::Running, Silence::Over]
                    .map(|silence| (question, meaning, marks, silence, proof(question, meaning, marks, silence)))
            })
        })
    }

    #[test]
    fn nothing_is_proven_by_an_answer_that_names_another_document() {
        assert_eq!(all().count(), 1_152);
        assert!(all().filter(|(_, _, marks, ..)| marks.key == Foreign).all(|(.., proof)| proof == Proof::Unknown));
    }

    #[test]
    fn registration_wants_a_protocol_and_the_documents_own_content() {
        for (_, meaning, marks, _, proof) in all() {
            if proof == Proof::Registered {
                assert_eq!((meaning, marks.content, marks.protocol), (Meaning::Registered, Ours, true));
            }
        }
    }

    #[test]
    fn absence_is_proven_by_a_question_for_the_document_after_the_quiet_time_only() {
        for (question, meaning, _, silence, proof) in all() {
            if proof == Proof::NeverSeen {
                assert_eq!((question, meaning, silence), (Identity, Meaning::NeverSeen, Silence::Over));
            }
        }
    }

    #[test]
    fn a_refused_question_refuses_no_document() {
        for (question, _, marks, _, proof) in all() {
            if proof == Proof::Refused {
                assert_ne!(question, Identity);
                assert!(!marks.protocol);
                assert!(question == Submission || marks.key == Ours, "{question:?} {marks:?}");
            }
        }
    }

    #[test]
    fn codes_of_the_service_and_codes_in_no_list_prove_nothing() {
        for (_, meaning, .., proof) in all() {
            let is_silent =
                matches!(meaning, Meaning::Service | Meaning::Unlisted | Meaning::Pending | Meaning::Duplicate);
            assert!(!is_silent || proof == Proof::Unknown, "{meaning:?}");
        }
    }
}
