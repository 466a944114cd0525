//! Table of municípios: the provider and addresses of each, with their sources. An operator's table is laid over it.

use super::file::KeyReader;
use super::operation::AbrasfOperation;
use super::row::unit_of;
use crate::table::key_path::{InvalidTable, KeyPath};
use fiscal::abrasf::RateUnit;
use fiscal::value::TpAmb;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The facts of a município.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MunicipalityRow {
    /// IBGE code.
    pub codigo: u32,
    pub provider: String,
    /// Version of ABRASF.
    pub version: String,
    /// Address in production, as the source has it.
    pub producao: String,
    /// Address in homologação, as the source has it.
    pub homologacao: String,
    /// Addresses of single operations, set by the operator.
    pub addresses: BTreeMap<(TpAmb, AbrasfOperation), String>,
    /// Source of the row, in Portuguese.
    pub source: String,
    /// Provider of a diverging source: shown as a hint, never chosen.
    pub divergent: Option<String>,
    /// Both environments share one address, so a test there may become a valid NFS-e.
    pub same_url: bool,
    /// Every operation has its own address, and only that of emission is known.
    pub per_operation: bool,
    /// The environment whose address is wrong in the source.
    pub wrong_environment: Option<TpAmb>,
    /// Unit of the rate, where it differs from the provider's.
    pub aliquota: Option<RateUnit>,
    /// Nothing is signed in this município.
    pub unsigned: bool,
    /// Further facts of the sources that have no effect here.
    pub notes: Vec<String>,
    /// Day of the newest source about it, `AAAA-MM-DD`.
    pub seen: Option<String>,
    /// Sources that name this provider and version.
    pub sources: Option<String>,
    /// Diverging sources, with their value.
    pub against: Option<String>,
}

/// The builtin row of a município.
pub(super) fn builtin(codigo: u32) -> Option<&'static MunicipalityRow> {
    ROWS.get(&codigo)
}

pub(super) fn all() -> impl Iterator<Item = &'static MunicipalityRow> {
    ROWS.values()
}

static ROWS: LazyLock<BTreeMap<u32, MunicipalityRow>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    // skips an unreadable line; a test reads every line
    lines.filter_map(read).map(|municipality| (municipality.codigo, municipality)).collect()
});

const TABLE: &str = include_str!("../tables/municipios.tsv");

fn read(line: &str) -> Option<MunicipalityRow> {
    let mut columns = line.split('\t');
    let mut next = || columns.next().map(str::to_owned);
    let mut municipality = MunicipalityRow {
        codigo: next()?.parse().ok()?,
        provider: next()?,
        version: next()?,
        producao: next()?,
        homologacao: next()?,
        source: source(&next()?)?.to_owned(),
        ..MunicipalityRow::default()
    };
    for fact in next()?.split(';').filter(|fact| !fact.is_empty()) {
        let (name, value) = fact.split_once('=').unwrap_or((fact, ""));
        match name {
            "divergent" => municipality.divergent = Some(value.to_owned()),
            "same_url" => municipality.same_url = true,
            "per_operation" => municipality.per_operation = true,
            "barred" => municipality.wrong_environment = Some(TpAmb::from_word(value)?),
            "unit" => municipality.aliquota = Some(unit_of(value)?),
            "unsigned" => municipality.unsigned = true,
            "seen" => municipality.seen = Some(value.to_owned()),
            "for" => municipality.sources = Some(value.to_owned()),
            "against" => municipality.against = Some(value.to_owned()),
            "params" => municipality.notes.push(format!("parâmetros do ACBr que não aplicamos: {value}")),
            _ => return None,
        }
    }
    Some(municipality)
}

fn source(word: &str) -> Option<&'static str> {
    match word {
        "o" => Some("OpenAC.Net.NFSe, 20/08/2026"),
        "a" => Some("ACBrNFSeX, 24/05/2025"),
        "m" => Some("fontes comparadas em 29/11/2026"),
        _ => None,
    }
}

impl MunicipalityRow {
    /// Address in an environment, as the table gives it.
    pub fn url(&self, ambiente: TpAmb) -> &str {
        match ambiente {
            TpAmb::Producao => &self.producao,
            TpAmb::Homologacao => &self.homologacao,
        }
    }

    /// Lays an operator's keys over the row.
    pub(super) fn apply_overrides(&mut self, at: &KeyPath, table: &toml::Table) -> Result<(), InvalidTable> {
        if let Some(unknown) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(at.key(unknown).unknown(KEYS));
        }
        let keys = KeyReader { at, keys: table };
        if let Some(provider) = keys.text("provider")? {
            // naming the provider is a choice; the addresses of another provider no longer apply
            if !provider.eq_ignore_ascii_case(&self.provider) {
                *self = MunicipalityRow { codigo: self.codigo, ..MunicipalityRow::default() };
            }
            (self.provider, self.divergent) = (provider, None);
        }
        if let Some(version) = keys.text("version")? {
            self.version = version;
        }
        for ambiente in [TpAmb::Producao, TpAmb::Homologacao] {
            self.apply_address_overrides(&keys, ambiente)?;
        }
        if let Some(unit) = keys.one_of("aliquota", unit_of, "percentual, fracao")? {
            self.aliquota = Some(unit);
        }
        if table.contains_key("unsigned") {
            self.unsigned = keys.flag("unsigned")?;
        }
        self.source = "tabela do operador".to_owned();
        (self.seen, self.sources, self.against) = (None, None, None);
        Ok(())
    }

    /// Reads one address for all operations, or one per operation.
    fn apply_address_overrides(&mut self, keys: &KeyReader, ambiente: TpAmb) -> Result<(), InvalidTable> {
        let name = ambiente.word();
        let Some(value) = keys.keys.get(name) else { return Ok(()) };
        let at = keys.at.key(name);
        if let Some(operations) = value.as_table() {
            for (name, value) in operations {
                let at = at.key(name);
                let operation = AbrasfOperation::from_name(name)
                    .ok_or_else(|| at.unknown(AbrasfOperation::ALL.map(AbrasfOperation::name)))?;
                self.addresses.insert((ambiente, operation), at.https(value)?);
            }
            return Ok(());
        }
        let url = at.https(value)?;
        match ambiente {
            TpAmb::Producao => self.producao = url,
            TpAmb::Homologacao => self.homologacao = url,
        }
        self.wrong_environment = self.wrong_environment.filter(|barred| *barred != ambiente);
        (self.same_url, self.per_operation) = (self.producao == self.homologacao, false);
        Ok(())
    }
}

const KEYS: [&str; 6] = ["provider", "version", "producao", "homologacao", "aliquota", "unsigned"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_reads_and_stands_in_order() {
        let lines: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        let read: Vec<u32> = lines.iter().map(|line| read(line).unwrap_or_else(|| panic!("{line}")).codigo).collect();
        assert!(read.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(all().count(), lines.len());
        for municipality in all() {
            assert!(fiscal::value::municipio::find(municipality.codigo).is_some(), "{municipality:?}");
            for url in [&municipality.producao, &municipality.homologacao] {
                assert!(
                    url.is_empty() || url.starts_with("http://") || url.starts_with("https://"),
                    "{municipality:?}"
                );
            }
            let same = !municipality.producao.is_empty() && municipality.producao == municipality.homologacao;
            assert!(!same || municipality.same_url || municipality.wrong_environment.is_some(), "{municipality:?}");
        }
    }
}
