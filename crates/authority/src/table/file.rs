//! Reading of a table file. An unknown key is an error that names it, with the nearest known one.

use super::key_path::KeyPath;
use super::{InvalidTable, MODELS, OwnServer, WireForm};
use crate::abrasf;
use fiscal::value::{TpAmb, Uf, municipio};
use std::collections::BTreeMap;
use toml::Value;

/// Content of a file by key.
#[derive(Default)]
pub(super) struct TableOverlay {
    pub(super) template: Option<String>,
    pub(super) abrasf: Option<abrasf::AbrasfOverlay>,
    pub(super) sections: Vec<(&'static str, SectionOverlay)>,
}

/// Content of a section.
#[derive(Default)]
pub(super) struct SectionOverlay {
    pub(super) authorizer: BTreeMap<Uf, String>,
    pub(super) contingency: BTreeMap<Uf, String>,
    pub(super) unregistered: Option<String>,
    /// Authority, quirk, and `true` to set it.
    pub(super) quirks: Vec<(String, String, bool)>,
    pub(super) urls: BTreeMap<(String, TpAmb, &'static str), String>,
    pub(super) own: BTreeMap<u32, OwnServer>,
}

impl TableOverlay {
    pub(super) fn read(text: &str) -> Result<TableOverlay, InvalidTable> {
        let file: toml::Table = text.parse().map_err(|error: toml::de::Error| InvalidTable(error.to_string()))?;
        let mut overlay = TableOverlay::default();
        for (key, value) in &file {
            let at = KeyPath::root(key);
            let section = MODELS.iter().map(|model| model.section).find(|section| section == key);
            match (key.as_str(), section) {
                ("abrasf", _) => overlay.abrasf = Some(abrasf::AbrasfOverlay::read(&at, value)?),
                ("template", _) => overlay.template = Some(at.template(value, &PLACEHOLDERS)?),
                (_, Some(section)) => overlay.sections.push((section, SectionOverlay::read(&at, value, section)?)),
                _ => return Err(at.unknown(MODELS.iter().map(|model| model.section).chain(["template"]))),
            }
        }
        Ok(overlay)
    }
}

impl SectionOverlay {
    fn read(at: &KeyPath, value: &Value, section: &str) -> Result<SectionOverlay, InvalidTable> {
        let mut rows = SectionOverlay::default();
        for (key, value) in at.table(value)? {
            let at = at.key(key);
            match key.as_str() {
                "authorizer" => rows.authorizer = by_uf(&at, value)?,
                "contingency" => rows.contingency = by_uf(&at, value)?,
                "sem_ie" => rows.unregistered = Some(at.text(value)?.to_owned()),
                "quirk" => rows.quirks = quirks(&at, value)?,
                "service" => rows.urls = urls(&at, value, section)?,
                "propria" if section == OWN => rows.own = own_servers(&at, value)?,
                _ => return Err(at.unknown(["authorizer", "contingency", "sem_ie", "quirk", "service", "propria"])),
            }
        }
        Ok(rows)
    }
}

fn by_uf(at: &KeyPath, value: &Value) -> Result<BTreeMap<Uf, String>, InvalidTable> {
    let pairs = at.table(value)?.iter().map(|(key, value)| {
        let at = at.key(key);
        let uf = Uf::from_sigla(key).ok_or_else(|| at.unknown(Uf::ALL.map(Uf::sigla)))?;
        Ok((uf, at.text(value)?.to_owned()))
    });
    pairs.collect()
}

fn quirks(at: &KeyPath, value: &Value) -> Result<Vec<(String, String, bool)>, InvalidTable> {
    let mut found = Vec::new();
    for (authority, value) in at.table(value)? {
        let at = at.key(authority);
        for (quirk, value) in at.table(value)? {
            let at = at.key(quirk);
            if !QUIRKS.contains(&quirk.as_str()) {
                return Err(at.unknown(QUIRKS));
            }
            let present = match value {
                Value::Boolean(present) => *present,
                Value::String(_why) => true,
                _ => return Err(at.wrong("deve ser o motivo (texto) ou false")),
            };
            found.push((authority.clone(), quirk.clone(), present));
        }
    }
    Ok(found)
}

fn urls(
    at: &KeyPath,
    value: &Value,
    section: &str,
) -> Result<BTreeMap<(String, TpAmb, &'static str), String>, InvalidTable> {
    let mut urls = BTreeMap::new();
    for (authority, value) in at.table(value)? {
        let at = at.key(authority);
        for (ambiente, value) in at.table(value)? {
            let at = at.key(ambiente);
            let ambiente = TpAmb::from_word(ambiente).ok_or_else(|| at.unknown(["producao", "homologacao"]))?;
            for (service, value) in at.table(value)? {
                let at = at.key(service);
                let name = services(section).find(|name| name == service);
                let service = name.ok_or_else(|| at.unknown(services(section)))?;
                urls.insert((authority.clone(), ambiente, service), at.https(value)?);
            }
        }
    }
    Ok(urls)
}

fn own_servers(at: &KeyPath, value: &Value) -> Result<BTreeMap<u32, OwnServer>, InvalidTable> {
    let rows = at.table(value)?.iter().map(|(codigo, value)| {
        let at = at.key(codigo);
        let known = codigo.parse().ok().filter(|codigo| municipio::find(*codigo).is_some());
        let codigo = known.ok_or_else(|| at.wrong("não é o código do IBGE de um município"))?;
        Ok((codigo, own_server(&at, value)?))
    });
    rows.collect()
}

fn own_server(at: &KeyPath, value: &Value) -> Result<OwnServer, InvalidTable> {
    let mut row = OwnServer::default();
    for (key, value) in at.table(value)? {
        let at = at.key(key);
        match key.as_str() {
            "sistema" => row.sistema = Some(at.text(value)?.to_owned()),
            "forma" => {
                let form = WireForm::from_word(at.text(value)?);
                row.forma = Some(form.ok_or_else(|| at.wrong(&format!("aceita {}", WireForm::words())))?);
            }
            "ativa" => row.ativa = Some(value.as_bool().ok_or_else(|| at.wrong("deve ser true ou false"))?),
            "producao" => row.producao = Some(at.https(value)?),
            "homologacao" => row.homologacao = Some(at.https(value)?),
            _ => return Err(at.unknown(["sistema", "forma", "ativa", "producao", "homologacao"])),
        }
    }
    Ok(row)
}

/// Official names of the services of a section.
fn services(section: &str) -> impl Iterator<Item = &'static str> {
    let models = MODELS.iter().filter(move |model| model.section == section);
    models.flat_map(|model| model.wire.services()).map(|official| official.name)
}

/// Section that may hold servers of municípios.
const OWN: &str = "nfse";

const PLACEHOLDERS: [&str; 4] = ["modelo", "authority", "ambiente", "service"];
/// Quirks that the code supports.
const QUIRKS: [&str; 4] = ["recepcao_evento_nf", "consulta_cadastro_wrapped", "voids_numbers_of_cpf", "soap11"];
