//! Provider that receives the NFS-e of a município, with the sources: the tables, and the convênio as far as it was
//! read. Makes no calls.
//!
//! Law: `docs/contract.md`, "NFS-e" (choice of protocol).

use crate::Engine;
use crate::family::host;
use authority::abrasf::Explained;
use fiscal::nfse::convention::Convention;
use fiscal::value::TpAmb;

/// Kind of provider of a município's notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The Sefin Nacional.
    National,
    /// The município's own server, in the national layout.
    Own,
    /// A provider, by ABRASF.
    Municipal,
    /// No provider that can be called without a configuration.
    Unknown,
}

/// A município, explained for an environment.
#[derive(Debug, Clone)]
pub struct Municipality {
    /// Content of the tables.
    pub explained: Explained,
    /// The convênio, if it was read within a day.
    pub convention: Option<Convention>,
    /// Provider of a note whose company names none.
    pub way: Way,
    /// True if the table lists it among those whose companies issue by the Sefin Nacional.
    pub is_national: bool,
}

impl Municipality {
    /// `true` if the convênio or a source states that its companies issue by the Sefin Nacional; `false` without any
    /// source.
    pub fn is_known_to_be_national(&self) -> bool {
        self.way == Way::National
            && (self.is_national || self.convention.is_some_and(|convention| convention.is_open()))
    }
}

impl Engine {
    /// Returns the sources about a município; `None`: there is no such one.
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

    /// Reason why no provider has this name; Portuguese, with the nearest name.
    pub fn unknown_provider(&self, name: &str) -> Option<String> {
        (!host::is_national(name)).then(|| self.inner.table.providers().unknown(name)).flatten()
    }
}
