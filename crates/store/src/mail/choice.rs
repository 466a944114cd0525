//! Choices of companies: which documents are mailed, and how.

use crate::audit::{self, Actor, AuditAct};
use crate::row::{Row, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::tipo::Tipo;
use fiscal::value::{CnpjCpf, TpAmb};
use serde_json::json;
use uuid::Uuid;

/// Choice of a company for a document type in an environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailChoice {
    pub tipo: Tipo,
    /// `true` if authorised documents are mailed.
    pub enviar: bool,
    /// Address for answers.
    pub responder_para: Option<String>,
    /// Address that gets each mail too.
    pub copia_para: Option<String>,
    /// Address in place of the addressee's. In homologation no mail leaves without it.
    pub sempre_para: Option<String>,
}

impl Store {
    /// Returns the choices of a company; a type without a row is one of none.
    pub async fn mail_choices(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        ambiente: TpAmb,
    ) -> Result<Vec<MailChoice>, Error> {
        self.read(ReadChoices { tenant, cpf_cnpj, ambiente }).await
    }

    /// Replaces the choice of a registered company for a type.
    pub async fn set_mail_choice(
        &self,
        tenant: Uuid,
        cpf_cnpj: CnpjCpf,
        ambiente: TpAmb,
        choice: MailChoice,
        by: &Actor,
        now: i64,
    ) -> Result<(), Error> {
        self.write(SetChoice { tenant, cpf_cnpj, ambiente, choice, by: by.clone(), now }).await
    }
}

struct ReadChoices {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    ambiente: TpAmb,
}

impl StoreOperation for ReadChoices {
    type Output = Vec<MailChoice>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<MailChoice>, Error> {
        let sql = "SELECT tipo, enviar, responder_para, copia_para, sempre_para FROM mail_choices
                   WHERE tenant_id = $1 AND cpf_cnpj = $2 AND ambiente = $3 ORDER BY tipo";
        let params = params![self.tenant, self.cpf_cnpj.as_str(), words::ambiente(self.ambiente)];
        tx.query(sql, &params).await?.into_iter().map(read).collect()
    }
}

fn read(mut row: Row) -> Result<MailChoice, Error> {
    Ok(MailChoice {
        tipo: words::read_tipo(&row.read::<String>()?)?,
        enviar: row.read::<i64>()? == 1,
        responder_para: row.read()?,
        copia_para: row.read()?,
        sempre_para: row.read()?,
    })
}

struct SetChoice {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    ambiente: TpAmb,
    choice: MailChoice,
    by: Actor,
    now: i64,
}

impl StoreOperation for SetChoice {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let MailChoice { tipo, enviar, responder_para, copia_para, sempre_para } = &self.choice;
        let sql = "INSERT INTO mail_choices (tenant_id, cpf_cnpj, ambiente, tipo, enviar, responder_para, copia_para, sempre_para)
                   SELECT tenant_id, cpf_cnpj, CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS BIGINT), CAST($6 AS TEXT),
                       CAST($7 AS TEXT), CAST($8 AS TEXT)
                   FROM companies WHERE tenant_id = $1 AND cpf_cnpj = $2
                   ON CONFLICT (tenant_id, cpf_cnpj, ambiente, tipo) DO UPDATE SET enviar = excluded.enviar,
                       responder_para = excluded.responder_para, copia_para = excluded.copia_para, sempre_para = excluded.sempre_para";
        let params = params![
            self.tenant,
            self.cpf_cnpj.as_str(),
            words::ambiente(self.ambiente),
            tipo.word(),
            i64::from(*enviar),
            responder_para.as_ref(),
            copia_para.as_ref(),
            sempre_para.as_ref()
        ];
        if tx.execute(sql, &params).await? == 0 {
            return Err(Error::NotFound);
        }
        let detail = json!({ "tipo": tipo.word(), "enviar": enviar, "ambiente": self.ambiente.word() });
        let (act, number) = (AuditAct::EmailConfigurado, self.cpf_cnpj.as_str());
        audit::append(tx, self.tenant, &self.by, act, number, detail, self.now).await
    }
}

crate::dyn_operation::erasable!(ReadChoices, SetChoice);
