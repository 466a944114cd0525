//! URL guard for callers that connect by themselves: an untrusted URL is parsed, its name resolved once, and every
//! address checked.
//!
//! Must not know: the protocol on the connection.

use crate::connect::allowed;
use crate::target::refused;
use crate::{Failure, FailureKind, Reach, Refused, Resolve, System, Target};
use std::net::SocketAddr;
use std::sync::Arc;

/// Checks untrusted URLs and resolves their names. Cheap to clone.
#[derive(Clone)]
pub struct Gate {
    reach: Reach,
    resolver: Arc<dyn Resolve>,
}

impl Gate {
    pub fn new(reach: Reach, resolver: Arc<dyn Resolve>) -> Gate {
        Gate { reach, resolver }
    }

    /// Checks the text of a URL; nothing is resolved. http is always refused.
    pub fn takes(&self, url: &str) -> Result<(), Refused> {
        self.read(url).map(drop)
    }

    /// Resolved addresses of a URL; the caller must connect to no other.
    pub async fn addresses(&self, url: &str) -> Result<Vec<SocketAddr>, Failure> {
        let read = self.read(url);
        let target = read.map_err(|why| Failure { kind: FailureKind::Refused, cause: format!("o endereço {why}") })?;
        let found = allowed(&target, &self.reach, self.resolver.as_ref()).await?;
        Ok(found.into_iter().map(|address| SocketAddr::new(address, target.port())).collect())
    }

    fn read(&self, url: &str) -> Result<Target, Refused> {
        let target = Target::parse(url, &self.reach)?;
        if target.is_plain() { Err(refused("deve usar https.")) } else { Ok(target) }
    }
}

impl Default for Gate {
    fn default() -> Gate {
        Gate::new(Reach::public(), Arc::new(System))
    }
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate").field("reach", &self.reach).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Resolving;
    use std::net::{IpAddr, Ipv4Addr};

    /// Resolves every name to these addresses.
    struct Always(Vec<IpAddr>);

    impl Resolve for Always {
        fn resolve<'r>(&'r self, _host: &'r str) -> Resolving<'r> {
            Box::pin(async { Ok(self.0.clone()) })
        }
    }

    fn gate(addresses: &[[u8; 4]]) -> Gate {
        let addresses = addresses.iter().map(|octets| IpAddr::V4(Ipv4Addr::from(*octets))).collect();
        Gate::new(Reach::public(), Arc::new(Always(addresses)))
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
            assert!(gate(&[[8, 8, 8, 8]]).takes(wrong).is_err(), "{wrong}");
            let refused = gate(&[[8, 8, 8, 8]]).addresses(wrong).await.unwrap_err();
            assert_eq!(refused.kind, FailureKind::Refused);
        }
        let here = Gate::new(Reach::public().with_plain_loopback(true), Arc::new(System));
        assert!(here.takes("https://127.0.0.1:9443/x").is_ok() && here.takes("http://127.0.0.1:9/x").is_err());
    }
}
