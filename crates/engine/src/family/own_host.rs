//! Municípios' own servers for the national layout: their settings in a company's configuration and in a row of the
//! table, and the names that separate them for jobs, limits and logs.
//!
//! The name of an address that a company gave belongs to that company alone, so that its failures slow down no other.
//! Law: `docs/contract.md`, "NFS-e"; manual of the national NFS-e.

use crate::family::issuer::FamilyIssuer;
use authority::table::{EndpointTable, OwnHost};
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::Value;
use uuid::Uuid;

/// `provedor` of the Sefin Nacional.
pub(crate) const NATIONAL: &str = "nacional";
/// `provedor` of a município that answers in the national layout at its own address.
pub(crate) const OWN: &str = "nacional_propria";
/// Prefix of the name of such an authority.
const PREFIX: &str = "PROPRIA-";

/// Host that a company's configuration names; the caller checks if its address may be called.
pub(crate) fn given(tenant: Uuid, issuer: &FamilyIssuer, ambiente: TpAmb, municipio: u32) -> Option<OwnHost> {
    let base = url(issuer, ambiente)?.to_owned();
    let authority = given_name(PREFIX, municipio, tenant, issuer.company.cpf_cnpj);
    Some(OwnHost { authority, municipio, ambiente, base, from_company: true })
}

/// Host of a row, on or off: one that was turned off still has the documents sent to it.
pub(crate) fn of_row(table: &EndpointTable, ambiente: TpAmb, municipio: u32) -> Option<OwnHost> {
    let row = table.own_server(municipio).filter(|row| row.is_national())?;
    let base = row.address(ambiente)?.to_owned();
    Some(OwnHost { authority: format!("{PREFIX}{municipio:07}"), municipio, ambiente, base, from_company: false })
}

/// Host of a row that the operator uses.
pub(crate) fn of_row_in_use(table: &EndpointTable, ambiente: TpAmb, municipio: u32) -> Option<OwnHost> {
    table.own_server(municipio).filter(|row| row.is_on()).and_then(|_| of_row(table, ambiente, municipio))
}

/// Member of the configuration that holds the address of an environment.
pub(crate) fn url_member(ambiente: TpAmb) -> &'static str {
    match ambiente {
        TpAmb::Producao => "url_producao",
        TpAmb::Homologacao => "url_homologacao",
    }
}

/// Address in the configuration.
pub(crate) fn url(issuer: &FamilyIssuer, ambiente: TpAmb) -> Option<&str> {
    let given = issuer.configuration.get(url_member(ambiente))?.as_str()?.trim();
    (!given.is_empty()).then_some(given)
}

/// `provedor` as the company configured it.
pub(crate) fn provider(issuer: &FamilyIssuer) -> Option<&str> {
    issuer.configuration.get("provedor").and_then(Value::as_str)
}

/// Município where the company issues.
pub(crate) fn municipality(issuer: &FamilyIssuer) -> Option<u32> {
    let said = [issuer.configuration.get("codigo_municipio"), issuer.emitente.get("cMun")];
    said.into_iter().flatten().find_map(code)
}

/// Reads a code, which the API takes as number and as text.
pub(crate) fn code(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// `true` if a `provedor` uses the national layout, at whichever server.
pub(crate) fn is_national(provider: &str) -> bool {
    [NATIONAL, OWN].contains(&provider)
}

/// Returns the município of a name, and `true` if a company gave its address.
pub(crate) fn parse_name(authority: &str) -> Option<(u32, bool)> {
    let rest = authority.strip_prefix(PREFIX)?;
    Some((municipality_of(PREFIX, authority)?, rest.contains('-')))
}

/// Returns the município of a name with that prefix.
pub(crate) fn municipality_of(prefix: &str, authority: &str) -> Option<u32> {
    let rest = authority.strip_prefix(prefix)?;
    rest.split_once('-').map_or(rest, |(codigo, _)| codigo).parse().ok()
}

/// Name of an address that a company of an account gave.
pub(crate) fn given_name(prefix: &str, municipio: u32, tenant: Uuid, company: CnpjCpf) -> String {
    format!("{prefix}{municipio:07}-{:08x}", short_hash(tenant, company))
}

/// Short hash of a company of an account that reveals neither (FNV-1a): one name for each company, however many
/// addresses it tries.
fn short_hash(tenant: Uuid, company: CnpjCpf) -> u32 {
    let bytes = tenant.as_bytes().iter().copied().chain(company.as_str().bytes());
    bytes.fold(0x811C_9DC5, |folded, byte| (folded ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_municipality_and_whose_word_its_address_is() {
        assert_eq!(parse_name("PROPRIA-3547304"), Some((3_547_304, false)));
        assert_eq!(parse_name("PROPRIA-3547304-00ab12cd"), Some((3_547_304, true)));
        assert_eq!((parse_name("SEFIN-NACIONAL"), parse_name("PROPRIA-x")), (None, None));
    }

    #[test]
    fn companies_and_accounts_have_names_apart() {
        let company = |text: &str| CnpjCpf::parse(text).unwrap();
        let (one, other) = (company("11222333000181"), company("12345678000195"));
        let names = [short_hash(Uuid::nil(), one), short_hash(Uuid::nil(), other), short_hash(Uuid::max(), one)];
        assert!(names[0] != names[1] && names[0] != names[2] && names[1] != names[2]);
    }
}
