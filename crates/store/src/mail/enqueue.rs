//! New mails: of a document in the transaction that changes its state, of an export in the one that ends it, of a
//! person by hand.

use super::read::{COLUMNS, read_mail};
use super::{MailKind, MailRecord, MailStatus};
use crate::audit::{self, Actor, AuditAct};
use crate::row::{first, only, params};
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::lifecycle::DocumentState;
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::json;
use uuid::Uuid;

/// A mail ordered by a person or a program.
#[derive(Debug, Clone)]
pub struct NewMail {
    pub ambiente: TpAmb,
    pub kind: MailKind,
    pub job: Option<Uuid>,
    pub cpf_cnpj: Option<CnpjCpf>,
    pub tipo: Option<Tipo>,
    /// `None` for the address in the document.
    pub para: Option<String>,
    pub copia_para: Option<String>,
    pub responder_para: Option<String>,
}

/// Mails that an account may order by hand in an hour.
const MOST_BY_HAND: u32 = 200;
const HOUR_S: i64 = 3_600;

impl Store {
    /// Queues a mail in the name of the actor; `AccountFull` above the bound of an hour, `Conflict` while one of the
    /// same document to the same address waits.
    pub async fn order_mail(&self, tenant: Uuid, mail: NewMail, by: &Actor, now: i64) -> Result<MailRecord, Error> {
        self.write(OrderMail { tenant, id: Uuid::now_v7(), mail, by: by.clone(), now }).await
    }
}

/// Step that queues the mail of a document which entered a state, if its company chose so.
pub(crate) fn enqueue_document_mail(
    tenant: Uuid,
    job: Uuid,
    state: DocumentState,
    now: i64,
) -> Option<SqlStep<'static>> {
    let kind = match state {
        DocumentState::Authorized => MailKind::Nota,
        DocumentState::Cancelled => MailKind::Cancelamento,
        _ => return None,
    };
    let params = params![tenant, job, Uuid::now_v7(), kind.word(), now];
    Some(SqlStep::with_batch_sql(OF_DOCUMENT, params, OF_DOCUMENTS))
}

/// A document gets one mail of a kind: a state that is entered again sends none. In homologation no document reaches
/// its addressee: without an address of its own such a choice sends nothing.
macro_rules! of_document {
    ($id:literal, $kind:literal, $now:literal, $rows:literal, $which:literal) => {
        concat!(
            "INSERT INTO mails (tenant_id, id, ambiente, kind, job_id, cpf_cnpj, tipo, para, copia_para, responder_para,
                 status, tentativas, criado_em, serie_em, proxima_em)
             SELECT j.tenant_id, ",
            $id,
            ", j.ambiente, ",
            $kind,
            ", j.id, j.cpf_cnpj, j.tipo, c.sempre_para, c.copia_para, c.responder_para, 'pendente', 0, ",
            $now,
            ", ",
            $now,
            ", ",
            $now,
            " FROM ",
            $rows,
            "jobs j JOIN mail_choices c
                 ON c.tenant_id = j.tenant_id AND c.cpf_cnpj = j.cpf_cnpj AND c.ambiente = j.ambiente AND c.tipo = j.tipo
             WHERE ",
            $which,
            " AND c.enviar = 1 AND (c.ambiente = 1 OR c.sempre_para IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM mails m WHERE m.tenant_id = j.tenant_id AND m.job_id = j.id AND m.kind = ",
            $kind,
            ")"
        )
    };
}

const OF_DOCUMENT: &str = of_document!("$3", "$4", "$5", "", "j.tenant_id = $1 AND j.id = $2");
const OF_DOCUMENTS: &str = of_document!(
    "given.p3",
    "given.p4",
    "given.p5",
    "{rows} CROSS JOIN ",
    "j.tenant_id = given.p1 AND j.id = given.p2"
);

/// Step that moves the mails of a document to the emission that gets the document.
pub(crate) fn move_document_mails(tenant: Uuid, from: Uuid, to: Uuid) -> SqlStep<'static> {
    let sql = "UPDATE mails SET job_id = $3 WHERE tenant_id = $1 AND job_id = $2";
    SqlStep::new(sql, params![tenant, from, to])
}

/// Step that queues the mail about the end of an export, if an address was given.
pub(crate) fn enqueue_export_mail(tenant: Uuid, export: Uuid, now: i64) -> SqlStep<'static> {
    let sql = "INSERT INTO mails (tenant_id, id, ambiente, kind, export_id, cpf_cnpj, para, status, tentativas, criado_em, serie_em, proxima_em)
               SELECT tenant_id, $3, ambiente, 'exportacao', id, cpf_cnpj, avisar, 'pendente', 0, $4, $4, $4 FROM exports
               WHERE tenant_id = $1 AND id = $2 AND avisar IS NOT NULL";
    SqlStep::new(sql, params![tenant, export, Uuid::now_v7(), now])
}

struct OrderMail {
    tenant: Uuid,
    id: Uuid,
    mail: NewMail,
    by: Actor,
    now: i64,
}

impl StoreOperation for OrderMail {
    type Output = MailRecord;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<MailRecord, Error> {
        let OrderMail { tenant, id, mail, by, now } = self;
        bound_by_hand(tx, *tenant, *now).await?;
        if let Some(job) = mail.job {
            let sql = "SELECT id FROM mails WHERE tenant_id = $1 AND job_id = $2 AND kind = $3 AND status = 'pendente'
                       AND COALESCE(para, '') = $4 LIMIT 1";
            let params = params![*tenant, job, mail.kind.word(), mail.para.as_deref().unwrap_or_default()];
            if first::<Uuid>(tx.query(sql, &params).await?)?.is_some() {
                return Err(Error::Conflict("o e-mail ainda está na fila"));
            }
        }
        let sql = format!(
            "INSERT INTO mails (tenant_id, id, ambiente, kind, job_id, cpf_cnpj, tipo, para, copia_para, responder_para, status,
                 tentativas, criado_em, serie_em, proxima_em)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $12, $12) RETURNING {COLUMNS}"
        );
        let params = params![
            *tenant,
            *id,
            words::ambiente(mail.ambiente),
            mail.kind.word(),
            mail.job,
            mail.cpf_cnpj.as_ref().map(CnpjCpf::as_str),
            mail.tipo.map(Tipo::word),
            mail.para.as_ref(),
            mail.copia_para.as_ref(),
            mail.responder_para.as_ref(),
            MailStatus::Pendente.word(),
            *now
        ];
        let row = only(tx.query(&sql, &params).await?)?;
        let detail = json!({ "kind": mail.kind.word(), "para": mail.para, "job_id": mail.job });
        audit::append(tx, *tenant, by, AuditAct::EmailPedido, &id.to_string(), detail, *now).await?;
        read_mail(row)
    }
}

/// Refuses what exceeds the mails that an account may order by hand in an hour: a stolen credential must not send bulk
/// mail. The trail has a row of each order, and the instant of the oldest that counts decides.
pub(super) async fn bound_by_hand<T: Tx>(tx: &mut T, tenant: Uuid, now: i64) -> Result<(), Error> {
    let sql = "SELECT em FROM audit_trail WHERE tenant_id = $1 AND ato = $2 ORDER BY id DESC LIMIT 1 OFFSET $3";
    let params = params![tenant, AuditAct::EmailPedido.word(), MOST_BY_HAND - 1];
    match first::<i64>(tx.query(sql, &params).await?)? {
        Some(oldest) if oldest > now - HOUR_S => Err(Error::AccountFull { most: MOST_BY_HAND }),
        _ => Ok(()),
    }
}

crate::dyn_operation::erasable!(OrderMail);
