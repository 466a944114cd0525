//! `carimbo demo`, as a child process: the first five minutes of every user.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use fiscal::value::CnpjCpf;
use serde_json::{Value, json};
use store::vault::MasterKey;
use store::{Location, Store};

use crate::client::Client;
use crate::installation::Running;

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
            "desde o início do processo",
            "curl -s http://127.0.0.1:",
        ] {
            assert!(text.contains(told), "{round}: {told} in {text}");
        }
        check_record(&dir, &text);
        check_companies(&dir).await;
    }
    std::fs::remove_dir_all(dir).unwrap();
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
            "simulador_url",
            "api_key_homologacao",
            "api_key_producao",
            "email",
            "senha",
            "cpf_cnpj",
            "cpf_cnpj_alfanumerico",
            "crt",
            "uf",
            "webhook_segredo",
            "certificado_pfx",
            "certificado_senha",
            "ca_pem",
        ]
    );
    assert!(text.contains(record["base_url"].as_str().unwrap()));
    assert!(text.contains(record["api_key_homologacao"].as_str().unwrap()));
    assert!(record["webhook_segredo"].as_str().unwrap().starts_with("whsec_"));
    for file in ["certificado_pfx", "ca_pem"] {
        assert!(Path::new(record[file].as_str().unwrap()).is_file(), "{file}");
    }
    assert!(std::fs::read_dir(dir.join("notas")).unwrap().count() >= 3);
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
    assert_eq!(session.get("/v1/empresas").await.ok(200)["total"], 2);
    session.post("/v1/auth/ambiente", &json!({ "ambiente": "producao" })).await.ok(200);
    demo.terminate();
    std::fs::remove_dir_all(dir).unwrap();
    std::fs::remove_file(log).unwrap();
}
