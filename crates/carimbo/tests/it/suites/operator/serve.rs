//! `carimbo serve` and the operator's commands, as child processes.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::app::issued;
use crate::support::authorities::{company, simulator, with_simulator};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;
use crate::support::installation::{Installation, Running};

fn mode_of(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn an_account_made_by_the_operator_is_served_and_a_signal_ends_it_cleanly() {
    let installation = Installation::new().await;
    let key = installation.account();
    assert_eq!(mode_of(&installation.dir.join("carimbo.chave")), 0o600);
    let again = installation.run(&["conta", "criar", "--nome", "Loja", "--email", "dono@exemplo.com.br"]);
    assert!(!again.well && again.told.contains("já existe"), "{}", again.told);
    let list = installation.run(&["conta", "listar"]).out;
    assert!(list.contains("dono@exemplo.com.br") && !list.contains(&key), "{list}");

    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let client = Client::new(service.base_url()).with_key(&key);
    assert_eq!(client.get("/v1/empresas").await.ok(200)["total"], 0);
    client.get("/status").await.ok(200);
    let mut second = installation.command(&["serve"]);
    second.env("CARIMBO_HTTP_ENDERECO", service.base_url().trim_start_matches("http://"));
    let told = second.output().unwrap();
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("outro programa já escuta em"), "{told}");
    service.terminate();
    let kept = installation.run(&["segredo", "gerar", "--arquivo", "carimbo.chave"]);
    assert!(!kept.well && kept.told.contains("nunca é substituído"), "{}", kept.told);
    installation.finish().await;
}

#[tokio::test]
async fn a_listener_of_agents_without_the_address_of_the_pages_is_told_at_start() {
    let installation = Installation::new().await;
    let log = installation.dir.join("log");
    let told = async |address: Option<&str>| {
        let mut command = installation.command(&["serve"]);
        command.env("CARIMBO_MCP_ENDERECO", "127.0.0.1:0");
        if let Some(address) = address {
            command.env("CARIMBO_PAINEL_URL", address);
        }
        let service = Running::start(command, &log);
        Client::new(service.base_url()).get("/status").await.ok(200);
        service.terminate();
        std::fs::read_to_string(&log).unwrap()
    };
    let without = told(None).await;
    assert!(without.contains("painel.url não está configurada"), "{without}");
    let with = told(Some("https://notas.exemplo.com.br")).await;
    assert!(!with.contains("painel.url não está configurada"), "{with}");
    installation.finish().await;
}

#[tokio::test]
async fn a_request_under_way_is_answered_before_the_end() {
    let installation = Installation::new().await;
    let key = installation.account();
    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let address = service.base_url().strip_prefix("http://").unwrap().to_owned();
    let body = body::company(NUMERIC).to_string();
    let (half, rest) = body.as_bytes().split_at(body.len() / 2);
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    let head = format!(
        "POST /v1/empresas HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // the service asks for the body: the request is under way, whatever else the machine is doing
    let mut go_on = [0; GO_ON.len()];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, GO_ON);
    stream.write_all(half).unwrap();
    service.signal();
    while std::net::TcpStream::connect(&address).is_ok() {
        tokio::task::yield_now().await;
    }
    stream.write_all(rest).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 Created"), "{answer}");
    service.ended();
    installation.finish().await;
}

const GO_ON: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

#[tokio::test]
async fn one_process_answers_and_another_carries_the_documents() {
    let installation = Installation::new().await;
    let key = installation.account();
    let simulator = simulator(&installation.dir).await;
    let role = |papel: &str| {
        let command = with_simulator(installation.command(&["serve", "--papel", papel]));
        Running::start(command, &installation.dir.join(format!("log-{papel}")))
    };
    let api = role("api");
    let worker = role("worker");
    assert_eq!(worker.first_line, "trabalhando, sem API");
    let client = Client::new(api.base_url()).with_key(&key);
    company(&client, &simulator).await;
    let job = issued(&client, &body::emission(NUMERIC)).await;
    assert_eq!(job["nota"]["status"], "autorizada", "{job}");
    let status = client.get("/status").await.ok(200);
    assert_eq!(status["componentes"]["trabalhadores"]["status"], "em_outro_processo", "{status}");
    api.terminate();
    worker.terminate();
    simulator.stop().await;
    installation.finish().await;
}

#[tokio::test]
async fn a_line_of_the_log_is_json_with_the_request_it_belongs_to() {
    let installation = Installation::new().await;
    let log = installation.dir.join("log");
    let mut command = installation.command(&["serve"]);
    command.env("CARIMBO_LOG_FORMATO", "json");
    let service = Running::start(command, &log);
    let headers = [("x-request-id", "pedido-7")];
    let client = Client::new(service.base_url());
    let answer = client.send(http::Method::GET, "/v1/empresas/11222333000181", &headers, "".into()).await;
    answer.refused(401, "nao_autenticado");
    service.terminate();
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = lines.iter().find(|line| line["request.id"] == "pedido-7").unwrap_or_else(|| panic!("{log}"));
    assert_eq!((&line["http.route"], &line["http.status"]), (&"/v1/empresas/{cpf_cnpj}".into(), &401.into()), "{line}");
    installation.finish().await;
}

#[tokio::test]
async fn a_wrong_configuration_stops_the_start_with_its_name() {
    let installation = Installation::new().await;
    let text = "[htpp]\nendereco = \"127.0.0.1:0\"\n[log]\nnivel = \"infoo\"\n";
    std::fs::write(installation.dir.join("c.toml"), text).unwrap();
    let started = installation.run(&["serve", "--config", "c.toml"]);
    assert!(!started.well);
    let told = started.told;
    assert!(told.contains("htpp.endereco: chave desconhecida; a mais próxima é http.endereco"), "{told}");
    assert!(told.contains("log.nivel") && told.contains("\"info\""), "{told}");
    installation.finish().await;
}

#[tokio::test]
async fn the_example_of_the_configuration_is_one() {
    let installation = Installation::new().await;
    let example = installation.run(&["config", "exemplo"]).out;
    std::fs::write(installation.dir.join("carimbo.toml"), example).unwrap();
    let listed = installation.run(&["conta", "listar", "--config", "carimbo.toml"]);
    assert!(listed.well, "{}", listed.told);
    installation.finish().await;
}

#[tokio::test]
async fn a_lost_master_key_is_not_replaced_and_a_rotated_one_opens_everything() {
    let installation = Installation::new().await;
    installation.account();
    let rotated = installation.run(&["segredo", "trocar", "--nova", "nova.chave"]);
    assert!(rotated.well, "{}", rotated.told);
    assert_eq!(mode_of(&installation.dir.join("nova.chave")), 0o600);
    let mut listed = installation.command(&["conta", "listar"]);
    listed.env("CARIMBO_SEGREDO_CHAVE_MESTRA_ARQUIVO", "nova.chave");
    assert!(listed.output().unwrap().status.success());
    std::fs::remove_file(installation.dir.join("carimbo.chave")).unwrap();
    let started = installation.run(&["conta", "listar"]);
    assert!(!started.well && started.told.contains("segredo.chave_mestra_arquivo"), "{}", started.told);
    installation.finish().await;
}

#[tokio::test]
async fn a_database_that_came_back_open_to_all_is_closed_again() {
    use std::os::unix::fs::PermissionsExt as _;
    let installation = Installation::on_sqlite();
    installation.account();
    let database = installation.dir.join("carimbo.db");
    std::fs::set_permissions(&database, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(installation.run(&["conta", "listar"]).well);
    assert_eq!(mode_of(&database), 0o600);
    installation.finish().await;
}

#[tokio::test]
async fn too_few_files_and_too_little_space_are_said_at_the_start() {
    let installation = Installation::new().await;
    installation.account();
    let shell = |limits: &str, log: &str| {
        let serve = installation.command(&["serve"]);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{limits} exec \"$0\" serve")]).arg(serve.get_program());
        command.current_dir(&installation.dir);
        for (name, value) in serve.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Running::start(command, &installation.dir.join(log)).terminate();
        std::fs::read_to_string(installation.dir.join(log)).unwrap()
    };
    let told = shell("ulimit -n 1024; ulimit -v 3900000;", "pouco");
    assert!(told.contains("too few files") && told.contains("LimitNOFILE=2304"), "{told}");
    assert!(told.contains("too little address space") && told.contains("LimitAS=infinity"), "{told}");
    let told = shell("", "bastante");
    assert!(!told.contains("address space"), "{told}");
    installation.finish().await;
}

#[tokio::test]
async fn the_master_key_is_not_rotated_under_a_running_service() {
    let installation = Installation::new().await;
    let key = installation.account();
    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let refused = installation.run(&["segredo", "trocar", "--nova", "nova.chave"]);
    assert!(!refused.well && refused.told.contains("um serviço está no ar"), "{}", refused.told);
    // the old key still opens everything, and the service answers
    assert!(installation.run(&["conta", "listar"]).well);
    Client::new(service.base_url()).with_key(&key).get("/v1/empresas").await.ok(200);
    service.terminate();
    // one that stopped in order is not waited for
    let rotated = installation.run(&["segredo", "trocar", "--nova", "nova.chave"]);
    assert!(rotated.well, "{}", rotated.told);
    installation.finish().await;
}

#[tokio::test]
async fn a_revoked_key_is_refused_and_another_can_be_made() {
    let installation = Installation::new().await;
    let first = installation.account();
    let email = ["--email", "dono@exemplo.com.br"];
    let second = installation.run(&[&["conta", "chave"], &email[..]].concat()).out.trim().to_owned();
    let list = installation.run(&["conta", "listar"]).out;
    let row = list.lines().find(|line| line.contains(&first[..12])).unwrap_or_else(|| panic!("{list}"));
    let id = row.split_whitespace().next().unwrap();
    let revoked = installation.run(&[&["conta", "chave", "--revogar", id], &email[..]].concat());
    assert!(revoked.well, "{}", revoked.told);
    let service = Running::start(installation.command(&["serve"]), &installation.dir.join("log"));
    let client = Client::new(service.base_url());
    client.with_key(&first).get("/v1/empresas").await.refused(401, "chave_revogada");
    client.with_key(&second).get("/v1/empresas").await.ok(200);
    service.terminate();
    installation.finish().await;
}

#[tokio::test]
async fn a_mistyped_account_is_refused_before_anything_is_made() {
    let installation = Installation::new().await;
    for (nome, email, told) in [
        ("Loja", "dono@loja", "nome@empresa.com.br"),
        ("Loja", "dono loja.com.br", "nome@empresa.com.br"),
        (" ", "dono@loja.com.br", "--nome"),
    ] {
        let refused = installation.run(&["conta", "criar", "--nome", nome, "--email", email]);
        assert!(
            !refused.well && refused.told.contains(told) && refused.told.contains("Nada foi criado"),
            "{}",
            refused.told
        );
        assert!(refused.out.is_empty(), "{}", refused.out);
    }
    assert_eq!(installation.run(&["conta", "listar"]).out, "");
    for command in [&["conta", "chave"][..], &["conta", "teto"], &["conta", "cotas"], &["conta", "usuario", "senha"]] {
        let unknown = installation.run(&[command, &["--email", "ninguem@loja.com.br"]].concat());
        assert!(!unknown.well && unknown.told.contains("carimbo conta listar"), "{command:?}: {}", unknown.told);
    }
    installation.finish().await;
}

#[tokio::test]
async fn a_start_and_an_end_are_one_line_each_and_the_next_step_is_named() {
    let installation = Installation::new().await;
    let start = |log: &Path| {
        let mut command = installation.command(&["serve"]);
        command.env("CARIMBO_LOG_FORMATO", "json").env("CARIMBO_METRICAS_ENDERECO", "127.0.0.1:0");
        Running::start(command, log).terminate();
        let text = std::fs::read_to_string(log).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let first = start(&installation.dir.join("log-1"));
    let named = |lines: &[Value], message: &str| -> Vec<Value> {
        lines.iter().filter(|line| line["message"].as_str().unwrap().contains(message)).cloned().collect()
    };
    let [started] = &named(&first, "started")[..] else { panic!("{first:#?}") };
    assert!(started["version"].is_string() && started["database.kind"].is_string(), "{started}");
    assert!(started["http.address"].is_string() && started["metrics.address"].is_string(), "{started}");
    assert!(started["workers"].as_u64().unwrap() > 0, "{started}");
    let migrated = named(&first, "database migrated");
    assert!(migrated.len() == 1 && migrated[0]["from"] == 0, "{first:#?}");
    assert_eq!(named(&first, "stopped").len(), 1);
    assert!(named(&first, "carimbo conta criar").len() == 1, "{first:#?}");
    installation.account();
    let second = start(&installation.dir.join("log-2"));
    assert_eq!((named(&second, "carimbo conta criar").len(), named(&second, "database migrated").len()), (0, 0));
    assert!(second.iter().all(|line| line["level"] == "INFO"), "a healthy day has nothing to warn of: {second:#?}");
    installation.finish().await;
}

#[tokio::test]
async fn help_is_in_portuguese() {
    let installation = Installation::new().await;
    for command in [&["--help"][..], &["serve", "--help"], &["conta", "criar", "--help"], &["demo", "--help"]] {
        let help = installation.run(command).out;
        for english in ["Options", "Usage", "Print help", "default:", "Commands"] {
            assert!(!help.contains(english), "{command:?}: {help}");
        }
    }
    installation.finish().await;
}
