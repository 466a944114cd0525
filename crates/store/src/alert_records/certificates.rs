//! Alerts of certificates before and at their expiry.

use super::record;
use crate::alerts::{AccountAlert, AlertEvent, DAY_S, DAYS_BEFORE};
use crate::row::{Row, params};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store, words};
use fiscal::value::CnpjCpf;
use serde_json::json;
use uuid::Uuid;

impl Store {
    /// Records the due alerts of at most `most` certificates; returns how many certificates were due.
    pub async fn alert_certificates(&self, now: i64, most: u32) -> Result<usize, Error> {
        // Mostly nothing is due, and this check writes nothing.
        if !self.read(IsCertificateDue(now)).await? {
            return Ok(0);
        }
        let due = self.write(AlertCertificates { now, most }).await?;
        self.announce_alerts(due);
        Ok(due)
    }
}

struct IsCertificateDue(i64);

impl StoreOperation for IsCertificateDue {
    type Output = bool;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<bool, Error> {
        let sql = "SELECT 1 FROM certificates WHERE alerta_em IS NOT NULL AND alerta_em <= $1 LIMIT 1";
        Ok(!tx.query(sql, &params![self.0]).await?.is_empty())
    }
}

struct AlertCertificates {
    now: i64,
    most: u32,
}

impl StoreOperation for AlertCertificates {
    type Output = usize;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<usize, Error> {
        // Another process that is at the same certificates leaves them to this one.
        let due = format!(
            "SELECT tenant_id, cpf_cnpj, id, titular, emissor, numero_serie, valido_ate FROM certificates
             WHERE alerta_em IS NOT NULL AND alerta_em <= $1 ORDER BY alerta_em LIMIT $2 {}",
            tx.dialect().skip_locked()
        );
        let rows = tx.query(&due, &params![self.now, self.most]).await?;
        let count = rows.len();
        for row in rows {
            let certificate = ExpiringCertificate::read(row)?;
            record(tx, &certificate.alert(self.now)).await?;
            let sql = "UPDATE certificates SET alerta_em = $4 WHERE tenant_id = $1 AND cpf_cnpj = $2 AND id = $3";
            let key = params![certificate.tenant, certificate.cpf_cnpj.as_str(), certificate.id];
            tx.execute(sql, &[key, params![next_alert_at(certificate.valido_ate, self.now)]].concat()).await?;
        }
        Ok(count)
    }
}

struct ExpiringCertificate {
    tenant: Uuid,
    cpf_cnpj: CnpjCpf,
    id: Uuid,
    titular: String,
    emissor: String,
    numero_serie: String,
    valido_ate: i64,
}

impl ExpiringCertificate {
    fn read(mut row: Row) -> Result<ExpiringCertificate, Error> {
        Ok(ExpiringCertificate {
            tenant: row.read()?,
            cpf_cnpj: words::read_cpf_cnpj(row.read()?)?,
            id: row.read()?,
            titular: row.read()?,
            emissor: row.read()?,
            numero_serie: row.read()?,
            valido_ate: row.read()?,
        })
    }

    /// The alert that is due now. Of several stages that passed unseen, only the last one is recorded.
    fn alert(&self, now: i64) -> AccountAlert {
        let (evento, stage) = match stage(self.valido_ate, now) {
            Some(days) => (AlertEvent::CertificadoExpiraEm, days.to_string()),
            None => (AlertEvent::CertificadoExpirado, "0".to_owned()),
        };
        let mut dados = json!({
            "cpf_cnpj": self.cpf_cnpj.as_str(),
            "titular": self.titular,
            "emissor": self.emissor,
            "numero_serie": self.numero_serie,
            "valido_ate": words::brasilia_instant(self.valido_ate),
        });
        if let (Some(days), Some(members)) = (stage_days(&stage), dados.as_object_mut()) {
            members.insert("dias".to_owned(), days.into());
        }
        let assunto = format!("{}/{stage}", self.id);
        AccountAlert {
            tenant: self.tenant,
            ambiente: None,
            cpf_cnpj: self.cpf_cnpj,
            evento,
            assunto,
            dados,
            criado_em: now,
        }
    }
}

fn stage_days(stage: &str) -> Option<i64> {
    stage.parse().ok().filter(|days| *days > 0)
}

/// The smallest number of days of a stage that has begun; `None` for an expired certificate.
fn stage(valido_ate: i64, now: i64) -> Option<i64> {
    let left = valido_ate - now;
    DAYS_BEFORE.into_iter().rev().find(|days| left <= days * DAY_S).filter(|_| left > 0)
}

/// Instant of the alert after the one that is due now; `None` after the expiry.
fn next_alert_at(valido_ate: i64, now: i64) -> Option<i64> {
    if now >= valido_ate {
        return None;
    }
    DAYS_BEFORE.into_iter().chain([0]).map(|days| valido_ate - days * DAY_S).find(|at| *at > now)
}

crate::dyn_operation::erasable!(IsCertificateDue, AlertCertificates);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::first_alert_at;

    #[test]
    fn each_stage_is_due_once_and_the_expiry_is_the_last() {
        let end = 1_000 * DAY_S;
        let mut now = first_alert_at(end);
        let mut stages = Vec::new();
        loop {
            stages.push(stage(end, now));
            match next_alert_at(end, now) {
                Some(at) => now = at,
                None => break,
            }
        }
        assert_eq!(stages, [Some(30), Some(15), Some(7), Some(1), None]);
    }

    #[test]
    fn a_certificate_found_late_has_only_its_last_stage() {
        let end = 1_000 * DAY_S;
        assert_eq!(stage(end, end - 5 * DAY_S), Some(7));
        assert_eq!(next_alert_at(end, end - 5 * DAY_S), Some(end - DAY_S));
        assert_eq!((stage(end, end), next_alert_at(end, end)), (None, None));
    }
}
