//! Provider that receives the NFS-e of a município, with the sources: the tables, and the convênio as far as it was
//! read. Makes no calls.
//!
//! Law: `docs/contract.md`, "NFS-e" (choice of protocol).

use crate::Engine;
use crate::family::own_host;
use authority::abrasf::MunicipalityReport;
use fiscal::nfse::convention::Convention;
use fiscal::value::TpAmb;

/// Kind of provider of a município's notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderKind {
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
pub struct ExplainedMunicipality {
    /// Content of the tables.
    pub explained: MunicipalityReport,
    /// The convênio, if it was read within a day.
    pub convention: Option<Convention>,
    /// Provider of a note whose company names none.
    pub provider: ProviderKind,
    /// True if the table lists it among those whose companies issue by the Sefin Nacional.
    pub is_national: bool,
}

impl ExplainedMunicipality {
    /// `true` if the convênio or a source states that its companies issue by the Sefin Nacional; `false` without any
    /// source.
    pub fn is_known_to_be_national(&self) -> bool {
        self.provider == ProviderKind::National
            && (self.is_national || self.convention.is_some_and(|convention| convention.is_open()))
    }
}

impl Engine {
    /// Returns the sources about a município; `None`: there is no such one.
    pub async fn municipality(
        &self,
        ambiente: TpAmb,
        codigo: u32,
    ) -> Result<Option<ExplainedMunicipality>, store::Error> {
        let convention = self.cached_convention(ambiente, codigo).await?;
        let is_closed = convention.is_some_and(|convention| !convention.is_open());
        let providers = self.inner.table.providers();
        let Some(explained) = providers.explain(codigo, is_closed) else { return Ok(None) };
        let is_national = providers.national(codigo).is_some();
        let own = own_host::of_row_in_use(&self.inner.table, ambiente, codigo).is_some();
        let way = match convention {
            Some(convention) if convention.is_open() => ProviderKind::National,
            _ if own => ProviderKind::Own,
            None if is_national => ProviderKind::National,
            _ if self.provider_of_row(codigo, ambiente, convention).is_some() => ProviderKind::Municipal,
            _ if explained.provider.is_some() => ProviderKind::Unknown,
            _ => ProviderKind::National,
        };
        Ok(Some(ExplainedMunicipality { explained, convention, provider: way, is_national }))
    }

    /// Reason why no provider has this name; Portuguese, with the nearest name.
    pub fn unknown_provider(&self, name: &str) -> Option<String> {
        (!own_host::is_national(name)).then(|| self.inner.table.providers().unknown(name)).flatten()
    }
}
