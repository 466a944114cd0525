//! Command line: the commands, their help, and how each starts.
//!
//! Secrets are printed once, by the command that made them, on stdout. Progress goes to stderr, so that output can be
//! piped.

pub(crate) mod account;
mod conta;
mod cotas;
mod dados;
mod email;
mod error_chain;
mod exportar;
mod formulario;
mod help_text;
mod restaurado;
mod segredo;
mod serve;
mod simulador;
mod teto;
mod usuario;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{config, demo};

#[derive(Parser)]
#[command(
    name = "carimbo",
    version,
    about = "Emite e gerencia documentos fiscais eletrônicos (NF-e) por uma API REST",
    long_about = "Carimbo emite e gerencia documentos fiscais eletrônicos por uma API REST.\n\n\
                  Para ver tudo funcionando agora, sem configurar nada:\n\n    carimbo demo",
    after_help = "Comece por `carimbo demo`. Para instalar de verdade: `carimbo config exemplo > carimbo.toml`, \
                  `carimbo conta criar` e `carimbo serve`.",
    disable_help_subcommand = true,
    disable_help_flag = true,
    disable_version_flag = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Mostra a ajuda do comando
    #[arg(short = 'h', long = "help", alias = "ajuda", action = ArgAction::Help, global = true)]
    help: Option<bool>,
    /// Mostra a versão
    #[arg(short = 'V', long = "version", alias = "versao", action = ArgAction::Version)]
    version: Option<bool>,
}

#[derive(Subcommand)]
enum Command {
    /// Mostra o serviço inteiro funcionando: autoridades simuladas, empresas, notas autorizadas
    #[command(long_about = demo::LONG_ABOUT)]
    Demo(demo::DemoArgs),
    /// Roda o serviço: a API e os trabalhadores que levam as notas às autoridades
    Serve(serve::ServeArgs),
    /// Roda só as autoridades simuladas, para os testes de quem integra
    Simulador(simulador::SimulatorArgs),
    /// Cria e lista contas, chaves de API e cotas
    #[command(subcommand)]
    Conta(conta::AccountCommand),
    /// Importa NCM, CEP e CNPJ para consulta local, e mostra o que está carregado
    #[command(subcommand)]
    Dados(dados::RegisterCommand),
    /// Escreve os documentos de uma empresa e de um período num ZIP, para a contabilidade
    Exportar(exportar::ExportArgs),
    /// Mostra a configuração
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Depois de restaurar uma cópia do banco: diz de quando ela é, mostra o que falta conferir, encerra
    Restaurado(restaurado::RestoreArgs),
    /// Gera e troca a chave mestra, que abre os segredos guardados
    #[command(subcommand)]
    Segredo(segredo::MasterKeyCommand),
}

#[derive(Subcommand)]
enum ConfigCommand {
    /// Escreve um arquivo de configuração com todas as chaves, explicadas
    Exemplo,
}

/// Place of the configuration; shared by the commands that open the store.
#[derive(clap::Args)]
pub(crate) struct ConfigArgs {
    /// Arquivo de configuração (TOML)
    #[arg(long, value_name = "ARQUIVO", env = "CARIMBO_CONFIG", hide_env = true)]
    config: Option<PathBuf>,
}

impl ConfigArgs {
    /// Returns the file, when one was named.
    fn file(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    fn load(&self) -> anyhow::Result<config::Config> {
        Ok(config::load(self.config.as_deref(), std::env::vars())?)
    }
}

/// Runs the command line of this process.
pub(crate) fn main() -> ExitCode {
    let started = Instant::now();
    let matches = help_text::translate_help(Cli::command(), "carimbo").try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return help_text::print_usage_error(&error),
    };
    match run(cli.command, started) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("erro: {}", error_chain::error_line(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, started: Instant) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if matches!(
            command,
            Command::Conta(_) | Command::Dados(_) | Command::Exportar(_) | Command::Restaurado(_) | Command::Segredo(_)
        ) {
            // warnings that the operator must see, above all that a master key was created
            server::start_logs(false, "warn");
        }
        match command {
            Command::Demo(args) => demo::run(args, started).await,
            Command::Serve(args) => serve::run(args).await,
            Command::Simulador(args) => simulador::run(args).await,
            Command::Conta(command) => conta::run(command).await,
            Command::Dados(command) => dados::run(command).await,
            Command::Exportar(args) => exportar::run(args).await,
            Command::Config(ConfigCommand::Exemplo) => {
                print!("{}", config::example());
                Ok(())
            }
            Command::Restaurado(args) => restaurado::run(args).await,
            Command::Segredo(command) => segredo::run(command).await,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
