//! Resolution of names to addresses: the system's resolver, or a test's.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// A resolution in progress.
pub type ResolveFuture<'r> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'r>>;

/// A resolver of host names. It is called once per request, and only its answer is connected to.
pub trait NameResolver: Send + Sync + 'static {
    /// All addresses of a name.
    fn resolve<'r>(&'r self, host: &'r str) -> ResolveFuture<'r>;
}

/// Resolver of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemResolver;

impl NameResolver for SystemResolver {
    fn resolve<'r>(&'r self, host: &'r str) -> ResolveFuture<'r> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|socket| socket.ip()).collect())
        })
    }
}
