//! Calls over real sockets and real TLS; only names are ours, by a resolver of the test.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod guard;
mod pki;
mod receiver;
mod resolver;
mod tls;
