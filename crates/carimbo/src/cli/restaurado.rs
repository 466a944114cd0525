//! `carimbo restaurado`: dates a restored copy of the database, shows the state of its series, and ends the
//! check. Until then a series gives no automatic number before its authority was asked, and an unknown reference is an
//! error.
//!
//! A running service notices the change within ten seconds.

use anyhow::Context as _;
use clap::ValueEnum;
use fiscal::value::{CnpjCpf, Serie};
use jiff::Timestamp;
use store::Store;
use store::installation::Installation;
use store::numbers::restored::RestoredSeries;
use store::numbers::{NumberedKind, Series};

use super::account::{self, EnvironmentArg};
use super::{ConfigArgs, serve};

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("ato").required(true))]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Diz que o banco é uma cópia deste instante, como 2026-11-28T03:00:00-03:00
    #[arg(long, value_name = "INSTANTE", group = "ato")]
    copia_de: Option<Timestamp>,
    /// Mostra o intervalo desconhecido e cada série que já foi perguntada à autoridade
    #[arg(long, group = "ato")]
    situacao: bool,
    /// Confirma o próximo número de uma série que a autoridade não deixa consultar
    #[arg(long, group = "ato", requires_all = ["email", "empresa", "numera", "serie", "ambiente", "proximo_numero"])]
    confirmar: bool,
    /// Encerra: quem opera conferiu o intervalo, e o serviço volta a responder por referências e lacunas
    #[arg(long, group = "ato")]
    encerrar: bool,
    /// Da série: e-mail de um usuário da conta
    #[arg(long)]
    email: Option<String>,
    /// Da série: CNPJ ou CPF da empresa
    #[arg(long, value_name = "CPF_CNPJ")]
    empresa: Option<String>,
    /// Da série: nfe, nfce, cte, cte-os, dps ou rps
    #[arg(long, value_enum, hide_possible_values = true)]
    numera: Option<SeriesKind>,
    /// Da série: como a nota a escreve
    #[arg(long)]
    serie: Option<String>,
    /// Da série: homologacao ou producao
    #[arg(long, value_enum, hide_possible_values = true)]
    ambiente: Option<EnvironmentArg>,
    /// Da série: o número a partir do qual nada foi usado
    #[arg(long, value_name = "NUMERO")]
    proximo_numero: Option<u64>,
}

/// The kind of number of a series.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SeriesKind {
    Nfe,
    Nfce,
    Cte,
    CteOs,
    Dps,
    Rps,
}

impl SeriesKind {
    fn counted(self) -> NumberedKind {
        match self {
            SeriesKind::Nfe => NumberedKind::Nfe,
            SeriesKind::Nfce => NumberedKind::Nfce,
            SeriesKind::Cte => NumberedKind::Cte,
            SeriesKind::CteOs => NumberedKind::CteOs,
            SeriesKind::Dps => NumberedKind::Dps,
            SeriesKind::Rps => NumberedKind::Rps,
        }
    }

    fn word(counted: NumberedKind) -> &'static str {
        match counted {
            NumberedKind::Nfe => "nfe",
            NumberedKind::Nfce => "nfce",
            NumberedKind::Cte => "cte",
            NumberedKind::CteOs => "cte-os",
            NumberedKind::Dps => "dps",
            NumberedKind::Rps => "rps",
        }
    }
}

pub(crate) async fn run(args: RestoreArgs) -> anyhow::Result<()> {
    if let (true, Some(email)) = (args.confirmar, &args.email) {
        let (series, next) = args.series()?;
        let now = Timestamp::now().as_second();
        return account::with_account(&args.config, email, async |store, tenant| {
            store.clear_restored(tenant, series, next, now).await?;
            eprintln!("a série {} dá números a partir de {next}", series.serie);
            Ok(())
        })
        .await;
    }
    let store = serve::open_store(&args.config.load()?).await?;
    let done = apply_restore_args(&store, &args).await;
    store.close().await;
    done
}

async fn apply_restore_args(store: &Store, args: &RestoreArgs) -> anyhow::Result<()> {
    let now = Timestamp::now();
    if let Some(copia_de) = args.copia_de {
        anyhow::ensure!(copia_de <= now, "--copia-de é um instante que ainda não chegou");
        store.record_restored(copia_de.as_second(), now.as_second()).await?;
        eprintln!("anotado: nada do que foi registrado entre {copia_de} e {now} está neste banco");
    }
    if args.encerrar {
        store.end_restored().await?;
        eprintln!("encerrado: referências e lacunas voltam a ser respondidas só por este banco");
    }
    if args.situacao {
        print(store.installation().await?, &store.restored_series().await?);
    }
    Ok(())
}

fn print(installation: Installation, series: &[RestoredSeries]) {
    let Some(restored) = installation.restored else {
        println!("nenhuma cópia restaurada por conferir");
        return;
    };
    let at = |seconds| Timestamp::from_second(seconds).unwrap_or_default();
    println!("cópia de {}, restaurada em {}", at(restored.copia_de), at(restored.restaurado_em));
    if series.is_empty() {
        println!("nenhuma série foi perguntada ainda: cada uma é perguntada antes do seu próximo número");
    }
    for one in series {
        let Series { cpf_cnpj, counted, serie, ambiente } = one.series;
        let standing = if one.progress.is_cleared { "conferida" } else { "por conferir" };
        println!(
            "{cpf_cnpj} {} série {serie} {}: {standing}; {} na autoridade além da cópia, {} sem operação neste banco",
            SeriesKind::word(counted),
            ambiente.word(),
            one.found,
            one.unclaimed
        );
    }
}

impl RestoreArgs {
    fn series(&self) -> anyhow::Result<(Series, u64)> {
        let missing = "faltam os dados da série";
        let cpf_cnpj = CnpjCpf::parse(self.empresa.as_deref().context(missing)?)?;
        let serie = Serie::parse(self.serie.as_deref().context(missing)?)?;
        let counted = self.numera.context(missing)?.counted();
        let ambiente = self.ambiente.context(missing)?.tpAmb();
        let next = self.proximo_numero.context(missing)?;
        anyhow::ensure!(
            (1..=counted.highest_number()).contains(&next),
            "--proximo-numero vai de 1 a {}",
            counted.highest_number()
        );
        Ok((Series { cpf_cnpj, counted, serie, ambiente }, next))
    }
}
