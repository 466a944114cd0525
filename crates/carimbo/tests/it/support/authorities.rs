//! The authorities beside a service that is a child process.

use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use simulator::Simulator;

use crate::support::app::{PASSWORD, kept_keys, shared_pki};
use crate::support::body::{self, NUMERIC};
use crate::support::client::Client;

/// A service that finds them.
pub(crate) fn with_simulator(mut command: Command) -> Command {
    command.env("CARIMBO_AUTORIDADES_TABELA", "autoridades.toml").env("CARIMBO_AUTORIDADES_CA_BUNDLE", "ca.pem");
    command.env("CARIMBO_AUTORIDADES_ANCORAS_EMBUTIDAS", "false");
    command
}

/// A company with all that it needs to issue.
pub(crate) async fn company(client: &Client, simulator: &Simulator) {
    client.post("/v1/empresas", &body::company(NUMERIC)).await.ok(201);
    client.put(&format!("/v1/empresas/{NUMERIC}/nfe"), &json!({ "ambiente": 2 })).await.ok(200);
    let pfx = simulator.pki().issue_pfx("Papelaria de Teste Ltda", NUMERIC, PASSWORD, 365).unwrap();
    let upload = json!({ "certificado": STANDARD.encode(pfx), "senha": PASSWORD });
    client.put(&format!("/v1/empresas/{NUMERIC}/certificado"), &upload).await.ok(200);
}

/// The authorities, with the files that `carimbo simulador` writes for a service.
pub(crate) async fn simulator(dir: &Path) -> Simulator {
    let any_port = ([127, 0, 0, 1], 0).into();
    let (_, pki_dir) = shared_pki();
    let options = simulator::SimulatorOptions {
        https: any_port,
        control: any_port,
        pki_dir,
        kept_keys: Some(kept_keys()),
        seed: 7,
    };
    let simulator = Simulator::start(options).await.unwrap();
    std::fs::write(dir.join("autoridades.toml"), simulator.endpoints_toml()).unwrap();
    std::fs::write(dir.join("ca.pem"), simulator.pki().ca_pem()).unwrap();
    simulator
}
