//! The addresses of the table that were asked for: each is put together once, and a document asks for its own twice.

use authority::table::{Endpoint, NoEndpoint, Role, Service, Table};
use fiscal::value::{TpAmb, Uf};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// State, model, environment, service, and in which role.
type Way = (Uf, u8, TpAmb, Service, Role);

/// Of a table that stays as it is; there are no more than it has rows.
#[derive(Default)]
pub(crate) struct Addresses(Mutex<HashMap<Way, Arc<Endpoint>>>);

impl Addresses {
    pub(super) fn of(&self, table: &Table, way: Way) -> Result<Arc<Endpoint>, NoEndpoint> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(endpoint) = known.get(&way) {
            return Ok(Arc::clone(endpoint));
        }
        let (uf, modelo, ambiente, service, role) = way;
        let endpoint = Arc::new(table.endpoint(uf, modelo, ambiente, service, role)?);
        known.insert(way, Arc::clone(&endpoint));
        Ok(endpoint)
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
