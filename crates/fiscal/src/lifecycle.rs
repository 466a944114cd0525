//! Lifecycle of a document, as one pure function. Every change of state goes through it.

use serde::{Deserialize, Serialize};

/// State of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
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
pub enum Happened {
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
pub struct Illegal {
    /// State before the event.
    pub state: State,
    /// Event that was refused.
    pub happened: Happened,
}

/// Returns the next state.
pub fn next(state: State, happened: Happened) -> Result<State, Illegal> {
    Ok(match (state, happened) {
        (State::Accepted, Happened::SendStarted) => State::Sending,
        (State::Accepted, Happened::GaveUp) => State::Failed,
        (State::Accepted, Happened::Issued) => State::Issued,

        (State::Issued, Happened::SendStarted) => State::Sending,
        (State::Issued, Happened::Rerouted) => State::Accepted,

        (State::Sending, Happened::SendStarted | Happened::NotSent) => State::Sending,
        (State::Sending, Happened::NoReply) => State::InDoubt,
        (State::Sending, Happened::GaveUp) => State::Failed,
        (State::Sending, Happened::Rerouted) => State::Accepted,
        (State::Sending | State::InDoubt, Happened::Authorized) => State::Authorized,
        (State::Sending | State::InDoubt, Happened::Rejected) => State::Rejected,
        (State::Sending | State::InDoubt, Happened::Denied) => State::Denied,
        (State::Sending | State::InDoubt, Happened::Cancelled) => State::Cancelled,

        // the same bytes are sent again, where the authority refuses a repetition
        (State::InDoubt, Happened::SendStarted) => State::Sending,
        (State::InDoubt, Happened::NoReply) => State::InDoubt,
        (State::InDoubt, Happened::NeverSeen) => State::Sending,

        (State::Authorized, Happened::Cancelled) => State::Cancelled,
        (State::Failed, Happened::Retried) => State::Accepted,

        (state, happened) => return Err(Illegal { state, happened }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Happened::{GaveUp, NeverSeen, NoReply, NotSent, Rerouted, Retried, SendStarted};
    use State::{Accepted, Failed, InDoubt, Sending};

    const STATES: [State; 9] = [
        Accepted,
        Sending,
        InDoubt,
        State::Authorized,
        State::Rejected,
        State::Denied,
        State::Cancelled,
        Failed,
        State::Issued,
    ];
    const EVENTS: [Happened; 12] = [
        SendStarted,
        NoReply,
        NotSent,
        Happened::Authorized,
        Happened::Rejected,
        Happened::Denied,
        NeverSeen,
        Happened::Cancelled,
        GaveUp,
        Retried,
        Rerouted,
        Happened::Issued,
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
                    'U' => Ok(State::Authorized),
                    'R' => Ok(State::Rejected),
                    'N' => Ok(State::Denied),
                    'C' => Ok(State::Cancelled),
                    'F' => Ok(Failed),
                    'I' => Ok(State::Issued),
                    _ => Err(Illegal { state, happened }),
                };
                assert_eq!(next(state, happened), expected, "{state:?} {happened:?}");
            }
        }
    }
}
