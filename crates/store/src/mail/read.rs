//! Queries of mails.

use super::{MailAttempt, MailKind, MailRecord, MailStatus};
use crate::conditions::Conditions;
use crate::notes::ListWindow;
use crate::row::{Row, first, only, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::value::TpAmb;
use uuid::Uuid;

/// Filter of mails.
#[derive(Debug, Clone, Copy, Default)]
pub struct MailFilter {
    pub status: Option<MailStatus>,
    pub job: Option<Uuid>,
}

impl Store {
    /// Returns a page of the mails of an account in an environment, newest first, and the number of all that match.
    pub async fn mails(
        &self,
        tenant: Uuid,
        ambiente: TpAmb,
        filter: MailFilter,
        window: ListWindow,
    ) -> Result<(Vec<MailRecord>, u64), Error> {
        self.read(ListMails { tenant, ambiente, filter, window }).await
    }

    /// Returns a mail and its attempts, oldest first.
    pub async fn mail(&self, tenant: Uuid, ambiente: TpAmb, id: Uuid) -> Result<(MailRecord, Vec<MailAttempt>), Error> {
        self.read(ReadMail { tenant, ambiente, id }).await
    }
}

/// Columns in the order of [`read_mail`].
pub(super) const COLUMNS: &str =
    "tenant_id, id, ambiente, kind, job_id, export_id, cpf_cnpj, tipo, para, copia_para, responder_para,
    assunto, corpo, status, tentativas, criado_em, serie_em, proxima_em, concluido_em, transmitido_em, token";

pub(super) fn read_mail(mut row: Row) -> Result<MailRecord, Error> {
    Ok(MailRecord {
        tenant: row.read()?,
        id: row.read()?,
        ambiente: words::read_ambiente(row.read()?)?,
        kind: MailKind::read(&row.read::<String>()?)?,
        job: row.read()?,
        export: row.read()?,
        cpf_cnpj: row.read::<Option<String>>()?.map(words::read_cpf_cnpj).transpose()?,
        tipo: row.read::<Option<String>>()?.map(|word| words::read_tipo(&word)).transpose()?,
        para: row.read()?,
        copia_para: row.read()?,
        responder_para: row.read()?,
        assunto: row.read()?,
        corpo: row.read()?,
        status: MailStatus::read(&row.read::<String>()?)?,
        tentativas: row.read()?,
        criado_em: row.read()?,
        serie_em: row.read()?,
        proxima_em: row.read()?,
        concluido_em: row.read()?,
        transmitido_em: row.read()?,
        claimed: row.read::<Option<Uuid>>()?.is_some(),
    })
}

struct ListMails {
    tenant: Uuid,
    ambiente: TpAmb,
    filter: MailFilter,
    window: ListWindow,
}

impl StoreOperation for ListMails {
    type Output = (Vec<MailRecord>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<MailRecord>, u64), Error> {
        let mut conditions = Conditions::of_tenant("tenant_id", self.tenant);
        conditions.and_value("ambiente =", words::ambiente(self.ambiente));
        conditions.and_optional("status =", self.filter.status.map(MailStatus::word));
        conditions.and_optional("job_id =", self.filter.job);
        let (condition, mut params) = (conditions.text(), conditions.params().to_vec());
        let total = format!("SELECT COUNT(*) FROM mails WHERE {condition}");
        let total = first(tx.query(&total, &params).await?)?.unwrap_or_default();
        let (limit, offset) = (params.len() + 1, params.len() + 2);
        params.extend(self.window.params());
        let sql =
            format!("SELECT {COLUMNS} FROM mails WHERE {condition} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}");
        let rows = tx.query(&sql, &params).await?;
        Ok((rows.into_iter().map(read_mail).collect::<Result<_, _>>()?, total))
    }
}

struct ReadMail {
    tenant: Uuid,
    ambiente: TpAmb,
    id: Uuid,
}

impl StoreOperation for ReadMail {
    type Output = (MailRecord, Vec<MailAttempt>);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(MailRecord, Vec<MailAttempt>), Error> {
        let sql = format!("SELECT {COLUMNS} FROM mails WHERE tenant_id = $1 AND id = $2 AND ambiente = $3");
        let params = params![self.tenant, self.id, words::ambiente(self.ambiente)];
        let mail = read_mail(only(tx.query(&sql, &params).await?)?)?;
        let sql = "SELECT tentativa, em, etapa, codigo, resposta FROM mail_attempts
                   WHERE tenant_id = $1 AND mail_id = $2 ORDER BY tentativa DESC LIMIT 100";
        let rows = tx.query(sql, &params![self.tenant, self.id]).await?;
        let mut attempts = rows.into_iter().map(read_attempt).collect::<Result<Vec<_>, _>>()?;
        attempts.reverse();
        Ok((mail, attempts))
    }
}

fn read_attempt(mut row: Row) -> Result<MailAttempt, Error> {
    Ok(MailAttempt {
        tentativa: row.read()?,
        em: row.read()?,
        etapa: row.read()?,
        codigo: row.read()?,
        resposta: row.read()?,
    })
}

crate::dyn_operation::erasable!(ListMails, ReadMail);
