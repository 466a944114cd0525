//! Keys of a table file by their paths, and the errors that name them.

use toml::Value;

/// An unusable table file; the message names the key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tabela de autoridades inválida: {0}")]
pub struct InvalidTable(pub String);

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

/// `; a mais próxima é X`, or empty without candidates.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |candidate: &&str| strsim::damerau_levenshtein(&candidate.to_lowercase(), &name.to_lowercase());
    known.into_iter().min_by_key(distance).map(|right| format!("; a mais próxima é {right}")).unwrap_or_default()
}
