//! The nomenclature in use: the imported one, cached while it is the newest, else the one inside the binary.

use crate::Lookup;
use fiscal::ncm::NcmTable;
use std::sync::{Arc, PoisonError};
use store::lookups::PublicRegister;

/// A nomenclature, imported or from the binary.
#[derive(Clone)]
pub enum Nomenclature {
    Builtin(&'static NcmTable),
    Imported(Arc<NcmTable>),
}

impl std::ops::Deref for Nomenclature {
    type Target = NcmTable;

    fn deref(&self) -> &NcmTable {
        match self {
            Nomenclature::Builtin(table) => table,
            Nomenclature::Imported(table) => table,
        }
    }
}

impl Lookup {
    /// Returns the nomenclature in use. Asks the store on every call for a newer import, by this process or another.
    pub async fn ncm(&self) -> Result<Nomenclature, store::Error> {
        loop {
            let Some((id, _)) = self.shared.store.active_load(PublicRegister::Ncm).await? else {
                return Ok(Nomenclature::Builtin(NcmTable::builtin()));
            };
            if let Some(held) = self.cached_table(id) {
                return Ok(Nomenclature::Imported(held));
            }
            let content = match self.shared.store.ncm_content(id).await {
                // Replaced by another import between the two reads.
                Err(store::Error::NotFound) => continue,
                other => other?,
            };
            let table = tokio::task::spawn_blocking(move || NcmTable::read(&content)).await;
            let broken =
                || store::Error::Unavailable("a NCM importada não pode ser lida: importe-a de novo".to_owned());
            let table = Arc::new(table.map_err(|_| broken())?.map_err(|_| broken())?);
            *self.shared.ncm.lock().unwrap_or_else(PoisonError::into_inner) = Some((id, Arc::clone(&table)));
            return Ok(Nomenclature::Imported(table));
        }
    }

    fn cached_table(&self, id: i64) -> Option<Arc<NcmTable>> {
        let held = self.shared.ncm.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().filter(|(held, _)| *held == id).map(|(_, table)| Arc::clone(table))
    }
}
