//! Configuration: one TOML file; every key is also an environment variable, which wins. A wrong or unknown key stops
//! the start with its name and the nearest known one; all errors are listed at once.
//!
//! Must not know: what the settings are used for.

mod example;
mod keys;
pub(crate) mod law;
pub(crate) mod mail;
pub(crate) mod master_key;
mod oidc;
mod software_house;
pub(crate) mod values;

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use engine::mail::MailSettings;
pub(crate) use example::example;
use keys::{ConfigKey, KEYS};
use server::edge::Edge;
use server::{ServiceLimits, UnverifiedFeatures, WebhookSettings};
use store::os_errors;
pub(crate) use values::public_url;

/// Settings of `carimbo serve`.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) http: SocketAddr,
    pub(crate) limits: ServiceLimits,
    pub(crate) edge: Edge,
    pub(crate) metrics: Option<SocketAddr>,
    pub(crate) mcp: Option<SocketAddr>,
    pub(crate) database: store::Location,
    pub(crate) mark: Option<PathBuf>,
    pub(crate) master_key_file: PathBuf,
    pub(crate) master_key_command: Option<String>,
    pub(crate) authorities_table: Option<PathBuf>,
    pub(crate) law: Option<PathBuf>,
    pub(crate) ca_bundle: Option<PathBuf>,
    pub(crate) builtin_anchors: bool,
    pub(crate) connect_timeout_s: u64,
    pub(crate) reply_timeout_s: u64,
    pub(crate) concurrency: usize,
    pub(crate) per_authority: usize,
    pub(crate) lease_s: u64,
    pub(crate) webhooks: WebhookSettings,
    pub(crate) webhook_ca_bundle: Option<PathBuf>,
    pub(crate) mail: mail::MailKeys,
    pub(crate) lookups: lookup::LookupOptions,
    pub(crate) software_house: software_house::SoftwareHouseKeys,
    pub(crate) oidc: oidc::OidcKeys,
    pub(crate) contingency: engine::contingency::ContingencyOptions,
    pub(crate) backlog: engine::acceptance::backlog::BacklogLimits,
    pub(crate) opened: UnverifiedFeatures,
    pub(crate) grace_s: u64,
    pub(crate) json_logs: bool,
    pub(crate) log_level: String,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            http: SocketAddr::from(([127, 0, 0, 1], 8080)),
            limits: ServiceLimits::default(),
            edge: Edge::default(),
            metrics: None,
            mcp: None,
            database: store::Location::Sqlite(PathBuf::from("carimbo.db")),
            mark: None,
            master_key_file: PathBuf::from("carimbo.chave"),
            master_key_command: None,
            authorities_table: None,
            law: None,
            ca_bundle: None,
            builtin_anchors: true,
            connect_timeout_s: 10,
            reply_timeout_s: 60,
            concurrency: 64,
            per_authority: 24,
            lease_s: 15,
            webhooks: WebhookSettings::default(),
            webhook_ca_bundle: None,
            mail: mail::MailKeys::default(),
            lookups: lookup::LookupOptions::default(),
            software_house: software_house::SoftwareHouseKeys::default(),
            oidc: oidc::OidcKeys::default(),
            contingency: engine::contingency::ContingencyOptions::default(),
            backlog: engine::acceptance::backlog::BacklogLimits::default(),
            opened: UnverifiedFeatures::default(),
            grace_s: 20,
            json_logs: false,
            log_level: "info".to_owned(),
        }
    }
}

/// All errors of a configuration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConfigErrors(Vec<String>);

impl std::error::Error for ConfigErrors {}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "a configuração tem {} problema(s):", self.0.len())?;
        for mistake in &self.0 {
            writeln!(f, "  - {mistake}")?;
        }
        write!(f, "`carimbo config exemplo` mostra todas as chaves, explicadas")
    }
}

/// Reads the file, then the environment over it.
pub(crate) fn load(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<Config, ConfigErrors> {
    let mut mistakes = Vec::new();
    let mut config = Config::default();
    if let Some(path) = file {
        match std::fs::read_to_string(path) {
            Ok(text) => apply_file(&mut config, &text, path, &mut mistakes),
            Err(error) => mistakes.push(format!(
                "o arquivo {} não pôde ser lido: {}",
                path.display(),
                os_errors::io_error_text(&error)
            )),
        }
    }
    apply_environment(&mut config, environment, &mut mistakes);
    config.law = config.law.or_else(|| sibling_file(file?, law::DEFAULT_FILE));
    mistakes.extend(config.software_house.house().err());
    mistakes.extend(config.oidc.problem(config.edge.public_url.as_deref()));
    mistakes.extend(config.mail.fault());
    if mistakes.is_empty() { Ok(config) } else { Err(ConfigErrors(mistakes)) }
}

/// Settings of the mailer by the environment alone, for the demonstration; `None` without a server.
pub(crate) fn mail_of_environment(panel_url: Option<&str>) -> anyhow::Result<Option<MailSettings>> {
    let ours = std::env::vars().filter(|(name, _)| name.starts_with("CARIMBO_EMAIL_"));
    mail::configured(&load(None, ours)?.mail, panel_url)
}

/// Returns the file of that name in the folder of the configuration, if there is one.
fn sibling_file(configuration: &Path, name: &str) -> Option<PathBuf> {
    Some(configuration.with_file_name(name)).filter(|path| path.is_file())
}

fn apply_file(config: &mut Config, text: &str, path: &Path, mistakes: &mut Vec<String>) {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return mistakes.push(toml_error_message(path, text, error.span())),
    };
    for (section, value) in &table {
        let Some(settings) = value.as_table() else {
            mistakes.push(unknown(section));
            continue;
        };
        for (name, value) in settings {
            apply(config, &format!("{section}.{name}"), scalar_text(value), mistakes);
        }
    }
}

/// Returns the message for a file that is no TOML, with the number of the faulty line. The line itself is not repeated:
/// it may hold a password.
pub(crate) fn toml_error_message(path: &Path, text: &str, at: Option<std::ops::Range<usize>>) -> String {
    let before = at.and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!(
        "{} não é um TOML válido na linha {line}: cada linha é uma [seção] ou chave = valor, textos entre aspas, sem repetir chave nem seção",
        path.display()
    )
}

/// Returns the text of a scalar setting; `None` for floats, dates, lists and tables.
fn scalar_text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn apply_environment(
    config: &mut Config,
    environment: impl Iterator<Item = (String, String)>,
    mistakes: &mut Vec<String>,
) {
    for (variable, value) in environment.filter(|(variable, _)| variable.starts_with("CARIMBO_")) {
        match KEYS.iter().find(|key| key.variable() == variable) {
            Some(key) => set(config, key, &variable, &value, mistakes),
            None if is_in_known_section(&variable) => mistakes.push(unknown_variable(&variable)),
            None => {}
        }
    }
}

/// `true` if the variable belongs to a section of the configuration, whatever its key. The variable of the master key
/// does not count.
fn is_in_known_section(variable: &str) -> bool {
    let in_a_section = KEYS.iter().any(|key| {
        let section = key.name.split('.').next().unwrap_or_default().to_ascii_uppercase();
        variable.starts_with(&format!("CARIMBO_{section}_"))
    });
    in_a_section && variable != master_key::VARIABLE
}

fn apply(config: &mut Config, name: &str, value: Option<String>, mistakes: &mut Vec<String>) {
    match (KEYS.iter().find(|key| key.name == name), value) {
        (Some(key), Some(value)) => set(config, key, name, &value, mistakes),
        (Some(_), None) => mistakes.push(format!("{name}: o valor deve ser um texto, um número inteiro ou true/false")),
        (None, _) => mistakes.push(unknown(name)),
    }
}

fn set(config: &mut Config, key: &ConfigKey, named: &str, value: &str, mistakes: &mut Vec<String>) {
    if let Err(wrong) = (key.set)(config, value.trim()) {
        mistakes.push(format!("{named}: {wrong}"));
    }
}

fn unknown(name: &str) -> String {
    let known = KEYS.iter().map(|key| key.name.to_owned());
    format!("{name}: chave desconhecida; a mais próxima é {}", nearest(name, known))
}

fn unknown_variable(variable: &str) -> String {
    format!(
        "{variable}: variável desconhecida; a mais próxima é {}",
        nearest(variable, KEYS.iter().map(ConfigKey::variable))
    )
}

/// Returns the known name at the shortest edit distance.
fn nearest(name: &str, known: impl Iterator<Item = String>) -> String {
    known.min_by_key(|known| strsim::damerau_levenshtein(name, known)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(text: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
        let dir = std::env::temp_dir().join(format!("carimbo-config-{}", uuid::Uuid::now_v7()));
        std::fs::write(&dir, text).unwrap();
        let variables = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let loaded = load(Some(&dir), variables).map_err(|mistakes| mistakes.to_string());
        std::fs::remove_file(&dir).unwrap();
        loaded
    }

    #[test]
    fn the_environment_wins_over_the_file() {
        let config = from("[http]\nendereco = \"127.0.0.1:1\"", &[("CARIMBO_HTTP_ENDERECO", "127.0.0.1:2")]).unwrap();
        assert_eq!(config.http.port(), 2);
    }

    #[test]
    fn an_unknown_key_is_named_with_the_nearest_right_one() {
        let mistakes = from("[http]\nenderco = \"x\"\n[baco]\nurl = \"x\"", &[]).unwrap_err();
        assert!(mistakes.contains("http.enderco: chave desconhecida; a mais próxima é http.endereco"), "{mistakes}");
        assert!(mistakes.contains("baco.url: chave desconhecida; a mais próxima é banco.url"), "{mistakes}");
        let mistakes = from("", &[("CARIMBO_BANCO_ULR", "x")]).unwrap_err();
        assert!(mistakes.contains("CARIMBO_BANCO_ULR") && mistakes.contains("CARIMBO_BANCO_URL"), "{mistakes}");
    }

    #[test]
    fn a_wrong_value_is_named_with_what_is_right() {
        let mistakes = from("[log]\nformato = \"jsno\"\n[trabalhadores]\nconcorrencia = 0", &[]).unwrap_err();
        assert!(mistakes.contains("log.formato: \"jsno\" não é aceito; o mais próximo é \"json\""), "{mistakes}");
        assert!(mistakes.contains("trabalhadores.concorrencia"), "{mistakes}");
        assert!(mistakes.contains("2 problema(s)"), "{mistakes}");
    }

    #[test]
    fn a_software_house_is_whole_or_refused_and_keeps_its_secret() {
        let half = from("[responsavel_tecnico]\ncnpj = \"11.222.333/0001-81\"\nid_csrt = 1", &[]).unwrap_err();
        assert!(half.contains("responsavel_tecnico: falta contato, email, fone"), "{half}");
        let wrong = from("[responsavel_tecnico]\ncsrt = \"curto\"\ncnpj = \"1\"", &[]).unwrap_err();
        assert!(wrong.contains("16 a 36") && !wrong.contains("curto") && wrong.contains("não é um CNPJ"), "{wrong}");
        let all = "[responsavel_tecnico]\ncnpj = \"11.222.333/0001-81\"\ncontato = \"Ana\"\n\
                   email = \"ana@exemplo.com.br\"\nfone = \"(11) 3333-4444\"\nid_csrt = 1";
        assert!(from(all, &[]).unwrap_err().contains("só valem juntos"));
        let secret = "G8063VRTNDMO886SFNK5LDUDEI24XJ22YIPO";
        let config = from(all, &[("CARIMBO_RESPONSAVEL_TECNICO_CSRT", secret)]).unwrap();
        let house = config.software_house.house().unwrap();
        assert!(house.is_some() && !format!("{config:?} {house:?}").contains(secret));
    }

    #[test]
    fn a_provider_is_whole_or_refused_and_keeps_its_secret() {
        let half = from("[oidc]\nemissor = \"https://p.exemplo\"", &[]).unwrap_err();
        assert!(half.contains("oidc: falta cliente, painel.url"), "{half}");
        for wrong in ["http://p.exemplo", "p.exemplo", "https://p.exemplo?x=1", "https://"] {
            let refused = from(&format!("[oidc]\nemissor = \"{wrong}\""), &[]).unwrap_err();
            assert!(refused.contains("oidc.emissor: "), "{refused}");
        }
        let all =
            "[painel]\nurl = \"https://notas.exemplo\"\n[oidc]\nemissor = \"https://p.exemplo/\"\ncliente = \"c\"";
        let config = from(all, &[("CARIMBO_OIDC_SEGREDO", "s3gredo")]).unwrap();
        let settings = config.oidc.settings(None).unwrap();
        assert_eq!((settings.issuer.as_str(), settings.label.as_str()), ("https://p.exemplo", "p.exemplo"));
        assert!(settings.matches_email && !format!("{config:?} {settings:?}").contains("s3gredo"));
        assert!(from("", &[]).unwrap().oidc.settings(None).is_none());
    }

    #[test]
    fn the_password_of_the_database_is_not_repeated() {
        let mistakes = from("[banco]\nurl = \"mysql://u:s3gredo@h/b\"", &[]).unwrap_err();
        assert!(mistakes.contains("banco.url") && !mistakes.contains("s3gredo"), "{mistakes}");
    }

    #[test]
    fn the_example_is_a_configuration_with_every_key() {
        let text = example();
        from(&text, &[]).unwrap();
        let uncommented: String =
            text.lines().map(|line| format!("{}\n", line.strip_prefix("#~ ").unwrap_or(line))).collect();
        from(&uncommented, &[]).unwrap();
        for key in KEYS {
            assert!(text.contains(&key.variable()), "{}", key.name);
        }
    }

    #[test]
    fn variables_of_other_purposes_pass() {
        assert!(from("", &[("CARIMBO_PONTO_DE_QUEDA", "x"), ("CARIMBO_SEGREDO_CHAVE_MESTRA", "ab")]).is_ok());
    }
}
