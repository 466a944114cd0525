//! The part of a table file about municipal providers: `[abrasf.provider.<name>."<version>"]`,
//! `[abrasf.municipality.<code>]`, `[abrasf.own_layout]`, `[abrasf.template]`. An unknown key is an error that names
//! it; an operator's keys are laid over ours one by one.

use crate::table::key_path::{InvalidTable, KeyPath};
use std::collections::BTreeMap;
use toml::Value;

/// Content of the section.
#[derive(Debug, Clone, Default)]
pub(crate) struct AbrasfOverlay {
    /// Rows by provider name and version.
    pub(super) providers: BTreeMap<(String, String), toml::Table>,
    /// Rows by IBGE code.
    pub(super) municipalities: BTreeMap<u32, toml::Table>,
    /// Providers with a layout of their own, each with a description.
    pub(super) own_layouts: BTreeMap<String, String>,
    /// Template that replaces every address.
    pub(super) template: Option<String>,
}

impl AbrasfOverlay {
    pub(crate) fn read(at: &KeyPath, value: &Value) -> Result<AbrasfOverlay, InvalidTable> {
        let mut overlay = AbrasfOverlay::default();
        for (key, value) in at.table(value)? {
            let at = at.key(key);
            match key.as_str() {
                "provider" => overlay.read_providers(&at, value)?,
                "municipality" => overlay.read_municipalities(&at, value)?,
                "own_layout" => {
                    for (name, form) in at.table(value)? {
                        let form = at.key(name).text(form)?.to_owned();
                        overlay.own_layouts.insert(name.clone(), form);
                    }
                }
                "template" => overlay.template = Some(at.template(value, &PLACEHOLDERS)?),
                _ => return Err(at.unknown(["provider", "municipality", "own_layout", "template"])),
            }
        }
        Ok(overlay)
    }

    fn read_providers(&mut self, at: &KeyPath, value: &Value) -> Result<(), InvalidTable> {
        for (name, versions) in at.table(value)? {
            let at = at.key(name);
            for (version, keys) in at.table(versions)? {
                let keys = at.key(version).table(keys)?.clone();
                self.providers.insert((name.clone(), version.clone()), keys);
            }
        }
        Ok(())
    }

    fn read_municipalities(&mut self, at: &KeyPath, value: &Value) -> Result<(), InvalidTable> {
        for (codigo, keys) in at.table(value)? {
            let at = at.key(codigo);
            let known = codigo.parse().ok().filter(|codigo| fiscal::value::municipio::find(*codigo).is_some());
            let codigo = known.ok_or_else(|| at.wrong("não é o código do IBGE de um município"))?;
            self.municipalities.insert(codigo, at.table(keys)?.clone());
        }
        Ok(())
    }
}

const PLACEHOLDERS: [&str; 3] = ["provider", "city", "ambiente"];

/// A table of a file, read key by key.
pub(super) struct KeyReader<'a> {
    pub(super) at: &'a KeyPath,
    pub(super) keys: &'a toml::Table,
}

impl KeyReader<'_> {
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, InvalidTable> {
        let at = self.at.key(key);
        self.keys.get(key).map(|value| at.text(value).map(str::to_owned)).transpose()
    }
    pub(super) fn needed(&self, key: &str) -> Result<String, InvalidTable> {
        self.text(key)?.ok_or_else(|| self.at.key(key).wrong("falta"))
    }
    pub(super) fn flag(&self, key: &str) -> Result<bool, InvalidTable> {
        match self.keys.get(key) {
            None => Ok(false),
            Some(Value::Boolean(flag)) => Ok(*flag),
            Some(_) => Err(self.at.key(key).wrong("deve ser true ou false")),
        }
    }
    pub(super) fn list(&self, key: &str) -> Result<Vec<String>, InvalidTable> {
        let at = self.at.key(key);
        let Some(value) = self.keys.get(key) else { return Ok(Vec::new()) };
        let values = value.as_array().ok_or_else(|| at.wrong("deve ser uma lista de textos"))?;
        values.iter().map(|value| at.text(value).map(str::to_owned)).collect()
    }
    pub(super) fn one_of<T>(
        &self,
        key: &str,
        read: fn(&str) -> Option<T>,
        known: &str,
    ) -> Result<Option<T>, InvalidTable> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let wrong = || self.at.key(key).wrong(&format!("deve ser um destes: {known}"));
        read(&text).map(Some).ok_or_else(wrong)
    }
    pub(super) fn required<T>(&self, key: &str, read: fn(&str) -> Option<T>, known: &str) -> Result<T, InvalidTable> {
        self.one_of(key, read, known)?.ok_or_else(|| self.at.key(key).wrong("falta"))
    }
    pub(super) fn entries(&self, key: &str) -> Result<Vec<(KeyPath, &str, &str)>, InvalidTable> {
        let at = self.at.key(key);
        let Some(value) = self.keys.get(key) else { return Ok(Vec::new()) };
        let mut entries = Vec::new();
        for (name, value) in at.table(value)? {
            let at = at.key(name);
            let text = at.text(value)?;
            entries.push((at, name.as_str(), text));
        }
        Ok(entries)
    }
}
