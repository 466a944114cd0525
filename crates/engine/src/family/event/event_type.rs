//! Type of an event as the steps need it, for every family.
//!
//! Law: the rows of `fiscal::event`; those of a CT-e are those of `fiscal::event::cte`.
//! Must not know: the content of an event.

use fiscal::event;

/// Facts about a type of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventType {
    /// `tpEvento`.
    pub(crate) code: &'static str,
    /// Highest `nSeqEvento` that a document may have.
    pub(crate) most: u16,
    pub(crate) receiver: EventDestination,
    /// True if the query by key returns it.
    pub(crate) is_queryable: bool,
    /// True if it cancels its document.
    pub(crate) cancels: bool,
    /// `tpEvento` of the event whose last instance it repeats or undoes.
    pub(crate) follows: Option<&'static str>,
    /// State that it gives to the analysis that a município owes the document.
    pub(crate) analysis: Option<&'static str>,
    /// Codes of refusals that leave another way, with the text about it: such a job fails.
    pub(crate) too_late: &'static [(&'static str, &'static str)],
}

/// Authority that receives the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventDestination {
    /// The authority that authorised the document, also one of contingency.
    Authorizer,
    /// The authority of the state: one of contingency takes only cancellations (530).
    Home,
    /// The Ambiente Nacional.
    National,
}

impl From<event::NfeEventKind> for EventType {
    fn from(kind: event::NfeEventKind) -> EventType {
        let receiver = match kind.receiver() {
            event::EventReceiver::Authorizer => EventDestination::Authorizer,
            event::EventReceiver::National => EventDestination::National,
        };
        EventType {
            code: kind.code(),
            most: kind.most().into(),
            receiver,
            is_queryable: kind.is_returned_by_query(),
            cancels: kind.is_cancellation(),
            follows: None,
            analysis: None,
            too_late: &[],
        }
    }
}
