//! The account's own address for all events of an environment, and its choice of more attempts.

use super::{ATTEMPTS, DeliveryStatus, destino};
use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

/// Settings of an account in an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookAccount {
    /// Address for all events; `None` without one.
    pub url: Option<String>,
    /// Events that it gets: words, or a beginning with `*`. `None` for all.
    pub eventos: Option<Vec<String>>,
    /// Attempts of a series, from the contract's [`ATTEMPTS`] to [`MOST_ATTEMPTS`].
    pub tentativas: u32,
    /// Seconds since 1970; `None` when nothing was ever set.
    pub atualizado_em: Option<i64>,
}

impl Default for WebhookAccount {
    fn default() -> WebhookAccount {
        WebhookAccount { url: None, eventos: None, tentativas: ATTEMPTS, atualizado_em: None }
    }
}

/// Attempts after the contract's three that an account may choose.
pub const MOST_EXTENDED: u32 = 9;
/// Most attempts of a series.
pub const MOST_ATTEMPTS: u32 = ATTEMPTS + MOST_EXTENDED;

/// Name of the event that an account sends to its own address to try it.
pub const TEST_EVENT: &str = "webhook.teste";

impl Store {
    pub async fn webhook_account(&self, tenant: Uuid, ambiente: TpAmb) -> Result<WebhookAccount, Error> {
        self.read(ReadAccount { tenant, ambiente }).await
    }
    /// Replaces the settings in the name of the actor.
    pub async fn set_webhook_account(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        account: WebhookAccount,
        actor: Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(SetAccount { tenant, ambiente, account, actor, now }).await
    }
    /// Enqueues a test event for the account's address and returns its delivery's id; `NotFound` without an address.
    pub async fn send_test_event(&self, tenant: Uuid, ambiente: TpAmb, now: i64) -> Result<Uuid, Error> {
        let id = self.write(SendTest { id: Uuid::now_v7(), tenant, ambiente, now }).await?;
        self.announce_deliveries();
        Ok(id)
    }
}

/// Address of an account in an environment.
#[derive(Debug, Clone)]
pub(crate) struct AccountTarget {
    pub(crate) ambiente: TpAmb,
    pub(crate) url: String,
    eventos: Option<String>,
}

impl AccountTarget {
    fn read(mut row: Row) -> Result<AccountTarget, Error> {
        Ok(AccountTarget { ambiente: words::read_ambiente(row.read()?)?, url: row.read()?, eventos: row.read()? })
    }

    /// `true` if the address gets an event.
    pub(crate) fn wants(&self, evento: &str) -> bool {
        let is_it = |word: &str| word.strip_suffix('*').map_or(word == evento, |start| evento.starts_with(start));
        self.eventos.as_deref().is_none_or(|words| words.split(' ').any(is_it))
    }
}

/// Step that reads the addresses of an account; equal for all jobs of the account in one transaction.
pub(crate) fn account_targets_step(tenant: Uuid) -> SqlStep<'static> {
    let sql = "SELECT ambiente, url, eventos FROM webhook_accounts WHERE tenant_id = $1 AND url IS NOT NULL";
    SqlStep::identical(sql, params![tenant])
}

pub(crate) fn read_account_targets(rows: Vec<Row>) -> Result<Vec<AccountTarget>, Error> {
    rows.into_iter().map(AccountTarget::read).collect()
}

/// Reads the addresses of an account.
pub(crate) async fn account_targets<T: Tx>(tx: &mut T, tenant: Uuid) -> Result<Vec<AccountTarget>, Error> {
    read_account_targets(tx.query_all(&[account_targets_step(tenant)]).await?.pop().unwrap_or_default())
}

/// A delivery to insert with its first series of attempts.
pub(crate) struct NewDelivery<'d> {
    pub(crate) tenant: Uuid,
    pub(crate) id: Uuid,
    /// Nil when the event concerns no job.
    pub(crate) job: Uuid,
    pub(crate) ambiente: TpAmb,
    pub(crate) evento: &'d str,
    pub(crate) url: &'d str,
    pub(crate) corpo: String,
    pub(crate) is_for_account: bool,
    pub(crate) attempts: u32,
    pub(crate) now: i64,
}

impl NewDelivery<'_> {
    pub(crate) async fn insert<T: Tx>(self, tx: &mut T) -> Result<(), Error> {
        let NewDelivery { tenant, id, now, .. } = self;
        let sql = "INSERT INTO deliveries (tenant_id, id, job_id, ambiente, evento, url, corpo, status, tentativas, criado_em,
                       proxima_em, conta)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $9, $10)";
        let row = params![
            tenant,
            id,
            self.job,
            words::ambiente(self.ambiente),
            self.evento,
            self.url,
            self.corpo,
            DeliveryStatus::Pendente.word(),
            now,
            i64::from(self.is_for_account)
        ];
        let queue = queue_series(tenant, id, self.url, (now, self.attempts));
        tx.query_all(&[SqlStep::new(sql, row), queue]).await.map(drop)
    }
}

/// Queues a series of attempts, the first one at `ready_at`.
pub(super) fn queue_series(
    tenant: Uuid,
    delivery: Uuid,
    url: &str,
    (ready_at, attempts): (i64, u32),
) -> SqlStep<'static> {
    let sql = "INSERT INTO delivery_queue (tenant_id, delivery_id, destino, ready_at, restantes)
               VALUES ($1, $2, $3, $4, $5)";
    SqlStep::new(sql, params![tenant, delivery, destino(tenant, url), ready_at, attempts])
}

struct ReadAccount {
    tenant: Uuid,
    ambiente: TpAmb,
}

impl StoreOperation for ReadAccount {
    type Output = WebhookAccount;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<WebhookAccount, Error> {
        let sql = "SELECT url, eventos, tentativas, atualizado_em FROM webhook_accounts
                   WHERE tenant_id = $1 AND ambiente = $2";
        let rows = tx.query(sql, &params![self.tenant, words::ambiente(self.ambiente)]).await?;
        let Some(mut row) = rows.into_iter().next() else { return Ok(WebhookAccount::default()) };
        let (url, eventos): (Option<String>, Option<String>) = (row.read()?, row.read()?);
        let eventos = eventos.map(|words| words.split(' ').map(str::to_owned).collect());
        Ok(WebhookAccount { url, eventos, tentativas: row.read()?, atualizado_em: Some(row.read()?) })
    }
}

struct SetAccount {
    tenant: Uuid,
    ambiente: TpAmb,
    account: WebhookAccount,
    actor: Actor,
    now: i64,
}

impl StoreOperation for SetAccount {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SetAccount { tenant, ambiente, account, actor, now } = self;
        let sql = "INSERT INTO webhook_accounts (tenant_id, ambiente, url, eventos, tentativas, atualizado_em)
                   VALUES ($1, $2, $3, $4, $5, $6)
                   ON CONFLICT (tenant_id, ambiente) DO UPDATE SET url = excluded.url, eventos = excluded.eventos,
                       tentativas = excluded.tentativas, atualizado_em = excluded.atualizado_em";
        let eventos = account.eventos.as_ref().map(|words| words.join(" "));
        let row = params![
            *tenant,
            words::ambiente(*ambiente),
            account.url.as_ref(),
            eventos.as_ref(),
            account.tentativas,
            *now
        ];
        tx.execute(sql, &row).await?;
        // Path and query of the address may hold a secret of the receiver's.
        let detail = json!({
            "destino": account.url.as_deref().map(super::host),
            "eventos": account.eventos,
            "tentativas": account.tentativas,
        });
        audit::append(tx, *tenant, actor, AuditAct::WebhookDaContaAlterado, ambiente.word(), detail, *now).await
    }
}

struct SendTest {
    id: Uuid,
    tenant: Uuid,
    ambiente: TpAmb,
    now: i64,
}

impl StoreOperation for SendTest {
    type Output = Uuid;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Uuid, Error> {
        let SendTest { id, tenant, ambiente, now } = *self;
        let sql = "SELECT url FROM webhook_accounts WHERE tenant_id = $1 AND ambiente = $2";
        let url: Option<String> =
            first::<Option<String>>(tx.query(sql, &params![tenant, words::ambiente(ambiente)]).await?)?.flatten();
        let url = url.ok_or(Error::NotFound)?;
        let corpo = json!({
            "id": id,
            "evento": TEST_EVENT,
            "timestamp": words::brasilia_instant(now),
            "ambiente": ambiente.word(),
            "dados": {"mensagem": "Notificação de teste do Carimbo."},
        });
        // A person waits for the answer: one attempt, whatever it is.
        let delivery = NewDelivery {
            tenant,
            id,
            job: Uuid::nil(),
            ambiente,
            evento: TEST_EVENT,
            url: &url,
            corpo: corpo.to_string(),
            is_for_account: true,
            attempts: 1,
            now,
        };
        delivery.insert(tx).await?;
        Ok(id)
    }
}

crate::dyn_operation::erasable!(ReadAccount, SetAccount, SendTest);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_the_events_it_names() {
        let target = |eventos: Option<&str>| AccountTarget {
            ambiente: TpAmb::Homologacao,
            url: String::new(),
            eventos: eventos.map(str::to_owned),
        };
        assert!(target(None).wants("nfe.autorizada"));
        let some = target(Some("nfe.* recebida.nova"));
        assert!(some.wants("nfe.autorizada") && some.wants("recebida.nova"));
        assert!(!some.wants("nfce.autorizada") && !some.wants("certificado.expirado"));
    }
}
