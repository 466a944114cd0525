//! Who takes the NFS-e of a município in, and why: what the tables and the convênio, as far as it was read, say of it.
//!
//! Law: `spec/not-shown.md` 11.2 (which protocol). Nobody is asked for it.

use crate::Engine;
use crate::family::host;
use authority::abrasf::Explained;
use fiscal::nfse::convention::Convention;
use fiscal::value::TpAmb;

/// By whom a município's notes are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The Sefin Nacional.
    National,
    /// The município's own server, in the national layout.
    Own,
    /// A provider, by ABRASF.
    Municipal,
    /// Nobody that is spoken to without a configuration.
    Unknown,
}

/// A município, explained for an environment.
#[derive(Debug, Clone)]
pub struct Municipality {
    /// What the tables say.
    pub explained: Explained,
    /// The convênio as it was read within a day.
    pub convention: Option<Convention>,
    /// What becomes of a note whose company names no provider.
    pub way: Way,
    /// Whether the table has it among those whose companies issue by the Sefin Nacional.
    pub is_national: bool,
}

impl Municipality {
    /// Whether the convênio or a source says that its companies issue by the Sefin Nacional; not that no source says
    /// anything.
    pub fn is_known_to_be_national(&self) -> bool {
        self.way == Way::National
            && (self.is_national || self.convention.is_some_and(|convention| convention.is_open()))
    }
}

impl Engine {
    /// What is known of a município; `None`: there is no such one.
    pub async fn municipality(&self, ambiente: TpAmb, codigo: u32) -> Result<Option<Municipality>, store::Error> {
        let convention = self.known_convention(ambiente, codigo).await?;
        let is_closed = convention.is_some_and(|convention| !convention.is_open());
        let providers = self.inner.table.providers();
        let Some(explained) = providers.explain(codigo, is_closed) else { return Ok(None) };
        let is_national = providers.national(codigo).is_some();
        let own = host::of_row_in_use(&self.inner.table, ambiente, codigo).is_some();
        let way = match convention {
            Some(convention) if convention.is_open() => Way::National,
            _ if own => Way::Own,
            None if is_national => Way::National,
            _ if self.provider_of_row(codigo, ambiente, convention).is_some() => Way::Municipal,
            _ if explained.provider.is_some() => Way::Unknown,
            _ => Way::National,
        };
        Ok(Some(Municipality { explained, convention, way, is_national }))
    }

    /// Why no provider has this name; Portuguese, says which is nearest.
    pub fn unknown_provider(&self, name: &str) -> Option<String> {
        (!host::is_national(name)).then(|| self.inner.table.providers().unknown(name)).flatten()
    }
}
