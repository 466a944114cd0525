//! Virtual time: tokio's paused clock from a fixed beginning, and the wall clock of a machine, which may be wrong.

use engine::process::clock::Clock;
use jiff::{SignedDuration, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::time::Instant;

/// Start of every run, seconds since 1970: a Friday morning of São Paulo.
pub const BEGINNING_S: i64 = 1_795_176_000;

/// True time of a run.
#[derive(Debug, Clone, Copy)]
pub struct TrueTime {
    began: Instant,
}

impl TrueTime {
    /// Starts now. The runtime's clock is paused.
    pub fn begin() -> TrueTime {
        TrueTime { began: Instant::now() }
    }

    /// Milliseconds since the start.
    pub fn elapsed_ms(self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    pub fn now(self) -> Timestamp {
        self.at(self.elapsed_ms())
    }

    /// The instant `ms` milliseconds after the start.
    pub fn at(self, ms: u64) -> Timestamp {
        let began = Timestamp::from_second(BEGINNING_S).unwrap_or_default();
        let elapsed = SignedDuration::from_millis(i64::try_from(ms).unwrap_or(i64::MAX));
        began.checked_add(elapsed).unwrap_or(began)
    }
}

/// Wall clock of a machine.
pub struct WallClock {
    time: TrueTime,
    ahead_s: AtomicI64,
}

impl WallClock {
    /// A clock without error.
    pub fn accurate(time: TrueTime) -> WallClock {
        WallClock { time, ahead_s: AtomicI64::new(0) }
    }

    /// Sets the clock so many seconds ahead of the true time.
    pub fn set_ahead(&self, seconds: i64) {
        self.ahead_s.store(seconds, Ordering::SeqCst);
    }

    /// Seconds by which the clock is ahead.
    pub fn ahead_s(&self) -> i64 {
        self.ahead_s.load(Ordering::SeqCst)
    }
}

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        let now = self.time.now();
        now.checked_add(SignedDuration::from_secs(self.ahead_s())).unwrap_or(now)
    }
}
