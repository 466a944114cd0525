//! Signing secrets: one in use per tenant and environment, and former ones during their grace period.

use crate::audit::{self, Actor, AuditAct};
use crate::row::params;
use crate::tx::{StoreOperation, Tx};
use crate::vault::{AssociatedData, Vault};
use crate::words;
use crate::{Error, Store};
use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;
use zeroize::Zeroizing;

/// The text of a secret (`whsec_…`), wiped on drop and never printed.
#[derive(Clone)]
pub struct SecretText(Zeroizing<String>);

impl SecretText {
    pub fn new(text: String) -> SecretText {
        SecretText(Zeroizing::new(text))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretText(…)")
    }
}

/// An opened secret.
#[derive(Debug, Clone)]
pub struct OpenedSecret {
    /// `whsec_…`.
    pub text: SecretText,
    /// Seconds since 1970.
    pub criado_em: i64,
    /// End of its validity, seconds since 1970; `None` for the one in use.
    pub vale_ate: Option<i64>,
}

impl Store {
    /// Returns the secrets that sign now: the one in use first, then those still valid, newest first. Without one in
    /// use, `fresh` becomes it.
    pub async fn webhook_secrets(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        fresh: impl FnOnce() -> Result<SecretText, Error>,
        now: i64,
    ) -> Result<Vec<OpenedSecret>, Error> {
        let vault = self.shared.vault.clone();
        let known = self.read(StoredSecrets { vault: vault.clone(), tenant, ambiente, now }).await?;
        if !known.is_empty() {
            return Ok(known);
        }
        self.write(AdoptSecret { vault, id: Uuid::now_v7(), tenant, ambiente, fresh: fresh()?, now }).await
    }
    /// Puts a new secret in use, in the name of the actor. The former one signs beside it until `until`; older ones
    /// become invalid.
    pub async fn rotate_webhook_secret(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        fresh: SecretText,
        until: i64,
        actor: Actor,
        now: i64,
    ) -> Result<Vec<OpenedSecret>, Error> {
        let vault = self.shared.vault.clone();
        let keep = AdoptSecret { vault, id: Uuid::now_v7(), tenant, ambiente, fresh, now };
        self.write(RotateSecret { keep, until, actor }).await
    }
}

struct StoredSecrets {
    vault: Vault,
    tenant: Uuid,
    ambiente: TpAmb,
    now: i64,
}

impl StoreOperation for StoredSecrets {
    type Output = Vec<OpenedSecret>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<OpenedSecret>, Error> {
        let sql = "SELECT k.wrapped, s.id, s.segredo, s.criado_em, s.vale_ate FROM webhook_secrets s
                   JOIN data_keys k ON k.tenant_id = s.tenant_id
                   WHERE s.tenant_id = $1 AND s.ambiente = $2 AND (s.vale_ate IS NULL OR s.vale_ate > $3)
                   ORDER BY s.vale_ate IS NOT NULL, s.id DESC";
        let rows = tx.query(sql, &params![self.tenant, words::ambiente(self.ambiente), self.now]).await?;
        let mut secrets = Vec::new();
        for mut row in rows {
            let key = self.vault.unwrap(self.tenant, &row.read::<Vec<u8>>()?)?;
            let place = place(self.tenant, row.read()?);
            let opened = key.open(&row.read::<Vec<u8>>()?, &place)?;
            let text = String::from_utf8(opened.to_vec()).map_err(|_| Error::Sealed)?;
            let (criado_em, vale_ate) = (row.read()?, row.read()?);
            secrets.push(OpenedSecret { text: SecretText::new(text), criado_em, vale_ate });
        }
        Ok(secrets)
    }
}

fn place(tenant: Uuid, row: Uuid) -> AssociatedData {
    AssociatedData { tenant, column: "webhook_secrets.segredo", row }
}

/// Puts a secret in use if there is none; returns the one in use.
struct AdoptSecret {
    vault: Vault,
    id: Uuid,
    tenant: Uuid,
    ambiente: TpAmb,
    fresh: SecretText,
    now: i64,
}

impl StoreOperation for AdoptSecret {
    type Output = Vec<OpenedSecret>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<OpenedSecret>, Error> {
        let AdoptSecret { vault, id, tenant, ambiente, fresh, now } = self;
        let key = vault.data_key(tx, *tenant).await?;
        let sealed = key.seal(fresh.expose().as_bytes(), &place(*tenant, *id))?;
        let sql =
            "INSERT INTO webhook_secrets (tenant_id, ambiente, id, segredo, criado_em) VALUES ($1, $2, $3, $4, $5)
                   ON CONFLICT DO NOTHING";
        tx.execute(sql, &params![*tenant, words::ambiente(*ambiente), *id, sealed, *now]).await?;
        StoredSecrets { vault: vault.clone(), tenant: *tenant, ambiente: *ambiente, now: *now }.run(tx).await
    }
}

struct RotateSecret {
    keep: AdoptSecret,
    until: i64,
    actor: Actor,
}

impl StoreOperation for RotateSecret {
    type Output = Vec<OpenedSecret>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<OpenedSecret>, Error> {
        let key = params![self.keep.tenant, words::ambiente(self.keep.ambiente)];
        let sql = "DELETE FROM webhook_secrets WHERE tenant_id = $1 AND ambiente = $2 AND vale_ate IS NOT NULL";
        tx.execute(sql, &key).await?;
        let sql =
            "UPDATE webhook_secrets SET vale_ate = $3 WHERE tenant_id = $1 AND ambiente = $2 AND vale_ate IS NULL";
        tx.execute(sql, &[key, params![self.until]].concat()).await?;
        let AdoptSecret { tenant, ambiente, now, .. } = &self.keep;
        let detalhes = json!({ "anterior_valido_ate": self.until });
        audit::append(tx, *tenant, &self.actor, AuditAct::SegredoWebhookTrocado, ambiente.word(), detalhes, *now)
            .await?;
        self.keep.run(tx).await
    }
}

crate::dyn_operation::erasable!(StoredSecrets, AdoptSecret, RotateSecret);
