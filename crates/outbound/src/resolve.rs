//! Names to addresses: the system's resolver, or another one that a test brings.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;

/// An answer being fetched.
pub type Resolving<'r> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'r>>;

/// A resolver. It is asked once per call, and only what it answered then is connected to.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of a name.
    fn resolve<'r>(&'r self, host: &'r str) -> Resolving<'r>;
}

/// The system's.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl Resolve for System {
    fn resolve<'r>(&'r self, host: &'r str) -> Resolving<'r> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|socket| socket.ip()).collect())
        })
    }
}
