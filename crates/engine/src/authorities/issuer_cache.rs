//! Cache of issuers: for an unchanged company the store returns the same record, and the issuer is built from it once.

use crate::family::Family;
use crate::family::issuer::{FamilyIssuer, NotIssuer};
use crate::process::bounded_cache::BoundedCache;
use std::sync::Arc;
use store::companies::Company;

/// Most issuers in the cache.
const MAX_ISSUERS: usize = 256;

/// By the address of the company record in memory, and the type of its documents.
#[derive(Default)]
pub(crate) struct IssuerCache(BoundedCache<(usize, &'static str), FamilyIssuer, MAX_ISSUERS>);

impl IssuerCache {
    /// Returns the company as an issuer of a family.
    pub(crate) fn of(&self, company: &Arc<Company>, family: &Family) -> Result<FamilyIssuer, NotIssuer> {
        // the issuer holds its company, so no other record can have this address meanwhile
        let name = (Arc::as_ptr(company).addr(), family.tipo.word());
        self.0.get_or_make(name, || FamilyIssuer::new(Arc::clone(company), family).ok_or(NotIssuer::NotConfigured))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{NFCE, NFE, issuer};
    use fiscal::value::{Serie, TpAmb};
    use serde_json::{Value, json};

    fn company(configuracao: Value) -> Arc<Company> {
        Arc::new(issuer::tests::company(configuracao))
    }

    #[test]
    fn is_made_once_of_a_company_that_did_not_change() {
        let issuers = IssuerCache::default();
        let of = |company: &Arc<Company>| issuers.of(company, &NFE).ok().unwrap();
        let (first, other) = (company(json!({"serie": 1})), company(json!({"serie": 2})));
        assert!(Arc::ptr_eq(&of(&first).emitente, &of(&first).emitente));
        assert_eq!(of(&other).serie(TpAmb::Producao, &NFE), Some(Serie::from(2)));
        assert_eq!(of(&first).serie(TpAmb::Producao, &NFE), Some(Serie::from(1)));
        assert!(issuers.of(&first, &NFCE).is_err(), "of a type that is not configured");
    }
}
