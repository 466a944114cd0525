//! The walk along a company's distribution numbers: claims, and the documents and cursor of each answer, written
//! together.

use super::{
    Cursor, DistributionKey, NewDocuments, WalkClaim, WalkLease, WalkOutcome, WalkReset, WalkTerms, storage, stored,
};
use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, first, params, unexpected};
use crate::tx::{StoreOperation, Tx};
use crate::vault::random;
use crate::webhooks::EventBody;
use crate::{Error, Store, words};
use fiscal::tipo::Tipo;
use fiscal::value::{Codigo, TpAmb};
use serde_json::json;
use uuid::Uuid;

impl Store {
    /// Returns the progress of a distribution; the beginning before the first query.
    pub async fn distribution(&self, owner: DistributionKey) -> Result<Cursor, Error> {
        self.read(ReadCursor(owner)).await
    }
    /// Lists the walks of an account that their authority sent back, without an answer since.
    pub async fn walk_resets(&self, tenant: Uuid, ambiente: TpAmb) -> Result<Vec<WalkReset>, Error> {
        self.read(ListResets { tenant, ambiente }).await
    }
    /// Switches the background walk on or off. `NotFound` when the account has no such company.
    pub async fn switch_distribution(
        &self,
        owner: DistributionKey,
        ativa: bool,
        by: &Actor,
        now: i64,
    ) -> Result<Cursor, Error> {
        self.write(SwitchDistribution { owner, ativa, by: by.clone(), now }).await
    }
    /// Claims the walk of a company, if a query is lawful now.
    pub async fn claim_walk(&self, owner: DistributionKey, claim: WalkTerms) -> Result<WalkClaim, Error> {
        let token = Uuid::from_bytes(random()?);
        self.write(ClaimWalk { owner, claim, token }).await
    }
    /// Claims the background walk that has been due longest.
    pub async fn claim_due_walk(&self, claim: WalkTerms) -> Result<Option<(WalkLease, Cursor)>, Error> {
        // Mostly nothing is due, and this check writes nothing.
        if !self.read(IsWalkDue(claim.now)).await? {
            return Ok(None);
        }
        let token = Uuid::from_bytes(random()?);
        self.write(ClaimDueWalk { claim, token }).await
    }
    /// Extends the claim before the next query of the same walk, in case this process dies before it has written the
    /// outcome.
    pub async fn renew_walk(&self, lease: WalkLease, claim: WalkTerms) -> Result<(), Error> {
        self.write(RenewWalk { lease, claim }).await
    }
    /// Stores the documents of an answer and the new cursor in one transaction. Documents are stored even if the lease
    /// was lost meanwhile, and the cursor goes back only from a number that the authority does not know.
    pub async fn record_walk(&self, lease: WalkLease, outcome: WalkOutcome, now: i64) -> Result<NewDocuments, Error> {
        let (kept, told) = self.write(RecordWalk { event_body: self.event_body(), lease, outcome, now }).await?;
        self.announce_enqueued(told);
        Ok(kept)
    }
}

const CURSOR: &str = "ativa, ult_nsu, max_nsu, next_at, blocked_until, blocks, gap_from, gap_to, reset_from, reset_at, asked_at, codigo, xMotivo";

fn read_cursor(row: &mut Row) -> Result<Cursor, Error> {
    let number = |number: i64| u64::try_from(number).map_err(|_| unexpected());
    let ativa: i64 = row.read()?;
    let (ult_nsu, max_nsu) = (number(row.read()?)?, number(row.read()?)?);
    let (next_at, blocked_until, blocks) = (row.read()?, row.read()?, row.read()?);
    let (from, to): (Option<i64>, Option<i64>) = (row.read()?, row.read()?);
    let gap = from.zip(to).map(|(from, to)| Ok::<_, Error>((number(from)?, number(to)?))).transpose()?;
    let (from, at): (Option<i64>, Option<i64>) = (row.read()?, row.read()?);
    let reset = from.zip(at).map(|(from, at)| Ok::<_, Error>((number(from)?, at))).transpose()?;
    let asked_at = row.read()?;
    let (codigo, xMotivo): (Option<String>, Option<String>) = (row.read()?, row.read()?);
    let codigo = codigo.map(|text| Codigo::parse(&text).map_err(|_| unexpected())).transpose()?;
    let said = xMotivo.map(|xMotivo| (codigo, xMotivo));
    Ok(Cursor { ativa: ativa == 1, ult_nsu, max_nsu, next_at, blocked_until, blocks, gap, reset, asked_at, said })
}

async fn cursor<T: Tx>(tx: &mut T, owner: &DistributionKey) -> Result<Cursor, Error> {
    let sql = format!(
        "SELECT {CURSOR} FROM distribution WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4"
    );
    let row = tx.query(&sql, &owner.params()).await?.into_iter().next();
    row.map_or(Ok(Cursor::default()), |mut row| read_cursor(&mut row))
}

/// Inserts the distribution's row unless it exists.
pub(super) async fn ensure_row<T: Tx>(tx: &mut T, owner: &DistributionKey) -> Result<(), Error> {
    let sql = "INSERT INTO distribution (tenant_id, cpf_cnpj, ambiente, tipo, ativa, ult_nsu, max_nsu, next_at, blocked_until, blocks,
                   lease_until) VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, 0)
               ON CONFLICT (tenant_id, cpf_cnpj, ambiente, tipo) DO NOTHING";
    tx.execute(sql, &owner.params()).await.map(drop)
}

struct ReadCursor(DistributionKey);

impl StoreOperation for ReadCursor {
    type Output = Cursor;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Cursor, Error> {
        cursor(tx, &self.0).await
    }
}

struct ListResets {
    tenant: Uuid,
    ambiente: TpAmb,
}

impl StoreOperation for ListResets {
    type Output = Vec<WalkReset>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<WalkReset>, Error> {
        let sql = "SELECT cpf_cnpj, tipo, reset_from, ult_nsu, reset_at FROM distribution
                   WHERE tenant_id = $1 AND ambiente = $2 AND reset_from IS NOT NULL ORDER BY cpf_cnpj, tipo";
        let rows = tx.query(sql, &params![self.tenant, words::ambiente(self.ambiente)]).await?;
        rows.into_iter().map(read_reset).collect()
    }
}

fn read_reset(mut row: Row) -> Result<WalkReset, Error> {
    let number = |number: i64| u64::try_from(number).map_err(|_| unexpected());
    Ok(WalkReset {
        cpf_cnpj: words::read_cpf_cnpj(row.read()?)?,
        tipo: words::read_tipo(&row.read::<String>()?)?,
        de: number(row.read()?)?,
        para: number(row.read()?)?,
        em: row.read()?,
    })
}

struct SwitchDistribution {
    owner: DistributionKey,
    ativa: bool,
    by: Actor,
    now: i64,
}

impl StoreOperation for SwitchDistribution {
    type Output = Cursor;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Cursor, Error> {
        let SwitchDistribution { owner, ativa, by, now } = self;
        let company = owner.cpf_cnpj.as_str();
        let sql = "UPDATE companies SET atualizado_em = $3 WHERE tenant_id = $1 AND cpf_cnpj = $2";
        if tx.execute(sql, &params![owner.tenant, company, *now]).await? == 0 {
            return Err(Error::NotFound);
        }
        ensure_row(tx, owner).await?;
        let mut row = owner.params();
        row.extend(params![i64::from(*ativa)]);
        let sql =
            "UPDATE distribution SET ativa = $5 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4";
        tx.execute(sql, &row).await?;
        let mut detail = json!({ "tipo": "distribuicao", "ambiente": owner.ambiente.word(), "ativa": ativa });
        // Entries written before there were other types have no such member.
        if owner.tipo != Tipo::Nfe {
            detail["documento"] = owner.tipo.word().into();
        }
        audit::append(tx, owner.tenant, by, AuditAct::ConfiguracaoAlterada, company, detail, *now).await?;
        cursor(tx, owner).await
    }
}

struct ClaimWalk {
    owner: DistributionKey,
    claim: WalkTerms,
    token: Uuid,
}

impl StoreOperation for ClaimWalk {
    type Output = WalkClaim;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<WalkClaim, Error> {
        let ClaimWalk { owner, claim, token } = self;
        ensure_row(tx, owner).await?;
        let mut row = owner.params();
        row.extend(params![claim.now, claim.lease_until, *token, claim.if_lost]);
        // `RETURNING` gives the row after the change, so the former row is read first, in the same transaction.
        let before = self.lock_cursor(tx).await?;
        let sql = "UPDATE distribution SET lease_until = $6, token = $7, next_at = $8
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND next_at <= $5 AND lease_until <= $5";
        if tx.execute(sql, &row).await? > 0 {
            return Ok(WalkClaim::Claimed(WalkLease { owner: *owner, token: *token }, before.0));
        }
        Ok(if before.1 > claim.now { WalkClaim::Busy } else { WalkClaim::NotBefore(before.0.next_at) })
    }
}

impl ClaimWalk {
    /// Reads the cursor and the end of the lease; locks the row until the commit.
    async fn lock_cursor<T: Tx>(&self, tx: &mut T) -> Result<(Cursor, i64), Error> {
        let sql = format!(
            "SELECT {CURSOR}, lease_until FROM distribution WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 {}",
            tx.dialect().for_update()
        );
        let mut row = tx.query(&sql, &self.owner.params()).await?.into_iter().next().ok_or_else(unexpected)?;
        Ok((read_cursor(&mut row)?, row.read()?))
    }
}

struct IsWalkDue(i64);

impl StoreOperation for IsWalkDue {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "SELECT MIN(next_at) FROM distribution WHERE ativa = 1";
        let next: Option<i64> = first(tx.query(sql, &[]).await?)?.flatten();
        Ok(next.is_some_and(|next| next <= self.0))
    }
}

struct ClaimDueWalk {
    claim: WalkTerms,
    token: Uuid,
}

impl StoreOperation for ClaimDueWalk {
    type Output = Option<(WalkLease, Cursor)>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Self::Output, Error> {
        let WalkTerms { now, lease_until, if_lost } = self.claim;
        let sql = format!(
            "SELECT tenant_id, cpf_cnpj, ambiente, tipo FROM distribution
             WHERE ativa = 1 AND next_at <= $1 AND lease_until <= $1 ORDER BY next_at LIMIT 1 {}",
            tx.dialect().skip_locked()
        );
        let Some(mut row) = tx.query(&sql, &params![now]).await?.into_iter().next() else { return Ok(None) };
        let owner = DistributionKey {
            tenant: row.read()?,
            cpf_cnpj: words::read_cpf_cnpj(row.read()?)?,
            ambiente: words::read_ambiente(row.read()?)?,
            tipo: words::read_tipo(&row.read::<String>()?)?,
        };
        let before = cursor(tx, &owner).await?;
        let mut row = owner.params();
        row.extend(params![lease_until, self.token, if_lost]);
        let sql = "UPDATE distribution SET lease_until = $5, token = $6, next_at = $7
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4";
        tx.execute(sql, &row).await?;
        Ok(Some((WalkLease { owner, token: self.token }, before)))
    }
}

struct RenewWalk {
    lease: WalkLease,
    claim: WalkTerms,
}

impl StoreOperation for RenewWalk {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let mut row = self.lease.owner.params();
        row.extend(params![self.lease.token, self.claim.lease_until, self.claim.if_lost]);
        let sql = "UPDATE distribution SET lease_until = $6, next_at = $7
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND token = $5";
        match tx.execute(sql, &row).await? {
            0 => Err(Error::LeaseLost),
            _ => Ok(()),
        }
    }
}

struct RecordWalk {
    event_body: EventBody,
    lease: WalkLease,
    outcome: WalkOutcome,
    now: i64,
}

impl StoreOperation for RecordWalk {
    type Output = (NewDocuments, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(NewDocuments, bool), Error> {
        let RecordWalk { event_body, lease, outcome, now } = self;
        let (kept, told) = storage::save_answer(tx, event_body, &lease.owner, &outcome.documents, *now).await?;
        let (from, to) = outcome.gap.unzip();
        let mut row = lease.owner.params();
        row.extend(params![
            outcome.ult_nsu.map(stored).unwrap_or_default(),
            outcome.max_nsu.map(stored).unwrap_or_default(),
            outcome.blocked_until.unwrap_or_default(),
            outcome.blocks,
            from.map(stored),
            to.map(stored),
            *now,
            outcome.answer.0.as_ref().map(Codigo::as_str),
            &outcome.answer.1
        ]);
        let sql = "UPDATE distribution SET ult_nsu = CASE WHEN ult_nsu < $5 THEN $5 ELSE ult_nsu END,
                       max_nsu = CASE WHEN max_nsu < $6 THEN $6 ELSE max_nsu END,
                       blocked_until = CASE WHEN blocked_until < $7 THEN $7 ELSE blocked_until END,
                       blocks = $8, gap_from = $9, gap_to = $10, asked_at = $11, codigo = $12, xMotivo = $13
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4";
        tx.execute(sql, &row).await?;
        match outcome.unknown_nsu {
            Some(asked) => move_back(tx, &lease.owner, asked, *now).await?,
            None if outcome.max_nsu.is_some() => clear_reset(tx, &lease.owner).await?,
            None => {}
        }
        let mut row = lease.owner.params();
        row.extend(params![lease.token, outcome.next_at]);
        let release = if outcome.goes_on { "" } else { ", lease_until = 0, token = NULL" };
        let sql = format!(
            "UPDATE distribution SET next_at = $6{release}
             WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND token = $5"
        );
        tx.execute(&sql, &row).await?;
        Ok((kept, told))
    }
}

/// Moves the walk back from a number that its authority does not know, unless another query has moved it since.
async fn move_back<T: Tx>(tx: &mut T, owner: &DistributionKey, asked: u64, now: i64) -> Result<(), Error> {
    let sql =
        "SELECT MAX(nsu) FROM received_files WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4";
    let highest: Option<i64> = first(tx.query(sql, &owner.params()).await?)?.flatten();
    // If the highest stored number itself is unknown, the authority has restarted its numbers.
    let to = highest.filter(|highest| *highest < stored(asked)).unwrap_or_default();
    tracing::warn!(
        company = owner.cpf_cnpj.as_str(), tipo = %owner.tipo, from = asked, to,
        "the authority does not know the number that a distribution stands at; the walk goes back"
    );
    let mut row = owner.params();
    row.extend(params![to, stored(asked), now]);
    let sql = "UPDATE distribution SET ult_nsu = $5, max_nsu = $5, gap_from = NULL, gap_to = NULL,
                   reset_from = COALESCE(reset_from, $6), reset_at = $7
               WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND ult_nsu = $6";
    tx.execute(sql, &row).await.map(drop)
}

/// Clears the reset after an answer: the walk continues from its cursor.
async fn clear_reset<T: Tx>(tx: &mut T, owner: &DistributionKey) -> Result<(), Error> {
    let sql = "UPDATE distribution SET reset_from = NULL, reset_at = NULL
               WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND reset_from IS NOT NULL";
    tx.execute(sql, &owner.params()).await.map(drop)
}

crate::dyn_operation::erasable!(
    ReadCursor,
    ListResets,
    SwitchDistribution,
    ClaimWalk,
    IsWalkDue,
    ClaimDueWalk,
    RenewWalk,
    RecordWalk
);
