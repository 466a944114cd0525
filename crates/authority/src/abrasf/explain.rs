//! Report on a município for callers: its provider, the protocol, the configuration a company needs, and the sources.

use super::cities::MunicipalityRow;
use super::national_cities::{NationalCity, day};
use super::not_usable::NotUsable;
use super::providers::ProviderTable;
use super::resolve::{ProviderChoice, over_tls};
use super::row::{ArgumentEncoding, CredentialKind, ProviderRow, SoapVersion, mode_word, unit_word};
use fiscal::abrasf::RateUnit;
use fiscal::nfse::simples::duties;
use fiscal::value::TpAmb;
use fiscal::value::municipio;

/// Report on a município.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MunicipalityReport {
    /// IBGE code.
    pub codigo: u32,
    /// Official name.
    pub nome: &'static str,
    /// Provider in the table; `None` without a row.
    pub provider: Option<String>,
    /// Version of ABRASF.
    pub version: Option<String>,
    /// Protocol of the provider's row, if there is one.
    pub protocol: Option<ProviderProtocol>,
    /// Status in production.
    pub producao: EnvironmentStatus,
    /// Status in homologação.
    pub homologacao: EnvironmentStatus,
    /// Settings that a company must configure, in Portuguese.
    pub needs: Vec<String>,
    /// Sources and their consequences, as Portuguese sentences.
    pub why: Vec<String>,
}

/// Protocol of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderProtocol {
    /// `1.1`, `1.2`.
    pub soap: &'static str,
    /// `sincrono`, `lote`, `gerar`.
    pub mode: &'static str,
    /// Official names of the operations.
    pub operations: Vec<&'static str>,
    /// Signed parts, by their names in the table.
    pub signs: Vec<&'static str>,
    /// `percentual`, `fracao`; `None` when unknown.
    pub aliquota: Option<&'static str>,
    /// Credentials besides the certificate.
    pub credentials: Vec<&'static str>,
    /// Reason for the row's being off.
    pub off: Option<String>,
}

/// Possibility of issuing in an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvironmentStatus {
    /// Usable at this address.
    Usable(String),
    /// Not usable without configuration.
    NotUsable(NotUsable),
}

impl ProviderTable {
    /// Report on a município; `None` for an unknown code. `is_closed` is true when its convênio closes the national
    /// emitter to issuers there; it overrides the table.
    pub fn explain(&self, codigo: u32, is_closed: bool) -> Option<MunicipalityReport> {
        let nome = municipio::find(codigo)?.nome;
        let municipality = self.municipality(codigo);
        let national = self.national(codigo);
        let row = municipality.and_then(|municipality| {
            self.of(&municipality.provider).into_iter().find(|row| row.version == municipality.version)
        });
        Some(MunicipalityReport {
            codigo,
            nome,
            provider: municipality.map(|municipality| municipality.provider.clone()),
            version: municipality.map(|municipality| municipality.version.clone()),
            protocol: row.map(|row| ProviderProtocol::of(row, municipality)),
            producao: self.environment(codigo, TpAmb::Producao, national.filter(|_| !is_closed)),
            homologacao: self.environment(codigo, TpAmb::Homologacao, national.filter(|_| !is_closed)),
            needs: row.map(|row| needs(row, municipality)).unwrap_or_default(),
            why: match (national, municipality) {
                (None, None) => without_row(),
                _ => {
                    let of_row = municipality.map(|municipality| sources_of_row(municipality, row.map(|row| &**row)));
                    national
                        .map(NationalCity::known_facts)
                        .into_iter()
                        .chain(of_row)
                        .flatten()
                        .chain(duties())
                        .collect()
                }
            },
        })
    }

    fn environment(&self, codigo: u32, ambiente: TpAmb, national: Option<&NationalCity>) -> EnvironmentStatus {
        if let Some(city) = national {
            return EnvironmentStatus::NotUsable(NotUsable::National { sources: city.sources() });
        }
        let resolved = self.resolve(codigo, ambiente, &ProviderChoice::default());
        let url = resolved.map(|resolved| resolved.address().to_owned());
        url.map_or_else(EnvironmentStatus::NotUsable, EnvironmentStatus::Usable)
    }
}

impl ProviderProtocol {
    fn of(row: &ProviderRow, municipality: Option<&MunicipalityRow>) -> ProviderProtocol {
        ProviderProtocol {
            soap: row.soap.word(),
            mode: mode_word(row.mode),
            operations: row.operations.iter().map(|operation| operation.name()).collect(),
            signs: if municipality.is_some_and(|municipality| municipality.unsigned) {
                Vec::new()
            } else {
                row.signed()
            },
            aliquota: unit(row, municipality).map(unit_word),
            credentials: row.credential_arguments.keys().map(|which| which.word()).collect(),
            off: row.off.clone(),
        }
    }
}

impl ProviderRow {
    /// Signed parts, by their names in the table.
    pub fn signed(&self) -> Vec<&'static str> {
        let signs = self.signs;
        let all = [
            ("rps", signs.rps),
            ("lote", signs.lote),
            ("gerar", signs.gerar && !signs.rps),
            ("cancelamento", signs.cancelamento),
            ("substituicao", signs.substituicao && !signs.cancelamento),
            ("consulta_rps", signs.consulta_rps),
            ("consulta_lote", signs.consulta_lote),
        ];
        all.into_iter().filter(|(_, signed)| *signed).map(|(name, _)| name).collect()
    }
}

impl SoapVersion {
    /// Version number.
    pub fn word(self) -> &'static str {
        match self {
            SoapVersion::V11 => "1.1",
            SoapVersion::V12 => "1.2",
        }
    }
}

impl ArgumentEncoding {
    /// Name in a table.
    pub fn word(self) -> &'static str {
        match self {
            ArgumentEncoding::Cdata => "cdata",
            ArgumentEncoding::Escaped => "escaped",
            ArgumentEncoding::Tree => "tree",
        }
    }
}

fn unit(row: &ProviderRow, municipality: Option<&MunicipalityRow>) -> Option<RateUnit> {
    municipality.and_then(|municipality| municipality.aliquota).or(row.aliquota)
}

fn needs(row: &ProviderRow, municipality: Option<&MunicipalityRow>) -> Vec<String> {
    let mut needs = vec![
        "certificado A1 da empresa".to_owned(),
        "inscrição municipal da empresa e autorização da prefeitura para emitir por webservice".to_owned(),
        "série e próximo número do RPS, como a prefeitura os autorizou".to_owned(),
    ];
    let of_credential = |which: &CredentialKind| match which {
        CredentialKind::Login => "usuário do webservice da prefeitura (prefeitura.login)",
        CredentialKind::Senha => "senha do webservice da prefeitura (prefeitura.senha)",
        CredentialKind::Token => "token do webservice da prefeitura (prefeitura.token)",
    };
    needs.extend(row.credential_arguments.keys().map(|which| of_credential(which).to_owned()));
    if unit(row, municipality).is_none() {
        needs.push("unidade da alíquota (aliquota: percentual ou fracao), provada em homologação".to_owned());
    }
    if municipality.is_some_and(|municipality| municipality.divergent.is_some()) {
        needs.push("provedor e versao, porque as fontes divergem".to_owned());
    }
    if let Some(why) = &row.off {
        needs.push(format!("que quem opera o serviço ligue a linha {}: {why}", row.name()));
    }
    needs
}

fn sources_of_row(municipality: &MunicipalityRow, row: Option<&ProviderRow>) -> Vec<String> {
    let MunicipalityRow { provider, version, source, .. } = municipality;
    let mut why = vec![format!("a tabela de municípios diz {provider} {version} ({source})")];
    why.extend(municipality.divergent.as_ref().map(|other| format!("outra fonte diz {other}")));
    why.extend(municipality.seen.as_ref().map(|seen| format!("a fonte mais nova que fala dele é de {}", day(seen))));
    why.extend(municipality.sources.as_ref().map(|sources| format!("a favor: {sources}")));
    why.extend(municipality.against.as_ref().map(|against| format!("contra: {against}")));
    why.push(match row {
        Some(row) if row.off.is_some() => format!("há uma linha {}, desligada", row.name()),
        Some(row) => format!("há uma linha {}", row.name()),
        None => "não há linha deste provedor nesta versão".to_owned(),
    });
    let plain = [TpAmb::Producao, TpAmb::Homologacao].into_iter().filter(|ambiente| {
        let url = municipality.url(*ambiente);
        !url.is_empty() && over_tls(url) != url
    });
    why.extend(plain.map(|ambiente| {
        let word = ambiente.word();
        format!("a fonte traz a URL de {word} em http; o serviço só chama por https, no mesmo servidor")
    }));
    if municipality.same_url {
        why.push("a fonte traz a mesma URL nos dois ambientes: a homologação é tratada como inexistente".to_owned());
    }
    if row.is_some_and(|row| unit(row, Some(municipality)).is_none()) {
        why.push(UNKNOWN_UNIT.to_owned());
    }
    why.extend(row.into_iter().flat_map(|row| row.notes.iter()).chain(&municipality.notes).cloned());
    why
}

const UNKNOWN_UNIT: &str = "não há fonte bastante da unidade da alíquota: a nota que a informa é recusada (422) até a empresa configurar aliquota";

fn without_row() -> Vec<String> {
    let unknown = "o município não está na tabela de provedores; sem configuração, vale o padrão nacional".to_owned();
    std::iter::once(unknown).chain(duties()).collect()
}
