//! `carimbo conta`: tenants, their users and API keys. Every secret is printed once and kept only as a hash.

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use fiscal::value::TpAmb;
use server::{key, password};
use store::Store;
use store::accounts::{self, NewAccount, NewApiKey};
use store::audit::Actor;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::{ConfigArgs, cotas, email, formulario, serve, teto, usuario};

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

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum EnvironmentArg {
    /// Documentos de teste
    Homologacao,
    /// Documentos com efeito fiscal
    Producao,
}

impl EnvironmentArg {
    /// Returns the official value.
    pub(super) fn tpAmb(self) -> TpAmb {
        match self {
            EnvironmentArg::Homologacao => TpAmb::Homologacao,
            EnvironmentArg::Producao => TpAmb::Producao,
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

pub(super) async fn open(config: &ConfigArgs) -> anyhow::Result<Store> {
    serve::open_store(&config.load()?).await
}

/// Runs `work` on the account of a user's e-mail and closes the store, also after an error.
pub(super) async fn with_account(
    config: &ConfigArgs,
    email: &str,
    work: impl AsyncFnOnce(&Store, Uuid) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let store = open(config).await?;
    let done = match tenant_of(&store, email).await {
        Ok(tenant) => work(&store, tenant).await,
        Err(unknown) => Err(unknown),
    };
    store.close().await;
    done
}

/// A new account with a key of each environment.
pub(crate) struct CreatedAccount {
    pub(crate) tenant: Uuid,
    pub(crate) test_key: Zeroizing<String>,
    pub(crate) live_key: Zeroizing<String>,
}

/// Creates a tenant, its user, and a key of each environment.
pub(crate) async fn create(store: &Store, nome: &str, email: &str, senha: &str) -> anyhow::Result<CreatedAccount> {
    let now = jiff::Timestamp::now().as_second();
    let account = NewAccount { nome: nome.to_owned(), email: email.to_lowercase(), senha_hash: password::hash(senha)? };
    let tenant = store.create_account(account, now).await.map_err(|error| match error {
        store::Error::Conflict(_) => anyhow::anyhow!(
            "já existe um usuário com o e-mail {email}; para outra chave da mesma conta, `carimbo conta chave --email {email}`"
        ),
        other => other.into(),
    })?;
    let test_key =
        new_key(store, tenant, TpAmb::Homologacao, accounts::Permissao::Completa, "primeira de homologação").await?;
    let live_key =
        new_key(store, tenant, TpAmb::Producao, accounts::Permissao::Completa, "primeira de produção").await?;
    Ok(CreatedAccount { tenant, test_key, live_key })
}

/// Generates and registers a key. Its text is not stored.
pub(crate) async fn new_key(
    store: &Store,
    tenant: Uuid,
    ambiente: TpAmb,
    permissao: accounts::Permissao,
    nome: &str,
) -> anyhow::Result<Zeroizing<String>> {
    let chave = key::generate(ambiente).map_err(|error| anyhow::anyhow!("sem números aleatórios: {error}"))?;
    let (prefixo, hash) = (key::visible_prefix(&chave), key::hash(&chave));
    let new = NewApiKey { nome: nome.to_owned(), ambiente, permissao, prefixo, hash };
    store.create_api_key(tenant, new, &Actor::operator(), jiff::Timestamp::now().as_second()).await?;
    Ok(chave)
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
    for account in store.list_accounts().await? {
        println!("{}  {}  {}", account.id, account.nome, account.emails.join(", "));
        for key in store.list_api_keys(account.id).await? {
            let state = if key.revogado_em.is_some() { "revogada" } else { "ativa" };
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

pub(super) async fn tenant_of(store: &Store, email: &str) -> anyhow::Result<Uuid> {
    store.account_by_email(&email.to_lowercase()).await.map_err(|error| match error {
        store::Error::NotFound => anyhow::anyhow!(
            "nenhuma conta tem um usuário com o e-mail {email}; `carimbo conta listar` mostra as contas e seus e-mails"
        ),
        other => other.into(),
    })
}

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

/// Returns 20 random digits of base 62 (119 bits) in four groups of five.
pub(crate) fn random_password() -> anyhow::Result<Zeroizing<String>> {
    let chave =
        key::generate(TpAmb::Homologacao).map_err(|error| anyhow::anyhow!("sem números aleatórios: {error}"))?;
    let tail = &chave[chave.len() - 20..];
    Ok(Zeroizing::new([&tail[..5], &tail[5..10], &tail[10..15], &tail[15..]].join("-")))
}

pub(super) fn read_password() -> anyhow::Result<Zeroizing<String>> {
    let mut line = Zeroizing::new(String::new());
    std::io::stdin().read_line(&mut line).context("a senha não pôde ser lida")?;
    let senha = Zeroizing::new(line.trim_end_matches(['\r', '\n']).to_owned());
    if let Some(wrong) = password::length_problem(&senha) {
        bail!(wrong);
    }
    Ok(senha)
}
