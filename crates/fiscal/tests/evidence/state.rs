//! State of a sale: stored data, memory of a process, messages in flight, and the registers of the authorities.

use fiscal::evidence::{MarkMatch, QuietTime};

/// Ticks of the quiet time. A message that is not received within them is lost.
pub(crate) const QUIET: u8 = 2;
/// Most messages in flight.
pub(crate) const MOST: usize = 3;

/// A transmission of the sale: its first key, or the one made after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    First,
    Second,
}

/// Authority of a transmission. Each has its own register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Route {
    Normal,
    Svc,
}

/// Relation of the second transmission to the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tie {
    /// Another number, while the first document is watched.
    Twin,
    /// Equal number; another kind of emission.
    Number,
    /// Equal number and key; another instant.
    Key,
}

/// State of the sale's document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Accepted,
    /// Issued to the caller, not sent yet.
    Issued,
    Sending,
    InDoubt,
    Authorized,
    Rejected,
    /// Refused, but not reported before the first document of the sale is settled.
    Refused,
    /// Reported as `em_duvida`, for an operator to check.
    Uncertain,
}

/// Ticks since a byte may have been sent, at most [`QUIET`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Clocks {
    /// Clock of the machine. It may jump.
    pub(crate) wall: u8,
    /// Clock of the process. It restarts with the process.
    pub(crate) own: u8,
}

impl Clocks {
    pub(crate) const ZERO: Clocks = Clocks { wall: 0, own: 0 };
}

/// An answer as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reply {
    /// Authorised, under a key and with the content of a transmission; `None` for a document outside the model.
    Success {
        key: MarkMatch,
        content: Option<Key>,
    },
    Refusal {
        key: MarkMatch,
    },
    Unlisted {
        protocol: bool,
    },
    /// Code 204.
    Duplicate,
    /// Code 539, with the existing key.
    OtherKey(Option<Key>),
    /// Codes 217, E4, 404.
    Absent,
    /// Codes 108, 114.
    Unavailable,
}

/// A call of a process. It ends with the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Call {
    None,
    /// `Sending` is committed, and nothing is sent.
    Leaving {
        repeated: bool,
    },
    Submitted {
        repeated: bool,
        reply: Option<Reply>,
    },
    Asked {
        before: QuietTime,
        reply: Option<Reply>,
    },
}

/// The sale's own job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Sale {
    pub(crate) stage: Stage,
    pub(crate) key: Key,
    /// A refusal that proves nothing by itself.
    pub(crate) refusal: bool,
    /// The adopted NFS-e, of those that the authority wrote.
    pub(crate) note: u8,
    pub(crate) clocks: Clocks,
    /// This process knows that nothing was sent, or that the sent message was not received.
    pub(crate) unsent: bool,
    pub(crate) call: Call,
}

/// Job that watches the superseded document: the first of a sale that has a second one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Twin {
    None,
    Watched {
        clocks: Clocks,
        call: Call,
    },
    Dropped,
    /// Its document belongs to the sale again.
    Home,
    /// Authorised beside the second document; its cancellation is registered.
    Apart,
    Cancelled,
    /// The second document is refused: the cancellation is given up and reported.
    Kept,
    Uncertain,
}

/// A message that its authority receives, or loses, before its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Message {
    pub(crate) key: Key,
    pub(crate) left: u8,
    /// Its sender waits for the answer.
    pub(crate) heard: bool,
    /// Its document is registered, but queries do not find it yet.
    pub(crate) hidden: bool,
}

/// Entry of a register for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    None,
    /// Authorised, as the first or the second NFS-e of its RPS.
    Live(u8),
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) sale: Sale,
    pub(crate) twin: Twin,
    pub(crate) tie: Option<Tie>,
    pub(crate) routes: [Route; 2],
    pub(crate) air: [Option<Message>; MOST],
    pub(crate) book: [Entry; 2],
    /// The normal authority answers 108.
    pub(crate) out: bool,
    pub(crate) svc: bool,
}

impl State {
    pub(crate) fn start() -> State {
        State {
            sale: Sale::new(Key::First),
            twin: Twin::None,
            tie: None,
            routes: [Route::Normal; 2],
            air: [None; MOST],
            book: [Entry::None; 2],
            out: false,
            svc: false,
        }
    }

    pub(crate) fn entry(&self, key: Key) -> Entry {
        self.book[key as usize]
    }

    pub(crate) fn route(&self, key: Key) -> Route {
        self.routes[key as usize]
    }

    pub(crate) fn works(&self, key: Key) -> bool {
        match self.route(key) {
            Route::Normal => !self.out,
            Route::Svc => self.svc,
        }
    }

    /// Returns the state with another sale.
    pub(crate) fn with(&self, sale: Sale) -> State {
        State { sale, ..*self }
    }

    /// Sorts the messages, so that states that differ only by their order are equal.
    pub(crate) fn sorted(mut self) -> State {
        self.air.sort_unstable();
        self
    }

    /// Marks that the senders of messages do not wait any more.
    pub(crate) fn unheard(mut self) -> State {
        for message in self.air.iter_mut().flatten() {
            message.heard = false;
        }
        self.sorted()
    }
}

impl Sale {
    pub(crate) fn new(key: Key) -> Sale {
        let (clocks, call) = (Clocks::ZERO, Call::None);
        Sale { stage: Stage::Accepted, key, refusal: false, note: 0, clocks, unsent: false, call }
    }

    /// Changes the stage while the document may be on its way.
    pub(crate) fn marked(self, stage: Stage) -> Sale {
        Sale { stage, clocks: Clocks::ZERO, call: Call::None, unsent: false, ..self }
    }

    pub(crate) fn doubted(self) -> Sale {
        match self.stage {
            Stage::InDoubt => Sale { call: Call::None, ..self },
            _ => self.marked(Stage::InDoubt),
        }
    }

    pub(crate) fn ended(self, stage: Stage) -> Sale {
        Sale { stage, clocks: Clocks::ZERO, call: Call::None, unsent: false, refusal: false, ..self }
    }
}
