//! A certificate between its upload and the person's confirmation: sealed at once, for one user, for ten minutes.
//!
//! Its envelopes carry the place of an active certificate, so that the confirmation moves them without opening them.

use super::NewCertificate;
use super::certificate::{pfx_place, senha_place};
use super::change;
use super::read::CertificateRecord;
use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, first, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::vault::Vault;
use crate::{Error, Store};
use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;

/// Lifetime of an offered certificate, seconds.
pub const OFFER_S: i64 = 600;

/// An offered certificate of a company, and the user that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CertificateOffer {
    pub tenant: Uuid,
    pub cpf_cnpj: CnpjCpf,
    pub user: Uuid,
    pub id: Uuid,
}

impl Store {
    /// Seals a certificate until its user confirms it, in place of an earlier offer for the company; returns its id.
    pub async fn offer_certificate(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        user: Uuid,
        certificate: NewCertificate,
        now: i64,
    ) -> Result<Uuid, Error> {
        let of = CertificateOffer { tenant, cpf_cnpj, user, id: Uuid::now_v7() };
        self.write(OfferCertificate { vault: self.shared.vault.clone(), of, certificate, now }).await?;
        Ok(of.id)
    }

    /// Returns the displayable fields of an offer; `NotFound` once it ended.
    pub async fn offered_certificate(&self, of: CertificateOffer, now: i64) -> Result<CertificateRecord, Error> {
        self.read(ReadOffer { of, now }).await
    }

    /// Makes an offer the active certificate, and erases the offer; `NotFound` once it or the certificate ended.
    pub async fn keep_offered_certificate(
        &self,
        of: CertificateOffer,
        by: &Actor,
        now: i64,
    ) -> Result<CertificateRecord, Error> {
        self.write(KeepOffer { of, by: by.clone(), now }).await
    }

    /// Erases an offer that its user does not want; nothing where there is none.
    pub async fn discard_offered_certificate(&self, of: CertificateOffer) -> Result<(), Error> {
        self.write(DiscardOffer { of }).await
    }

    /// Erases offers that ended, of all accounts; returns their number.
    pub async fn erase_ended_offers(&self, now: i64) -> Result<u64, Error> {
        // almost always there is none, and then no writing transaction is spent
        if self.read(CountEnded { now }).await? == 0 { Ok(0) } else { self.write(EraseEnded { now }).await }
    }
}

struct OfferCertificate {
    vault: Vault,
    of: CertificateOffer,
    certificate: NewCertificate,
    now: i64,
}

impl StoreOperation for OfferCertificate {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let CertificateOffer { tenant, cpf_cnpj, user, id } = self.of;
        let company = cpf_cnpj.as_str();
        let known = "SELECT 1 FROM companies WHERE tenant_id = $1 AND cpf_cnpj = $2";
        if first::<i64>(tx.query(known, &params![tenant, company]).await?)?.is_none() {
            return Err(Error::NotFound);
        }
        let key = self.vault.data_key(tx, tenant).await?;
        let pfx = key.seal(&self.certificate.pfx, &pfx_place(tenant, id))?;
        let senha = key.seal(self.certificate.senha.as_bytes(), &senha_place(tenant, id))?;
        let CertificateRecord { titular, emissor, numero_serie, valido_de, valido_ate } = &self.certificate.record;
        let sql = "INSERT INTO certificate_offers (tenant_id, cpf_cnpj, id, user_id, pfx, senha,
                       titular, emissor, numero_serie, valido_de, valido_ate, criado_em)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                   ON CONFLICT (tenant_id, cpf_cnpj) DO UPDATE
                   SET id = excluded.id, user_id = excluded.user_id, pfx = excluded.pfx, senha = excluded.senha,
                       titular = excluded.titular, emissor = excluded.emissor, numero_serie = excluded.numero_serie,
                       valido_de = excluded.valido_de, valido_ate = excluded.valido_ate, criado_em = excluded.criado_em";
        let (from, until) = (*valido_de, *valido_ate);
        let params =
            params![tenant, company, id, user, pfx, senha, titular, emissor, numero_serie, from, until, self.now];
        tx.execute(sql, &params).await.map(drop)
    }
}

struct ReadOffer {
    of: CertificateOffer,
    now: i64,
}

impl StoreOperation for ReadOffer {
    type Output = CertificateRecord;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<CertificateRecord, Error> {
        read(tx, self.of, self.now).await
    }
}

/// The record of an offer that has not ended.
async fn read<T: Tx>(tx: &mut T, of: CertificateOffer, now: i64) -> Result<CertificateRecord, Error> {
    let sql = "SELECT titular, emissor, numero_serie, valido_de, valido_ate FROM certificate_offers
               WHERE tenant_id = $1 AND cpf_cnpj = $2 AND id = $3 AND user_id = $4 AND criado_em > $5";
    let CertificateOffer { tenant, cpf_cnpj, user, id } = of;
    let rows = tx.query(sql, &params![tenant, cpf_cnpj.as_str(), id, user, now - OFFER_S]).await?;
    let record = |mut row: Row| {
        Ok(CertificateRecord {
            titular: row.read()?,
            emissor: row.read()?,
            numero_serie: row.read()?,
            valido_de: row.read()?,
            valido_ate: row.read()?,
        })
    };
    rows.into_iter().next().map_or(Err(Error::NotFound), record)
}

struct KeepOffer {
    of: CertificateOffer,
    by: Actor,
    now: i64,
}

impl StoreOperation for KeepOffer {
    type Output = CertificateRecord;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<CertificateRecord, Error> {
        let CertificateOffer { tenant, cpf_cnpj, .. } = self.of;
        let company = cpf_cnpj.as_str();
        change::lock_whole_company(tx, tenant, cpf_cnpj, &self.by, self.now).await?;
        let record = read(tx, self.of, self.now).await?;
        if record.valido_ate < self.now {
            return Err(Error::NotFound);
        }
        let both = params![tenant, company];
        let mut move_offer = both.clone();
        move_offer.extend(params![self.now]);
        let insert = "INSERT INTO certificates (tenant_id, cpf_cnpj, id, pfx, senha,
                          titular, emissor, numero_serie, valido_de, valido_ate, criado_em)
                      SELECT tenant_id, cpf_cnpj, id, pfx, senha,
                          titular, emissor, numero_serie, valido_de, valido_ate, $3
                      FROM certificate_offers WHERE tenant_id = $1 AND cpf_cnpj = $2";
        tx.query_all(&[
            SqlStep::new("DELETE FROM certificates WHERE tenant_id = $1 AND cpf_cnpj = $2", both.clone()),
            SqlStep::new(insert, move_offer),
            SqlStep::new("DELETE FROM certificate_offers WHERE tenant_id = $1 AND cpf_cnpj = $2", both),
        ])
        .await?;
        let CertificateRecord { titular, numero_serie, valido_ate, .. } = &record;
        let detail = json!({ "titular": titular, "numero_serie": numero_serie, "valido_ate": valido_ate });
        audit::append(tx, tenant, &self.by, AuditAct::CertificadoEnviado, company, detail, self.now).await?;
        Ok(record)
    }
}

struct DiscardOffer {
    of: CertificateOffer,
}

impl StoreOperation for DiscardOffer {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let CertificateOffer { tenant, cpf_cnpj, user, id } = self.of;
        let sql = "DELETE FROM certificate_offers WHERE tenant_id = $1 AND cpf_cnpj = $2 AND id = $3 AND user_id = $4";
        tx.execute(sql, &params![tenant, cpf_cnpj.as_str(), id, user]).await.map(drop)
    }
}

struct CountEnded {
    now: i64,
}

impl StoreOperation for CountEnded {
    type Output = i64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
        let sql = "SELECT COUNT(*) FROM certificate_offers WHERE criado_em <= $1";
        Ok(first(tx.query(sql, &params![self.now - OFFER_S]).await?)?.unwrap_or_default())
    }
}

struct EraseEnded {
    now: i64,
}

impl StoreOperation for EraseEnded {
    type Output = u64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<u64, Error> {
        let sql = "DELETE FROM certificate_offers WHERE criado_em <= $1";
        tx.execute(sql, &params![self.now - OFFER_S]).await
    }
}

crate::dyn_operation::erasable!(OfferCertificate, ReadOffer, KeepOffer, DiscardOffer, CountEnded, EraseEnded);
