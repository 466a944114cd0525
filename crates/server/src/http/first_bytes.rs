//! A connection that must send its first bytes in time.
//!
//! The first bytes decide between HTTP/1.1 and HTTP/2, and the library sets no limit on the wait for them. This stream
//! does; once the protocol is known, its own time limits apply.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream with a time limit on its first bytes.
pub(super) struct FirstBytes<S> {
    stream: S,
    /// None once the protocol is known.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Bytes received so far, all of them a prefix of the HTTP/2 preface.
    seen: usize,
}

impl<S> FirstBytes<S> {
    /// Starts the time limit.
    pub(super) fn within(stream: S, limit: Duration) -> FirstBytes<S> {
        FirstBytes { stream, deadline: Some(Box::pin(sleep(limit))), seen: 0 }
    }

    /// True when the bytes so far decide the protocol.
    fn decides_protocol(&mut self, bytes: &[u8]) -> bool {
        let rest = PREFACE.get(self.seen..).unwrap_or_default();
        self.seen += bytes.len();
        !rest.starts_with(bytes) || self.seen >= PREFACE.len()
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for FirstBytes<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        let Some(deadline) = &mut self.deadline else { return read };
        if read.is_pending() {
            return deadline.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()));
        }
        let bytes = &buf.filled()[before..];
        if bytes.is_empty() || self.decides_protocol(bytes) {
            self.deadline = None;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FirstBytes<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// RFC 9113 §3.4.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    const LIMIT: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_or_half_a_preface_is_given_up() {
        for said in [&b""[..], b"PRI * HT"] {
            let (mut theirs, ours) = tokio::io::duplex(64);
            theirs.write_all(said).await.unwrap();
            let mut ours = FirstBytes::within(ours, LIMIT);
            let mut bytes = vec![0; said.len()];
            ours.read_exact(&mut bytes).await.unwrap();
            assert_eq!(ours.read(&mut [0; 8]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_told_the_protocol_may_take_its_time() {
        for said in [&b"POS"[..], PREFACE] {
            let (mut theirs, ours) = tokio::io::duplex(64);
            theirs.write_all(said).await.unwrap();
            let mut ours = FirstBytes::within(ours, LIMIT);
            let mut bytes = vec![0; said.len()];
            ours.read_exact(&mut bytes).await.unwrap();
            tokio::spawn(async move {
                sleep(LIMIT * 2).await;
                theirs.write_all(b"x").await.unwrap();
            });
            assert_eq!(ours.read_u8().await.unwrap(), b'x');
        }
    }
}
