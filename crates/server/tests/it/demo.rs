//! `carimbo demo`, as a child process: the first five minutes of every user.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

use serde_json::Value;

fn demo(dir: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carimbo"));
    command.args(["demo", "--once", "--http", "127.0.0.1:0", "--data"]).arg(dir);
    command.output().unwrap()
}

#[test]
fn the_demonstration_tells_its_story_and_can_be_told_again() {
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
    }
    std::fs::remove_dir_all(dir).unwrap();
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
