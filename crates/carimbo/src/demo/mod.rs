//! `carimbo demo`: the whole service on embedded defaults, issuing real documents through its own HTTP interface.
//!
//! Law: the demonstration uses the service as a caller does. Only the account and its keys are created directly, as
//! `carimbo conta criar` does.

mod client;
mod demo_file;
mod demo_output;
mod install;
mod received;
mod registers;
mod sample;
mod script;
mod webhook_receiver;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::stop_signals::StopSignals;
use demo_output::DemoOutput;
use install::{DemoAddresses, DemoInstallation};

pub(crate) const LONG_ABOUT: &str = "\
Mostra o serviço inteiro funcionando, sem configurar nada.

Sobe autoridades simuladas (SEFAZ) com TLS mútuo e cadeia de certificação própria, e o serviço sobre SQLite; cria uma \
conta com usuário e chaves e três empresas: uma com CNPJ numérico e outra com letras, configuradas para todos os \
documentos em homologação, e uma de Lavras, cuja NFS-e é da prefeitura; importa alguns CEPs e o cadastro dessas \
empresas, para as consultas; e emite notas de verdade pela API: \
duas autorizadas, uma rejeitada de propósito (o número volta a ser usado), um cancelamento, avisado \
por webhook assinado, o transporte (um CT-e e um CT-e OS) e os serviços (uma NFS-e nacional e uma municipal).

Depois fica no ar para você experimentar. PASTA/demo.json traz endereços, chaves e senhas para os seus testes.";

#[derive(clap::Args)]
pub(crate) struct DemoArgs {
    /// Pasta onde tudo fica; rodar de novo sobre ela continua de onde parou [padrão: ./carimbo-demo]
    #[arg(long, value_name = "PASTA", default_value = "./carimbo-demo", hide_default_value = true)]
    data: PathBuf,
    /// Onde a API escuta; porta 0 escolhe uma livre [padrão: 127.0.0.1:8080, ou outra se estiver ocupada]
    #[arg(long, value_name = "ENDEREÇO")]
    http: Option<SocketAddr>,
    /// Onde o MCP escuta, para agentes de IA [padrão: 127.0.0.1:8081, ou outra se estiver ocupada]
    #[arg(long, value_name = "ENDEREÇO")]
    mcp: Option<SocketAddr>,
    /// Endereço https por que se chega a esta máquina, por um túnel ou proxy; os links do painel o usam
    /// [padrão: o endereço da API]
    #[arg(long, value_name = "ENDEREÇO", value_parser = crate::config::public_url)]
    url: Option<String>,
    /// Encerra depois das notas em vez de ficar no ar
    #[arg(long)]
    once: bool,
}

/// Runs the demonstration; `started` is the instant the process began.
pub(crate) async fn run(args: DemoArgs, started: Instant) -> anyhow::Result<()> {
    server::start_logs(false, "error");
    let screen = DemoOutput::new();
    screen.title(&format!("Carimbo {} · demonstração", server::VERSION));
    // before `demo.json` is written, which states that the demonstration runs
    let mut signals = StopSignals::listen()?;
    let installation = tokio::select! {
        installation = DemoInstallation::start(&args.data, DemoAddresses { http: args.http, mcp: args.mcp, url: args.url }, &screen) => installation?,
        () = signals.next() => return Ok(()),
    };
    let told = tokio::select! {
        told = run_and_report(&installation, &screen, started) => Some(told),
        () = signals.next() => None,
    };
    if told.is_some() && !args.once {
        screen.paragraph("\n  No ar. Ctrl-C encerra.");
        signals.next().await;
    }
    signals.orderly(installation.stop(Duration::from_secs(10))).await?;
    // with `--once` the exit code reports a failed script
    told.filter(|_| args.once).unwrap_or(Ok(()))
}

/// Runs the script, reports its failure, and prints the next steps in either case.
async fn run_and_report(installation: &DemoInstallation, screen: &DemoOutput, started: Instant) -> anyhow::Result<()> {
    let told = script::run_script(installation, screen, started).await;
    if let Err(error) = &told {
        script::report_script_failure(screen, error);
    }
    told.and(script::print_next_steps(installation, screen))
}
