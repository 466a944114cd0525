//! Bodies of answers: whole, cut in half, a byte at a time, or without an end.

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// A body and the manner of sending it.
pub(crate) enum ReplyBody {
    Whole(Option<Bytes>),
    /// Announces its whole length, sends the first half, and breaks.
    Half {
        half: Option<Bytes>,
        length: u64,
    },
    /// A byte, a pause, a byte…
    Slow {
        left: Bytes,
        pause: Duration,
        sleep: Option<Pin<Box<Sleep>>>,
    },
    /// Blanks without an end, until the client closes.
    Endless,
}

impl ReplyBody {
    pub(crate) fn whole(bytes: impl Into<Bytes>) -> ReplyBody {
        ReplyBody::Whole(Some(bytes.into()))
    }
    pub(crate) fn half(bytes: impl Into<Bytes>) -> ReplyBody {
        let bytes: Bytes = bytes.into();
        ReplyBody::Half { half: Some(bytes.slice(..bytes.len() / 2)), length: bytes.len() as u64 }
    }
    pub(crate) fn slow(bytes: impl Into<Bytes>, pause: Duration) -> ReplyBody {
        ReplyBody::Slow { left: bytes.into(), pause, sleep: None }
    }
}

impl Body for ReplyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut *self {
            ReplyBody::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            ReplyBody::Half { half, .. } => Poll::Ready(Some(match half.take() {
                Some(half) => Ok(Frame::data(half)),
                None => Err(io::Error::other("metade da resposta")),
            })),
            ReplyBody::Slow { left, pause, sleep } => {
                if left.is_empty() {
                    return Poll::Ready(None);
                }
                let waiting = sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(*pause)));
                if waiting.as_mut().poll(cx).is_pending() {
                    return Poll::Pending;
                }
                *sleep = None;
                let byte = left.split_to(1);
                Poll::Ready(Some(Ok(Frame::data(byte))))
            }
            ReplyBody::Endless => Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b' '; 64 << 10]))))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            ReplyBody::Whole(bytes) => bytes.is_none(),
            ReplyBody::Half { .. } | ReplyBody::Endless => false,
            ReplyBody::Slow { left, .. } => left.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match self {
            ReplyBody::Whole(bytes) => bytes.as_ref().map_or(0, |bytes| bytes.len() as u64),
            ReplyBody::Half { length, .. } => *length,
            ReplyBody::Slow { left, .. } => left.len() as u64,
            ReplyBody::Endless => return SizeHint::default(),
        })
    }
}
