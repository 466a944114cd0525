//! Resolution of a company's provider row and addresses. Nothing is guessed: an open choice is an error that names the
//! setting to configure.
//!
//! Law: `docs/contract.md`, "NFS-e" (order of precedence). Versions, diverging rows and unusable addresses come from
//! the sources named in the tables.

use super::cities::MunicipalityRow;
use super::municipal_issuer::MunicipalIssuer;
use super::not_usable::NotUsable;
use super::operation::AbrasfOperation;
use super::provider_call::ProviderCall;
use super::providers::ProviderTable;
use super::row::{CredentialKind, ProviderRow, mode_of, mode_word, unit_of};
use crate::table::endpoint::Endpoint;
use crate::table::service::AuthorityService;
use fiscal::abrasf::{AbrasfDialect, RateUnit, SignedParts, SubmissionMode};
use fiscal::value::TpAmb;
use std::collections::BTreeMap;
use std::sync::Arc;

/// NFS-e configuration of a company; `None` where it is not set.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProviderChoice<'a> {
    /// `provedor`.
    pub provedor: Option<&'a str>,
    /// `versao`.
    pub versao: Option<&'a str>,
    /// `url_producao` or `url_homologacao`, by the environment requested.
    pub url: Option<&'a str>,
    /// `modo`: sincrono, lote, gerar.
    pub modo: Option<&'a str>,
    /// `aliquota`: percentual, fracao.
    pub aliquota: Option<&'a str>,
}

/// Provider row of a company, with its addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedProvider {
    pub row: Arc<ProviderRow>,
    /// Dialect of the messages.
    pub dialect: AbrasfDialect,
    /// IBGE code.
    pub codigo: u32,
    /// `MUNICIPIO-3138203`: key of its own circuit breaker and budget.
    pub authority: String,
    /// The address comes from the company's configuration and must pass the URL guard.
    pub own_address: bool,
    addresses: BTreeMap<AbrasfOperation, String>,
}

impl ProviderTable {
    /// Resolves the row for a company of a município: its configuration first, then the município's row.
    pub fn resolve(
        &self,
        codigo: u32,
        ambiente: TpAmb,
        said: &ProviderChoice<'_>,
    ) -> Result<ResolvedProvider, NotUsable> {
        let municipality = self.municipality(codigo);
        let row = self.row(codigo, municipality, said)?;
        if let Some(why) = &row.off {
            let (provider, version) = (row.provider.clone(), row.version.clone());
            return Err(NotUsable::Off { row: row.name(), provider, version, why: why.clone() });
        }
        let here = municipality.filter(|municipality| self.is_of(municipality, row));
        let addresses = self.addresses(codigo, ambiente, row, here, said)?;
        let mode = mode(row, said)?;
        let unit = unit(row, here, said)?;
        let mut dialect = row.dialect(ambiente, mode, unit);
        if here.is_some_and(|municipality| municipality.unsigned) {
            dialect.signed_parts = SignedParts::default();
        }
        Ok(ResolvedProvider {
            row: Arc::clone(row),
            dialect,
            codigo,
            authority: format!("MUNICIPIO-{codigo}"),
            own_address: said.url.is_some() && self.template().is_none(),
            addresses,
        })
    }

    fn row(
        &self,
        codigo: u32,
        municipality: Option<&MunicipalityRow>,
        said: &ProviderChoice<'_>,
    ) -> Result<&Arc<ProviderRow>, NotUsable> {
        let (provider, table) = match (said.provedor, municipality) {
            (Some(provider), municipality) => (provider, municipality),
            (None, None) => return Err(NotUsable::NoRow(codigo)),
            (None, Some(municipality)) => match &municipality.divergent {
                Some(other) => {
                    let (provider, version) = (municipality.provider.clone(), municipality.version.clone());
                    return Err(NotUsable::Divergent { provider, version, other: other.clone() });
                }
                None => (municipality.provider.as_str(), Some(municipality)),
            },
        };
        let rows = self.of(provider);
        if rows.is_empty() {
            return Err(match self.own_layout(provider) {
                Some(own) => NotUsable::OwnLayout { provider: own.provider, form: own.form },
                None => NotUsable::NoProvider { provider: provider.to_owned(), nearest: self.nearest(provider) },
            });
        }
        let known = rows.iter().map(|row| row.version.as_str()).collect::<Vec<_>>().join(", ");
        let is_his = |municipality: &&MunicipalityRow| rows.iter().any(|row| self.is_of(municipality, row));
        // a provider with one version leaves no choice; among several none is chosen here
        let only = || (rows.len() == 1).then(|| rows.first().map(|row| row.version.as_str())).flatten();
        let version = said.versao.or(table.filter(is_his).map(|municipality| municipality.version.as_str()));
        let Some(version) = version.or_else(only) else {
            return Err(NotUsable::WhichVersion { provider: provider.to_owned(), known });
        };
        let found = rows.into_iter().find(|row| row.version == version);
        found.ok_or_else(|| NotUsable::NoVersion { provider: provider.to_owned(), version: version.to_owned(), known })
    }

    /// True when the município's provider is this row's, in any version.
    pub(super) fn is_of(&self, municipality: &MunicipalityRow, row: &ProviderRow) -> bool {
        self.of(&municipality.provider).iter().any(|other| other.provider == row.provider)
    }

    fn addresses(
        &self,
        codigo: u32,
        ambiente: TpAmb,
        row: &ProviderRow,
        municipality: Option<&MunicipalityRow>,
        said: &ProviderChoice<'_>,
    ) -> Result<BTreeMap<AbrasfOperation, String>, NotUsable> {
        let (name, field) = of_environment(ambiente);
        if let Some(url) = said.url {
            if !url.starts_with("https://") {
                return Err(NotUsable::NotHttps { field });
            }
            let simulated = self.template().map(|template| filled(template, row, codigo, ambiente));
            let at = |operation| simulated.clone().unwrap_or_else(|| row.url_of(operation, url));
            return Ok(row.operations.iter().map(|operation| (*operation, at(*operation))).collect());
        }
        let absent = || NotUsable::NoAddress { ambiente: name, field };
        let municipality = municipality.ok_or_else(absent)?;
        let bad = |why| NotUsable::BadAddress { ambiente: name, why, field };
        if municipality.wrong_environment == Some(ambiente) {
            return Err(bad("é a de outro ambiente ou de outro município"));
        }
        if ambiente == TpAmb::Homologacao && municipality.same_url {
            return Err(bad("é a mesma de produção: um teste pode gerar nota real"));
        }
        let own = |operation: AbrasfOperation| municipality.addresses.get(&(ambiente, operation)).cloned();
        let url = municipality.url(ambiente);
        if let Some(template) = self.template() {
            let url = filled(template, row, codigo, ambiente);
            return Ok(row.operations.iter().map(|operation| (*operation, url.clone())).collect());
        }
        let by_rule = |operation| match url {
            "" => None,
            _ if municipality.per_operation && row.url.is_none() && operation != AbrasfOperation::of_mode(row.mode) => {
                None
            }
            url => Some(over_tls(&row.url_of(operation, url))),
        };
        let addresses: BTreeMap<AbrasfOperation, String> = row
            .operations
            .iter()
            .filter_map(|operation| Some((*operation, own(*operation).or_else(|| by_rule(*operation))?)))
            .collect();
        let needed = [AbrasfOperation::of_mode(row.mode), AbrasfOperation::ConsultarNfsePorRps];
        match needed.iter().all(|operation| addresses.contains_key(operation)) {
            true => Ok(addresses),
            false if url.is_empty() => Err(absent()),
            false => Err(NotUsable::OneAddressEach { codigo, ambiente: ambiente.word() }),
        }
    }
}

impl ResolvedProvider {
    /// Endpoint of a service for an issuer; `None` when the provider lacks the service.
    pub fn endpoint(&self, service: AuthorityService, company: &Arc<MunicipalIssuer>) -> Option<Endpoint> {
        self.endpoint_of(AbrasfOperation::of_service(service, self.dialect.mode)?, company)
    }

    /// Endpoint of an operation for an issuer.
    pub fn endpoint_of(&self, operation: AbrasfOperation, company: &Arc<MunicipalIssuer>) -> Option<Endpoint> {
        let url = self.addresses.get(&operation)?.clone();
        Some(Endpoint {
            authority: self.authority.clone(),
            service: operation.service(),
            name: operation.name(),
            namespace: self.row.filled(&self.row.namespace, operation, &url),
            operation: operation.name(),
            action: self.row.action_of(operation, &url),
            url,
            quirks: Vec::new(),
            from_company: self.own_address,
            provider: Some(Arc::new(ProviderCall {
                row: Arc::clone(&self.row),
                dialect: self.dialect.clone(),
                operation,
                company: Arc::clone(company),
            })),
        })
    }

    /// Address that receives declarations.
    pub fn address(&self) -> &str {
        self.addresses.get(&AbrasfOperation::of_mode(self.dialect.mode)).map_or("", String::as_str)
    }

    /// Credentials that the row needs and the issuer lacks.
    pub fn missing(&self, company: &MunicipalIssuer) -> Vec<CredentialKind> {
        let needed = self.row.credential_arguments.keys().copied();
        needed.filter(|which| company.credentials.get(*which).is_empty()).collect()
    }

    /// True when the operation has an address.
    pub fn has(&self, operation: AbrasfOperation) -> bool {
        self.addresses.contains_key(&operation)
    }
}

/// The address over TLS. Port 80 of an http address is dropped; any other port is kept.
pub(super) fn over_tls(url: &str) -> String {
    let Some(rest) = url.strip_prefix("http://") else { return url.to_owned() };
    let (host, path) = rest.split_once('/').map_or((rest, String::new()), |(host, path)| (host, format!("/{path}")));
    let host = host.strip_suffix(":80").unwrap_or(host);
    format!("https://{host}{path}")
}

fn filled(template: &str, row: &ProviderRow, codigo: u32, ambiente: TpAmb) -> String {
    let word = match ambiente {
        TpAmb::Producao => "prod",
        TpAmb::Homologacao => "hom",
    };
    template
        .replace("{provider}", &format!("{}-{}", row.provider, row.version))
        .replace("{city}", &codigo.to_string())
        .replace("{ambiente}", word)
}

fn of_environment(ambiente: TpAmb) -> (&'static str, &'static str) {
    match ambiente {
        TpAmb::Producao => ("produção", "url_producao"),
        TpAmb::Homologacao => ("homologação", "url_homologacao"),
    }
}

fn mode(row: &ProviderRow, said: &ProviderChoice<'_>) -> Result<SubmissionMode, NotUsable> {
    let Some(word) = said.modo else { return Ok(row.mode) };
    let known = "sincrono, lote, gerar";
    let mode = mode_of(word).ok_or(NotUsable::NoSuchWord { field: "modo", known })?;
    if row.operations.contains(&AbrasfOperation::of_mode(mode)) {
        return Ok(mode);
    }
    let has = [SubmissionMode::Sincrono, SubmissionMode::Lote, SubmissionMode::Gerar]
        .into_iter()
        .filter(|mode| row.operations.contains(&AbrasfOperation::of_mode(*mode)));
    let known = has.map(mode_word).collect::<Vec<_>>().join(", ");
    Err(NotUsable::NoMode { row: row.name(), mode: mode_word(mode), known })
}

/// Unit of the rate: the company's setting, else the município's or the row's. `None` where no source decides and the
/// layout allows both.
fn unit(
    row: &ProviderRow,
    municipality: Option<&MunicipalityRow>,
    said: &ProviderChoice<'_>,
) -> Result<Option<RateUnit>, NotUsable> {
    if let Some(word) = said.aliquota {
        return unit_of(word).map(Some).ok_or(NotUsable::NoSuchWord { field: "aliquota", known: "percentual, fracao" });
    }
    let here = municipality.and_then(|municipality| municipality.aliquota);
    Ok(here.or(row.aliquota))
}
