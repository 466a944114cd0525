//! Signals that stop the process.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM and SIGINT, caught from construction on. Construct it before the process reports that it is ready: an
/// uncaught signal kills at once.
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    /// Installs the signal handlers.
    pub(crate) fn listen() -> anyhow::Result<StopSignals> {
        Ok(StopSignals { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Waits for `stopping`; a second signal ends the wait with an error.
    pub(crate) async fn orderly(&mut self, stopping: impl Future<Output = ()>) -> anyhow::Result<()> {
        tokio::select! {
            () = stopping => Ok(()),
            () = self.next() => anyhow::bail!("encerrado à força; o que ficou em andamento é retomado no próximo início"),
        }
    }
}
