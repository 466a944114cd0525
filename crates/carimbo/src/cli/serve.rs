//! `carimbo serve`: starts a service from its configuration and stops it on a signal.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use authority::table::EndpointTable;
use authority::transport::{self, AuthorityTransport};
use clap::ValueEnum;
use engine::Engine;
use engine::process::clock;
use engine::restored::MarkPlace;
use engine::worker;
use fiscal::law::Law;
use server::WebhookSettings;
use server::edge::Edge;
use server::service::{RunningService, ServiceParts};
use store::{Location, Store};

use super::ConfigArgs;
use crate::config::values::read_bundle;
use crate::config::{self, Config, master_key, toml_error_message};
use crate::stop_signals::StopSignals;

#[derive(clap::Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// O que este processo faz: api (só responde), worker (leva documentos às autoridades e notificações aos webhooks)
    /// ou todos [padrão: todos]
    #[arg(
        long,
        value_enum,
        default_value = "todos",
        value_name = "PAPEL",
        hide_default_value = true,
        hide_possible_values = true
    )]
    papel: ProcessRole,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProcessRole {
    /// Só responde à API
    Api,
    /// Só leva documentos às autoridades
    Worker,
    /// Ambos
    Todos,
}

pub(crate) async fn run(args: ServeArgs) -> anyhow::Result<()> {
    let config = args.config.load()?;
    server::start_logs(config.json_logs, &config.log_level);
    let store = open_store(&config).await?;
    let service = RunningService::start(parts(&config, store.clone(), args.papel)?).await?;
    let mut signals = StopSignals::listen()?;
    print_addresses(&service, &config, &store, args.papel);
    if args.papel != ProcessRole::Worker {
        log_account_hint(&store, &args.config).await;
    }
    signals.next().await;
    tracing::info!("stopping: no new requests, finishing what is under way");
    let stopping = Instant::now();
    signals.orderly(service.stop(Duration::from_secs(config.grace_s))).await?;
    tracing::info!(elapsed_ms = stopping.elapsed().as_millis(), "stopped");
    Ok(())
}

/// Logs the command that creates the first account. A service without accounts answers 401 to every request.
async fn log_account_hint(store: &Store, config: &ConfigArgs) {
    if matches!(store.has_accounts().await, Ok(false)) {
        let file = config.file().map_or_else(String::new, |path| format!(" --config {}", path.display()));
        tracing::warn!(
            "nenhuma conta existe ainda; crie a primeira com: carimbo conta criar --nome NOME --email EMAIL{file}"
        );
    }
}

/// Prints the addresses, for operators and for scripts that start the service, and logs the start.
fn print_addresses(service: &RunningService, config: &Config, store: &Store, papel: ProcessRole) {
    match service.base_url() {
        Some(url) => println!("escutando em {url}"),
        None => println!("trabalhando, sem API"),
    }
    if config.mcp.is_some()
        && let Some(url) = service.mcp_url()
    {
        println!("MCP em {url}/mcp");
        if config.edge.public_url.is_none() {
            tracing::warn!(
                "painel.url não está configurada: um agente que chame a porta do MCP por um nome (atrás de um proxy) recebe url_confirmacao \
                 sem endereço, e a pessoa não pode abri-la. Configure painel.url com o endereço do painel"
            );
        }
    }
    if let Some(url) = service.metrics_url() {
        println!("métricas em {url}");
    }
    let (http, metrics) = service.addresses();
    let workers = if papel == ProcessRole::Api { 0 } else { config.concurrency };
    tracing::info!(
        version = server::VERSION,
        commit = server::COMMIT,
        database.kind = store.kind(),
        http.address = http.map(tracing::field::display),
        metrics.address = metrics.map(tracing::field::display),
        workers,
        "started"
    );
}

/// Opens the store of a configuration with its master key.
pub(super) async fn open_store(config: &Config) -> anyhow::Result<Store> {
    let master_key = master_key::obtain(config)?;
    let place = match &config.database {
        Location::Sqlite(path) => format!("sqlite:{}", path.display()),
        // the rest of the address may be a password
        Location::Postgres(_) => "postgres://…".to_owned(),
    };
    Store::open(&config.database, master_key).await.map_err(|error| match error {
        store::Error::Sealed => anyhow::anyhow!(
            "{error} O banco ({place}) foi criado com outra: aponte segredo.chave_mestra_arquivo para a chave dele"
        ),
        other => anyhow::Error::new(other).context(format!("o banco de dados não abriu; confira banco.url ({place})")),
    })
}

/// Makes an engine without workers, for commands that read documents and draw forms.
pub(super) fn engine(config: &Config, store: Store) -> anyhow::Result<Engine> {
    let transport =
        AuthorityTransport::new(transport_options(config)?).context("o transporte TLS não pôde ser preparado")?;
    let house = config.software_house.house().map_err(anyhow::Error::msg)?;
    let engine = Engine::new(store, table(config)?, Arc::new(transport), Arc::new(clock::SystemClock), house);
    Ok(engine.with_law(Arc::new(configured_law(config)?)))
}

fn parts(config: &Config, store: Store, papel: ProcessRole) -> anyhow::Result<ServiceParts> {
    let worker = worker::WorkerOptions {
        concurrency: config.concurrency,
        per_authority: config.per_authority,
        lease: Duration::from_secs(config.lease_s),
    };
    Ok(ServiceParts {
        store,
        table: table(config)?,
        transport: transport_options(config)?,
        http: (papel != ProcessRole::Worker).then_some(config.http),
        metrics: config.metrics,
        mcp: config.mcp.filter(|_| papel != ProcessRole::Worker),
        worker: (papel != ProcessRole::Api).then_some(worker),
        limits: config.limits,
        edge: edge(config)?,
        webhooks: webhooks(config)?,
        mail: config::mail::configured(&config.mail, config.edge.public_url.as_deref())?,
        clock: Arc::new(clock::SystemClock),
        lookups: config.lookups.clone(),
        software_house: config.software_house.house().map_err(anyhow::Error::msg)?,
        contingency: config.contingency,
        backlog: config.backlog,
        law: Arc::new(configured_law(config)?),
        opened: config.opened,
        mark: Some(mark_place(config)),
    })
}

/// Returns the place of the mark. It stands outside the database, so that a copy of the database does not contain it.
fn mark_place(config: &Config) -> MarkPlace {
    match (&config.mark, &config.database) {
        (Some(path), _) => MarkPlace::File(path.clone()),
        (None, Location::Sqlite(path)) => {
            let mut name = path.as_os_str().to_owned();
            name.push(".marca");
            MarkPlace::File(name.into())
        }
        (None, Location::Postgres(_)) => {
            let folder = config.master_key_file.parent().filter(|folder| !folder.as_os_str().is_empty());
            MarkPlace::Folder(folder.unwrap_or(Path::new(".")).to_owned())
        }
    }
}

fn edge(config: &Config) -> anyhow::Result<Edge> {
    let oidc = config.oidc.settings(read_bundle("oidc.ca_bundle", config.oidc.ca_bundle.as_deref())?);
    Ok(Edge { oidc, ..config.edge.clone() })
}

fn webhooks(config: &Config) -> anyhow::Result<WebhookSettings> {
    let extra_anchors_pem = read_bundle("webhooks.ca_bundle", config.webhook_ca_bundle.as_deref())?;
    Ok(WebhookSettings { extra_anchors_pem, ..config.webhooks.clone() })
}

fn table(config: &Config) -> anyhow::Result<EndpointTable> {
    let Some(path) = &config.authorities_table else { return Ok(EndpointTable::builtin()) };
    let text = std::fs::read_to_string(path).with_context(|| format!("autoridades.tabela: {}", path.display()))?;
    if let Err(error) = text.parse::<toml::Table>() {
        anyhow::bail!("autoridades.tabela: {}", toml_error_message(path, &text, error.span()));
    }
    EndpointTable::with_overrides(&text).with_context(|| format!("autoridades.tabela: {}", path.display()))
}

/// Returns the built-in law with the operator's changes, each of which is logged.
fn configured_law(config: &Config) -> anyhow::Result<Law> {
    let Some(path) = &config.law else { return Ok(Law::default()) };
    let law = config::law::read_law(path)?;
    for (ano, pCBS) in law.cbs() {
        tracing::warn!(%ano, %pCBS, file = %path.display(), "rate set by the operator");
    }
    for change in law.changes() {
        tracing::warn!(%change, file = %path.display(), "law changed by the operator");
    }
    Ok(law)
}

fn transport_options(config: &Config) -> anyhow::Result<transport::TransportOptions> {
    let extra_anchors_pem = read_bundle("autoridades.ca_bundle", config.ca_bundle.as_deref())?;
    Ok(transport::TransportOptions {
        extra_anchors_pem,
        builtin_anchors: config.builtin_anchors,
        connect_timeout: Duration::from_secs(config.connect_timeout_s),
        reply_timeout: Duration::from_secs(config.reply_timeout_s),
        ..transport::TransportOptions::default()
    })
}
