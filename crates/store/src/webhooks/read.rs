//! Queries of deliveries. Each is one statement.

use super::{DeliveryAttempt, DeliveryRecord, DeliveryStatus, stored_job};
use crate::row::{Params, Row, Value, first, params};
use crate::tx::{StoreOperation, Tx};
use crate::words;
use crate::{Error, Store, Visibility};
use uuid::Uuid;

/// Filter of deliveries.
#[derive(Debug, Clone, Default)]
pub struct DeliveryFilter {
    pub job_id: Option<Uuid>,
    pub status: Option<DeliveryStatus>,
    /// `nfe.autorizada`, …
    pub evento: Option<String>,
}

impl Store {
    /// Returns the number of matching deliveries and a page of them, newest first.
    pub async fn deliveries(
        &self,
        sight: Visibility,
        filter: DeliveryFilter,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<DeliveryRecord>, u64), Error> {
        let small = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let (condition, params) = condition(sight, &filter);
        self.read(ListDeliveries { condition, params, limit: small(limit), offset: small(offset) }).await
    }
    pub async fn delivery(&self, sight: Visibility, id: Uuid) -> Result<DeliveryRecord, Error> {
        let (mut condition, mut params) = ("tenant_id = $1 AND id = $2".to_owned(), params![sight.tenant(), id]);
        within(sight, &mut condition, &mut params);
        let (mut found, _) = self.read(ListDeliveries { condition, params, limit: 1, offset: 0 }).await?;
        found.pop().filter(|delivery| sight.is_visible(delivery.ambiente)).ok_or(Error::NotFound)
    }
}

fn condition(sight: Visibility, filter: &DeliveryFilter) -> (String, Params) {
    let (mut text, mut params) = ("tenant_id = $1".to_owned(), params![sight.tenant()]);
    let asked: [(&str, Option<Value>); 4] = [
        ("ambiente", sight.only_environment().map(|only| Value::from(words::ambiente(only)))),
        ("job_id", filter.job_id.map(Value::from)),
        ("status", filter.status.map(|status| Value::from(status.word()))),
        ("evento", filter.evento.as_ref().map(Value::from)),
    ];
    for (column, value) in asked {
        if let Some(value) = value {
            params.push(value);
            text.push_str(&format!(" AND {column} = ${}", params.len()));
        }
    }
    within(sight, &mut text, &mut params);
    (text, params)
}

/// Restricts deliveries to those of the companies within reach.
fn within(sight: Visibility, text: &mut String, params: &mut Params) {
    if let Some(reach) = sight.reach() {
        params.push(reach.user().into());
        let term = reach.term("j.cpf_cnpj", &format!("${}", params.len()));
        text.push_str(&format!(
            " AND EXISTS (SELECT 1 FROM jobs j WHERE j.tenant_id = deliveries.tenant_id AND j.id = deliveries.job_id AND {term})"
        ));
    }
}

struct ListDeliveries {
    condition: String,
    params: Params,
    limit: i64,
    offset: i64,
}

impl StoreOperation for ListDeliveries {
    type Output = (Vec<DeliveryRecord>, u64);

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(Vec<DeliveryRecord>, u64), Error> {
        let condition = &self.condition;
        let sql = format!("SELECT COUNT(*) FROM deliveries WHERE {condition}");
        let total: i64 = first(tx.query(&sql, &self.params).await?)?.unwrap_or_default();
        let (limit, offset) = (self.params.len() + 1, self.params.len() + 2);
        let sql = format!(
            "SELECT d.id, d.job_id, d.conta, d.ambiente, d.evento, d.url, d.status, d.tentativas, d.criado_em, d.proxima_em,
                 d.concluido_em, a.tentativa, a.em, a.codigo_http, a.duracao_ms, a.erro, a.resposta, a.estendida
             FROM (SELECT * FROM deliveries WHERE {condition} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}) d
             LEFT JOIN delivery_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id
             ORDER BY d.id DESC, a.tentativa"
        );
        let params = [self.params.clone(), params![self.limit, self.offset]].concat();
        Ok((read(tx.query(&sql, &params).await?)?, total.unsigned_abs()))
    }
}

/// Reads deliveries from a row per attempt; the delivery's own columns repeat.
fn read(rows: Vec<Row>) -> Result<Vec<DeliveryRecord>, Error> {
    let mut records: Vec<DeliveryRecord> = Vec::new();
    for mut row in rows {
        let record = read_record(&mut row)?;
        let attempt = read_attempt(row)?;
        match records.last_mut() {
            Some(last) if last.id == record.id => last.historico.extend(attempt),
            _ => records.push(DeliveryRecord { historico: attempt.into_iter().collect(), ..record }),
        }
    }
    Ok(records)
}

fn read_record(row: &mut Row) -> Result<DeliveryRecord, Error> {
    Ok(DeliveryRecord {
        id: row.read()?,
        job_id: stored_job(row.read()?),
        is_for_account: row.read::<i64>()? == 1,
        ambiente: words::read_ambiente(row.read()?)?,
        evento: row.read()?,
        url: row.read()?,
        status: DeliveryStatus::read(&row.read::<String>()?)?,
        tentativas: row.read()?,
        criado_em: row.read()?,
        proxima_em: row.read()?,
        concluido_em: row.read()?,
        historico: Vec::new(),
    })
}

fn read_attempt(mut row: Row) -> Result<Option<DeliveryAttempt>, Error> {
    let Some(tentativa) = row.read::<Option<u32>>()? else { return Ok(None) };
    Ok(Some(DeliveryAttempt {
        tentativa,
        em: row.read()?,
        codigo_http: row.read()?,
        duracao_ms: row.read()?,
        erro: row.read()?,
        resposta: row.read()?,
        estendida: row.read::<i64>()? == 1,
    }))
}

crate::dyn_operation::erasable!(ListDeliveries);
