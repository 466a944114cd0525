//! Cache of parsed companies. A company changes a few times a year and is read for every document: rows that are equal
//! to the cached ones are not parsed again.

use super::{Company, from_rows};
use crate::Error;
use crate::row::Row;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Most companies in the cache; with one more it is emptied.
const REMEMBERED: usize = 256;

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// Rows and their parsed company, by the company's CNPJ or CPF. Two accounts with the same company replace each other's
/// entry.
#[derive(Default)]
struct Known(HashMap<String, (Vec<Row>, Arc<Company>)>);

impl Known {
    fn find(&self, rows: &[Row]) -> Option<Arc<Company>> {
        let (known, company) = self.0.get(number(rows)?)?;
        (known == rows).then(|| Arc::clone(company))
    }

    fn keep(&mut self, rows: Vec<Row>, company: Arc<Company>) {
        let Some(number) = number(&rows).map(str::to_owned) else { return };
        if self.0.len() >= REMEMBERED && !self.0.contains_key(&number) {
            self.0.clear();
        }
        self.0.insert(number, (rows, company));
    }
}

/// The first column of the rows: CNPJ or CPF.
fn number(rows: &[Row]) -> Option<&str> {
    rows.first()?.text()
}

/// Returns the company of the rows of `single_company_sql`; `None` without rows.
pub(crate) fn of_rows(rows: Vec<Row>) -> Result<Option<Arc<Company>>, Error> {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(company) = known().find(&rows) {
        return Ok(Some(company));
    }
    let Some(company) = from_rows(rows.clone())?.pop().map(Arc::new) else { return Ok(None) };
    known().keep(rows, Arc::clone(&company));
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
        let of = |dados, at| of_rows(rows("11222333000181", dados, at)).unwrap().unwrap();
        let first = of(r#"{"crt":3}"#, 1);
        assert!(Arc::ptr_eq(&first, &of(r#"{"crt":3}"#, 1)));
        let changed = of(r#"{"crt":1}"#, 1);
        assert_eq!((changed.dados["crt"].as_i64(), first.dados["crt"].as_i64()), (Some(1), Some(3)));
        assert_eq!(of(r#"{"crt":1}"#, 2).atualizado_em, 2);
        assert!(of_rows(Vec::new()).unwrap().is_none());
    }

    #[test]
    fn no_more_are_remembered_than_there_is_room_for() {
        let mut known = Known::default();
        let company = of_rows(rows("52998224725", "{}", 1)).unwrap().unwrap();
        for number in 0..=REMEMBERED {
            known.keep(rows(&format!("{number:011}"), "{}", 1), Arc::clone(&company));
        }
        assert_eq!(known.0.len(), 1);
        assert!(known.find(&rows(&format!("{REMEMBERED:011}"), "{}", 1)).is_some());
        assert!(known.find(&rows("00000000000", "{}", 1)).is_none(), "forgotten");
    }
}
