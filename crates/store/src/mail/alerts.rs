//! Alerts that users ask for, and their mails.

use crate::row::params;
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::value::TpAmb;
use uuid::Uuid;

/// Most users of an account that get a mail of one alert.
const MOST_USERS: u32 = 200;

impl Store {
    /// Returns the alerts that a user asked for.
    pub async fn mail_alerts(&self, tenant: Uuid, user: Uuid, ambiente: TpAmb) -> Result<Vec<String>, Error> {
        self.read(ReadAlerts { tenant, user, ambiente }).await
    }

    /// Replaces the alerts of a user.
    pub async fn set_mail_alerts(
        &self,
        tenant: Uuid,
        user: Uuid,
        ambiente: TpAmb,
        alertas: Vec<String>,
    ) -> Result<(), Error> {
        self.write(SetAlerts { tenant, user, ambiente, alertas }).await
    }
}

/// Queues a mail of an alert for each user who asked for it, in the transaction that records the alert.
pub(crate) async fn enqueue_alert<T: Tx>(
    tx: &mut T,
    (tenant, ambiente): (Uuid, TpAmb),
    alerta: &str,
    (assunto, corpo): (&str, &str),
    now: i64,
) -> Result<(), Error> {
    let sql = "SELECT u.email FROM mail_alerts a JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
               WHERE a.tenant_id = $1 AND a.ambiente = $2 AND a.alerta = $3 ORDER BY u.email LIMIT $4";
    let users = tx.query(sql, &params![tenant, words::ambiente(ambiente), alerta, MOST_USERS]).await?;
    let mut steps = Vec::new();
    for mut row in users {
        let email: String = row.read()?;
        let sql = "INSERT INTO mails (tenant_id, id, ambiente, kind, para, assunto, corpo, status, tentativas, criado_em, serie_em, proxima_em)
                   VALUES ($1, $2, $3, 'alerta', $4, $5, $6, 'pendente', 0, $7, $7, $7)";
        let params = params![tenant, Uuid::now_v7(), words::ambiente(ambiente), email, assunto, corpo, now];
        steps.push(SqlStep::new(sql, params));
    }
    tx.query_all(&steps).await.map(drop)
}

struct ReadAlerts {
    tenant: Uuid,
    user: Uuid,
    ambiente: TpAmb,
}

impl StoreOperation for ReadAlerts {
    type Output = Vec<String>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<String>, Error> {
        let sql = "SELECT alerta FROM mail_alerts WHERE tenant_id = $1 AND ambiente = $2 AND user_id = $3 ORDER BY alerta";
        let rows = tx.query(sql, &params![self.tenant, words::ambiente(self.ambiente), self.user]).await?;
        rows.into_iter().map(|mut row| row.read()).collect()
    }
}

struct SetAlerts {
    tenant: Uuid,
    user: Uuid,
    ambiente: TpAmb,
    alertas: Vec<String>,
}

impl StoreOperation for SetAlerts {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let digit = words::ambiente(self.ambiente);
        let sql = "DELETE FROM mail_alerts WHERE tenant_id = $1 AND ambiente = $2 AND user_id = $3";
        let mut steps = vec![SqlStep::new(sql, params![self.tenant, digit, self.user])];
        for alerta in &self.alertas {
            let sql = "INSERT INTO mail_alerts (tenant_id, user_id, ambiente, alerta)
                       SELECT tenant_id, id, CAST($3 AS BIGINT), CAST($4 AS TEXT) FROM users WHERE tenant_id = $1 AND id = $2
                       ON CONFLICT DO NOTHING";
            steps.push(SqlStep::new(sql, params![self.tenant, self.user, digit, alerta]));
        }
        tx.query_all(&steps).await.map(drop)
    }
}

crate::dyn_operation::erasable!(ReadAlerts, SetAlerts);
