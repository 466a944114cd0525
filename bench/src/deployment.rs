//! A binary with its folder and database, and the operator's commands on it.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A binary, the working folder of its processes, and the URL of its database.
pub(crate) struct Deployment<'a> {
    pub(crate) binary: &'a Path,
    pub(crate) folder: PathBuf,
    pub(crate) url: String,
}

impl Deployment<'_> {
    /// Returns the command of the binary with these arguments and the environment of a measurement.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARIMBO_HTTP_ENDERECO", "127.0.0.1:0")
            .env("CARIMBO_METRICAS_ENDERECO", "127.0.0.1:0")
            .env("CARIMBO_BANCO_URL", &self.url)
            .env("CARIMBO_SEGREDO_CHAVE_MESTRA", "5a".repeat(32))
            .env("CARIMBO_LOG_NIVEL", "warn");
        command
    }
}

/// Creates an account with `conta criar`; returns its API key of homologação.
pub(crate) fn create_account_key(place: &Deployment<'_>, nome: &str) -> Result<String> {
    Ok(create_account(place, nome)?.key)
}

/// An account that was created.
pub(crate) struct BenchAccount {
    /// API key of homologação.
    pub(crate) key: String,
    pub(crate) email: String,
    pub(crate) password: String,
}

/// Creates an account with `conta criar`.
pub(crate) fn create_account(place: &Deployment<'_>, nome: &str) -> Result<BenchAccount> {
    let email = format!("{}@exemplo.com.br", nome.to_lowercase());
    let output = place.command(&["conta", "criar", "--nome", nome, "--email", &email]).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(output.status.success(), "conta criar: {text}{}", String::from_utf8_lossy(&output.stderr));
    let key = text.split_whitespace().find(|word| word.starts_with("crb_test_")).context("no key in the answer")?;
    let password = text.lines().find_map(|line| line.strip_prefix("senha")).context("no password in the answer")?;
    Ok(BenchAccount { key: key.to_owned(), password: password.trim().to_owned(), email })
}
