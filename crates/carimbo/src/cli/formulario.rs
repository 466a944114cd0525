//! `carimbo conta formulario`: shows and sets if an answer in a form of an MCP client counts as a person's approval in
//! production.

use store::Store;
use store::audit::Actor;
use uuid::Uuid;

use super::ConfigArgs;
use super::account;

#[derive(clap::Args)]
pub(crate) struct FormArgs {
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

pub(super) async fn run(args: FormArgs) -> anyhow::Result<()> {
    account::with_account(&args.config, &args.email, async |store, tenant| {
        show_or_set_form_counts(store, tenant, &args).await
    })
    .await
}

async fn show_or_set_form_counts(store: &Store, tenant: Uuid, args: &FormArgs) -> anyhow::Result<()> {
    if args.permitir || args.negar {
        let now = jiff::Timestamp::now().as_second();
        store.allow_form_approval(tenant, args.permitir, &Actor::operator(), now).await?;
    }
    let counts = store.form_approval_allowed(tenant).await?;
    println!("{}", if counts { "permitido em produção" } else { "negado em produção" });
    Ok(())
}
