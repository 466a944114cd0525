//! Cache of parsed companies. A company changes a few times a year and is read for every document: rows that were
//! parsed before are not parsed again.

use super::read::{Company, from_rows};
use crate::Error;
use crate::row::Row;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Most companies in the cache; a full cache is emptied before the next one.
const MAX_COMPANIES: usize = 256;

static COMPANY_CACHE: LazyLock<Mutex<CompanyCache>> = LazyLock::new(Mutex::default);

/// Parsed companies by all that is read of them: no entry goes stale, and equal rows of any database are one company.
#[derive(Default)]
struct CompanyCache(HashMap<Vec<Row>, Arc<Company>>);

impl CompanyCache {
    fn insert_company(&mut self, rows: Vec<Row>, company: Arc<Company>) {
        if self.0.len() >= MAX_COMPANIES {
            self.0.clear();
        }
        self.0.insert(rows, company);
    }
}

/// Returns the company of the rows of `single_company_sql`; `None` without rows.
pub(crate) fn company_of_rows(rows: Vec<Row>) -> Result<Option<Arc<Company>>, Error> {
    let cache = || COMPANY_CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(company) = cache().0.get(&rows) {
        return Ok(Some(Arc::clone(company)));
    }
    let Some(company) = from_rows(rows.clone())?.pop().map(Arc::new) else { return Ok(None) };
    cache().insert_company(rows, Arc::clone(&company));
    Ok(Some(company))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Value, params};

    fn rows(number: &str, dados: &str, atualizado_em: i64) -> Vec<Row> {
        let own = params![number, dados, 1_i64, atualizado_em];
        let no_certificate = std::iter::repeat_n(Value::Null, 6);
        let setting = params!["nfe", r#"{"ambiente":2}"#];
        vec![Row::new(own.into_iter().chain(no_certificate).chain(setting).collect())]
    }

    #[test]
    fn what_did_not_change_is_the_same_company_and_what_did_is_not() {
        let of = |dados, at| company_of_rows(rows("11222333000181", dados, at)).unwrap().unwrap();
        let first = of(r#"{"crt":3}"#, 1);
        let changed = of(r#"{"crt":1}"#, 1);
        assert_eq!((changed.dados["crt"].as_i64(), first.dados["crt"].as_i64()), (Some(1), Some(3)));
        assert!(Arc::ptr_eq(&first, &of(r#"{"crt":3}"#, 1)), "the accounts of one company do not displace each other");
        assert_eq!(of(r#"{"crt":1}"#, 2).atualizado_em, 2);
        assert!(company_of_rows(Vec::new()).unwrap().is_none());
    }

    #[test]
    fn no_more_are_remembered_than_there_is_room_for() {
        let mut known = CompanyCache::default();
        let company = company_of_rows(rows("52998224725", "{}", 1)).unwrap().unwrap();
        for number in 0..=MAX_COMPANIES {
            known.insert_company(rows(&format!("{number:011}"), "{}", 1), Arc::clone(&company));
        }
        assert_eq!(known.0.len(), 1);
        assert!(known.0.contains_key(&rows(&format!("{MAX_COMPANIES:011}"), "{}", 1)));
    }
}
