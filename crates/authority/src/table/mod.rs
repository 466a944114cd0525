//! Table of authorities: the authority of each state, and its addresses. Data in `tables/*.toml`, replaceable by the
//! operator without a rebuild.
//!
//! Law: MOC 7.0, visão geral (authorizers) and anexo III (contingency); each table names the sources of its addresses.

pub(crate) mod endpoint;
mod file;
pub(crate) mod key_path;
mod own;
pub(crate) mod service;

pub use endpoint::Endpoint;
pub use key_path::InvalidTable;
pub use own::{OwnHost, OwnServer, WireForm};
pub use service::{AuthorityService, WsdlService};

use crate::abrasf::ProviderTable;
use crate::sefaz::{CTE, CTE_OS, NFE};
use crate::wire::WireProtocol;
use file::TableOverlay;
use fiscal::tipo::{DPS, RPS};
use fiscal::value::{TpAmb, Uf};
use std::collections::{BTreeMap, BTreeSet};

/// Role of an authority for a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AuthorityRole {
    /// The state's authoriser (own, SVAN or SVRS).
    Normal,
    /// Its SVC.
    Contingency,
    /// Ambiente Nacional.
    National,
    /// Authority for documents of issuers without inscrição estadual, in any state (NT 2026.007).
    Unregistered,
}

/// A document model: its section of a table file, and its protocol. Two models of one section share authorities and
/// addresses.
struct ModelEntry {
    modelo: u8,
    section: &'static str,
    wire: WireProtocol,
}

static MODELS: [ModelEntry; 6] = [
    ModelEntry { modelo: 55, section: "nfe", wire: WireProtocol::Sefaz(&NFE) },
    ModelEntry { modelo: 65, section: "nfce", wire: WireProtocol::Sefaz(&NFE) },
    ModelEntry { modelo: 57, section: "cte", wire: WireProtocol::Sefaz(&CTE) },
    ModelEntry { modelo: 67, section: "cte", wire: WireProtocol::Sefaz(&CTE_OS) },
    ModelEntry { modelo: DPS, section: "nfse", wire: WireProtocol::NfseNacional },
    // the addresses are those of the providers
    ModelEntry { modelo: RPS, section: "abrasf", wire: WireProtocol::Abrasf },
];

/// Protocol of a document model.
pub fn wire(modelo: u8) -> Option<WireProtocol> {
    MODELS.iter().find(|model| model.modelo == modelo).map(|model| model.wire)
}

/// All rows of all sections.
#[derive(Debug, Clone)]
pub struct EndpointTable {
    sections: BTreeMap<&'static str, TableSection>,
    /// Template that replaces every address.
    template: Option<String>,
    providers: ProviderTable,
}

/// Rows shared by the models of a section.
#[derive(Debug, Clone, Default)]
struct TableSection {
    authorizer: BTreeMap<Uf, String>,
    contingency: BTreeMap<Uf, String>,
    unregistered: Option<String>,
    quirks: BTreeMap<String, BTreeSet<String>>,
    /// By authority, environment and official name of the service.
    urls: BTreeMap<(String, TpAmb, &'static str), String>,
    /// Servers of municípios that receive documents themselves, by IBGE code.
    own: BTreeMap<u32, OwnServer>,
}

/// No row matches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("não há endereço de {service:?} do modelo {modelo} para {uf:?} em {ambiente:?} ({role:?})")]
pub struct NoEndpoint {
    pub uf: Uf,
    pub modelo: u8,
    pub ambiente: TpAmb,
    pub service: AuthorityService,
    pub role: AuthorityRole,
}

impl EndpointTable {
    /// The builtin table.
    pub fn builtin() -> EndpointTable {
        let mut table =
            EndpointTable { sections: BTreeMap::new(), template: None, providers: ProviderTable::builtin() };
        // an unreadable builtin file would leave the table empty; a test resolves every row
        for builtin in BUILTIN {
            TableOverlay::read(builtin).and_then(|overlay| table.apply_overlay(overlay)).unwrap_or_default();
        }
        table
    }
    /// The builtin table with an operator's TOML laid over it. Besides the builtin layout the file may hold `[template]
    /// url = "https://127.0.0.1:9443/{modelo}/{authority}/{ambiente}/{service}"`, which replaces every address
    /// (`{modelo}` `nfe|nfce|cte|nfse`, `{authority}` lower case such as `sp`, `svc-an`, `an`, `{ambiente}` `prod|hom`,
    /// `{service}` official name), and `[abrasf.template] url =
    /// "https://127.0.0.1:9443/municipal/{provider}/{city}/{ambiente}"`, which does so for municipal providers.
    pub fn with_overrides(toml: &str) -> Result<EndpointTable, InvalidTable> {
        let mut table = EndpointTable::builtin();
        table.apply_overlay(TableOverlay::read(toml)?)?;
        table.refuse_names_without_rows()?;
        table.refuse_own_servers_without_address()?;
        Ok(table)
    }
    /// Address of a service.
    pub fn endpoint(
        &self,
        uf: Uf,
        modelo: u8,
        ambiente: TpAmb,
        service: AuthorityService,
        role: AuthorityRole,
    ) -> Result<Endpoint, NoEndpoint> {
        self.find(uf, modelo, ambiente, service, role).ok_or(NoEndpoint { uf, modelo, ambiente, service, role })
    }
    /// Name of the authority in a role.
    pub fn authority(&self, uf: Uf, modelo: u8, role: AuthorityRole) -> Option<&str> {
        self.rows(modelo)?.1.authority(uf, role)
    }
    /// Names of a model's authorities.
    pub fn authorities(&self, modelo: u8) -> BTreeSet<&str> {
        self.rows(modelo).map(|(_, section)| section.authorities()).unwrap_or_default()
    }

    fn rows(&self, modelo: u8) -> Option<(&'static ModelEntry, &TableSection)> {
        let model = MODELS.iter().find(|model| model.modelo == modelo)?;
        Some((model, self.sections.get(model.section)?))
    }

    fn find(
        &self,
        uf: Uf,
        modelo: u8,
        ambiente: TpAmb,
        service: AuthorityService,
        role: AuthorityRole,
    ) -> Option<Endpoint> {
        let (model, section) = self.rows(modelo)?;
        let official = model.wire.official(service)?;
        let authority = section.authority(uf, role)?;
        let url = section.urls.get(&(authority.to_owned(), ambiente, official.name))?;
        let url = match &self.template {
            Some(template) => fill(template, model.section, authority, ambiente, official.name),
            None => url.clone(),
        };
        let quirks: Vec<String> = section.quirks.get(authority).into_iter().flatten().cloned().collect();
        let namespace = model.wire.namespace(official.name);
        let action = format!("{namespace}/{}", action(service, official.operation, &quirks));
        Some(Endpoint {
            authority: authority.to_owned(),
            service,
            name: official.name,
            namespace,
            operation: official.operation,
            action,
            url,
            quirks,
            provider: None,
            from_company: false,
        })
    }

    /// Municipal providers of ABRASF.
    pub fn providers(&self) -> &ProviderTable {
        &self.providers
    }

    fn apply_overlay(&mut self, overlay: TableOverlay) -> Result<(), InvalidTable> {
        self.template = overlay.template.or(self.template.take());
        for (name, rows) in overlay.sections {
            let section = self.sections.entry(name).or_default();
            section.authorizer.extend(rows.authorizer);
            section.contingency.extend(rows.contingency);
            section.unregistered = rows.unregistered.or(section.unregistered.take());
            section.urls.extend(rows.urls);
            for (codigo, row) in rows.own {
                section.own.entry(codigo).or_default().merge_row(row);
            }
            for (authority, quirk, present) in rows.quirks {
                let quirks = section.quirks.entry(authority).or_default();
                if present {
                    quirks.insert(quirk)
                } else {
                    quirks.remove(&quirk)
                };
            }
        }
        if let Some(abrasf) = &overlay.abrasf {
            self.providers = self.providers.with_overlay(abrasf)?;
        }
        Ok(())
    }

    fn refuse_names_without_rows(&self) -> Result<(), InvalidTable> {
        for section in self.sections.values() {
            let known = section.authorities();
            let named = section.authorizer.values().chain(section.contingency.values()).chain(section.quirks.keys());
            let named = named.chain(&section.unregistered);
            if let Some(name) = named.into_iter().find(|name| !known.contains(name.as_str())) {
                let nearest = key_path::nearest(name, known.iter().copied());
                return Err(InvalidTable(format!("o autorizador {name} não tem nenhum endereço{nearest}")));
            }
        }
        Ok(())
    }
}

impl TableSection {
    fn authority(&self, uf: Uf, role: AuthorityRole) -> Option<&str> {
        match role {
            AuthorityRole::Normal => self.authorizer.get(&uf).map(String::as_str),
            AuthorityRole::Contingency => self.contingency.get(&uf).map(String::as_str),
            AuthorityRole::Unregistered => self.unregistered.as_deref(),
            AuthorityRole::National => self.urls.keys().any(|(name, _, _)| name == NATIONAL).then_some(NATIONAL),
        }
    }
    fn authorities(&self) -> BTreeSet<&str> {
        self.urls.keys().map(|(authority, _, _)| authority.as_str()).collect()
    }
}

fn action(service: AuthorityService, operation: &'static str, quirks: &[String]) -> &'static str {
    let national = quirks.iter().any(|quirk| quirk == "recepcao_evento_nf");
    if service == AuthorityService::RecepcaoEvento && national { "nfeRecepcaoEventoNF" } else { operation }
}

fn fill(template: &str, section: &str, authority: &str, ambiente: TpAmb, service: &str) -> String {
    let ambiente = match ambiente {
        TpAmb::Producao => "prod",
        TpAmb::Homologacao => "hom",
    };
    template
        .replace("{modelo}", section)
        .replace("{authority}", &authority.to_ascii_lowercase())
        .replace("{ambiente}", ambiente)
        .replace("{service}", service)
}

const BUILTIN: [&str; 5] = [
    include_str!("../tables/nfe.toml"),
    include_str!("../tables/nfce.toml"),
    include_str!("../tables/cte.toml"),
    include_str!("../tables/nfse.toml"),
    include_str!("../tables/nfse_propria.toml"),
];
const NATIONAL: &str = "AN";

#[cfg(test)]
mod tests;
