//! `carimbo conta usuario`: the users of an account. A generated password is printed once.

use anyhow::Context as _;
use server::password;
use store::Store;
use store::audit::Actor;
use store::users::{NewUser, User};
use uuid::Uuid;
use zeroize::Zeroizing;

use super::{ConfigArgs, account, email};

#[derive(clap::Subcommand)]
pub(crate) enum UserCommand {
    /// Acrescenta um usuário a uma conta
    Criar {
        #[command(flatten)]
        config: ConfigArgs,
        /// A conta: o id dela ou o e-mail de um de seus usuários
        #[arg(long, value_name = "CONTA")]
        conta: String,
        /// E-mail do usuário novo
        #[arg(long)]
        email: String,
        /// Nome do usuário novo [padrão: o da conta]
        #[arg(long)]
        nome: Option<String>,
        /// Lê a senha da entrada padrão em vez de gerar uma
        #[arg(long)]
        senha_da_entrada: bool,
    },
    /// Lista os usuários de uma conta
    Listar {
        #[command(flatten)]
        config: ConfigArgs,
        /// A conta: o id dela ou o e-mail de um de seus usuários
        #[arg(long, value_name = "CONTA")]
        conta: String,
    },
    /// Remove um usuário; as sessões dele terminam. O último de uma conta não pode ser removido
    Remover {
        #[command(flatten)]
        config: ConfigArgs,
        /// E-mail do usuário
        #[arg(long)]
        email: String,
    },
    /// Define outra senha para um usuário; as sessões dele terminam
    Senha {
        #[command(flatten)]
        config: ConfigArgs,
        /// E-mail do usuário
        #[arg(long)]
        email: String,
        /// Lê a senha da entrada padrão em vez de gerar uma
        #[arg(long)]
        senha_da_entrada: bool,
    },
    /// Desliga o segundo fator de um usuário que perdeu o celular e os códigos de recuperação
    SemSegundoFator {
        #[command(flatten)]
        config: ConfigArgs,
        /// E-mail do usuário
        #[arg(long)]
        email: String,
    },
}

pub(crate) async fn run(command: UserCommand) -> anyhow::Result<()> {
    match command {
        UserCommand::Criar { config, conta, email, nome, senha_da_entrada } => {
            let email = email::normalized_email(&email)?;
            let store = account::open(&config).await?;
            let tenant = tenant(&store, &conta).await?;
            add(&store, tenant, email, nome, NewPassword::obtain(senha_da_entrada)?).await?;
            store.close().await;
        }
        UserCommand::Listar { config, conta } => {
            let store = account::open(&config).await?;
            for user in store.list_users(tenant(&store, &conta).await?).await? {
                println!("{}  {}  {}", user.id, user.email, user.nome);
            }
            store.close().await;
        }
        UserCommand::Remover { config, email } => {
            let store = account::open(&config).await?;
            remove(&store, &email).await?;
            store.close().await;
        }
        UserCommand::Senha { config, email, senha_da_entrada } => {
            let store = account::open(&config).await?;
            replace_password(&store, &email, NewPassword::obtain(senha_da_entrada)?).await?;
            store.close().await;
        }
        UserCommand::SemSegundoFator { config, email } => {
            let store = account::open(&config).await?;
            let found = user(&store, &email).await?;
            store.remove_second_factor(found.tenant_id, found.id, None, &Actor::operator(), now()).await?;
            println!("{}: o segundo fator está desligado; a senha basta para entrar", found.email);
            store.close().await;
        }
    }
    Ok(())
}

/// A new password. A generated one must be printed.
struct NewPassword {
    senha: Zeroizing<String>,
    was_generated: bool,
}

impl NewPassword {
    fn obtain(from_input: bool) -> anyhow::Result<NewPassword> {
        let senha = if from_input { account::read_password()? } else { account::random_password()? };
        Ok(NewPassword { senha, was_generated: !from_input })
    }

    fn show(&self) {
        if self.was_generated {
            println!("senha      {}", *self.senha);
            eprintln!("\nGuarde-a agora: só o resumo (hash) fica no banco e ela não pode ser mostrada de novo.");
        }
    }
}

async fn tenant(store: &Store, named: &str) -> anyhow::Result<Uuid> {
    match Uuid::parse_str(named) {
        Ok(id) => Ok(store
            .account(id)
            .await
            .with_context(|| format!("não há conta com o id {id}; `carimbo conta listar` mostra as contas"))?
            .id),
        Err(_) => account::tenant_of(store, named).await,
    }
}

async fn user(store: &Store, email: &str) -> anyhow::Result<User> {
    store.user_by_email(email).await.map_err(|error| match error {
        store::Error::NotFound => anyhow::anyhow!(
            "não há usuário com o e-mail {email}; `carimbo conta listar` mostra as contas e seus e-mails"
        ),
        other => other.into(),
    })
}

async fn add(
    store: &Store,
    tenant: Uuid,
    email: String,
    nome: Option<String>,
    password: NewPassword,
) -> anyhow::Result<()> {
    let new = NewUser { email: email.clone(), nome, senha_hash: password::hash(&password.senha)? };
    let made = store.create_user(tenant, new, &Actor::operator(), now()).await;
    let id = made.map_err(|error| match error {
        store::Error::Conflict(_) => anyhow::anyhow!(
            "já existe um usuário com o e-mail {email}; a senha dele se troca com `carimbo conta usuario senha --email {email}`"
        ),
        other => other.into(),
    })?;
    println!("usuário    {id}\ne-mail     {}", email.to_lowercase());
    password.show();
    Ok(())
}

async fn remove(store: &Store, email: &str) -> anyhow::Result<()> {
    let user = user(store, email).await?;
    let removed = store.remove_user(user.tenant_id, user.id, &Actor::operator(), now()).await;
    removed.map_err(|error| match error {
        store::Error::Conflict(_) => anyhow::anyhow!(
            "{email} não foi removido: é o único usuário da conta; crie antes outro com `carimbo conta usuario criar`"
        ),
        other => anyhow::Error::new(other).context(format!("{email} não foi removido")),
    })?;
    eprintln!("usuário {email} removido; as sessões dele terminaram");
    Ok(())
}

async fn replace_password(store: &Store, email: &str, password: NewPassword) -> anyhow::Result<()> {
    let user = user(store, email).await?;
    let hash = password::hash(&password.senha)?;
    store.change_password(user.tenant_id, user.id, hash, &Actor::operator(), now()).await?;
    eprintln!("senha de {email} trocada; as sessões dele terminaram");
    password.show();
    Ok(())
}

fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}
