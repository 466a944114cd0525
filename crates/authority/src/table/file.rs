//! Reading of a table file. An unknown key is an error that names it, with the nearest known one.

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

/// Path of a key in the file, for messages.
#[derive(Debug, Clone)]
pub(crate) struct KeyPath(String);

impl KeyPath {
    pub(crate) fn root(key: &str) -> KeyPath {
        KeyPath(key.to_owned())
    }
    pub(crate) fn key(&self, key: &str) -> KeyPath {
        KeyPath(format!("{}.{key}", self.0))
    }
    pub(crate) fn wrong(&self, what: &str) -> InvalidTable {
        InvalidTable(format!("{} {what}", self.0))
    }
    pub(crate) fn unknown<'a>(&self, known: impl IntoIterator<Item = &'a str>) -> InvalidTable {
        let last = self.0.rsplit('.').next().unwrap_or_default();
        self.wrong(&format!("é uma chave desconhecida{}", nearest(last, known)))
    }
    pub(crate) fn table<'v>(&self, value: &'v Value) -> Result<&'v toml::Table, InvalidTable> {
        value.as_table().ok_or_else(|| self.wrong("deve ser uma tabela"))
    }
    pub(crate) fn text<'v>(&self, value: &'v Value) -> Result<&'v str, InvalidTable> {
        value.as_str().ok_or_else(|| self.wrong("deve ser um texto"))
    }
    /// An address; only https is accepted.
    pub(crate) fn https(&self, value: &Value) -> Result<String, InvalidTable> {
        let url = self.text(value)?;
        let rest = url.strip_prefix("https://").ok_or_else(|| self.wrong("deve começar com https://"))?;
        if rest.is_empty() || rest.contains(char::is_whitespace) {
            return Err(self.wrong("não é um endereço"));
        }
        Ok(url.to_owned())
    }
    /// `url`, with these placeholders and no other.
    pub(crate) fn template(&self, value: &Value, placeholders: &[&'static str]) -> Result<String, InvalidTable> {
        let mut url = None;
        for (key, value) in self.table(value)? {
            let at = self.key(key);
            match key.as_str() {
                "url" => url = Some(at.https(value)?),
                _ => return Err(at.unknown(["url"])),
            }
        }
        let at = self.key("url");
        let url = url.ok_or_else(|| at.wrong("falta"))?;
        at.only(&url, placeholders)?;
        Ok(url)
    }

    /// Refuses a template with any other placeholder than these.
    pub(crate) fn only(&self, template: &str, placeholders: &[&'static str]) -> Result<(), InvalidTable> {
        let mut rest = template;
        while let Some((_, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or_else(|| self.wrong("tem `{` sem `}`"))?;
            if !placeholders.contains(&name) {
                let nearest = nearest(name, placeholders.iter().copied());
                return Err(self.wrong(&format!("tem {{{name}}}, desconhecido{nearest}")));
            }
            rest = after;
        }
        Ok(())
    }
}

/// Section that may hold servers of municípios.
const OWN: &str = "nfse";

/// `; a mais próxima é X`, or empty without candidates.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |candidate: &&str| strsim::damerau_levenshtein(&candidate.to_lowercase(), &name.to_lowercase());
    known.into_iter().min_by_key(distance).map(|right| format!("; a mais próxima é {right}")).unwrap_or_default()
}

const PLACEHOLDERS: [&str; 4] = ["modelo", "authority", "ambiente", "service"];
/// Quirks that the code supports.
const QUIRKS: [&str; 4] = ["recepcao_evento_nf", "consulta_cadastro_wrapped", "voids_numbers_of_cpf", "soap11"];
