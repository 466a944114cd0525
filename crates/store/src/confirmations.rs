//! Emissions that wait for a person's word: a token each, used once, and the value an account may confirm.
//!
//! Law: spec not-shown §5. Of a token only the hash is kept. That it is used once is a fact of the database: the row is marked in the
//! transaction that registers the job, under its lock. Must not know: what an emission is.

use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

use crate::audit::{self, Act, Actor};
use crate::jobs::{self, NewJob, Registered, words};
use crate::row::{Row, first, only, params};
use crate::tx::{Operation, Step, Tx};
use crate::{Error, Store};

/// An emission to keep until it is confirmed.
#[derive(Debug, Clone)]
pub struct NewConfirmation {
    /// Tenant.
    pub tenant_id: Uuid,
    /// SHA-256 of the token.
    pub token_hash: [u8; 32],
    /// Environment of the credential that prepared it.
    pub ambiente: TpAmb,
    /// Environment the document would go to.
    pub destino: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The request (JSON text).
    pub payload: String,
    /// SHA-256 of the canonical payload.
    pub payload_hash: [u8; 32],
    /// Seconds since 1970.
    pub expira_em: i64,
}

/// A prepared emission as it stands.
#[derive(Debug, Clone)]
pub struct Confirmation {
    /// Environment of the credential that prepared it.
    pub ambiente: TpAmb,
    /// Environment the document would go to.
    pub destino: TpAmb,
    /// Caller's unique id.
    pub referencia: Option<String>,
    /// The request; empty once used.
    pub payload: String,
    /// SHA-256 of the canonical payload.
    pub payload_hash: Vec<u8>,
    /// Seconds since 1970.
    pub expira_em: i64,
    /// The job it became.
    pub job_id: Option<Uuid>,
}

/// What became of a confirmation.
#[derive(Debug, Clone)]
pub enum Confirmed {
    /// The job, new or the first of its reference; the token is used.
    Registered(Registered),
    /// The token was used before, for this job.
    Used(Uuid),
    /// Too late.
    Expired,
    /// The document is worth more than the account may confirm, in hundredths; the token can still be used.
    AboveCeiling(i64),
}

impl Store {
    /// Keeps an emission until its token is used; forgets those of the tenant that expired a day ago.
    pub async fn prepare(&self, new: NewConfirmation, now: i64) -> Result<(), Error> {
        self.write(Prepare { new, now }).await
    }

    /// A prepared emission by the hash of its token.
    pub async fn confirmation(&self, tenant: Uuid, token_hash: [u8; 32]) -> Result<Confirmation, Error> {
        self.read(Find { tenant, token_hash }).await
    }

    /// One transaction: the token is used up, the job registered, the quota debited. Of any number of calls with one token exactly one
    /// registers. `valor` is the document's total in hundredths.
    pub async fn confirm(&self, token_hash: [u8; 32], job: NewJob, valor: i64, now: i64) -> Result<Confirmed, Error> {
        let confirmed = self.write(Confirm { token_hash, job, valor, now }).await?;
        if matches!(confirmed, Confirmed::Registered(Registered::New(_))) {
            self.announce_work();
        }
        Ok(confirmed)
    }

    /// The most that an account may confirm in one document, in hundredths; `None` for any value.
    pub async fn ceiling(&self, tenant: Uuid) -> Result<Option<i64>, Error> {
        self.read(ReadCeiling(tenant)).await
    }

    /// Sets it, from now on; `None` takes it away.
    pub async fn set_ceiling(&self, tenant: Uuid, teto: Option<i64>, by: &Actor, now: i64) -> Result<(), Error> {
        self.write(SetCeiling { tenant, teto, by: by.clone(), now }).await
    }
}

struct Prepare {
    new: NewConfirmation,
    now: i64,
}

impl Operation for Prepare {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let Prepare { new, now } = self;
        let forget = Step {
            sql: "DELETE FROM confirmations WHERE tenant_id = $1 AND expira_em <= $2",
            params: params![new.tenant_id, now - REMEMBERED_S],
        };
        let keep = Step {
            sql: "INSERT INTO confirmations (tenant_id, token_hash, ambiente, destino, referencia, payload, payload_hash, criado_em, expira_em)
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            params: params![
                new.tenant_id,
                &new.token_hash,
                words::ambiente(new.ambiente),
                words::ambiente(new.destino),
                new.referencia.as_ref(),
                &new.payload,
                &new.payload_hash,
                *now,
                new.expira_em,
            ],
        };
        tx.query_all(&[forget, keep]).await.map(drop)
    }
}

struct Find {
    tenant: Uuid,
    token_hash: [u8; 32],
}

impl Operation for Find {
    type Output = Confirmation;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Confirmation, Error> {
        let sql = "SELECT ambiente, destino, referencia, payload, payload_hash, expira_em, job_id FROM confirmations
                   WHERE tenant_id = $1 AND token_hash = $2";
        read(only(tx.query(sql, &params![self.tenant, &self.token_hash]).await?)?)
    }
}

fn read(mut row: Row) -> Result<Confirmation, Error> {
    Ok(Confirmation {
        ambiente: words::read_ambiente(row.take()?)?,
        destino: words::read_ambiente(row.take()?)?,
        referencia: row.take()?,
        payload: row.take()?,
        payload_hash: row.take()?,
        expira_em: row.take()?,
        job_id: row.take()?,
    })
}

struct Confirm {
    token_hash: [u8; 32],
    job: NewJob,
    valor: i64,
    now: i64,
}

impl Operation for Confirm {
    type Output = Confirmed;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Confirmed, Error> {
        let Confirm { token_hash, job, valor, now } = self;
        let lock = tx.dialect().for_update();
        // whoever comes second waits here, and then sees the token used
        let sql =
            format!("SELECT expira_em, job_id FROM confirmations WHERE tenant_id = $1 AND token_hash = $2 {lock}");
        let mut row = only(tx.query(&sql, &params![job.tenant_id, token_hash]).await?)?;
        let (expira_em, used): (i64, Option<Uuid>) = (row.take()?, row.take()?);
        if let Some(job_id) = used {
            return Ok(Confirmed::Used(job_id));
        }
        if expira_em <= *now {
            return Ok(Confirmed::Expired);
        }
        if let Some(teto) = ceiling(tx, job.tenant_id).await?.filter(|teto| valor > teto) {
            return Ok(Confirmed::AboveCeiling(teto));
        }
        let registered = jobs::register(tx, job, *now).await?;
        let job_id = match &registered {
            Registered::New(job) | Registered::Replay { job, .. } => job.id,
        };
        let sql = "UPDATE confirmations SET job_id = $3, payload = '' WHERE tenant_id = $1 AND token_hash = $2";
        tx.execute(sql, &params![job.tenant_id, token_hash, job_id]).await?;
        Ok(Confirmed::Registered(registered))
    }
}

struct ReadCeiling(Uuid);

impl Operation for ReadCeiling {
    type Output = Option<i64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<i64>, Error> {
        ceiling(tx, self.0).await
    }
}

async fn ceiling<T: Tx>(tx: &mut T, tenant: Uuid) -> Result<Option<i64>, Error> {
    let teto: Option<Option<i64>> = first(tx.query("SELECT teto FROM tenants WHERE id = $1", &params![tenant]).await?)?;
    Ok(teto.flatten())
}

struct SetCeiling {
    tenant: Uuid,
    teto: Option<i64>,
    by: Actor,
    now: i64,
}

impl Operation for SetCeiling {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let SetCeiling { tenant, teto, by, now } = self;
        if tx.execute("UPDATE tenants SET teto = $2 WHERE id = $1", &params![*tenant, *teto]).await? == 0 {
            return Err(Error::NotFound);
        }
        let detail = json!({ "teto_centavos": teto });
        audit::append(tx, *tenant, by, Act::TetoAlterado, "emissao_assistida", detail, *now).await
    }
}

/// How long a token is remembered after its end, so that a late caller is told why and not that there is none.
const REMEMBERED_S: i64 = 86_400;
