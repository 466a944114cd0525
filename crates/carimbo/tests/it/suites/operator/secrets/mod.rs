//! No secret leaves: not in logs, not in the database, not in answers, after a run of everything that has one.

mod run;

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use openssl::pkcs12::Pkcs12;

use crate::support::app::{PASSWORD, shared_pki};
use crate::support::body::NUMERIC;
use crate::support::installation::{Installation, Running};
use crate::support::provider::{CLIENT, Provider, SECRET};

/// Secrets that must not be found, each with a name for the failure.
pub(super) struct Secrets(Vec<(String, Vec<u8>)>);

impl Secrets {
    /// Adds a text.
    pub(super) fn hold(&mut self, name: &str, text: &str) {
        assert!(text.len() >= 8, "{name} would be found by chance");
        self.0.push((name.to_owned(), text.as_bytes().to_vec()));
    }

    /// Adds bytes, as they are and in base64.
    fn hold_bytes(&mut self, name: &str, bytes: &[u8]) {
        self.0.push((name.to_owned(), bytes[100..164].to_vec()));
        self.hold(&format!("{name} in base64"), &STANDARD.encode(bytes)[200..264]);
    }

    /// The bytes hold none of them, neither as they are nor in hexadecimal.
    #[track_caller]
    pub(super) fn absent_from(&self, place: &str, bytes: &[u8]) {
        for (name, secret) in &self.0 {
            let hexadecimal: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
            for form in [secret.as_slice(), hexadecimal.as_bytes()] {
                let found = bytes.windows(form.len()).any(|window| window == form);
                assert!(!found, "{name} was found in {place}");
            }
        }
    }
}

#[tokio::test]
async fn keys_passwords_tokens_and_certificates_are_nowhere_in_the_clear() {
    let installation = Installation::new().await;
    let account = installation.run(&["conta", "criar", "--nome", "Loja", "--email", "dono@exemplo.com.br"]).out;
    let word = |start: &str| account.split_whitespace().find(|word| word.starts_with(start)).unwrap().to_owned();
    let senha = account.lines().find_map(|line| line.strip_prefix("senha ")).unwrap().trim().to_owned();
    let (pki, _) = shared_pki();
    let pfx = pki.issue_pfx("Papelaria de Teste Ltda", NUMERIC, PASSWORD, 365).unwrap();
    let mut secrets = Secrets(Vec::new());
    secrets.hold("the API key", &word("crb_test_"));
    secrets.hold("the production key", &word("crb_live_"));
    secrets.hold("the login password", &senha);
    secrets.hold("the certificate's password", PASSWORD);
    secrets.hold("a word of a body", "palavra-do-corpo");
    secrets.hold_bytes("the certificate", &pfx);
    secrets.hold_bytes("the private key", &private_key(&pfx));
    let master = std::fs::read_to_string(installation.dir.join("carimbo.chave")).unwrap();
    secrets.hold("the master key", master.trim());

    let simulator = crate::support::authorities::simulator(&installation.dir).await;
    let (log, mut command) = (installation.dir.join("log"), installation.command(&["serve"]));
    command.env("CARIMBO_LOG_NIVEL", "trace");
    command.env("CARIMBO_AUTORIDADES_TABELA", "autoridades.toml").env("CARIMBO_AUTORIDADES_CA_BUNDLE", "ca.pem");
    command.env("CARIMBO_AUTORIDADES_ANCORAS_EMBUTIDAS", "false");
    let provider = Provider::start().await;
    command.env("CARIMBO_PAINEL_URL", "http://127.0.0.1:9").env("CARIMBO_OIDC_EMISSOR", provider.settings().issuer);
    command.env("CARIMBO_OIDC_CLIENTE", CLIENT).env("CARIMBO_OIDC_SEGREDO", SECRET);
    let service = Running::start(command, &log);
    let run = run::Run { base_url: service.base_url().to_owned(), key: word("crb_test_"), senha, pfx, provider };
    for (place, answer) in run.everything(&mut secrets).await {
        secrets.absent_from(&place, &answer);
    }
    service.terminate();
    simulator.stop().await;

    let log = std::fs::read(log).unwrap();
    assert!(String::from_utf8_lossy(&log).contains("request.id"), "the log says something");
    secrets.absent_from("the log", &log);
    for file in database_files(&installation.dir) {
        secrets.absent_from(&file.display().to_string(), &std::fs::read(&file).unwrap());
    }
    let dump = installation.dump().await;
    assert!(dump.contains("dono@exemplo.com.br"), "the dump says something");
    secrets.absent_from("the dump of the database", dump.as_bytes());
    installation.finish().await;
}

/// The key inside of a certificate file.
fn private_key(pfx: &[u8]) -> Vec<u8> {
    let opened = Pkcs12::from_der(pfx).unwrap().parse2(PASSWORD).unwrap();
    opened.pkey.unwrap().private_key_to_der().unwrap()
}

/// All files of a SQLite database; none of PostgreSQL's, which are not ours to read.
fn database_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains("carimbo.db")).collect()
}
