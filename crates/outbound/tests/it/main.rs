//! Calls over real sockets and real TLS; only the resolver is the test's.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod guard;
mod pki;
mod receiver;
mod resolver;
mod tls;
