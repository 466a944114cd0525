//! `carimbo conta cotas`: shows and sets the quotas of an account, with the month's consumption.

use anyhow::Context as _;
use clap::ValueEnum as _;
use clap::builder::PossibleValuesParser;
use fiscal::value::TpAmb;
use store::Store;
use store::audit::Actor;
use store::quotas::{Familia, Quota};
use uuid::Uuid;

use super::ConfigArgs;
use super::account::{self, EnvironmentArg};

#[derive(clap::Args)]
pub(crate) struct QuotaArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// E-mail de um usuário da conta
    #[arg(long)]
    email: String,
    /// Só deste ambiente: homologacao ou producao; exigido para definir
    #[arg(long, value_enum, hide_possible_values = true)]
    ambiente: Option<EnvironmentArg>,
    /// Operação a definir: nfe, nfce, nfse, cte, cep, cnpj, ncm ou assinatura
    #[arg(long, requires = "ambiente", value_parser = PossibleValuesParser::new(Familia::ALL.map(Familia::word)), hide_possible_values = true)]
    familia: Option<String>,
    /// Quantas operações por mês; 0 não permite nenhuma
    #[arg(long, requires = "familia", value_name = "QUANTAS")]
    limite: Option<u32>,
    /// Tira o limite
    #[arg(long, requires = "familia", conflicts_with = "limite")]
    sem_limite: bool,
}

pub(super) async fn run(args: QuotaArgs) -> anyhow::Result<()> {
    account::with_account(&args.config, &args.email, async |store, tenant| {
        show_or_set_quotas(store, tenant, &args).await
    })
    .await
}

async fn show_or_set_quotas(store: &Store, tenant: Uuid, args: &QuotaArgs) -> anyhow::Result<()> {
    let now = jiff::Timestamp::now().as_second();
    let familia = args.familia.as_deref().and_then(Familia::from_word);
    if let (Some(ambiente), Some(familia)) = (args.ambiente, familia) {
        anyhow::ensure!(
            args.limite.is_some() || args.sem_limite,
            "diga o que definir: --limite QUANTAS ou --sem-limite"
        );
        store.set_quota(tenant, ambiente.tpAmb(), familia, args.limite, &Actor::operator(), now).await?;
        eprintln!("cota de {} em {} definida; ela vale já", familia.word(), ambiente.tpAmb().word());
    }
    let shown = args.ambiente.map_or_else(|| EnvironmentArg::value_variants().to_vec(), |only| vec![only]);
    for ambiente in shown {
        let quotas = store.quotas(tenant, ambiente.tpAmb(), now).await.context("as cotas não puderam ser lidas")?;
        print(ambiente.tpAmb(), &quotas);
    }
    Ok(())
}

fn print(ambiente: TpAmb, quotas: &[Quota]) {
    println!("{:<12} {:>12} {:>12}", ambiente.word(), "consumo", "limite");
    for quota in quotas {
        let limite = quota.limite.map_or_else(|| "sem limite".to_owned(), |limite| limite.to_string());
        println!("  {:<10} {:>12} {:>12}", quota.familia.word(), quota.consumo, limite);
    }
}
