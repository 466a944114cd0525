//! Laboratory: the service and the authorities as processes on loopback, one account, one company ready to issue, and a
//! client that may break HTTP. Used by programs that attack the service and observe it.
//!
//! Must not know: the experiments.

pub(crate) mod client;
pub(crate) mod process;
pub(crate) mod random;

use crate::shell;
use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client::LabClient;
use process::LabProcess;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The issuing company.
pub(crate) const CNPJ: &str = "11222333000181";
/// E-mail of the account's user.
pub(crate) const EMAIL: &str = "laboratorio@exemplo.com.br";

/// All running processes, stopped on drop.
pub(crate) struct Lab {
    /// Database, logs, keys.
    pub(crate) folder: PathBuf,
    pub(crate) service: LabProcess,
    /// `127.0.0.1:PORT` of the API.
    pub(crate) api: String,
    /// `127.0.0.1:PORT` of `/metrics`.
    pub(crate) metrics: String,
    pub(crate) test_key: String,
    pub(crate) live_key: String,
    pub(crate) senha: String,
    pub(crate) authorities: LabAuthorities,
    database: String,
    variables: Vec<(String, String)>,
    open_files: Option<u32>,
}

/// Options of a laboratory.
#[derive(Default)]
pub(crate) struct LabOptions<'a> {
    /// Additional environment variables of the service.
    pub(crate) variables: &'a [(&'a str, &'a str)],
    /// Most files the service may have open; the shell's limit when absent.
    pub(crate) open_files: Option<u32>,
    /// The binary whose simulator runs; the service's own when absent.
    pub(crate) authorities: Option<&'a Path>,
    /// URL of the database; a SQLite file of the folder when absent.
    pub(crate) database: Option<&'a str>,
}

/// The simulator's process.
pub(crate) struct LabAuthorities {
    /// `127.0.0.1:PORT` of its control plane.
    pub(crate) control: String,
    table: String,
    ca: String,
    _process: LabProcess,
}

impl LabAuthorities {
    fn start(place: &LabPaths<'_>) -> Result<LabAuthorities> {
        let mut command = place.command(&["simulador", "--https", "127.0.0.1:0", "--controle", "127.0.0.1:0"]);
        command.args(["--data", "autoridades"]);
        let mut process = LabProcess::start(&mut command, &place.folder.join("autoridades.log"))?;
        let control = host(&process.next_line_after("controle em")?);
        let (table, ca) = (process.next_line_after("tabela =")?, process.next_line_after("ca_bundle =")?);
        Ok(LabAuthorities { control, table, ca, _process: process })
    }
}

impl Lab {
    /// Starts all processes in a new folder of `target`, with this binary.
    pub(crate) fn start(name: &str, binary: &Path, setup: &LabOptions<'_>) -> Result<Lab> {
        let folder = shell::root().join("target/lab").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let database = setup.database.unwrap_or("sqlite:carimbo.db").to_owned();
        let place = LabPaths { binary, folder: &folder, database: &database };
        let authorities = LabAuthorities::start(&LabPaths { binary: setup.authorities.unwrap_or(binary), ..place })?;
        let LabAccount { test_key, live_key, senha } = LabAccount::create(&place, EMAIL)?;
        let variables: Vec<(String, String)> =
            setup.variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (service, api, metrics) = serve(&place, &authorities, &variables, setup.open_files)?;
        let open_files = setup.open_files;
        let lab = Lab {
            folder,
            service,
            api,
            metrics,
            test_key,
            live_key,
            senha,
            authorities,
            database,
            variables,
            open_files,
        };
        lab.register(&mut lab.client()?, CNPJ)?;
        Ok(lab)
    }

    /// Starts this binary's service with the same database, authorities and keys. The previous service must have ended.
    pub(crate) fn reopen(&mut self, binary: &Path) -> Result<()> {
        let place = LabPaths { binary, folder: &self.folder, database: &self.database };
        (self.service, self.api, self.metrics) = serve(&place, &self.authorities, &self.variables, self.open_files)?;
        Ok(())
    }

    /// Creates another account of the installation; returns its key of homologação.
    pub(crate) fn another_account(&self, binary: &Path, email: &str) -> Result<String> {
        let place = LabPaths { binary, folder: &self.folder, database: &self.database };
        Ok(LabAccount::create(&place, email)?.test_key)
    }

    /// Connects to the simulator's control plane.
    pub(crate) fn control(&self) -> Result<LabClient> {
        LabClient::connect(&self.authorities.control, "")
    }

    /// Connects with the key of homologação.
    pub(crate) fn client(&self) -> Result<LabClient> {
        LabClient::connect(&self.api, &self.test_key)
    }

    /// Returns the service's log.
    pub(crate) fn log(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(self.folder.join("servico.log"))?).into_owned())
    }

    /// Registers a company of that client's account, with configurations and a certificate of the test authority.
    pub(crate) fn register(&self, client: &mut LabClient, cnpj: &str) -> Result<()> {
        let csc = json!({ "csc": { "000001": { "csc": CSC } } });
        let wanted = json!({ "nome": "Papelaria Exemplo Ltda", "cpf_cnpj": cnpj, "senha": "laboratorio", "dias": 30 });
        let mut authorities = self.control()?;
        authorities.send_for_json("PUT", &format!("/_sim/contribuintes/{cnpj}"), &csc)?;
        let pfx = authorities.send("POST", "/_sim/certificados", wanted.to_string().as_bytes())?;
        ensure!(pfx.status < 300, "{}", pfx.text());
        let certificate = json!({ "certificado": STANDARD.encode(&pfx.body), "senha": "laboratorio" });
        client.send_for_json("POST", "/v1/empresas", &company(cnpj))?;
        let nfce = json!({ "ambiente": 2, "crt": 1, "serie": "1", "csc_id": "000001", "csc": CSC });
        for (what, body) in
            [("nfe", json!({ "ambiente": 2, "crt": 1, "serie": "1" })), ("nfce", nfce), ("certificado", certificate)]
        {
            client.send_for_json("PUT", &format!("/v1/empresas/{cnpj}/{what}"), &body)?;
        }
        Ok(())
    }
}

/// Builds the release binary; returns its path.
pub(crate) fn release() -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--release", "--package", "carimbo"]).current_dir(shell::root());
    ensure!(cargo.status()?.success(), "the release build failed");
    Ok(shell::target().join("release/carimbo"))
}

/// Returns a sale of the issuing company, from which every program starts.
pub(crate) fn sale() -> Result<Value> {
    let text = fs::read_to_string(shell::root().join("docs/guides/nota.json"))?;
    let mut sale: Value = serde_json::from_str(&text)?;
    if let Some(members) = sale.as_object_mut() {
        members.remove("referencia_externa");
    }
    sale["cpf_cnpj"] = json!(CNPJ);
    Ok(sale)
}

fn company(cnpj: &str) -> Value {
    json!({
        "cpf_cnpj": cnpj, "nome_razao_social": "Papelaria Exemplo Ltda", "inscricao_estadual": "110042490114", "crt": 1,
        "endereco": { "logradouro": "Praça da Sé", "numero": "1", "bairro": "Sé", "codigo_municipio": "3550308",
            "cidade": "São Paulo", "uf": "SP", "cep": "01001000" }
    })
}

/// Starts the service on this folder's database; returns the addresses that it prints.
fn serve(
    place: &LabPaths<'_>,
    authorities: &LabAuthorities,
    variables: &[(String, String)],
    open_files: Option<u32>,
) -> Result<(LabProcess, String, String)> {
    let mut command = place.command(&["serve"]);
    command.env("CARIMBO_AUTORIDADES_TABELA", &authorities.table);
    command.env("CARIMBO_AUTORIDADES_CA_BUNDLE", &authorities.ca);
    command.env("CARIMBO_AUTORIDADES_ANCORAS_EMBUTIDAS", "false");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let mut command = process::with_open_files(command, open_files);
    let mut service = LabProcess::start(&mut command, &place.folder.join("servico.log"))?;
    let api = host(&service.next_line_after("escutando em")?);
    let metrics = host(service.next_line_after("métricas em")?.trim_end_matches("/metrics"));
    Ok((service, api, metrics))
}

/// Binary, folder and database of the processes.
#[derive(Clone, Copy)]
struct LabPaths<'a> {
    binary: &'a Path,
    folder: &'a Path,
    database: &'a str,
}

impl LabPaths<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command
            .args(arguments)
            .current_dir(self.folder)
            .env("CARIMBO_HTTP_ENDERECO", "127.0.0.1:0")
            .env("CARIMBO_METRICAS_ENDERECO", "127.0.0.1:0")
            .env("CARIMBO_BANCO_URL", self.database)
            .env("CARIMBO_SEGREDO_CHAVE_MESTRA", "5a".repeat(32))
            .env("CARIMBO_LOG_NIVEL", "warn");
        command
    }
}

/// Output of `carimbo conta criar`.
struct LabAccount {
    test_key: String,
    live_key: String,
    senha: String,
}

impl LabAccount {
    fn create(place: &LabPaths<'_>, email: &str) -> Result<LabAccount> {
        let mut command = place.command(&["conta", "criar", "--nome", "Laboratório", "--email", email]);
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(output.status.success(), "conta criar: {text}{}", String::from_utf8_lossy(&output.stderr));
        let after = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)?.split_whitespace().last());
        let key = |prefix: &str| text.split_whitespace().find(|word| word.starts_with(prefix)).map(str::to_owned);
        Ok(LabAccount {
            test_key: key("crb_test_").context("no key of homologação")?,
            live_key: key("crb_live_").context("no key of production")?,
            senha: after("senha").context("no password")?.to_owned(),
        })
    }
}

fn host(url: &str) -> String {
    url.trim_start_matches("http://").trim_end_matches("/_sim").to_owned()
}

const CSC: &str = "CSC-DE-TESTE-0123456789";
