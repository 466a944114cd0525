//! Count of our own encrypted records during a handshake: it shows whether our certificate was sent.
//!
//! In TLS 1.3 a client answers a request for its certificate in the flight of its `Finished`. Without that request the
//! flight has some sixty bytes; with a certificate it is longer than the certificate.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A socket that counts the encrypted records written to it.
pub(super) struct CountedFlight {
    tcp: TcpStream,
    records: RecordCounter,
}

impl CountedFlight {
    pub(super) fn of(tcp: TcpStream) -> CountedFlight {
        CountedFlight { tcp, records: RecordCounter::default() }
    }

    /// Bytes of encrypted records so far.
    pub(super) fn encrypted(&self) -> usize {
        self.records.encrypted
    }
}

/// Position of the written bytes within records: a header of five bytes (type, version, length), then the payload.
#[derive(Default)]
struct RecordCounter {
    header: [u8; HEADER],
    filled: usize,
    left: usize,
    encrypted: usize,
}

impl RecordCounter {
    fn count_written(&mut self, mut bytes: &[u8]) {
        while let Some((first, rest)) = bytes.split_first() {
            if self.left > 0 {
                let taken = self.left.min(bytes.len());
                self.left -= taken;
                bytes = bytes.get(taken..).unwrap_or_default();
                continue;
            }
            if let Some(slot) = self.header.get_mut(self.filled) {
                *slot = *first;
            }
            (self.filled, bytes) = (self.filled + 1, rest);
            if self.filled == HEADER {
                let [kind, _, _, high, low] = self.header;
                (self.left, self.filled) = (usize::from(u16::from_be_bytes([high, low])), 0);
                if kind == APPLICATION_DATA {
                    self.encrypted = self.encrypted.saturating_add(self.left);
                }
            }
        }
    }
}

impl AsyncRead for CountedFlight {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl AsyncWrite for CountedFlight {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.tcp).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = written {
            self.records.count_written(bytes.get(..count).unwrap_or_default());
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }
}

const HEADER: usize = 5;
/// Type of every encrypted record of TLS 1.3.
const APPLICATION_DATA: u8 = 23;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_records_are_counted_however_they_are_cut() {
        // a hello of 3 bytes, a change of cipher, two encrypted records of 2 and 300 bytes
        let mut wire = vec![22, 3, 1, 0, 3, 9, 9, 9, 20, 3, 3, 0, 1, 1, 23, 3, 3, 0, 2, 7, 7, 23, 3, 3, 1, 44];
        wire.extend([0; 300]);
        for size in [1, 2, 3, 7, wire.len()] {
            let mut records = RecordCounter::default();
            wire.chunks(size).for_each(|part| records.count_written(part));
            assert_eq!((records.encrypted, records.left, records.filled), (302, 0, 0), "{size}");
        }
    }
}
