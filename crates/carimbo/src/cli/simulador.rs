//! `carimbo simulador`: the simulated authorities alone, for the test suites of integrators.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use simulator::{Simulator, SimulatorOptions};

use crate::config;
use crate::stop_signals::StopSignals;

#[derive(clap::Args)]
pub(crate) struct SimulatorArgs {
    /// Onde as autoridades escutam (HTTPS, com certificado de cliente) [padrão: 127.0.0.1:9443]
    #[arg(long, value_name = "ENDEREÇO", default_value = "127.0.0.1:9443", hide_default_value = true)]
    https: SocketAddr,
    /// Onde o painel de controle escuta (falhas, relógio, o que foi recebido) [padrão: 127.0.0.1:9080]
    #[arg(long, value_name = "ENDEREÇO", default_value = "127.0.0.1:9080", hide_default_value = true)]
    controle: SocketAddr,
    /// Pasta da cadeia de certificação de teste; criada se não existir [padrão: ./carimbo-simulador]
    #[arg(long, value_name = "PASTA", default_value = "./carimbo-simulador", hide_default_value = true)]
    data: PathBuf,
    /// Semente de tudo o que é aleatório [padrão: 1]
    #[arg(long, value_name = "NÚMERO", default_value_t = 1, hide_default_value = true)]
    semente: u64,
    /// A lei que as autoridades aplicam (lei.toml, como o de lei.arquivo); sem ela, a impressa
    #[arg(long, value_name = "ARQUIVO")]
    lei: Option<PathBuf>,
}

pub(crate) async fn run(args: SimulatorArgs) -> anyhow::Result<()> {
    server::start_logs(false, "info");
    let options = SimulatorOptions {
        https: args.https,
        control: args.controle,
        pki_dir: args.data.clone(),
        kept_keys: None,
        seed: args.semente,
    };
    let law = args.lei.as_deref().map(config::law::read_law).transpose()?.unwrap_or_default();
    let simulator = Simulator::start(options).await.context("o simulador não subiu")?;
    simulator.configure(|settings| settings.lei = law);
    let table = args.data.join("autoridades.toml");
    let ca = args.data.join("ca-para-o-carimbo.pem");
    std::fs::write(&table, simulator.endpoints_toml()).with_context(|| table.display().to_string())?;
    std::fs::write(&ca, simulator.pki().ca_pem()).with_context(|| ca.display().to_string())?;
    let mut signals = StopSignals::listen()?;
    println!("autoridades em {}", simulator.https_url());
    println!("controle em {}/_sim", simulator.control_url());
    println!();
    println!("Para o serviço falar com elas, na configuração:");
    println!();
    println!("[autoridades]");
    println!("tabela = \"{}\"", table.display());
    println!("ca_bundle = \"{}\"", ca.display());
    println!("ancoras_embutidas = false");
    signals.next().await;
    simulator.stop().await;
    Ok(())
}
