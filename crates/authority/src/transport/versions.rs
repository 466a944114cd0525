//! Which version of TLS each server is spoken to by, learned from its handshakes.
//!
//! A server that asks for the client's certificate per path does so after it has read the request: by renegotiation in
//! TLS 1.2, which works here, and by post-handshake authentication in 1.3, which our library does not offer. So 1.3 is
//! kept only with servers that asked for it in the handshake; a handshake that failed or did not end is not tried by
//! 1.3 again. Nothing of a request was sent then.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Known versions, by host and port.
#[derive(Default)]
pub(super) struct Versions(Mutex<HashMap<String, KnownVersion>>);

/// Offer of TLS 1.3 to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VersionOffer {
    /// For the first time: what comes of it is learned.
    First,
    /// Taken before; a failure is one of the network.
    Again,
    /// TLS 1.2 at most.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KnownVersion {
    /// TLS 1.3 was offered, and no handshake has ended yet.
    Offered,
    /// Takes TLS 1.3 and asks in the handshake, or chose 1.2 by itself.
    Good,
    /// TLS 1.2 only.
    Old,
}

impl Versions {
    /// Decides the offer to a server. The first offer of several at the same moment is alone.
    pub(super) fn offer(&self, server: &str) -> VersionOffer {
        let mut known = self.known();
        match known.get(server) {
            None => {
                known.insert(server.to_owned(), KnownVersion::Offered);
                VersionOffer::First
            }
            Some(KnownVersion::Good) => VersionOffer::Again,
            // one that hangs takes the whole time of a connection, once
            Some(KnownVersion::Offered | KnownVersion::Old) => VersionOffer::None,
        }
    }

    /// The handshake ended well: what was offered may be offered again.
    pub(super) fn confirm(&self, server: &str) {
        if let Some(known) = self.known().get_mut(server).filter(|known| **known == KnownVersion::Offered) {
            *known = KnownVersion::Good;
        }
    }

    /// TLS 1.2 from now on, until this process ends.
    pub(super) fn old(&self, server: &str) {
        self.known().insert(server.to_owned(), KnownVersion::Old);
    }

    /// Nothing was learned of a first offer: no connection, or a server that is not trusted.
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
        let versions = Versions::default();
        assert_eq!((versions.offer("a:443"), versions.offer("b:443")), (VersionOffer::First, VersionOffer::First));
        // the first handshake has not ended
        assert_eq!(versions.offer("a:443"), VersionOffer::None);
        versions.forget_offer("a:443");
        assert_eq!(versions.offer("a:443"), VersionOffer::First);
        versions.confirm("a:443");
        versions.forget_offer("a:443");
        versions.old("b:443");
        versions.confirm("b:443");
        assert_eq!((versions.offer("a:443"), versions.offer("b:443")), (VersionOffer::Again, VersionOffer::None));
    }
}
