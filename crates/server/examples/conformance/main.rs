//! The service with another server behind `/mcp`: the protocol's official conformance suite needs a demonstration
//! server (images, sound, progress, questions in several rounds), and no tool of ours does that. Listener, limits,
//! names, origins, keys and transport are the service's own.
//!
//! Argument: a folder, which gets the database and, once every part answers, `demo.json` with address and key. Runs
//! until it is killed.

mod fixtures;
mod rounds;
mod state_signer;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use authority::table::EndpointTable;
use authority::transport;
use fiscal::value::TpAmb;
use mcp_transport::McpTransport;
use serde_json::json;
use server::edge::{Edge, McpSettings};
use server::service::{RunningService, ServiceParts};
use store::accounts::{NewAccount, NewApiKey, Permissao};
use store::audit::Actor;
use store::vault::MasterKey;
use store::{Location, Store};
use uuid::Uuid;

use fixtures::Fixtures;
use state_signer::StateSigner;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = PathBuf::from(std::env::args_os().nth(1).context("usage: conformance FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let location = Location::Sqlite(folder.join("carimbo.db"));
    let store = Store::open(&location, MasterKey::new(openssl::sha::sha256(Uuid::new_v4().as_bytes()))).await?;
    let key = key(&store).await?;
    let service = RunningService::start(parts(store)?).await?;
    let (base_url, mcp_url) = (service.base_url().context("no listener")?, service.mcp_url().context("no listener")?);
    write_record(&folder, &json!({ "base_url": base_url, "mcp_url": mcp_url, "api_key_homologacao": key }))?;
    std::future::pending().await
}

/// Writes the record by renaming a finished file: the waiting script never reads half of it.
fn write_record(folder: &Path, record: &serde_json::Value) -> anyhow::Result<()> {
    let unfinished = folder.join("demo.json.new");
    std::fs::write(&unfinished, record.to_string())?;
    Ok(std::fs::rename(unfinished, folder.join("demo.json"))?)
}

/// A key of an account, as `carimbo conta criar` makes them.
async fn key(store: &Store) -> anyhow::Result<String> {
    let account = NewAccount {
        nome: "Conformidade".to_owned(),
        email: format!("{}@exemplo.com.br", Uuid::now_v7()),
        senha_hash: "$sem-login".to_owned(),
    };
    let tenant = store.create_account(account, 0).await?;
    let key = format!("crb_test_{}{}", Uuid::new_v4().simple(), &Uuid::new_v4().simple().to_string()[..11]);
    let new = NewApiKey {
        nome: "da suíte".to_owned(),
        ambiente: TpAmb::Homologacao,
        permissao: Permissao::Completa,
        prefixo: key[..12].to_owned(),
        hash: openssl::sha::sha256(key.as_bytes()),
    };
    store.create_api_key(tenant, new, &Actor::operator(), 0).await?;
    Ok(key)
}

/// The service without workers: nothing is issued here.
fn parts(store: Store) -> anyhow::Result<ServiceParts> {
    let seal = StateSigner::new()?;
    let handler = McpTransport::of(move || Fixtures::new(seal.clone()));
    let any_port = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    Ok(ServiceParts {
        http: any_port,
        mcp: any_port,
        edge: Edge { mcp: McpSettings { handler: Some(handler), ..McpSettings::default() }, ..Edge::default() },
        ..ServiceParts::idle(store, EndpointTable::builtin(), transport::TransportOptions::default())
    })
}
