//! Cache of the table's endpoints: each is built once, and a document needs its own twice.

use crate::process::recent::Recent;
use authority::table::{Endpoint, NoEndpoint, Role, Service, Table};
use fiscal::value::{TpAmb, Uf};
use std::sync::Arc;

/// State, model, environment, service and role.
type Way = (Uf, u8, TpAmb, Service, Role);

/// More than a table has rows.
const MOST: usize = 8_192;

/// Endpoints of a table that does not change.
#[derive(Default)]
pub(crate) struct Addresses(Recent<Way, Arc<Endpoint>, MOST>);

impl Addresses {
    pub(super) fn of(&self, table: &Table, way: Way) -> Result<Arc<Endpoint>, NoEndpoint> {
        let (uf, modelo, ambiente, service, role) = way;
        self.0.made(way, || table.endpoint(uf, modelo, ambiente, service, role).map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_put_together_once_and_is_that_of_its_way() {
        let (table, addresses) = (Table::builtin(), Addresses::default());
        let of = |uf, service| addresses.of(&table, (uf, 55, TpAmb::Homologacao, service, Role::Normal)).unwrap();
        let first = of(Uf::SP, Service::Autorizacao);
        assert!(Arc::ptr_eq(&first, &of(Uf::SP, Service::Autorizacao)));
        assert_ne!(of(Uf::RS, Service::Autorizacao).url, first.url);
        assert_ne!(of(Uf::SP, Service::StatusServico).url, first.url);
        assert!(addresses.of(&table, (Uf::SP, 99, TpAmb::Homologacao, Service::Autorizacao, Role::Normal)).is_err());
    }
}
