//! Who answers for a state, and where. Data, not code: `tables/*.toml`, replaceable by the operator without a rebuild.
//!
//! Law: MOC 7.0, visão geral (authorizers) and anexo III (contingency); the sources of the addresses stand in each table.

mod file;

use file::Overlay;
use fiscal::value::{TpAmb, Uf};
use std::collections::{BTreeMap, BTreeSet};

/// Services of NF-e and NFC-e.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the official service names without their prefix and version")]
pub enum Service {
    Autorizacao,
    RetAutorizacao,
    ConsultaProtocolo,
    StatusServico,
    Inutilizacao,
    RecepcaoEvento,
    ConsultaCadastro,
    DistribuicaoDFe,
}

impl Service {
    /// All eight.
    pub const ALL: [Service; 8] = [
        Service::Autorizacao,
        Service::RetAutorizacao,
        Service::ConsultaProtocolo,
        Service::StatusServico,
        Service::Inutilizacao,
        Service::RecepcaoEvento,
        Service::ConsultaCadastro,
        Service::DistribuicaoDFe,
    ];
    /// Official name, e.g. `NFeAutorizacao4`.
    pub fn official_name(self) -> &'static str {
        self.row().0
    }
    /// Operation of the WSDL, e.g. `nfeAutorizacaoLote`.
    pub fn operation(self) -> &'static str {
        self.row().1
    }
    /// Namespace of the WSDL, e.g. `http://www.portalfiscal.inf.br/nfe/wsdl/NFeAutorizacao4`.
    pub fn namespace(self) -> String {
        format!("http://www.portalfiscal.inf.br/nfe/wsdl/{}", self.official_name())
    }
    fn row(self) -> (&'static str, &'static str) {
        match self {
            Service::Autorizacao => ("NFeAutorizacao4", "nfeAutorizacaoLote"),
            Service::RetAutorizacao => ("NFeRetAutorizacao4", "nfeRetAutorizacaoLote"),
            Service::ConsultaProtocolo => ("NFeConsultaProtocolo4", "nfeConsultaNF"),
            Service::StatusServico => ("NFeStatusServico4", "nfeStatusServicoNF"),
            Service::Inutilizacao => ("NFeInutilizacao4", "nfeInutilizacaoNF"),
            Service::RecepcaoEvento => ("NFeRecepcaoEvento4", "nfeRecepcaoEvento"),
            Service::ConsultaCadastro => ("CadConsultaCadastro4", "consultaCadastro"),
            Service::DistribuicaoDFe => ("NFeDistribuicaoDFe", "nfeDistDFeInteresse"),
        }
    }
}

/// Which of the authorities of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The state's authoriser (own, SVAN or SVRS).
    Normal,
    /// Its SVC.
    Contingency,
    /// Ambiente Nacional.
    National,
}

/// An address to call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Name of the authority, e.g. `SP`, `SVRS`, `SVC-AN`, `AN`.
    pub authority: String,
    /// Service.
    pub service: Service,
    /// Full https address.
    pub url: String,
    /// SOAPAction.
    pub action: String,
    /// Named quirks of this authority (see the table).
    pub quirks: Vec<String>,
}

/// The whole matrix.
#[derive(Debug, Clone)]
pub struct Table {
    models: BTreeMap<u8, Model>,
    /// Replaces every address.
    template: Option<String>,
}

/// The rows of one document model.
#[derive(Debug, Clone, Default)]
struct Model {
    authorizer: BTreeMap<Uf, String>,
    contingency: BTreeMap<Uf, String>,
    quirks: BTreeMap<String, BTreeSet<String>>,
    urls: BTreeMap<(String, TpAmb, Service), String>,
}

/// No row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("não há endereço de {service:?} do modelo {modelo} para {uf:?} em {ambiente:?} ({role:?})")]
pub struct NoEndpoint {
    /// State asked for.
    pub uf: Uf,
    /// Model asked for.
    pub modelo: u8,
    /// Environment asked for.
    pub ambiente: TpAmb,
    /// Service asked for.
    pub service: Service,
    /// Role asked for.
    pub role: Role,
}

/// A table file that cannot be used; the message names the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tabela de autoridades inválida: {0}")]
pub struct InvalidTable(pub String);

impl Table {
    /// The rows inside the binary.
    pub fn builtin() -> Table {
        let mut table = Table { models: BTreeMap::new(), template: None };
        // a builtin file that does not read would leave the table empty; a test resolves every row
        for builtin in [BUILTIN_NFE, BUILTIN_NFCE] {
            if let Ok(overlay) = Overlay::read(builtin) {
                table.lay_over(overlay);
            }
        }
        table
    }
    /// The rows inside the binary, with an operator's TOML laid over them. Besides the builtin layout it may hold
    /// `[template] url = "https://127.0.0.1:9443/{modelo}/{authority}/{ambiente}/{service}"`, which replaces every address
    /// (`{modelo}` `nfe|nfce`, `{authority}` lower case such as `sp`, `svc-an`, `an`, `{ambiente}` `prod|hom`, `{service}` official name).
    pub fn with_overrides(toml: &str) -> Result<Table, InvalidTable> {
        let mut table = Table::builtin();
        table.lay_over(Overlay::read(toml)?);
        table.refuse_names_without_rows()?;
        Ok(table)
    }
    /// The address of a service.
    pub fn endpoint(
        &self,
        uf: Uf,
        modelo: u8,
        ambiente: TpAmb,
        service: Service,
        role: Role,
    ) -> Result<Endpoint, NoEndpoint> {
        self.find(uf, modelo, ambiente, service, role).ok_or(NoEndpoint { uf, modelo, ambiente, service, role })
    }
    /// Name of the authority in that role, without an address.
    pub fn authority(&self, uf: Uf, modelo: u8, role: Role) -> Option<&str> {
        self.models.get(&modelo)?.authority(uf, role)
    }
    /// Names of the authorities that stand in the table for a model.
    pub fn authorities(&self, modelo: u8) -> BTreeSet<&str> {
        let urls = self.models.get(&modelo).into_iter().flat_map(|model| model.urls.keys());
        urls.map(|(authority, _, _)| authority.as_str()).collect()
    }

    fn find(&self, uf: Uf, modelo: u8, ambiente: TpAmb, service: Service, role: Role) -> Option<Endpoint> {
        let model = self.models.get(&modelo)?;
        let authority = model.authority(uf, role)?;
        let url = model.urls.get(&(authority.to_owned(), ambiente, service))?;
        let url = match &self.template {
            Some(template) => fill(template, modelo, authority, ambiente, service),
            None => url.clone(),
        };
        let quirks: Vec<String> = model.quirks.get(authority).into_iter().flatten().cloned().collect();
        let action = format!("{}/{}", service.namespace(), operation(service, &quirks));
        Some(Endpoint { authority: authority.to_owned(), service, url, action, quirks })
    }

    fn lay_over(&mut self, overlay: Overlay) {
        self.template = overlay.template.or(self.template.take());
        for (modelo, rows) in overlay.models {
            let model = self.models.entry(modelo).or_default();
            model.authorizer.extend(rows.authorizer);
            model.contingency.extend(rows.contingency);
            model.urls.extend(rows.urls);
            for (authority, quirk, present) in rows.quirks {
                let quirks = model.quirks.entry(authority).or_default();
                if present {
                    quirks.insert(quirk)
                } else {
                    quirks.remove(&quirk)
                };
            }
        }
    }

    fn refuse_names_without_rows(&self) -> Result<(), InvalidTable> {
        for (modelo, model) in &self.models {
            let known = self.authorities(*modelo);
            let named = model.authorizer.values().chain(model.contingency.values()).chain(model.quirks.keys());
            if let Some(name) = named.into_iter().find(|name| !known.contains(name.as_str())) {
                let nearest = file::nearest(name, known.iter().copied());
                return Err(InvalidTable(format!("o autorizador {name} não tem nenhum endereço{nearest}")));
            }
        }
        Ok(())
    }
}

impl Model {
    fn authority(&self, uf: Uf, role: Role) -> Option<&str> {
        match role {
            Role::Normal => self.authorizer.get(&uf).map(String::as_str),
            Role::Contingency => self.contingency.get(&uf).map(String::as_str),
            Role::National => self.urls.keys().any(|(name, _, _)| name == NATIONAL).then_some(NATIONAL),
        }
    }
}

fn operation(service: Service, quirks: &[String]) -> &'static str {
    let national = quirks.iter().any(|quirk| quirk == "recepcao_evento_nf");
    if service == Service::RecepcaoEvento && national { "nfeRecepcaoEventoNF" } else { service.operation() }
}

fn fill(template: &str, modelo: u8, authority: &str, ambiente: TpAmb, service: Service) -> String {
    let ambiente = match ambiente {
        TpAmb::Producao => "prod",
        TpAmb::Homologacao => "hom",
    };
    let modelo = if modelo == 65 { "nfce" } else { "nfe" };
    template
        .replace("{modelo}", modelo)
        .replace("{authority}", &authority.to_ascii_lowercase())
        .replace("{ambiente}", ambiente)
        .replace("{service}", service.official_name())
}

const BUILTIN_NFE: &str = include_str!("tables/nfe.toml");
const BUILTIN_NFCE: &str = include_str!("tables/nfce.toml");
const NATIONAL: &str = "AN";

#[cfg(test)]
mod tests;
