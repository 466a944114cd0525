//! Accounts, as commands and the demonstration create and find them, with the arguments that several commands share.

use super::{ConfigArgs, serve};
use anyhow::{Context as _, bail};
use clap::ValueEnum;
use fiscal::value::TpAmb;
use server::{key, password};
use store::Store;
use store::accounts::{self, NewAccount, NewApiKey};
use store::audit::Actor;
use uuid::Uuid;
use zeroize::Zeroizing;

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

pub(super) async fn tenant_of(store: &Store, email: &str) -> anyhow::Result<Uuid> {
    store.account_by_email(&email.to_lowercase()).await.map_err(|error| match error {
        store::Error::NotFound => anyhow::anyhow!(
            "nenhuma conta tem um usuário com o e-mail {email}; `carimbo conta listar` mostra as contas e seus e-mails"
        ),
        other => other.into(),
    })
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
