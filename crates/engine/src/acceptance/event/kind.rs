//! A kind of event as the steps ask about it, whichever family its document is of.
//!
//! Law: the rows of `fiscal::event`; those of a CT-e are read in `transport`. Must not know what an event says.

use fiscal::event;

/// What the law says of a kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventType {
    /// `tpEvento`.
    pub(crate) code: &'static str,
    /// The highest `nSeqEvento` that a document may have.
    pub(crate) most: u16,
    pub(crate) receiver: Receiver,
    /// Whether the query by key gives it back.
    pub(crate) told_by_query: bool,
    /// Whether it ends its document.
    pub(crate) cancels: bool,
    /// `tpEvento` of the events whose last one it takes up: it repeats what that one said, or undoes it.
    pub(crate) follows: Option<&'static str>,
    /// What it makes of the analysis that a município owes the document.
    pub(crate) analysis: Option<&'static str>,
    /// Codes of refusals after which there is another way, and what to say of it: such a job fails.
    pub(crate) too_late: &'static [(&'static str, &'static str)],
}

/// Who takes it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    /// Who authorised the document, a contingency authority too.
    Authorizer,
    /// The authority of the state: at a contingency authority there is only cancellation (530).
    Home,
    /// The Ambiente Nacional.
    National,
}

impl From<event::TpEvento> for EventType {
    fn from(kind: event::TpEvento) -> EventType {
        let receiver = match kind.receiver() {
            event::Receiver::Authorizer => Receiver::Authorizer,
            event::Receiver::National => Receiver::National,
        };
        EventType {
            code: kind.code(),
            most: kind.most().into(),
            receiver,
            told_by_query: kind.is_told_by_query(),
            cancels: kind.is_cancellation(),
            follows: None,
            analysis: None,
            too_late: &[],
        }
    }
}
