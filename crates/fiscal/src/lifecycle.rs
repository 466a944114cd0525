//! Lifecycle of a document, as one pure function. Every change of state goes through it.

use serde::{Deserialize, Serialize};

/// State of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentState {
    /// Registered; number and key may not exist yet.
    Accepted,
    /// Number, cNF, key and signed XML are stored; bytes may have left.
    Sending,
    /// Sent without an answer: must be queried by key before anything else.
    InDoubt,
    /// 100, 120, 150.
    Authorized,
    /// Refused by a rule; the number is free again.
    Rejected,
    /// 110, 301, 302, 303: final, the number is used.
    Denied,
    /// Cancelled after authorisation.
    Cancelled,
    /// Given up before any byte left (no certificate, cannot be built…), or never registered by its authority and not
    /// to be sent again.
    Failed,
    /// Signed under a final key and not sent yet: issued in contingency (offline, EPEC), sent later.
    Issued,
}

/// An event in the life of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LifecycleEvent {
    /// The signed document was committed; a send may follow.
    SendStarted,
    /// The call ended without a readable answer, or the process died while sending.
    NoReply,
    /// The call failed, and certainly no byte was sent.
    NotSent,
    /// Registered by the authority.
    Authorized,
    /// Refused by a rule.
    Rejected,
    Denied,
    /// A query by key found nothing; the same bytes may be sent again.
    NeverSeen,
    /// A cancellation event was registered.
    Cancelled,
    /// A step before sending failed for good.
    GaveUp,
    /// `reprocessar`: retried after a failure.
    Retried,
    /// Signed, and certainly not sent: it is issued in another mode (contingency, or back) under another key.
    Rerouted,
    /// The signed document was committed; it is delivered first and sent later.
    Issued,
}

/// A transition that the lifecycle does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{happened:?} não pode acontecer em {state:?}")]
pub struct IllegalTransition {
    /// State before the event.
    pub state: DocumentState,
    /// Event that was refused.
    pub happened: LifecycleEvent,
}

/// Returns the next state.
pub fn next(state: DocumentState, happened: LifecycleEvent) -> Result<DocumentState, IllegalTransition> {
    Ok(match (state, happened) {
        (DocumentState::Accepted, LifecycleEvent::SendStarted) => DocumentState::Sending,
        (DocumentState::Accepted, LifecycleEvent::GaveUp) => DocumentState::Failed,
        (DocumentState::Accepted, LifecycleEvent::Issued) => DocumentState::Issued,

        (DocumentState::Issued, LifecycleEvent::SendStarted) => DocumentState::Sending,
        (DocumentState::Issued, LifecycleEvent::Rerouted) => DocumentState::Accepted,

        (DocumentState::Sending, LifecycleEvent::SendStarted | LifecycleEvent::NotSent) => DocumentState::Sending,
        (DocumentState::Sending, LifecycleEvent::NoReply) => DocumentState::InDoubt,
        (DocumentState::Sending, LifecycleEvent::GaveUp) => DocumentState::Failed,
        (DocumentState::Sending, LifecycleEvent::Rerouted) => DocumentState::Accepted,
        (DocumentState::Sending | DocumentState::InDoubt, LifecycleEvent::Authorized) => DocumentState::Authorized,
        (DocumentState::Sending | DocumentState::InDoubt, LifecycleEvent::Rejected) => DocumentState::Rejected,
        (DocumentState::Sending | DocumentState::InDoubt, LifecycleEvent::Denied) => DocumentState::Denied,
        (DocumentState::Sending | DocumentState::InDoubt, LifecycleEvent::Cancelled) => DocumentState::Cancelled,

        // the same bytes are sent again, where the authority refuses a repetition
        (DocumentState::InDoubt, LifecycleEvent::SendStarted) => DocumentState::Sending,
        (DocumentState::InDoubt, LifecycleEvent::NoReply) => DocumentState::InDoubt,
        (DocumentState::InDoubt, LifecycleEvent::NeverSeen) => DocumentState::Sending,

        (DocumentState::Authorized, LifecycleEvent::Cancelled) => DocumentState::Cancelled,
        (DocumentState::Failed, LifecycleEvent::Retried) => DocumentState::Accepted,

        (state, happened) => return Err(IllegalTransition { state, happened }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use DocumentState::{Accepted, Failed, InDoubt, Sending};
    use LifecycleEvent::{GaveUp, NeverSeen, NoReply, NotSent, Rerouted, Retried, SendStarted};

    const STATES: [DocumentState; 9] = [
        Accepted,
        Sending,
        InDoubt,
        DocumentState::Authorized,
        DocumentState::Rejected,
        DocumentState::Denied,
        DocumentState::Cancelled,
        Failed,
        DocumentState::Issued,
    ];
    const EVENTS: [LifecycleEvent; 12] = [
        SendStarted,
        NoReply,
        NotSent,
        LifecycleEvent::Authorized,
        LifecycleEvent::Rejected,
        LifecycleEvent::Denied,
        NeverSeen,
        LifecycleEvent::Cancelled,
        GaveUp,
        Retried,
        Rerouted,
        LifecycleEvent::Issued,
    ];

    /// Rows are states, columns events, both in the order above; `-` is illegal, letters are the initials of states
    /// (`A`ccepted, `S`ending, in`D`oubt, a`U`thorized, `R`ejected, de`N`ied, `C`ancelled, `F`ailed, `I`ssued).
    const MATRIX: [&str; 9] = [
        "S-------F--I",
        "SDSURN-CF-A-",
        "SD-URNSC----",
        "-------C----",
        "------------",
        "------------",
        "------------",
        "---------A--",
        "S---------A-",
    ];

    #[test]
    fn the_whole_matrix_is_as_drawn() {
        for (state, row) in STATES.into_iter().zip(MATRIX) {
            for (happened, cell) in EVENTS.into_iter().zip(row.chars()) {
                let expected = match cell {
                    'A' => Ok(Accepted),
                    'S' => Ok(Sending),
                    'D' => Ok(InDoubt),
                    'U' => Ok(DocumentState::Authorized),
                    'R' => Ok(DocumentState::Rejected),
                    'N' => Ok(DocumentState::Denied),
                    'C' => Ok(DocumentState::Cancelled),
                    'F' => Ok(Failed),
                    'I' => Ok(DocumentState::Issued),
                    _ => Err(IllegalTransition { state, happened }),
                };
                assert_eq!(next(state, happened), expected, "{state:?} {happened:?}");
            }
        }
    }
}
