//! Queries of single documents (consNSU, consChNFe): counted before they are sent, at most twenty an hour.

use super::walk::ensure_row;
use super::{DistributionKey, DocZip, NewDocuments, Situacao, storage};
use crate::row::{first, params};
use crate::tx::{StoreOperation, Tx};
use crate::webhooks::EventBody;
use crate::{Error, Store};
use uuid::Uuid;

/// NT 2014.002, 3.11.4.2.
const PER_HOUR: i64 = 20;
const HOUR: i64 = 3_600;

impl Store {
    /// Counts a query about to be sent. `Some` is the earliest instant for it; then nothing was counted.
    pub async fn count_single_query(&self, owner: DistributionKey, now: i64) -> Result<Option<i64>, Error> {
        self.write(SpendSingleQuery { owner, now }).await
    }
    /// Stores the documents of a single query.
    pub async fn save_received(
        &self,
        owner: DistributionKey,
        documents: Vec<DocZip>,
        now: i64,
    ) -> Result<NewDocuments, Error> {
        let (kept, told) = self.write(SaveReceived { event_body: self.event_body(), owner, documents, now }).await?;
        self.announce_enqueued(told);
        Ok(kept)
    }
    /// Records that the authority declares a note no longer valid: 653, 654.
    pub async fn end_received(
        &self,
        owner: DistributionKey,
        chave: String,
        situacao: Situacao,
        now: i64,
    ) -> Result<(), Error> {
        self.write(EndReceived { owner, chave, situacao, now }).await
    }
    /// Records that the authority has blocked the company until an instant.
    pub async fn block_distribution(&self, owner: DistributionKey, until: i64) -> Result<(), Error> {
        self.write(BlockDistribution { owner, until }).await
    }
}

struct SpendSingleQuery {
    owner: DistributionKey,
    now: i64,
}

impl StoreOperation for SpendSingleQuery {
    type Output = Option<i64>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<i64>, Error> {
        let SpendSingleQuery { owner, now } = self;
        ensure_row(tx, owner).await?;
        // Locked until the commit, so that two queries are never counted as one.
        let sql = format!(
            "SELECT blocked_until FROM distribution WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 {}",
            tx.dialect().for_update()
        );
        let blocked_until: i64 = first(tx.query(&sql, &owner.params()).await?)?.unwrap_or_default();
        if blocked_until > *now {
            return Ok(Some(blocked_until));
        }
        let mut old = owner.params();
        old.extend(params![now - HOUR]);
        let sql = "DELETE FROM distribution_points WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND at <= $5";
        tx.execute(sql, &old).await?;
        let sql = "SELECT COUNT(*), MIN(at) FROM distribution_points WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4";
        let mut row = crate::row::only(tx.query(sql, &owner.params()).await?)?;
        let (count, oldest): (i64, Option<i64>) = (row.read()?, row.read()?);
        if let Some(oldest) = oldest.filter(|_| count >= PER_HOUR) {
            return Ok(Some(oldest + HOUR));
        }
        let mut new = owner.params();
        new.extend(params![Uuid::now_v7(), *now]);
        let sql = "INSERT INTO distribution_points (tenant_id, cpf_cnpj, ambiente, tipo, id, at) VALUES ($1, $2, $3, $4, $5, $6)";
        tx.execute(sql, &new).await?;
        Ok(None)
    }
}

struct SaveReceived {
    event_body: EventBody,
    owner: DistributionKey,
    documents: Vec<DocZip>,
    now: i64,
}

impl StoreOperation for SaveReceived {
    type Output = (NewDocuments, bool);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(NewDocuments, bool), Error> {
        storage::save_answer(tx, &self.event_body, &self.owner, &self.documents, self.now).await
    }
}

struct EndReceived {
    owner: DistributionKey,
    chave: String,
    situacao: Situacao,
    now: i64,
}

impl StoreOperation for EndReceived {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let mut row = self.owner.params();
        row.extend(params![&self.chave, self.situacao.word(), self.now]);
        let sql = "UPDATE received_notes SET situacao = $6, atualizado_em = $7
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4 AND chave = $5 AND situacao = 'autorizada'";
        tx.execute(sql, &row).await.map(drop)
    }
}

struct BlockDistribution {
    owner: DistributionKey,
    until: i64,
}

impl StoreOperation for BlockDistribution {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let mut row = self.owner.params();
        row.extend(params![self.until]);
        let sql = "UPDATE distribution SET blocked_until = CASE WHEN blocked_until < $5 THEN $5 ELSE blocked_until END,
                       next_at = CASE WHEN next_at < $5 THEN $5 ELSE next_at END
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 AND tipo = $4";
        tx.execute(sql, &row).await.map(drop)
    }
}

crate::dyn_operation::erasable!(SpendSingleQuery, SaveReceived, EndReceived, BlockDistribution);
