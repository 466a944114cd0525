//! Cache of the table's endpoints: each is built once, and a document needs its own twice.

use crate::process::bounded_cache::BoundedCache;
use authority::table::{AuthorityRole, AuthorityService, Endpoint, EndpointTable, NoEndpoint};
use fiscal::value::{TpAmb, Uf};
use std::sync::Arc;

/// State, model, environment, service and role.
type EndpointKey = (Uf, u8, TpAmb, AuthorityService, AuthorityRole);

/// More than a table has rows.
const MAX_ENDPOINTS: usize = 8_192;

/// Endpoints of a table that does not change.
#[derive(Default)]
pub(crate) struct EndpointCache(BoundedCache<EndpointKey, Arc<Endpoint>, MAX_ENDPOINTS>);

impl EndpointCache {
    pub(super) fn of(&self, table: &EndpointTable, way: EndpointKey) -> Result<Arc<Endpoint>, NoEndpoint> {
        let (uf, modelo, ambiente, service, role) = way;
        self.0.get_or_make(way, || table.endpoint(uf, modelo, ambiente, service, role).map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_put_together_once_and_is_that_of_its_way() {
        let (table, addresses) = (EndpointTable::builtin(), EndpointCache::default());
        let of =
            |uf, service| addresses.of(&table, (uf, 55, TpAmb::Homologacao, service, AuthorityRole::Normal)).unwrap();
        let first = of(Uf::SP, AuthorityService::Autorizacao);
        assert!(Arc::ptr_eq(&first, &of(Uf::SP, AuthorityService::Autorizacao)));
        assert_ne!(of(Uf::RS, AuthorityService::Autorizacao).url, first.url);
        assert_ne!(of(Uf::SP, AuthorityService::StatusServico).url, first.url);
        assert!(
            addresses
                .of(&table, (Uf::SP, 99, TpAmb::Homologacao, AuthorityService::Autorizacao, AuthorityRole::Normal))
                .is_err()
        );
    }
}
