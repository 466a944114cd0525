//! URL guard for callers that connect by themselves: an untrusted URL is parsed, its name resolved once, and every
//! address checked.
//!
//! Must not know: the protocol on the connection.

use crate::connect::allowed_addresses;
use crate::target::refused;
use crate::{AddressPolicy, FailureKind, NameResolver, RefusedUrl, RequestFailure, SystemResolver, TargetUrl};
use std::net::SocketAddr;
use std::sync::Arc;

/// Checks untrusted URLs and resolves their names. Cheap to clone.
#[derive(Clone)]
pub struct UrlGuard {
    reach: AddressPolicy,
    resolver: Arc<dyn NameResolver>,
}

impl UrlGuard {
    pub fn new(reach: AddressPolicy, resolver: Arc<dyn NameResolver>) -> UrlGuard {
        UrlGuard { reach, resolver }
    }

    /// Checks the text of a URL; nothing is resolved. http is always refused.
    pub fn check_url(&self, url: &str) -> Result<(), RefusedUrl> {
        self.read(url).map(drop)
    }

    /// Resolved addresses of a URL; the caller must connect to no other.
    pub async fn addresses(&self, url: &str) -> Result<Vec<SocketAddr>, RequestFailure> {
        let read = self.read(url);
        let target =
            read.map_err(|why| RequestFailure { kind: FailureKind::Refused, cause: format!("o endereço {why}") })?;
        let found = allowed_addresses(&target, &self.reach, self.resolver.as_ref()).await?;
        Ok(found.into_iter().map(|address| SocketAddr::new(address, target.port())).collect())
    }

    fn read(&self, url: &str) -> Result<TargetUrl, RefusedUrl> {
        let target = TargetUrl::parse(url, &self.reach)?;
        if target.is_plain() { Err(refused("deve usar https.")) } else { Ok(target) }
    }
}

impl Default for UrlGuard {
    fn default() -> UrlGuard {
        UrlGuard::new(AddressPolicy::public(), Arc::new(SystemResolver))
    }
}

impl std::fmt::Debug for UrlGuard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UrlGuard").field("reach", &self.reach).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ResolveFuture;
    use std::net::{IpAddr, Ipv4Addr};

    /// Resolves every name to these addresses.
    struct Always(Vec<IpAddr>);

    impl NameResolver for Always {
        fn resolve<'r>(&'r self, _host: &'r str) -> ResolveFuture<'r> {
            Box::pin(async { Ok(self.0.clone()) })
        }
    }

    fn gate(addresses: &[[u8; 4]]) -> UrlGuard {
        let addresses = addresses.iter().map(|octets| IpAddr::V4(Ipv4Addr::from(*octets))).collect();
        UrlGuard::new(AddressPolicy::public(), Arc::new(Always(addresses)))
    }

    #[tokio::test]
    async fn a_name_leads_where_all_of_its_addresses_may_be_called_and_nowhere_else() {
        let url = "https://nfse.cidade.gov.br/api";
        let found = gate(&[[8, 8, 8, 8]]).addresses(url).await.unwrap();
        assert_eq!(found, ["8.8.8.8:443".parse().unwrap()]);
        for inner in [vec![[10, 0, 0, 7]], vec![[8, 8, 8, 8], [169, 254, 169, 254]]] {
            let refused = gate(&inner).addresses(url).await.unwrap_err();
            assert_eq!(refused.kind, FailureKind::Refused, "{refused}");
        }
        assert_eq!(gate(&[]).addresses(url).await.unwrap_err().kind, FailureKind::Dns);
    }

    #[tokio::test]
    async fn what_no_text_may_say_is_refused_before_any_name_is_resolved() {
        for wrong in ["https://10.0.0.1/api", "https://localhost/api", "http://nfse.cidade.gov.br/api", "nfse"] {
            assert!(gate(&[[8, 8, 8, 8]]).check_url(wrong).is_err(), "{wrong}");
            let refused = gate(&[[8, 8, 8, 8]]).addresses(wrong).await.unwrap_err();
            assert_eq!(refused.kind, FailureKind::Refused);
        }
        let here = UrlGuard::new(AddressPolicy::public().with_plain_loopback(true), Arc::new(SystemResolver));
        assert!(here.check_url("https://127.0.0.1:9443/x").is_ok() && here.check_url("http://127.0.0.1:9/x").is_err());
    }
}
