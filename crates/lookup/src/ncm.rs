//! The nomenclature in use: the imported one, held in memory as long as it is the last, or the one inside the binary.

use crate::Lookup;
use fiscal::ncm::Table;
use std::sync::{Arc, PoisonError};
use store::lookups::Register;

/// A table that is held or was always there.
#[derive(Clone)]
pub enum Nomenclature {
    /// Inside the binary.
    Builtin(&'static Table),
    /// Imported.
    Imported(Arc<Table>),
}

impl std::ops::Deref for Nomenclature {
    type Target = Table;

    fn deref(&self) -> &Table {
        match self {
            Nomenclature::Builtin(table) => table,
            Nomenclature::Imported(table) => table,
        }
    }
}

impl Lookup {
    /// The nomenclature in use. Whether a newer one was imported, by this process or another, is asked of the store
    /// every time.
    pub async fn ncm(&self) -> Result<Nomenclature, store::Error> {
        loop {
            let Some((id, _)) = self.shared.store.active_load(Register::Ncm).await? else {
                return Ok(Nomenclature::Builtin(Table::builtin()));
            };
            if let Some(held) = self.held(id) {
                return Ok(Nomenclature::Imported(held));
            }
            let content = match self.shared.store.ncm_content(id).await {
                // replaced meanwhile
                Err(store::Error::NotFound) => continue,
                other => other?,
            };
            let table = tokio::task::spawn_blocking(move || Table::read(&content)).await;
            let broken =
                || store::Error::Unavailable("a NCM importada não pode ser lida: importe-a de novo".to_owned());
            let table = Arc::new(table.map_err(|_| broken())?.map_err(|_| broken())?);
            *self.shared.ncm.lock().unwrap_or_else(PoisonError::into_inner) = Some((id, Arc::clone(&table)));
            return Ok(Nomenclature::Imported(table));
        }
    }

    fn held(&self, id: i64) -> Option<Arc<Table>> {
        let held = self.shared.ncm.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().filter(|(held, _)| *held == id).map(|(_, table)| Arc::clone(table))
    }
}
