//! The seam to whatever carries a call: HTTPS in the service, a simulated network in an exploration.
//!
//! Must not know: what a call is about.

use authority::call::{Call, Reply};
use authority::transport::{CallError, Handshake, Transport};
use signing::Certificate;
use std::pin::Pin;
use std::sync::Arc;

/// A call under way.
pub type PendingReply<'c> = Pin<Box<dyn Future<Output = Result<Reply, CallError>> + Send + 'c>>;

/// Carries calls to authorities, and never retries.
pub trait CallTransport: Send + Sync + 'static {
    /// Sends a call as this certificate and gives the reply, whatever its status.
    fn send<'c>(&'c self, call: &'c Call, certificate: &'c Certificate) -> PendingReply<'c>;

    /// The last connection to the server of a call; nothing before the first one.
    fn handshake(&self, call: &Call) -> Option<Arc<Handshake>>;

    /// Bounds of the addresses that companies give.
    fn strangers(&self) -> &outbound::Gate;
}

impl CallTransport for Transport {
    fn send<'c>(&'c self, call: &'c Call, certificate: &'c Certificate) -> PendingReply<'c> {
        Box::pin(Transport::send(self, call, certificate))
    }

    fn handshake(&self, call: &Call) -> Option<Arc<Handshake>> {
        Transport::handshake(self, call)
    }

    fn strangers(&self) -> &outbound::Gate {
        Transport::strangers(self)
    }
}
