//! A loop in the background that ends when it is stopped, or when its owner is dropped.

use std::future::Future;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// A running loop.
pub(crate) struct BackgroundTask {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl BackgroundTask {
    /// Starts a loop on the current runtime; it ends soon after its receiver holds `true` or has no sender.
    pub(crate) fn start<F: Future<Output = ()> + Send + 'static>(
        run: impl FnOnce(watch::Receiver<bool>) -> F,
    ) -> BackgroundTask {
        let (stop, stopped) = watch::channel(false);
        BackgroundTask { stop, task: tokio::spawn(run(stopped)) }
    }

    /// Stops the loop; aborts it after `grace`, and returns `false` then.
    pub(crate) async fn stop(self, grace: Duration) -> bool {
        let BackgroundTask { stop, mut task } = self;
        // the loop may have ended by itself; then the channel has no receiver
        let _ = stop.send(true);
        let is_over = tokio::time::timeout(grace, &mut task).await.is_ok();
        if !is_over {
            task.abort();
        }
        is_over
    }
}

/// Waits for a pause to pass, or for the stop.
pub(crate) async fn idle(pause: Duration, stopped: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = tokio::time::sleep(pause) => {}
        _ = stopped.changed() => {}
    }
}
