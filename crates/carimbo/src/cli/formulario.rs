//! `carimbo conta formulario`: shows and sets if an answer in a form of an MCP client counts as a person's approval in
//! production.

use store::Store;
use store::audit::Actor;
use uuid::Uuid;

use super::ConfigArgs;
use super::conta;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// E-mail de um usuário da conta
    #[arg(long)]
    email: String,
    /// Aceita a resposta do formulário do cliente MCP em produção, com uma chave completa
    #[arg(long)]
    permitir: bool,
    /// Em produção, só a aprovação em /painel vale
    #[arg(long, conflicts_with = "permitir")]
    negar: bool,
}

pub(super) async fn run(args: Args) -> anyhow::Result<()> {
    conta::of_account(&args.config, &args.email, async |store, tenant| serve(store, tenant, &args).await).await
}

async fn serve(store: &Store, tenant: Uuid, args: &Args) -> anyhow::Result<()> {
    if args.permitir || args.negar {
        let now = jiff::Timestamp::now().as_second();
        store.set_form_counts(tenant, args.permitir, &Actor::operator(), now).await?;
    }
    let counts = store.form_counts(tenant).await?;
    println!("{}", if counts { "permitido em produção" } else { "negado em produção" });
    Ok(())
}
