//! Time comes in from outside.

/// A source of time.
pub trait Clock: Send + Sync + 'static {
    /// Now.
    fn now(&self) -> jiff::Timestamp;
}

/// The machine's clock.
pub struct System;

impl Clock for System {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }
}
