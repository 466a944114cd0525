//! Transport of calls: HTTPS in the service, a simulated network in an exploration.
//!
//! Must not know: the content of a call.

use authority::call::{AuthorityCall, AuthorityReply};
use authority::transport::{AuthorityTransport, CallError, Handshake};
use signing::Certificate;
use std::pin::Pin;
use std::sync::Arc;

/// A running call.
pub type PendingReply<'c> = Pin<Box<dyn Future<Output = Result<AuthorityReply, CallError>> + Send + 'c>>;

/// Sends calls to authorities, and never retries.
pub trait CallTransport: Send + Sync + 'static {
    /// Sends a call with this certificate and returns the reply, whatever its status.
    fn send<'c>(&'c self, call: &'c AuthorityCall, certificate: &'c Certificate) -> PendingReply<'c>;

    /// Returns the last handshake with the server of a call; `None` before the first one.
    fn handshake(&self, call: &AuthorityCall) -> Option<Arc<Handshake>>;

    /// Limits on the addresses that companies give.
    fn strangers(&self) -> &outbound::UrlGuard;
}

impl CallTransport for AuthorityTransport {
    fn send<'c>(&'c self, call: &'c AuthorityCall, certificate: &'c Certificate) -> PendingReply<'c> {
        Box::pin(AuthorityTransport::send(self, call, certificate))
    }

    fn handshake(&self, call: &AuthorityCall) -> Option<Arc<Handshake>> {
        AuthorityTransport::handshake(self, call)
    }

    fn strangers(&self) -> &outbound::UrlGuard {
        AuthorityTransport::url_guard(self)
    }
}
