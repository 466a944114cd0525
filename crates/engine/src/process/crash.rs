//! Crash points: marks where a process may die, after every commit, before a send, after a reply. The crash test stops
//! the process there.
//!
//! `CARIMBO_PONTO_DE_QUEDA="send.reply:3"` makes the third passing of that mark print `ponto de queda: send.reply` and
//! block for ever, so that the parent can kill the process exactly there. Release builds contain none of it.

#[cfg(debug_assertions)]
mod armed {
    use std::io::Write;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    struct ArmedPoint {
        name: String,
        left: AtomicU32,
    }

    static TRAP: LazyLock<Option<ArmedPoint>> = LazyLock::new(|| {
        let setting = std::env::var("CARIMBO_PONTO_DE_QUEDA").ok()?;
        let (name, count) = setting.split_once(':').unwrap_or((&setting, "1"));
        Some(ArmedPoint { name: name.to_owned(), left: AtomicU32::new(count.parse().ok()?) })
    });

    fn announce(name: &str) {
        let mut stdout = std::io::stdout().lock();
        // the pipe may be closed; the process stops here all the same
        let _ = writeln!(stdout, "ponto de queda: {name}").and_then(|()| stdout.flush());
    }

    pub(super) fn pass(name: &str) {
        let Some(trap) = TRAP.as_ref().filter(|trap| trap.name == name) else { return };
        if trap.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            announce(name);
            loop {
                std::thread::park();
            }
        }
    }
}

/// A point where the crash test may stop the process.
pub fn crash_point(name: &'static str) {
    #[cfg(debug_assertions)]
    armed::pass(name);
    #[cfg(not(debug_assertions))]
    let _ = name;
}
