//! Table of providers and municípios: the builtin one, with an operator's laid over it.

use super::cities::{self, MunicipalityRow};
use super::file::AbrasfOverlay;
use super::national_cities::{self, NationalCity};
use super::not_usable::NotUsable;
use super::row::{self, ProviderRow};
use crate::table::key_path::{InvalidTable, KeyPath, nearest};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// All providers and municípios.
#[derive(Debug, Clone)]
pub struct ProviderTable {
    inner: Arc<ProviderTableData>,
}

#[derive(Debug, Clone, Default)]
struct ProviderTableData {
    /// Keys as read; an operator's keys are laid over these.
    keys: BTreeMap<(String, String), toml::Table>,
    rows: BTreeMap<(String, String), Arc<ProviderRow>>,
    own_layouts: BTreeMap<String, String>,
    /// Municípios with keys of the operator.
    municipalities: BTreeMap<u32, MunicipalityRow>,
    template: Option<String>,
}

/// A provider whose layout is not ABRASF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLayout {
    pub provider: String,
    /// Description of its format, in Portuguese.
    pub form: String,
}

static BUILTIN: LazyLock<ProviderTable> = LazyLock::new(|| {
    let none = ProviderTable { inner: Arc::new(ProviderTableData::default()) };
    // an unreadable builtin file would leave it empty; a test counts the rows
    let read = || none.with_overlay(&AbrasfOverlay::builtin()?);
    read().unwrap_or_else(|_| none.clone())
});

const TABLE: &str = include_str!("../tables/abrasf.toml");

impl AbrasfOverlay {
    /// Reads the builtin file.
    pub(super) fn builtin() -> Result<AbrasfOverlay, InvalidTable> {
        let file: toml::Table = TABLE.parse().map_err(|error: toml::de::Error| InvalidTable(error.to_string()))?;
        let at = KeyPath::root("abrasf");
        file.get("abrasf").map_or_else(|| Err(at.wrong("falta")), |section| AbrasfOverlay::read(&at, section))
    }
}

impl ProviderTable {
    /// The builtin table.
    pub fn builtin() -> ProviderTable {
        BUILTIN.clone()
    }

    /// The table with an operator's keys laid over it.
    pub(crate) fn with_overlay(&self, overlay: &AbrasfOverlay) -> Result<ProviderTable, InvalidTable> {
        let mut inner = ProviderTableData::clone(&self.inner);
        for (name, keys) in &overlay.providers {
            inner.keys.entry(name.clone()).or_default().extend(keys.clone());
        }
        let at = KeyPath::root("abrasf");
        for (provider, version) in inner.keys.keys() {
            let at = at.key("provider").key(provider).key(version);
            let keys = merged(&inner.keys, &at, provider, version)?;
            let row = row::compile(&at, provider, version, &keys)?;
            inner.rows.insert((provider.clone(), version.clone()), Arc::new(row));
        }
        inner.own_layouts.extend(overlay.own_layouts.clone());
        for (codigo, keys) in &overlay.municipalities {
            let at = at.key("municipality").key(&codigo.to_string());
            let known = inner.municipalities.remove(codigo).or_else(|| cities::builtin(*codigo).cloned());
            let mut municipality = known.unwrap_or(MunicipalityRow { codigo: *codigo, ..MunicipalityRow::default() });
            municipality.apply_overrides(&at, keys)?;
            inner.municipalities.insert(*codigo, municipality);
        }
        inner.template = overlay.template.clone().or(inner.template);
        Ok(ProviderTable { inner: Arc::new(inner) })
    }

    /// All rows, by provider and version.
    pub fn rows(&self) -> impl Iterator<Item = &Arc<ProviderRow>> {
        self.inner.rows.values()
    }

    /// Providers whose layout is their own.
    pub fn own_layouts(&self) -> impl Iterator<Item = OwnLayout> {
        let own = self.inner.own_layouts.iter();
        own.map(|(provider, form)| OwnLayout { provider: provider.clone(), form: form.clone() })
    }

    /// Facts of a município.
    pub fn municipality(&self, codigo: u32) -> Option<&MunicipalityRow> {
        self.inner.municipalities.get(&codigo).or_else(|| cities::builtin(codigo))
    }

    /// Row among the municípios that issue by the Sefin Nacional, unless the operator's table has the município.
    pub fn national(&self, codigo: u32) -> Option<&'static NationalCity> {
        if self.inner.municipalities.contains_key(&codigo) { None } else { national_cities::builtin(codigo) }
    }

    /// Every município whose companies issue by the Sefin Nacional.
    pub fn national_cities(&self) -> impl Iterator<Item = &'static NationalCity> {
        national_cities::all().filter(|city| !self.inner.municipalities.contains_key(&city.codigo))
    }

    /// All municípios with a row.
    pub fn municipalities(&self) -> impl Iterator<Item = &MunicipalityRow> {
        let own = self.inner.municipalities.values().filter(|own| cities::builtin(own.codigo).is_none());
        let ours = cities::all().map(|ours| self.inner.municipalities.get(&ours.codigo).unwrap_or(ours));
        ours.chain(own)
    }

    /// Template that replaces every address of the table.
    pub(super) fn template(&self) -> Option<&str> {
        self.inner.template.as_deref()
    }

    /// Rows of a provider, by any of its names in any case; the oldest version first.
    pub(super) fn of(&self, name: &str) -> Vec<&Arc<ProviderRow>> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        self.rows().filter(|row| is_it(&row.provider) || row.aliases.iter().any(|alias| is_it(alias))).collect()
    }

    /// A provider whose layout is its own.
    pub(super) fn own_layout(&self, name: &str) -> Option<OwnLayout> {
        self.own_layouts().find(|own| own.provider.eq_ignore_ascii_case(name))
    }

    /// Message against an unknown provider name; `None` for a known one.
    pub fn unknown(&self, name: &str) -> Option<String> {
        let known = !self.of(name).is_empty() || self.own_layout(name).is_some();
        (!known).then(|| NotUsable::NoProvider { provider: name.to_owned(), nearest: self.nearest(name) }.to_string())
    }

    /// `; a mais próxima é X`.
    pub(super) fn nearest(&self, name: &str) -> String {
        let names: BTreeSet<&str> = self.rows().map(|row| row.provider.as_str()).collect();
        nearest(name, names)
    }
}

/// Keys of a row over those of the version that it inherits from.
fn merged(
    keys: &BTreeMap<(String, String), toml::Table>,
    at: &KeyPath,
    provider: &str,
    version: &str,
) -> Result<toml::Table, InvalidTable> {
    let mut merged = toml::Table::new();
    let mut wanted = version.to_owned();
    for _ in 0..keys.len() {
        let key = (provider.to_owned(), wanted.clone());
        let own =
            keys.get(&key).ok_or_else(|| at.key("like").wrong(&format!("não há a versão {wanted} de {provider}")))?;
        for (name, value) in own.iter().filter(|(name, _)| *name != "like") {
            merged.entry(name.clone()).or_insert_with(|| value.clone());
        }
        match own.get("like") {
            None => return Ok(merged),
            Some(value) => at.key("like").text(value)?.clone_into(&mut wanted),
        }
    }
    Err(at.key("like").wrong("volta a si mesma"))
}
