//! A stream that bounds how long its peer may read nothing, yields to other connections during large writes, and
//! records its activity in the connection's state.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::connections::ConnectionState;

/// A stream that fails with a timeout when no byte could be written for `limit`.
pub(super) struct PacedStream<S> {
    stream: S,
    connection: Arc<ConnectionState>,
    limit: Duration,
    /// Set while the peer reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Bytes written since the last yield.
    turn: usize,
}

impl<S> PacedStream<S> {
    pub(super) fn of(stream: S, connection: Arc<ConnectionState>, limit: Duration) -> PacedStream<S> {
        PacedStream { stream, connection, limit, stalled: None, turn: 0 }
    }

    /// Ends the time limit when a write makes progress; starts or continues it when none does.
    fn check_progress<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let limit = self.limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(limit)));
        stalled.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    fn wrote(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(bytes)) = &outcome {
            self.connection.wrote(*bytes);
            self.turn = self.turn.saturating_add(*bytes);
        }
        self.check_progress(cx, outcome)
    }

    /// True when this stream must yield: without it a thousand large answers, each written as far as the kernel
    /// accepts, would delay every small one.
    fn must_yield(&mut self, cx: &Context<'_>) -> bool {
        let over = self.turn >= YIELD_BYTES;
        if over {
            self.turn = 0;
            cx.waker().wake_by_ref();
        }
        over
    }
}

/// Bytes between two yields: as many as the kernel accepts in a few microseconds.
const YIELD_BYTES: usize = 16 << 10;

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_ready() {
            self.connection.touch();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.must_yield(cx) {
            return Poll::Pending;
        }
        let bytes = bytes.get(..YIELD_BYTES).unwrap_or(bytes);
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(cx, outcome)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(cx);
        if outcome.is_ready() && self.stalled.is_some() {
            // a socket has nothing to flush and succeeds even while the peer reads nothing
            return outcome;
        }
        self.check_progress(cx, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.check_progress(cx, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Some(long) = parts.iter().find(|part| !part.is_empty()).filter(|part| part.len() > YIELD_BYTES) {
            return self.poll_write(cx, long);
        }
        if self.must_yield(cx) {
            return Poll::Pending;
        }
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.wrote(cx, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use std::io::IoSlice;
    use std::task::Waker;

    use super::*;

    /// A stream whose peer reads everything.
    fn greedy() -> PacedStream<tokio::io::Sink> {
        PacedStream::of(
            tokio::io::sink(),
            ConnectionState::new(None, std::time::Instant::now()),
            Duration::from_secs(1),
        )
    }

    #[test]
    fn who_writes_much_gives_way_after_every_turn() {
        let (mut stream, mut cx) = (greedy(), Context::from_waker(Waker::noop()));
        let long = vec![0; 3 * YIELD_BYTES];
        let turns: Vec<Option<usize>> = (0..4)
            .map(|_| {
                match Pin::new(&mut stream).poll_write_vectored(&mut cx, &[IoSlice::new(b""), IoSlice::new(&long)]) {
                    Poll::Ready(written) => written.ok(),
                    Poll::Pending => None,
                }
            })
            .collect();
        assert_eq!(turns, [Some(YIELD_BYTES), None, Some(YIELD_BYTES), None]);
        assert!(stream.stalled.is_none(), "giving way is not waiting for the peer");
    }
}
