//! Servers of municípios that receive documents of the national layout at their own address: rows by IBGE code, with
//! their sources in `tables/nfse_propria.toml`. An unconfirmed row is off until the operator turns it on
//! (`[nfse.propria.<código>] ativa = true`).

use super::{AuthorityService, DPS, Endpoint, EndpointTable, InvalidTable, MODELS, fill};
use fiscal::value::TpAmb;

/// A row. A key that a file omits keeps the value of the file below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnServer {
    /// Vendor or program of the server, for display.
    pub sistema: Option<String>,
    pub forma: Option<WireForm>,
    /// The server is used unless the company's configuration decides otherwise.
    pub ativa: Option<bool>,
    /// Base address in production.
    pub producao: Option<String>,
    /// Base address in homologação.
    pub homologacao: Option<String>,
}

/// Form of a server's protocol. Only the first one is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireForm {
    /// REST and JSON with the paths and the bodies of the Sefin Nacional.
    RestNacional,
    /// REST and JSON with paths of its own.
    RestPropria,
    /// SOAP with a DPS inside.
    Soap,
}

impl WireForm {
    const ALL: [(&'static str, WireForm); 3] =
        [("rest_nacional", WireForm::RestNacional), ("rest_propria", WireForm::RestPropria), ("soap", WireForm::Soap)];

    pub(super) fn from_word(word: &str) -> Option<WireForm> {
        WireForm::ALL.iter().find(|(known, _)| *known == word).map(|(_, form)| *form)
    }

    pub(super) fn words() -> String {
        WireForm::ALL.map(|(word, _)| word).join(", ")
    }

    /// Name for display, Portuguese.
    pub fn name(self) -> &'static str {
        match self {
            WireForm::RestNacional => "REST com os caminhos da Sefin Nacional",
            WireForm::RestPropria => "REST com caminhos próprios",
            WireForm::Soap => "SOAP",
        }
    }
}

impl OwnServer {
    pub(super) fn merge_row(&mut self, row: OwnServer) {
        let OwnServer { sistema, forma, ativa, producao, homologacao } = row;
        self.sistema = sistema.or(self.sistema.take());
        self.forma = forma.or(self.forma);
        self.ativa = ativa.or(self.ativa);
        self.producao = producao.or(self.producao.take());
        self.homologacao = homologacao.or(self.homologacao.take());
    }

    /// True when the server uses the protocol of the Sefin Nacional, the default.
    pub fn is_national(&self) -> bool {
        self.form() == WireForm::RestNacional
    }

    /// Form of the protocol.
    pub fn form(&self) -> WireForm {
        self.forma.unwrap_or(WireForm::RestNacional)
    }

    /// True when the operator turned the server on.
    pub fn is_on(&self) -> bool {
        self.ativa == Some(true)
    }

    /// Base address in an environment.
    pub fn address(&self, ambiente: TpAmb) -> Option<&str> {
        match ambiente {
            TpAmb::Producao => self.producao.as_deref(),
            TpAmb::Homologacao => self.homologacao.as_deref(),
        }
    }
}

/// A server that receives documents, from a row or from a company's configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHost {
    /// Name for limits, circuit breakers and logs.
    pub authority: String,
    /// IBGE code.
    pub municipio: u32,
    pub ambiente: TpAmb,
    /// Base address of all paths.
    pub base: String,
    /// The address comes from a company's configuration.
    pub from_company: bool,
}

impl EndpointTable {
    /// Row of a município.
    pub fn own_server(&self, municipio: u32) -> Option<&OwnServer> {
        self.rows(DPS)?.1.own.get(&municipio)
    }

    /// All rows, by IBGE code.
    pub fn own_servers(&self) -> impl Iterator<Item = (u32, &OwnServer)> {
        let rows = self.rows(DPS).map(|(_, section)| section.own.iter());
        rows.into_iter().flatten().map(|(codigo, row)| (*codigo, row))
    }

    /// Address of a service on the server; a template replaces it like any other.
    pub fn endpoint_of(&self, host: &OwnHost, service: AuthorityService) -> Option<Endpoint> {
        let model = MODELS.iter().find(|model| model.modelo == DPS)?;
        let official = model.wire.official(service)?;
        let simulated = self.template.as_ref().map(|template| {
            let authority = format!("propria-{:07}", host.municipio);
            fill(template, model.section, &authority, host.ambiente, official.name)
        });
        Some(Endpoint {
            authority: host.authority.clone(),
            service,
            name: official.name,
            namespace: String::new(),
            operation: official.operation,
            action: String::new(),
            from_company: host.from_company && simulated.is_none(),
            provider: None,
            url: simulated.unwrap_or_else(|| host.base.clone()),
            quirks: Vec::new(),
        })
    }

    /// Refuses a row that is on without an address.
    pub(super) fn refuse_own_servers_without_address(&self) -> Result<(), InvalidTable> {
        let wrong =
            self.own_servers().find(|(_, row)| row.is_on() && row.producao.is_none() && row.homologacao.is_none());
        match wrong {
            Some((codigo, _)) => Err(InvalidTable(format!(
                "nfse.propria.{codigo} está ativa e não tem endereço: informe producao, homologacao ou os dois"
            ))),
            None => Ok(()),
        }
    }
}
