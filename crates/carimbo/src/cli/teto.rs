//! `carimbo conta teto`: shows and sets the highest total that an account may confirm in one assisted emission.

use store::Store;
use store::audit::Actor;
use uuid::Uuid;

use super::ConfigArgs;
use super::account;

#[derive(clap::Args)]
pub(crate) struct CeilingArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// E-mail de um usuário da conta
    #[arg(long)]
    email: String,
    /// Maior valor de nota que POST /v1/nfe/confirmar aceita, como 1500.00
    #[arg(long, value_name = "REAIS", value_parser = parse_cents)]
    valor: Option<i64>,
    /// Tira o teto
    #[arg(long, conflicts_with = "valor")]
    sem_teto: bool,
}

pub(super) async fn run(args: CeilingArgs) -> anyhow::Result<()> {
    account::with_account(&args.config, &args.email, async |store, tenant| {
        show_or_set_ceiling(store, tenant, &args).await
    })
    .await
}

async fn show_or_set_ceiling(store: &Store, tenant: Uuid, args: &CeilingArgs) -> anyhow::Result<()> {
    if args.valor.is_some() || args.sem_teto {
        let now = jiff::Timestamp::now().as_second();
        store.set_ceiling(tenant, args.valor, &Actor::operator(), now).await?;
        eprintln!("teto definido; ele vale já");
    }
    match store.ceiling(tenant).await? {
        Some(teto) => println!("{}.{:02}", teto / 100, teto % 100),
        None => println!("sem teto"),
    }
    Ok(())
}

/// Returns an amount in hundredths of a real from `1500`, `1500.5` or `1500,50`.
fn parse_cents(text: &str) -> Result<i64, String> {
    let wrong = || format!("{text} não é um valor em reais, como 1500.00");
    let text = text.trim().replace(',', ".");
    let (whole, cents) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 13 || cents.len() > 2 || !digits(whole) || !digits(cents) {
        return Err(wrong());
    }
    format!("{whole}{cents:0<2}").parse().map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_to_the_cent() {
        assert_eq!(parse_cents("1500"), Ok(150_000));
        assert_eq!((parse_cents("1500.5"), parse_cents("0,01")), (Ok(150_050), Ok(1)));
        for wrong in ["", "-1", "1.234", "1.500,00", "mil", "99999999999999"] {
            assert!(parse_cents(wrong).is_err(), "{wrong}");
        }
    }
}
