//! Alerts that users ask for, and their mails.

use crate::alerts::AccountAlert;
use crate::row::params;
use crate::tx::{SqlStep, StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::value::TpAmb;
use serde_json::json;
use uuid::Uuid;

/// Most users of an account that get a mail of one alert.
const MOST_USERS: u32 = 200;
/// Most mails about one kind of alert to a user in an hour; the last of them announces that further ones are held back.
const MOST_IN_HOUR: i64 = 20;
const HOUR_S: i64 = 3_600;

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

/// Queues a mail of an alert for each user who asked for it, in the transaction that records the alert. One that
/// concerns both environments reaches a user once; above [`MOST_IN_HOUR`] a user gets none.
pub(crate) async fn enqueue_alert<T: Tx>(tx: &mut T, alert: &AccountAlert) -> Result<(), Error> {
    let AccountAlert { tenant, cpf_cnpj, evento, dados, criado_em: now, .. } = alert;
    let (tenant, evento, now) = (*tenant, evento.word(), *now);
    let environments = match alert.ambiente {
        Some(only) => [only, only],
        None => [TpAmb::Producao, TpAmb::Homologacao],
    };
    let [one, other] = environments.map(words::ambiente);
    let sql = "SELECT u.email, MIN(a.ambiente), (SELECT COUNT(*) FROM mails m
                   WHERE m.tenant_id = $1 AND m.alerta = $4 AND m.para = u.email AND m.criado_em > $6)
               FROM mail_alerts a JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.user_id
               WHERE a.tenant_id = $1 AND a.ambiente IN ($2, $3) AND a.alerta = $4
               GROUP BY u.email ORDER BY u.email LIMIT $5";
    let users = tx.query(sql, &params![tenant, one, other, evento, MOST_USERS, now - HOUR_S]).await?;
    let mut steps = Vec::new();
    for mut row in users {
        let (email, ambiente, lately): (String, u8, i64) = (row.read()?, row.read()?, row.read()?);
        if lately >= MOST_IN_HOUR {
            continue;
        }
        let is_last = lately + 1 == MOST_IN_HOUR;
        let corpo = json!({ "evento": evento, "dados": dados, "ultimo": is_last }).to_string();
        let sql = "INSERT INTO mails (tenant_id, id, ambiente, kind, cpf_cnpj, para, alerta, corpo, status, tentativas, criado_em,
                       serie_em, proxima_em)
                   VALUES ($1, $2, $3, 'alerta', $4, $5, $6, $7, 'pendente', 0, $8, $8, $8)";
        let id = Uuid::now_v7();
        let params = params![tenant, id, ambiente, cpf_cnpj.as_str(), email, evento, corpo, now];
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
        let sql =
            "SELECT alerta FROM mail_alerts WHERE tenant_id = $1 AND ambiente = $2 AND user_id = $3 ORDER BY alerta";
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
