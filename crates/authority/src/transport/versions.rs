//! TLS version of each server, learned from its handshakes.
//!
//! A server that asks for the client's certificate per path does so after it has read the request: by renegotiation in
//! TLS 1.2, which is supported here, or by post-handshake authentication in 1.3, which the library lacks. So 1.3 is
//! kept only with servers that ask in the handshake; after a handshake that failed or did not end, 1.3 is not tried
//! again. No byte of a request was sent then.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Known versions, by host and port.
#[derive(Default)]
pub(super) struct TlsVersions(Mutex<HashMap<String, KnownVersion>>);

/// Offer of TLS 1.3 to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VersionOffer {
    /// First offer: its result is learned.
    First,
    /// Accepted before; a failure is a network failure.
    Again,
    /// TLS 1.2 at most.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KnownVersion {
    /// TLS 1.3 was offered, and no handshake has completed yet.
    Offered,
    /// Accepts TLS 1.3 and asks in the handshake, or chose 1.2 itself.
    Good,
    /// TLS 1.2 only.
    Old,
}

impl TlsVersions {
    /// Decides the offer to a server. Only one of several concurrent first offers is made.
    pub(super) fn offer(&self, server: &str) -> VersionOffer {
        let mut known = self.known();
        match known.get(server) {
            None => {
                known.insert(server.to_owned(), KnownVersion::Offered);
                VersionOffer::First
            }
            Some(KnownVersion::Good) => VersionOffer::Again,
            // an offer that hangs costs the connection's whole time-out, once
            Some(KnownVersion::Offered | KnownVersion::Old) => VersionOffer::None,
        }
    }

    /// Records a completed handshake: the offer may be repeated.
    pub(super) fn confirm(&self, server: &str) {
        if let Some(known) = self.known().get_mut(server).filter(|known| **known == KnownVersion::Offered) {
            *known = KnownVersion::Good;
        }
    }

    /// Limits the server to TLS 1.2 until the process ends.
    pub(super) fn limit_to_tls12(&self, server: &str) {
        self.known().insert(server.to_owned(), KnownVersion::Old);
    }

    /// Forgets a first offer without a result: no connection, or an untrusted server.
    pub(super) fn forget_offer(&self, server: &str) {
        let mut known = self.known();
        if known.get(server) == Some(&KnownVersion::Offered) {
            known.remove(server);
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, KnownVersion>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_offered_the_new_version_until_it_shows_that_it_cannot() {
        let versions = TlsVersions::default();
        assert_eq!((versions.offer("a:443"), versions.offer("b:443")), (VersionOffer::First, VersionOffer::First));
        // the first handshake has not completed
        assert_eq!(versions.offer("a:443"), VersionOffer::None);
        versions.forget_offer("a:443");
        assert_eq!(versions.offer("a:443"), VersionOffer::First);
        versions.confirm("a:443");
        versions.forget_offer("a:443");
        versions.limit_to_tls12("b:443");
        versions.confirm("b:443");
        assert_eq!((versions.offer("a:443"), versions.offer("b:443")), (VersionOffer::Again, VersionOffer::None));
    }
}
