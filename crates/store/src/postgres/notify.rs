//! LISTEN/NOTIFY: one connection listens and one task notifies, so that no transaction waits for the server's notify
//! lock.
//!
//! A lost notification costs time and no work: workers also poll.

use super::address::DatabaseAddress;
use crate::work_signal::WorkSignal;
use deadpool_postgres::Pool;
use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_postgres::AsyncMessage;

/// Least interval of notifications; under load one stands for all the work of this time.
const MIN_INTERVAL: Duration = Duration::from_millis(3);
const RECONNECT: Duration = Duration::from_secs(2);

/// The work signal between processes.
pub(crate) struct WorkNotifier {
    requested: Arc<Notify>,
    sender: JoinHandle<()>,
    listener: JoinHandle<()>,
}

impl WorkNotifier {
    pub(crate) fn start(address: DatabaseAddress, pool: Pool, wake: Arc<WorkSignal>) -> WorkNotifier {
        let rung = Arc::new(Notify::new());
        let ringer = tokio::spawn(send_notifications(Arc::clone(&rung), pool));
        let listener = tokio::spawn(listen_forever(address, wake));
        WorkNotifier { requested: rung, sender: ringer, listener }
    }

    /// Requests a notification of every process. Requests until the next one is sent are merged.
    pub(crate) fn notify(&self) {
        self.requested.notify_one();
    }

    pub(crate) fn stop(&self) {
        self.sender.abort();
        self.listener.abort();
    }
}

impl Drop for WorkNotifier {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn send_notifications(rung: Arc<Notify>, pool: Pool) {
    loop {
        rung.notified().await;
        let told = match pool.get().await {
            Ok(client) => client.batch_execute("NOTIFY carimbo_work").await.map_err(|cause| cause.to_string()),
            Err(cause) => Err(cause.to_string()),
        };
        if let Err(cause) = told {
            tracing::debug!(cause, "other processes were not told of new work; they will find it by themselves");
        }
        tokio::time::sleep(MIN_INTERVAL).await;
    }
}

async fn listen_forever(address: DatabaseAddress, wake: Arc<WorkSignal>) {
    loop {
        if let Err(cause) = listen(&address, &wake).await {
            tracing::warn!(%cause, "not listening for work of other processes; looking from time to time instead");
        }
        tokio::time::sleep(RECONNECT).await;
    }
}

/// Listens until the connection ends.
async fn listen(address: &DatabaseAddress, wake: &Arc<WorkSignal>) -> Result<(), tokio_postgres::Error> {
    let (client, mut connection) = address.config.connect(address.tls.clone()).await?;
    let hearing = Arc::clone(wake);
    let mut driver = ConnectionTask(tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if matches!(message, AsyncMessage::Notification(_)) {
                hearing.signal();
            }
        }
    }));
    client.batch_execute("LISTEN carimbo_work").await?;
    // Notifications before this point are lost: signal once.
    wake.signal();
    // An end or a panic of the connection task: the connection is lost either way.
    let _ = (&mut driver.0).await;
    Ok(())
}

/// Task of the connection; aborted on drop.
struct ConnectionTask(JoinHandle<()>);

impl Drop for ConnectionTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}
