//! State of one sale: what we have stored, what a process only remembers, what is under way, and what the authorities
//! hold.

use fiscal::evidence::{Mark, Silence};

/// Ticks of the quiet time; a message that is not taken in within them is lost.
pub(crate) const QUIET: u8 = 2;
/// Room for messages under way at once.
pub(crate) const MOST: usize = 3;

/// A transmission of the sale: its first key, or the one that is made after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    First,
    Second,
}

/// Who judges a transmission. Each has a book of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Route {
    Normal,
    Svc,
}

/// What the second transmission has in common with the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tie {
    /// Nothing: another number, while the first one is watched.
    Twin,
    /// The number; another kind of emission.
    Number,
    /// Number and key; another instant.
    Key,
}

/// Where the document of the sale stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Accepted,
    /// Given out, and not sent yet.
    Issued,
    Sending,
    InDoubt,
    Authorized,
    Rejected,
    /// Refused, and not told so before the first document of the sale is settled.
    Refused,
    /// Told as `em_duvida`, for people to look at.
    Uncertain,
}

/// Ticks since a byte may have left, at most [`QUIET`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Clocks {
    /// Of the machine; it may jump.
    pub(crate) wall: u8,
    /// Of the process; it begins anew with it.
    pub(crate) own: u8,
}

impl Clocks {
    pub(crate) const ZERO: Clocks = Clocks { wall: 0, own: 0 };
}

/// An answer, as it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reply {
    /// Authorised, under a key and with the content of a transmission; `None` is of nobody here.
    Success {
        key: Mark,
        content: Option<Key>,
    },
    Refusal {
        key: Mark,
    },
    Unlisted {
        protocol: bool,
    },
    /// 204.
    Duplicate,
    /// 539, with the key that exists.
    OtherKey(Option<Key>),
    /// 217, E4, 404.
    Absent,
    /// 108, 114.
    Unavailable,
}

/// A call of a process. It ends with the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Call {
    None,
    /// `Sending` is committed, and nothing has left.
    Leaving {
        repeated: bool,
    },
    Submitted {
        repeated: bool,
        reply: Option<Reply>,
    },
    Asked {
        before: Silence,
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
    /// The note that was adopted, of those that the authority wrote.
    pub(crate) note: u8,
    pub(crate) clocks: Clocks,
    /// This process knows that nothing of it has left, or what left was not taken in.
    pub(crate) unsent: bool,
    pub(crate) call: Call,
}

/// The job that watches the first document of a sale that has a second one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Twin {
    None,
    Watched {
        clocks: Clocks,
        call: Call,
    },
    Dropped,
    /// Its document is the sale's again.
    Home,
    /// Authorised beside the second document; its cancellation is registered.
    Apart,
    Cancelled,
    /// The second document is refused: the cancellation is given up, and told.
    Kept,
    Uncertain,
}

/// A message that its authority takes in, or loses, before its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Message {
    pub(crate) key: Key,
    pub(crate) left: u8,
    /// Its sender waits for the answer.
    pub(crate) heard: bool,
    /// Its document is registered, and questions do not find it yet.
    pub(crate) hidden: bool,
}

/// What a book says of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    None,
    /// Authorised, as the first or the second note of its RPS.
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

    /// The state with another sale.
    pub(crate) fn with(&self, sale: Sale) -> State {
        State { sale, ..*self }
    }

    /// Keeps messages in one order, so that states that differ by it alone are one.
    pub(crate) fn sorted(mut self) -> State {
        self.air.sort_unstable();
        self
    }

    /// The sender of a message does not wait any more.
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

    /// A change of state that is written while the document may be leaving.
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
