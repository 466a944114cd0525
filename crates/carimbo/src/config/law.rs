//! File of the law: changes of an operator to the built-in law, without a release.

use std::path::Path;

use anyhow::Context as _;
use fiscal::law::Law;
use serde_json::Value;

use super::toml_error_message;

/// Name of the file in the folder of the configuration, where it is read without being configured.
pub(super) const DEFAULT_FILE: &str = "lei.toml";

/// Reads a file. The error lists every fault.
pub(crate) fn read_law(path: &Path) -> anyhow::Result<Law> {
    let text = std::fs::read_to_string(path).with_context(|| format!("lei.arquivo: {}", path.display()))?;
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => anyhow::bail!("lei.arquivo: {}", toml_error_message(path, &text, error.span())),
    };
    let law = Law::read(as_json(toml::Value::Table(table)));
    law.map_err(|wrong| anyhow::anyhow!("lei.arquivo: {}:\n  - {}", path.display(), wrong.join("\n  - ")))
}

/// Converts TOML to JSON. A date becomes a text. A float becomes null: it may have lost digits already.
fn as_json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(moment) => moment.to_string().into(),
        toml::Value::Float(_) => Value::Null,
        toml::Value::Array(values) => values.into_iter().map(as_json).collect(),
        toml::Value::Table(table) => table.into_iter().map(|(name, value)| (name, as_json(value))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(text: &str) -> Result<Law, String> {
        let file = std::env::temp_dir().join(format!("carimbo-lei-{}.toml", uuid::Uuid::now_v7()));
        std::fs::write(&file, text).unwrap();
        let read = read_law(&file).map_err(|error| format!("{error:#}"));
        std::fs::remove_file(&file).unwrap();
        read
    }

    #[test]
    fn a_day_may_stand_with_or_without_quotes() {
        for day in ["2027-03-01", "\"2027-03-01\"", "\"nunca\""] {
            let law = from(&format!("[[regras]]\ncodigo = 1115\na_partir_de = {day}\nfonte = \"NT\"\n")).unwrap();
            assert_eq!(law.changes().len(), 1, "{day}");
        }
    }

    #[test]
    fn a_rate_is_a_text() {
        assert_eq!(from("cbs_2027 = \"8.70\"").unwrap().cbs().count(), 1);
        let wrong = from("cbs_2027 = 8.7\n[[regras]]\ncodigo = 1\n").unwrap_err();
        assert!(wrong.contains("cbs_2027: é a alíquota em por cento, entre aspas"), "{wrong}");
        assert!(wrong.contains("regras[0].fonte: é obrigatória") && wrong.contains("lei.arquivo"), "{wrong}");
    }

    #[test]
    fn what_is_no_toml_is_told_by_its_line() {
        assert!(from("a = \n").unwrap_err().contains("não é um TOML válido na linha 1"));
        assert!(format!("{:#}", read_law(Path::new("/nao/existe.toml")).unwrap_err()).contains("/nao/existe.toml"));
    }
}
