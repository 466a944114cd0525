//! Servers of municípios that take the documents of the national layout in themselves, at an address of their own: rows
//! by IBGE code.
//!
//! Law: `reference/nfse.md` 1 (`nacional_propria`); the sources stand in `tables/nfse_propria.toml`. A row that nobody
//! confirmed is off until the operator turns it on (`[nfse.propria.<código>] ativa = true`).

use super::{DPS, Endpoint, InvalidTable, MODELS, Service, Table, fill};
use fiscal::value::TpAmb;

/// A row. What a file leaves out stays as the file below it has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnServer {
    /// Whose program it is, for people.
    pub sistema: Option<String>,
    /// How it is spoken to.
    pub forma: Option<WireForm>,
    /// Whether it is used where a company does not say so itself.
    pub ativa: Option<bool>,
    /// Its address in production, what every path is put behind.
    pub producao: Option<String>,
    /// The same in homologação.
    pub homologacao: Option<String>,
}

/// How such a server is spoken to. Only the first one is.
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

    /// For people, Portuguese.
    pub fn name(self) -> &'static str {
        match self {
            WireForm::RestNacional => "REST com os caminhos da Sefin Nacional",
            WireForm::RestPropria => "REST com caminhos próprios",
            WireForm::Soap => "SOAP",
        }
    }
}

impl OwnServer {
    pub(super) fn lay_over(&mut self, row: OwnServer) {
        let OwnServer { sistema, forma, ativa, producao, homologacao } = row;
        self.sistema = sistema.or(self.sistema.take());
        self.forma = forma.or(self.forma);
        self.ativa = ativa.or(self.ativa);
        self.producao = producao.or(self.producao.take());
        self.homologacao = homologacao.or(self.homologacao.take());
    }

    /// Whether it is spoken to as the Sefin Nacional is; a row that does not say is.
    pub fn is_national(&self) -> bool {
        self.form() == WireForm::RestNacional
    }

    /// How it is spoken to.
    pub fn form(&self) -> WireForm {
        self.forma.unwrap_or(WireForm::RestNacional)
    }

    /// Whether the operator uses it.
    pub fn is_on(&self) -> bool {
        self.ativa == Some(true)
    }

    /// Its address in an environment.
    pub fn address(&self, ambiente: TpAmb) -> Option<&str> {
        match ambiente {
            TpAmb::Producao => self.producao.as_deref(),
            TpAmb::Homologacao => self.homologacao.as_deref(),
        }
    }
}

/// One such server as documents go to it: by a row, or by the word of a company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHost {
    /// Name of its own, for limits, circuits and logs.
    pub authority: String,
    /// IBGE code.
    pub municipio: u32,
    /// Environment.
    pub ambiente: TpAmb,
    /// What every path is put behind.
    pub base: String,
    /// The address is a company's word.
    pub given: bool,
}

impl Table {
    /// The row of a município.
    pub fn own_server(&self, municipio: u32) -> Option<&OwnServer> {
        self.rows(DPS)?.1.own.get(&municipio)
    }

    /// Every row, by IBGE code.
    pub fn own_servers(&self) -> impl Iterator<Item = (u32, &OwnServer)> {
        let rows = self.rows(DPS).map(|(_, section)| section.own.iter());
        rows.into_iter().flatten().map(|(codigo, row)| (*codigo, row))
    }

    /// The address of a service there; a template replaces it like any other.
    pub fn endpoint_of(&self, host: &OwnHost, service: Service) -> Option<Endpoint> {
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
            given: host.given && simulated.is_none(),
            provider: None,
            url: simulated.unwrap_or_else(|| host.base.clone()),
            quirks: Vec::new(),
        })
    }

    /// A row that is on says where.
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
