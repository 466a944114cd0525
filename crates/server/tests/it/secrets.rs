//! No secret leaves: not in logs, not in the database's files, not in answers.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::app::{PASSWORD, shared_pki};
use crate::body::{self, NUMERIC};
use crate::client::Client;
use crate::installation::{Installation, Running};

/// What must not be found, each with a name for the failure.
struct Secrets(Vec<(&'static str, Vec<u8>)>);

impl Secrets {
    #[track_caller]
    fn absent_from(&self, place: &str, bytes: &[u8]) {
        for (name, secret) in &self.0 {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_slice());
            assert!(!found, "{name} was found in {place}");
        }
    }
}

#[tokio::test]
async fn keys_passwords_and_certificates_are_nowhere_in_the_clear() {
    let installation = Installation::new().await;
    let account = installation.run(&["conta", "criar", "--nome", "Loja", "--email", "dono@exemplo.com.br"]).out;
    let key = account.split_whitespace().find(|word| word.starts_with("crb_test_")).unwrap().to_owned();
    let login = account.lines().find_map(|line| line.strip_prefix("senha ")).unwrap().trim().to_owned();
    let (log, mut command) = (installation.dir.join("log"), installation.command(&["serve"]));
    command.env("CARIMBO_LOG_NIVEL", "trace");
    let service = Running::start(command, &log);
    let client = Client::new(service.base_url()).with_key(&key);
    let (pki, _) = shared_pki();
    let pfx = pki.issue_pfx("Papelaria de Teste Ltda", NUMERIC, PASSWORD, 365).unwrap();
    let secrets = Secrets(vec![
        ("the API key", key.into_bytes()),
        ("the login password", login.into_bytes()),
        ("the certificate's password", PASSWORD.as_bytes().to_vec()),
        ("the certificate", pfx[100..164].to_vec()),
        ("the certificate in base64", STANDARD.encode(&pfx).as_bytes()[200..264].to_vec()),
        ("the CSC", CSC.as_bytes().to_vec()),
        ("the password at the city hall", CITY_HALL.as_bytes().to_vec()),
        ("the webhooks' secret", webhook_secret(&client).await),
        ("a word of a body", b"palavra-do-corpo".to_vec()),
    ]);
    for (place, answer) in talk(&client, &pfx).await {
        secrets.absent_from(&place, &answer);
    }
    service.terminate();
    let log = std::fs::read(log).unwrap();
    assert!(String::from_utf8_lossy(&log).contains("request.id"), "the log says something");
    secrets.absent_from("the log", &log);
    for file in database_files(&installation.dir) {
        secrets.absent_from(&file.display().to_string(), &std::fs::read(&file).unwrap());
    }
    installation.finish().await;
}

/// Good and bad requests with secrets in them; gives the answers.
async fn talk(client: &Client, pfx: &[u8]) -> Vec<(String, Vec<u8>)> {
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2 })).await.ok(200);
    let mut answers = Vec::new();
    for (tipo, body) in [
        ("nfce", json!({ "csc_id": 1, "csc": CSC })),
        ("nfce", json!({ "csc_id": "x".repeat(11), "csc": CSC })),
        ("nfse", json!({ "prefeitura": { "login": "loja", "senha": CITY_HALL } })),
        ("nfse", json!({ "provedor": "x", "prefeitura": { "senha": CITY_HALL } })),
        ("nfse", json!({ "prefeitura": { "senha": [CITY_HALL] } })),
    ] {
        answers
            .push((tipo.to_owned(), client.put(&format!("/v1/empresas/{NUMERIC}/{tipo}"), &body).await.bytes.to_vec()));
    }
    let path = format!("/v1/empresas/{NUMERIC}/certificado");
    let good = json!({ "certificado": STANDARD.encode(pfx), "senha": PASSWORD });
    let foreign = json!({ "certificado": STANDARD.encode(&pfx[..pfx.len() - 1]), "senha": PASSWORD });
    let broken = json!({ "certificado": [STANDARD.encode(pfx)], "senha": { "x": PASSWORD } });
    let mut emission = body::emission(NUMERIC);
    emission["nota"]["produtos"][0]["vProd"] = json!("palavra-do-corpo");
    for (name, body) in [("a good upload", &good), ("a broken file", &foreign), ("a wrong type", &broken)] {
        answers.push((name.to_owned(), client.put(&path, body).await.bytes.to_vec()));
    }
    client.post("/v1/nfe/emitir", &emission).await.refused(422, "documento_invalido");
    let cut = good.to_string();
    let headers = [("content-type", "application/json")];
    let cut = cut[..cut.len() - 3].to_owned().into();
    answers.push(("a cut body".to_owned(), client.send(http::Method::PUT, &path, &headers, cut).await.bytes.to_vec()));
    answers.push(("the company".to_owned(), client.get(&format!("/v1/empresas/{NUMERIC}")).await.bytes.to_vec()));
    answers
}

const CSC: &str = "CSC-5E6REDO-0123456789";
const CITY_HALL: &str = "s3nha-da-prefeitura";

/// The part that is drawn.
async fn webhook_secret(client: &Client) -> Vec<u8> {
    let answer = client.get("/v1/webhooks/segredo").await.ok(200);
    answer["segredo"].as_str().unwrap().strip_prefix("whsec_").unwrap().as_bytes().to_vec()
}

/// All files of a SQLite database; none of PostgreSQL's, which are not ours to read.
fn database_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains("carimbo.db")).collect()
}
