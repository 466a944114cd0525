//! `carimbo demo`, as a child process: the first five minutes of every user.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

use fiscal::value::CnpjCpf;
use serde_json::{Value, json};
use store::vault::MasterKey;
use store::{Location, Store};

use crate::support::client::Client;
use crate::support::installation::Running;

fn demo(dir: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
    command.args(["demo", "--once", "--http", "127.0.0.1:0", "--data"]).arg(dir);
    command.output().unwrap()
}

#[tokio::test]
async fn the_demonstration_tells_its_story_and_can_be_told_again() {
    let dir = std::env::temp_dir().join(format!("carimbo-demo-{}", uuid::Uuid::now_v7()));
    for round in ["first run", "over an existing folder"] {
        let started = Instant::now();
        let output = demo(&dir);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{round}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
        println!("{round}: {:?} in all\n{text}", started.elapsed());
        for told in [
            "autorizada",
            "rejeitada",
            "cancelada",
            "webhook nfe.cancelada",
            "CT-e nº",
            "modelo 67",
            "NFS-e nº",
            "DPS3550308211222333000181",
            "-NFSe.xml",
            "45.723.174/0001-10",
            "código",
            "-CompNfse.xml",
            "desde o início do processo",
            "curl -s http://127.0.0.1:",
            "/painel\n",
            "E-mail: demo",
            "Senha:  ",
            "/docs\n",
            "/swagger\n",
            ".pdf\n",
        ] {
            assert!(text.contains(told), "{round}: {told} in {text}");
        }
        check_record(&dir, &text);
        check_companies(&dir).await;
    }
    check_export(&dir);
    std::fs::remove_dir_all(dir).unwrap();
}

/// `carimbo exportar` writes the documents of both runs into an archive that another tool opens.
fn check_export(dir: &Path) {
    let (zip, day) = (dir.join("mes.zip"), jiff::Timestamp::now());
    let date = |hours: i64| (day + jiff::Span::new().hours(hours)).to_string()[..10].to_owned();
    let (from, to) = (date(-24), date(24));
    let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
    command.args(["exportar", "--email", "demo@carimbo.local", "--empresa", "11222333000181", "--de", &from]);
    command.args(["--ate", &to, "--ambiente", "homologacao", "--pdf"]).arg(&zip);
    command.env("CARIMBO_BANCO_URL", format!("sqlite:{}", dir.join("carimbo.db").display()));
    command.env("CARIMBO_SEGREDO_CHAVE_MESTRA_ARQUIVO", dir.join("chave-mestra"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint('\\n'.join(z.namelist()))";
    let listed = Command::new("python3").args(["-c", script]).arg(&zip).output().unwrap();
    let names = String::from_utf8(listed.stdout).unwrap();
    for folder in ["nfe/autorizadas/", "nfe/canceladas/", "nfe/eventos/", "nfe/pdf/", "cte/autorizadas/", "totais.csv"]
    {
        assert!(names.contains(folder), "{folder}: {names}");
    }
}

/// Both companies may issue every document type in homologação.
async fn check_companies(dir: &Path) {
    let record: Value = serde_json::from_slice(&std::fs::read(dir.join("demo.json")).unwrap()).unwrap();
    let key = MasterKey::from_hex(&std::fs::read_to_string(dir.join("chave-mestra")).unwrap()).unwrap();
    let store = Store::open(&Location::Sqlite(dir.join("carimbo.db")), key).await.unwrap();
    let tenant = store.account_by_email(record["email"].as_str().unwrap()).await.unwrap();
    for member in ["cpf_cnpj", "cpf_cnpj_alfanumerico"] {
        let cpf_cnpj = CnpjCpf::parse(record[member].as_str().unwrap()).unwrap();
        let company = store.company(tenant, cpf_cnpj).await.unwrap();
        for tipo in ["nfe", "nfce", "nfse", "cte"] {
            assert_eq!(company.configuracoes[tipo]["ambiente"], 2, "{tipo}");
        }
        assert_eq!(company.configuracoes["nfce"]["csc_configurado"], true);
        assert_eq!(company.configuracoes["nfse"]["provedor"], "nacional");
    }
    store.close().await;
}

fn check_record(dir: &Path, text: &str) {
    let record: Value = serde_json::from_slice(&std::fs::read(dir.join("demo.json")).unwrap()).unwrap();
    let members: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        members,
        [
            "base_url",
            "mcp_url",
            "painel_url",
            "simulador_url",
            "api_key_homologacao",
            "api_key_producao",
            "email",
            "senha",
            "cpf_cnpj",
            "cpf_cnpj_alfanumerico",
            "cpf_cnpj_municipal",
            "crt",
            "uf",
            "webhook_segredo",
            "certificado_pfx",
            "certificado_senha",
            "ca_pem",
        ]
    );
    assert!(text.contains(record["base_url"].as_str().unwrap()));
    let mcp_url = record["mcp_url"].as_str().unwrap();
    assert!(
        mcp_url.starts_with("http://127.0.0.1:") && text.contains(&format!("carimbo {mcp_url}/mcp --header")),
        "{text}"
    );
    assert!(text.contains(record["api_key_homologacao"].as_str().unwrap()));
    assert!(record["webhook_segredo"].as_str().unwrap().starts_with("whsec_"));
    for file in ["certificado_pfx", "ca_pem"] {
        assert!(Path::new(record[file].as_str().unwrap()).is_file(), "{file}");
    }
    assert!(std::fs::read_dir(dir.join("notas")).unwrap().count() >= 16);
    let pdf = text.split_once("Um DANFE em PDF:").unwrap().1.lines().next().unwrap().trim();
    assert!(std::fs::read(pdf).unwrap().starts_with(b"%PDF-"), "{pdf}");
}

#[tokio::test]
async fn the_e_mail_and_password_of_the_record_log_in() {
    let dir = std::env::temp_dir().join(format!("carimbo-demo-{}", uuid::Uuid::now_v7()));
    let log = dir.with_extension("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
    command.args(["demo", "--http", "127.0.0.1:0", "--data"]).arg(&dir);
    let demo = Running::start(command, &log);
    let deadline = Instant::now() + Duration::from_secs(120);
    while !dir.join("demo.json").is_file() {
        assert!(Instant::now() < deadline, "{}", std::fs::read_to_string(&log).unwrap());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let record: Value = serde_json::from_slice(&std::fs::read(dir.join("demo.json")).unwrap()).unwrap();
    let client = Client::new(record["base_url"].as_str().unwrap());
    let login = json!({ "email": record["email"], "senha": record["senha"] });
    let answer = client.post("/v1/auth/login", &login).await.ok(200);
    assert_eq!(answer["usuario"]["email"], record["email"]);
    let session = client.with_token(answer["token"].as_str().unwrap());
    assert_eq!(session.get("/v1/empresas").await.ok(200)["total"], 3);
    session.post("/v1/auth/ambiente", &json!({ "ambiente": "producao" })).await.ok(200);
    // an agent that prepares gets an address for a browser, on either listener
    let agent = client.with_key(record["api_key_homologacao"].as_str().unwrap());
    let note = crate::support::body::emission(record["cpf_cnpj"].as_str().unwrap());
    let prepared = agent.post("/v1/nfe/preparar", &note).await.ok(200);
    let page = prepared["url_confirmacao"].as_str().unwrap();
    assert!(page.starts_with(&format!("{}/painel/confirmar/", client.base_url)), "{page}");
    demo.terminate();
    std::fs::remove_dir_all(dir).unwrap();
    std::fs::remove_file(log).unwrap();
}

/// `demo.json` is written before the script runs, so users may act meanwhile: nothing they do ends the demonstration.
#[tokio::test]
async fn stays_up_whatever_users_do_while_it_tells_its_story() {
    for start in 0..STARTS {
        let demo = Staying::start().await;
        match start % 3 {
            0 => demo.take_every_number().await,
            1 => demo.remove_the_companies().await,
            _ => demo.revoke_the_keys().await,
        }
        demo.stays().await;
    }
}

/// Ten in all, as users start it.
const STARTS: usize = 10;

/// A demonstration that stays up after its script.
struct Staying {
    dir: PathBuf,
    child: Child,
    client: Client,
    record: Value,
}

impl Staying {
    /// Starts it and waits for `demo.json`.
    async fn start() -> Staying {
        let dir = std::env::temp_dir().join(format!("carimbo-demo-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&dir).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
        command.args(["demo", "--http", "127.0.0.1:0", "--data"]).arg(&dir);
        let screen = std::fs::File::create(dir.join("tela")).unwrap();
        let child = command.stdout(screen.try_clone().unwrap()).stderr(screen).spawn().unwrap();
        until(&dir, || dir.join("demo.json").is_file()).await;
        let record: Value = serde_json::from_slice(&std::fs::read(dir.join("demo.json")).unwrap()).unwrap();
        let client = Client::new(record["base_url"].as_str().unwrap());
        let client = client.with_key(record["api_key_homologacao"].as_str().unwrap());
        Staying { dir, child, client, record }
    }

    fn told(&self) -> String {
        std::fs::read_to_string(self.dir.join("tela")).unwrap()
    }

    /// Issues notes of the demonstration's own company, one after another until the script has ended.
    async fn take_every_number(&self) {
        let mut nota: Value = serde_json::from_str(include_str!("../../../../../../docs/guides/nota.json")).unwrap();
        nota.as_object_mut().unwrap().remove("referencia_externa");
        while !self.told().contains("No ar.") {
            self.client.post("/v1/nfe/emitir", &nota).await.ok(202);
        }
        assert!(self.told().contains("webhook nfe.cancelada"), "the whole story is told: {}", self.told());
    }

    async fn remove_the_companies(&self) {
        for company in ["cpf_cnpj", "cpf_cnpj_alfanumerico", "cpf_cnpj_municipal"] {
            self.client.delete(&format!("/v1/empresas/{}", self.record[company].as_str().unwrap())).await;
        }
    }

    async fn revoke_the_keys(&self) {
        let login = json!({ "email": self.record["email"], "senha": self.record["senha"] });
        let session = self.client.post("/v1/auth/login", &login).await.ok(200);
        let session =
            Client::new(self.record["base_url"].as_str().unwrap()).with_token(session["token"].as_str().unwrap());
        for key in session.get("/v1/auth/api-keys").await.ok(200)["api_keys"].as_array().unwrap() {
            session.delete(&format!("/v1/auth/api-keys/{}", key["id"].as_str().unwrap())).await;
        }
    }

    /// Checks that it reports being up, answers, and ends well only on a signal.
    async fn stays(mut self) {
        until(&self.dir, || self.told().contains("No ar.")).await;
        assert_eq!(self.client.get("/health").await.status, 200);
        assert!(self.child.try_wait().unwrap().is_none(), "it ended by itself: {}", self.told());
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(self.child.wait().unwrap().success(), "{}", self.told());
        std::fs::remove_dir_all(&self.dir).unwrap();
    }
}

impl Drop for Staying {
    fn drop(&mut self) {
        // a failed test leaves no process behind
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn until(dir: &Path, there: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !there() {
        assert!(Instant::now() < deadline, "{}", std::fs::read_to_string(dir.join("tela")).unwrap());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
