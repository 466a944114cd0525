//! `carimbo conta`: tenants, their users and API keys. Every secret is printed once and kept only as a hash.

use anyhow::bail;
use clap::ValueEnum;
use store::Store;
use store::accounts;
use store::audit::Actor;
use uuid::Uuid;

use super::account::{
    CreatedAccount, EnvironmentArg, create, new_key, open, random_password, read_password, tenant_of,
};
use super::{ConfigArgs, cotas, email, formulario, teto, usuario};

#[derive(clap::Subcommand)]
pub(crate) enum AccountCommand {
    /// Cria uma conta com um usuário e uma chave de API de cada ambiente
    Criar {
        #[command(flatten)]
        config: ConfigArgs,
        /// Nome da conta
        #[arg(long)]
        nome: String,
        /// E-mail do usuário
        #[arg(long)]
        email: String,
        /// Lê a senha da entrada padrão em vez de gerar uma
        #[arg(long)]
        senha_da_entrada: bool,
    },
    /// Lista as contas e suas chaves de API (sem os segredos)
    Listar {
        #[command(flatten)]
        config: ConfigArgs,
    },
    /// Usuários de uma conta: as pessoas que entram com e-mail e senha
    #[command(subcommand)]
    Usuario(usuario::UserCommand),
    /// Cria uma chave de API para uma conta, ou revoga uma
    Chave {
        #[command(flatten)]
        config: ConfigArgs,
        /// E-mail de um usuário da conta
        #[arg(long)]
        email: String,
        /// Ambiente da chave: homologacao ou producao [padrão: homologacao]
        #[arg(long, value_enum, default_value = "homologacao", hide_default_value = true, hide_possible_values = true)]
        ambiente: EnvironmentArg,
        /// O que a chave pode: completa, leitura, ou assistida (prepara; emite só o que uma pessoa aprovou) [padrão:
        /// completa]
        #[arg(long, value_enum, default_value = "completa", hide_default_value = true, hide_possible_values = true)]
        permissao: PermissionArg,
        /// Nome da chave, para reconhecê-la depois
        #[arg(long, default_value = "criada pelo operador", hide_default_value = true)]
        nome: String,
        /// Revoga a chave com este id em vez de criar
        #[arg(long, value_name = "ID")]
        revogar: Option<Uuid>,
    },
    /// Mostra o consumo do mês e os limites de uma conta, ou define um limite
    Cotas(cotas::QuotaArgs),
    /// Mostra ou define o maior valor que a conta pode confirmar numa emissão assistida
    Teto(teto::CeilingArgs),
    /// Mostra ou define se a resposta num formulário do cliente MCP vale como a de uma pessoa em produção
    Formulario(formulario::FormArgs),
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PermissionArg {
    /// Tudo
    Completa,
    /// Consultar e conferir
    Leitura,
    /// Consultar, preparar, e confirmar o que uma pessoa aprovou
    Assistida,
}

impl From<PermissionArg> for accounts::Permissao {
    fn from(permissao: PermissionArg) -> accounts::Permissao {
        match permissao {
            PermissionArg::Completa => accounts::Permissao::Completa,
            PermissionArg::Leitura => accounts::Permissao::Leitura,
            PermissionArg::Assistida => accounts::Permissao::Assistida,
        }
    }
}

pub(crate) async fn run(command: AccountCommand) -> anyhow::Result<()> {
    match command {
        AccountCommand::Criar { config, nome, email, senha_da_entrada } => {
            let email = email::normalized_email(&email)?;
            let nome = checked_name(&nome)?;
            let store = open(&config).await?;
            let senha = if senha_da_entrada { read_password()? } else { random_password()? };
            let made = create(&store, nome, &email, &senha).await?;
            store.close().await;
            print_account(&made, &email, &senha, !senha_da_entrada);
            Ok(())
        }
        AccountCommand::Usuario(command) => usuario::run(command).await,
        AccountCommand::Listar { config } => list(&open(&config).await?).await,
        AccountCommand::Chave { config, email, revogar: Some(id), .. } => {
            revoke(&open(&config).await?, &email, id).await
        }
        AccountCommand::Chave { config, email, ambiente, permissao, nome, revogar: None } => {
            add_key(&open(&config).await?, &email, ambiente, permissao.into(), &nome).await
        }
        AccountCommand::Cotas(args) => cotas::run(args).await,
        AccountCommand::Teto(args) => teto::run(args).await,
        AccountCommand::Formulario(args) => formulario::run(args).await,
    }
}

fn print_account(made: &CreatedAccount, email: &str, senha: &str, generated: bool) {
    println!("conta criada            {}", made.tenant);
    println!("usuário                 {email}");
    if generated {
        println!("senha                   {senha}");
    }
    println!("chave de homologação    {}", *made.test_key);
    println!("chave de produção       {}", *made.live_key);
    eprintln!("\nGuarde-as agora: só o resumo (hash) fica no banco e elas não podem ser mostradas de novo.");
}

async fn list(store: &Store) -> anyhow::Result<()> {
    let now = jiff::Timestamp::now().as_second();
    for account in store.list_accounts().await? {
        println!("{}  {}  {}", account.id, account.nome, account.emails.join(", "));
        for key in store.list_api_keys(account.id).await? {
            let state = if key.is_valid(now) { "ativa" } else { "revogada" };
            let (ambiente, permissao) = (key.ambiente.word(), key.permissao.word());
            println!("    {}  {}…  {ambiente}  {permissao}  {state}  {}", key.id, key.prefixo, key.nome);
        }
    }
    store.close().await;
    Ok(())
}

/// Returns the trimmed name of an account, or the error of a name that is empty, too long or has control characters.
fn checked_name(nome: &str) -> anyhow::Result<&str> {
    let nome = nome.trim();
    if nome.is_empty() || nome.len() > LONGEST_NAME || nome.chars().any(char::is_control) {
        bail!("--nome precisa de 1 a {LONGEST_NAME} letras, como --nome \"Padaria do João\". Nada foi criado");
    }
    Ok(nome)
}

const LONGEST_NAME: usize = 200;

async fn add_key(
    store: &Store,
    email: &str,
    ambiente: EnvironmentArg,
    permissao: accounts::Permissao,
    nome: &str,
) -> anyhow::Result<()> {
    let tenant = tenant_of(store, email).await?;
    let ambiente = ambiente.tpAmb();
    let chave = new_key(store, tenant, ambiente, permissao, nome).await?;
    println!("{}", *chave);
    eprintln!("chave de {}, {}, criada; ela não será mostrada de novo", ambiente.word(), permissao.word());
    store.close().await;
    Ok(())
}

async fn revoke(store: &Store, email: &str, id: Uuid) -> anyhow::Result<()> {
    let tenant = tenant_of(store, email).await?;
    let now = jiff::Timestamp::now().as_second();
    store.revoke_api_key(tenant, id, &Actor::operator(), now).await.map_err(|error| match error {
        store::Error::NotFound => {
            anyhow::anyhow!("a conta de {email} não tem a chave {id}; `carimbo conta listar` mostra os ids das chaves")
        }
        other => other.into(),
    })?;
    eprintln!("chave {id} revogada");
    store.close().await;
    Ok(())
}
