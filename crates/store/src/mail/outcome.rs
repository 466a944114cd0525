//! Steps of an attempt: the mark before the content leaves, and the outcome. Each is one transaction.

use super::enqueue::bound_by_hand;
use super::{MailLease, MailStatus};
use crate::audit::{self, Actor, AuditAct};
use crate::row::{first, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::value::TpAmb;
use serde_json::Value;
use uuid::Uuid;

/// Step after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    /// No further attempt.
    Ended(MailStatus),
    /// Next attempt at this second.
    RetryAt(i64),
}

/// End of an attempt.
#[derive(Debug, Clone)]
pub struct AttemptEnd {
    pub em: i64,
    /// Step of SMTP that it reached, Portuguese.
    pub etapa: &'static str,
    pub codigo: Option<u16>,
    pub resposta: String,
    pub outcome: MailOutcome,
    /// Address and subject, once they are known.
    pub para: Option<String>,
    pub assunto: Option<String>,
    /// Address that gets no further mail of the account.
    pub block: Option<String>,
}

impl Store {
    /// Marks that the content is about to be given to the server; `LeaseLost` when the lease was lost. Extends the
    /// lease.
    pub async fn mail_transmitting(
        &self,
        lease: MailLease,
        (para, assunto): (String, String),
        now: i64,
        lease_until: i64,
    ) -> Result<(), Error> {
        self.write(MarkTransmitting { lease, para, assunto, now, lease_until }).await
    }

    /// Records an attempt and the step after it.
    pub async fn mail_attempted(&self, lease: MailLease, end: AttemptEnd) -> Result<(), Error> {
        self.write(RecordAttempt { lease, end }).await
    }

    /// Gives back a mail whose attempt was stopped before its content left, as if it had not begun.
    pub async fn return_mail(&self, lease: MailLease, now: i64) -> Result<(), Error> {
        self.write(ReturnMail { lease, now }).await
    }

    /// Begins a new series of attempts in the name of the actor, to another address if one is given; `Conflict` while
    /// one is under way.
    pub async fn resend_mail(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        id: Uuid,
        para: Option<String>,
        actor: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(ResendMail { tenant, ambiente, id, para, actor: actor.clone(), now }).await
    }
}

struct MarkTransmitting {
    lease: MailLease,
    para: String,
    assunto: String,
    now: i64,
    lease_until: i64,
}

impl StoreOperation for MarkTransmitting {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let MailLease { tenant, mail, token } = self.lease;
        let sql = "UPDATE mails SET transmitido_em = $4, proxima_em = $5, para = $6, assunto = $7
                   WHERE tenant_id = $1 AND id = $2 AND token = $3 AND transmitido_em IS NULL";
        let params = params![tenant, mail, token, self.now, self.lease_until, &self.para, &self.assunto];
        match tx.execute(sql, &params).await? {
            0 => Err(Error::LeaseLost),
            _ => Ok(()),
        }
    }
}

struct RecordAttempt {
    lease: MailLease,
    end: AttemptEnd,
}

impl StoreOperation for RecordAttempt {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let (MailLease { tenant, mail, token }, end) = (self.lease, &self.end);
        let (status, next, done) = match end.outcome {
            MailOutcome::Ended(status) => (status, None, Some(end.em)),
            MailOutcome::RetryAt(at) => (MailStatus::Pendente, Some(at), None),
        };
        // an attempt that is repeated has no content out: the mark of an answered one is taken back
        let sql = "UPDATE mails SET status = $4, proxima_em = $5, concluido_em = $6, token = NULL, tentativas = tentativas + 1,
                       para = COALESCE($7, para), assunto = COALESCE($8, assunto),
                       transmitido_em = CASE WHEN CAST($5 AS BIGINT) IS NULL THEN transmitido_em END
                   WHERE tenant_id = $1 AND id = $2 AND token = $3 RETURNING tentativas";
        let (para, assunto) = (end.para.as_ref(), end.assunto.as_ref());
        let params = params![tenant, mail, token, status.word(), next, done, para, assunto];
        let Some(tentativa) = first::<u32>(tx.query(sql, &params).await?)? else { return Err(Error::LeaseLost) };
        let sql = "INSERT INTO mail_attempts (tenant_id, mail_id, tentativa, em, etapa, codigo, resposta)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let params = params![tenant, mail, tentativa, end.em, end.etapa, end.codigo, &end.resposta];
        let mut steps = vec![SqlStep::new(sql, params)];
        if let Some(address) = &end.block {
            steps.push(super::blocks::block_step(tenant, address, &end.resposta, end.em));
        }
        tx.query_all(&steps).await.map(drop)
    }
}

struct ReturnMail {
    lease: MailLease,
    now: i64,
}

impl StoreOperation for ReturnMail {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let MailLease { tenant, mail, token } = self.lease;
        let sql = "UPDATE mails SET token = NULL, proxima_em = $4
                   WHERE tenant_id = $1 AND id = $2 AND token = $3 AND transmitido_em IS NULL";
        tx.execute(sql, &params![tenant, mail, token, self.now]).await.map(drop)
    }
}

struct ResendMail {
    tenant: Uuid,
    ambiente: TpAmb,
    id: Uuid,
    para: Option<String>,
    actor: Actor,
    now: i64,
}

impl StoreOperation for ResendMail {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let ResendMail { tenant, ambiente, id, para, actor, now } = self;
        bound_by_hand(tx, *tenant, *now).await?;
        let sql = "UPDATE mails SET status = 'pendente', proxima_em = $4, serie_em = $4, concluido_em = NULL, transmitido_em = NULL,
                       para = COALESCE($5, para)
                   WHERE tenant_id = $1 AND id = $2 AND ambiente = $3 AND status <> 'pendente'";
        let params = params![*tenant, *id, words::ambiente(*ambiente), *now, para.as_ref()];
        if tx.execute(sql, &params).await? == 0 {
            let sql = "SELECT 1 FROM mails WHERE tenant_id = $1 AND id = $2 AND ambiente = $3";
            only(tx.query(sql, &params![*tenant, *id, words::ambiente(*ambiente)]).await?)?;
            return Err(Error::Conflict("o e-mail ainda está na fila"));
        }
        let detail = para.as_ref().map_or(Value::Null, |para| serde_json::json!({ "para": para }));
        audit::append(tx, *tenant, actor, AuditAct::EmailPedido, &id.to_string(), detail, *now).await
    }
}

crate::dyn_operation::erasable!(MarkTransmitting, RecordAttempt, ReturnMail, ResendMail);
