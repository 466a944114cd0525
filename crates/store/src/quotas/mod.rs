//! Quotas per tenant, environment, operation family and month: consumption and limits.
//!
//! Law: docs/contract.md, "Limits". Consumption is counted in shards: a debit adds to a shard that no other transaction
//! holds, so callers without a quota never wait for each other. A family with a quota is counted under the lock of its
//! row, so that exactly as many debits succeed as it allows.
//! Must not know: which operation belongs to which family.

mod month;

use crate::audit::{self, Actor, AuditAct};
use crate::dialect::{PerDialect, SqlDialect};
use crate::row::{Params, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::vault::random;
use crate::words;
use crate::{Error, Store};
use fiscal::value::TpAmb;
use month::Month;
use serde_json::json;
use uuid::Uuid;

/// Operations that are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Familia {
    Nfe,
    Nfce,
    Nfse,
    Cte,
    Cep,
    Cnpj,
    Ncm,
    Assinatura,
}

impl Familia {
    /// All families in the contract's order.
    pub const ALL: [Familia; 8] = [
        Familia::Nfe,
        Familia::Nfce,
        Familia::Nfse,
        Familia::Cte,
        Familia::Cep,
        Familia::Cnpj,
        Familia::Ncm,
        Familia::Assinatura,
    ];

    /// Returns the contract's word.
    pub const fn word(self) -> &'static str {
        match self {
            Familia::Nfe => "nfe",
            Familia::Nfce => "nfce",
            Familia::Nfse => "nfse",
            Familia::Cte => "cte",
            Familia::Cep => "cep",
            Familia::Cnpj => "cnpj",
            Familia::Ncm => "ncm",
            Familia::Assinatura => "assinatura",
        }
    }

    /// Parses the contract's word.
    pub fn from_word(word: &str) -> Option<Familia> {
        Familia::ALL.into_iter().find(|familia| familia.word() == word)
    }
}

/// State of a family this month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub familia: Familia,
    /// Debits of this month.
    pub consumo: u64,
    /// Debits allowed a month; `None` for any number.
    pub limite: Option<u64>,
    /// Next renewal, seconds since 1970.
    pub renova_em: i64,
}

/// A quota that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaUsedUp {
    pub familia: Familia,
    /// Debits allowed a month.
    pub limite: u64,
    /// Seconds until the renewal.
    pub renova_em_s: u64,
    /// Length of the month in seconds.
    pub janela_s: u64,
}

impl Store {
    /// Counts one successful lookup; `QuotaExceeded` when none is left, and then nothing is counted. Does not wait for
    /// the disk: a machine that stops at this moment loses the count in the caller's favour.
    pub async fn debit(&self, tenant: Uuid, ambiente: TpAmb, familia: Familia, now: i64) -> Result<(), Error> {
        self.write(DebitLookup(QuotaDebit {
            tenant,
            ambiente,
            familia,
            month: Month::of(now),
            now,
            shard: random_shard()?,
        }))
        .await
    }

    /// Returns `QuotaExceeded` when a debit would be refused now. Called before a lookup at an outside source.
    pub async fn check_quota(&self, tenant: Uuid, ambiente: TpAmb, familia: Familia, now: i64) -> Result<(), Error> {
        self.read(CheckQuota(QuotaDebit { tenant, ambiente, familia, month: Month::of(now), now, shard: 0 })).await
    }

    /// Returns every family of a tenant in an environment.
    pub async fn quotas(&self, tenant: Uuid, ambiente: TpAmb, now: i64) -> Result<Vec<Quota>, Error> {
        self.read(ReadQuotas { tenant, ambiente, month: Month::of(now) }).await
    }

    /// Sets the debits allowed a month, from now on; `None` removes the limit.
    pub async fn set_quota(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        familia: Familia,
        limite: Option<u32>,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(SetQuota { tenant, ambiente, familia, limite, by: by.clone(), now }).await
    }
}

/// A debit inside a transaction.
pub(crate) struct QuotaDebit {
    tenant: Uuid,
    ambiente: TpAmb,
    familia: Familia,
    month: Month,
    now: i64,
    /// Shard to use when every existing one is locked.
    shard: u8,
}

impl QuotaDebit {
    /// A debit of the transaction that registers a job.
    pub(crate) fn of_job(tenant: Uuid, job: Uuid, ambiente: TpAmb, familia: Familia, now: i64) -> QuotaDebit {
        // The last byte of a UUID v7 is random.
        let shard = job.as_bytes()[15] % SHARDS;
        QuotaDebit { tenant, ambiente, familia, month: Month::of(now), now, shard }
    }

    /// The two statements, to be run in one round trip with others. `require_counted` takes the result of the last one.
    pub(crate) fn steps(&self, sql: &'static DebitSql) -> [SqlStep<'static>; 2] {
        let mut counted = self.key();
        counted.extend(params![self.month.number, self.shard]);
        [SqlStep::identical(&sql.lock, self.key()), SqlStep::with_batch_sql(&sql.count, counted, &sql.count_many)]
    }

    /// Returns `QuotaExceeded` if the debit was not counted; the transaction must then be rolled back.
    pub(crate) async fn require_counted<T: Tx>(&self, tx: &mut T, was_counted: bool) -> Result<(), Error> {
        if was_counted {
            return Ok(());
        }
        let sql = "SELECT limite FROM quotas WHERE tenant_id = $1 AND ambiente = $2 AND familia = $3";
        let limite: i64 = first(tx.query(sql, &self.key()).await?)?.unwrap_or_default();
        Err(self.exceeds(limite))
    }

    fn exceeds(&self, limite: i64) -> Error {
        Error::QuotaExceeded(QuotaUsedUp {
            familia: self.familia,
            limite: limite.unsigned_abs(),
            renova_em_s: (self.month.ends - self.now).unsigned_abs(),
            janela_s: (self.month.ends - self.month.begins).unsigned_abs(),
        })
    }

    /// `$1` … `$3` of every statement about a family.
    fn key(&self) -> Params {
        params![self.tenant, words::ambiente(self.ambiente), self.familia.word()]
    }
}

/// The statements of a debit in a database's dialect.
pub(crate) struct DebitSql {
    lock: String,
    count: String,
    /// Counts all debits of a family and month at once; none of them when together they exceed the limit.
    count_many: String,
}

impl DebitSql {
    pub(crate) fn of(tx: &impl Tx) -> &'static DebitSql {
        static SPELLED: PerDialect<DebitSql> = PerDialect::new();
        SPELLED.of(tx.dialect(), DebitSql::spell)
    }

    fn spell(dialect: SqlDialect) -> DebitSql {
        let (for_update, skip_locked) = (dialect.for_update(), dialect.skip_locked());
        // A separate statement, so that the count sees every debit committed before the lock was taken.
        let lock = format!("SELECT limite FROM quotas WHERE {FAMILY} {for_update}");
        let (free, shard) = dialect.free_shard(&format!("quota_use WHERE {FAMILY} AND mes = $4"), "$5");
        let count = format!(
            "{free} INSERT INTO quota_use (tenant_id, ambiente, familia, mes, shard, consumo)
             SELECT $1, $2, $3, $4, {shard}, 1
             WHERE NOT EXISTS (SELECT 1 FROM quotas WHERE {FAMILY}
                 AND {IS_USED_UP})
             ON CONFLICT (tenant_id, ambiente, mes, familia, shard)
             DO UPDATE SET consumo = quota_use.consumo + 1 RETURNING consumo"
        );
        let count_many = format!(
            "WITH debits AS MATERIALIZED (SELECT * FROM {{rows}}),
             due AS MATERIALIZED (
                 SELECT p1 AS tenant_id, p2 AS ambiente, p3 AS familia, p4 AS mes, MIN(p5) AS shard, COUNT(*) AS n
                 FROM debits GROUP BY p1, p2, p3, p4),
             free AS MATERIALIZED (
                 SELECT due.*, held.shard AS free FROM due LEFT JOIN LATERAL (
                     SELECT u.shard FROM quota_use u
                     WHERE (u.tenant_id, u.ambiente, u.mes, u.familia) = (due.tenant_id, due.ambiente, due.mes, due.familia)
                     ORDER BY u.shard LIMIT 1 {skip_locked}) held ON TRUE),
             counted AS (
                 INSERT INTO quota_use (tenant_id, ambiente, familia, mes, shard, consumo)
                 SELECT tenant_id, ambiente, familia, mes, COALESCE(free, shard), n FROM free
                 WHERE NOT EXISTS (SELECT 1 FROM quotas q
                     WHERE (q.tenant_id, q.ambiente, q.familia) = (free.tenant_id, free.ambiente, free.familia)
                     AND q.limite < free.n + (SELECT COALESCE(SUM(u.consumo), 0) FROM quota_use u
                         WHERE (u.tenant_id, u.ambiente, u.mes, u.familia) = (free.tenant_id, free.ambiente, free.mes, free.familia)))
                 ORDER BY tenant_id, ambiente, familia
                 ON CONFLICT (tenant_id, ambiente, mes, familia, shard)
                 DO UPDATE SET consumo = quota_use.consumo + excluded.consumo RETURNING tenant_id, ambiente, familia, mes)
             SELECT given.ord, c.mes FROM debits given JOIN counted c
                 ON (c.tenant_id, c.ambiente, c.familia, c.mes) = (given.p1, given.p2, given.p3, given.p4)"
        );
        DebitSql { lock, count, count_many }
    }
}

struct DebitLookup(QuotaDebit);

impl StoreOperation for DebitLookup {
    type Output = ();
    const DURABLE: bool = false;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = DebitSql::of(tx);
        let rows = tx.query_all(&self.0.steps(sql)).await?;
        let was_counted = rows.last().is_some_and(|counted| !counted.is_empty());
        self.0.require_counted(tx, was_counted).await
    }
}

struct CheckQuota(QuotaDebit);

impl StoreOperation for CheckQuota {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let sql = format!("SELECT limite FROM quotas WHERE {FAMILY} AND {IS_USED_UP}");
        let mut params = self.0.key();
        params.push(self.0.month.number.into());
        match first(tx.query(&sql, &params).await?)? {
            Some(limite) => Err(self.0.exceeds(limite)),
            None => Ok(()),
        }
    }
}

struct ReadQuotas {
    tenant: Uuid,
    ambiente: TpAmb,
    month: Month,
}

impl StoreOperation for ReadQuotas {
    type Output = Vec<Quota>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<Quota>, Error> {
        let sql = "SELECT familia, limite, 0 FROM quotas WHERE tenant_id = $1 AND ambiente = $2
                   UNION ALL
                   SELECT familia, NULL, consumo FROM quota_use WHERE tenant_id = $1 AND ambiente = $2 AND mes = $3";
        let params = params![self.tenant, words::ambiente(self.ambiente), self.month.number];
        let mut quotas =
            Familia::ALL.map(|familia| Quota { familia, consumo: 0, limite: None, renova_em: self.month.ends });
        for mut row in tx.query(sql, &params).await? {
            let (familia, limite, consumo): (String, Option<i64>, i64) = (row.read()?, row.read()?, row.read()?);
            if let Some(quota) = quotas.iter_mut().find(|quota| quota.familia.word() == familia) {
                quota.limite = quota.limite.or(limite.map(i64::unsigned_abs));
                quota.consumo += consumo.unsigned_abs();
            }
        }
        Ok(quotas.to_vec())
    }
}

struct SetQuota {
    tenant: Uuid,
    ambiente: TpAmb,
    familia: Familia,
    limite: Option<u32>,
    by: Actor,
    now: i64,
}

impl StoreOperation for SetQuota {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SetQuota { tenant, ambiente, familia, limite, by, now } = self;
        let mut params = params![*tenant, words::ambiente(*ambiente), familia.word()];
        match limite {
            None => tx.execute(&format!("DELETE FROM quotas WHERE {FAMILY}"), &params).await?,
            Some(limite) => {
                params.extend(params![*limite, *now]);
                let sql =
                    "INSERT INTO quotas (tenant_id, ambiente, familia, limite, definido_em) VALUES ($1, $2, $3, $4, $5)
                           ON CONFLICT (tenant_id, ambiente, familia)
                           DO UPDATE SET limite = excluded.limite, definido_em = excluded.definido_em";
                tx.execute(sql, &params).await?
            }
        };
        let detail = json!({ "ambiente": ambiente.word(), "limite": limite });
        audit::append(tx, *tenant, by, AuditAct::CotaAlterada, familia.word(), detail, *now).await
    }
}

fn random_shard() -> Result<u8, Error> {
    let [byte] = random::<1>()?;
    Ok(byte % SHARDS)
}

const FAMILY: &str = "tenant_id = $1 AND ambiente = $2 AND familia = $3";

/// Condition on a row of `quotas`: used up in the month `$4`.
const IS_USED_UP: &str = "limite <= (SELECT COALESCE(SUM(consumo), 0) FROM quota_use
                     WHERE tenant_id = $1 AND ambiente = $2 AND familia = $3 AND mes = $4)";

/// More than the concurrent registrations of one tenant by a few processes.
const SHARDS: u8 = 64;

crate::dyn_operation::erasable!(DebitLookup, CheckQuota, ReadQuotas, SetQuota);
