//! A job as one row: the columns to select, in order, and their conversion to a `Job`.

use super::document::JobDocument;
use super::job::{Job, JobStatus};
use super::operation::Operacao;
use super::packed::LongText;
use crate::numbers::numbered_kind::NumberedKind;
use crate::row::{Params, Row};
use crate::tx::{SqlStep, Tx, query_step};
use crate::{Error, words};
use fiscal::value::Codigo;

/// Columns of a document in the order of `read_document`.
macro_rules! document_columns {
    () => {
        "d.state, d.counted, d.serie, d.numero, d.codigo_aleatorio, d.asked_by, d.chave, d.tipo_emissao, d.dhEmi, d.valor, d.destinatario, d.digest,
        d.nProt, d.dhRecbto, d.codigo, d.xMotivo, d.campo, d.contingencia, d.nRec, d.qrCode,
        d.numero_nota, d.valor_liquido, d.rejeicoes, d.substituida_por, d.analise_fiscal, d.codigo_verificacao, d.numero_lote, d.last_sent_at, d.refusal"
    };
}

/// Columns of a job in the order of `read_job`.
macro_rules! columns {
    ($payload:literal, $event:literal) => {
        concat!(
            "SELECT j.id, j.tenant_id, j.tipo, j.operacao, j.cpf_cnpj, j.ambiente, j.referencia,
        j.status, q.job_id, q.token, COALESCE(q.tentativas, j.tentativas), ",
            $payload,
            ", j.webhook_url, j.notices,
        j.alvo, j.authority, j.erro, j.criado_em,
        CASE WHEN q.changed_at > j.atualizado_em THEN q.changed_at ELSE j.atualizado_em END, j.concluido_em,
        j.event_codigo, j.event_xMotivo, j.act, j.request_id, j.is_copied, ",
            $event,
            ",
",
            document_columns!(),
            " "
        )
    };
}

/// Finds the job of a reference before the other tables are joined: PostgreSQL, without statistics of a new table,
/// otherwise scanned all jobs of a tenant.
pub(super) const BY_REFERENCE: &str =
    "WHERE j.tenant_id = $1 AND j.id = (SELECT r.id FROM jobs r WHERE r.tenant_id = $1 AND r.referencia = $2)";

/// Selects a whole job; append a `WHERE` on `j`.
pub(super) const JOB: &str = concat!(
    columns!("p.payload, p.packed", "e.content"),
    "FROM jobs j
    JOIN payloads p ON p.tenant_id = j.tenant_id AND p.job_id = j.id
    LEFT JOIN queue q ON q.tenant_id = j.tenant_id AND q.job_id = j.id
    LEFT JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = j.id
    LEFT JOIN files e ON e.tenant_id = j.tenant_id AND e.job_id = j.id AND e.kind = 'event'"
);

/// Selects the jobs of a subquery of `job_id`, newest first, in the form of lists: without payload and signed event,
/// which may be large, and with the target's document for a job that acts on another's. `$1` is the tenant.
pub(crate) fn listed(ids: &str) -> String {
    // SQLite runs a CROSS JOIN in the written order: first the few ids, then their rows.
    format!(
        "{LISTED} FROM ({ids}) page CROSS JOIN jobs j {BESIDE} WHERE j.tenant_id = $1 AND j.id = page.job_id ORDER BY j.id DESC"
    )
}

const LISTED: &str = columns!("'', NULL", "CAST(NULL AS TEXT)");
const BESIDE: &str = "LEFT JOIN queue q ON q.tenant_id = j.tenant_id AND q.job_id = j.id
    LEFT JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = COALESCE(j.alvo, j.id)";

/// Columns of the table `documents d`.
pub(super) const DOCUMENT_COLUMNS: &str = document_columns!();

/// Selects the document alone; append a `WHERE`.
pub(super) const DOCUMENT: &str = concat!("SELECT ", document_columns!(), " FROM documents d");

/// Reads the one job of a condition.
pub(super) async fn find<T: Tx>(tx: &mut T, condition: &str, params: Params) -> Result<Job, Error> {
    let rows = query_step(tx, SqlStep::per_row(&format!("{JOB} {condition}"), params)).await?;
    read_job(crate::row::only(rows)?)
}

/// Reads a job inside another operation's transaction.
pub(crate) async fn find_job<T: Tx>(tx: &mut T, tenant: uuid::Uuid, id: uuid::Uuid) -> Result<Job, Error> {
    find(tx, "WHERE j.tenant_id = $1 AND j.id = $2", crate::row::params![tenant, id]).await
}

pub(crate) fn read_job(mut row: Row) -> Result<Job, Error> {
    Ok(Job {
        id: row.read()?,
        tenant_id: row.read()?,
        tipo: words::read_tipo(&row.read::<String>()?)?,
        operacao: Operacao::read(&row.read::<String>()?)?,
        cpf_cnpj: words::read_cpf_cnpj(row.read()?)?,
        ambiente: words::read_ambiente(row.read()?)?,
        referencia: row.read()?,
        status: read_status(&mut row)?,
        tentativas: row.read()?,
        payload: LongText::from_columns(row.read()?, row.read()?)?,
        webhook_url: row.read()?,
        notices: words::read_json(row.read()?)?,
        alvo: row.read()?,
        authority: row.read()?,
        erro: row.read::<Option<String>>()?.map(words::read_json).transpose()?,
        criado_em: row.read()?,
        atualizado_em: row.read()?,
        concluido_em: row.read()?,
        event_result: read_event_result(&mut row)?,
        act: row.read::<Option<String>>()?.map(words::read_json).transpose()?,
        request_id: row.read()?,
        is_copied: row.read::<i64>()? != 0,
        event_xml: row.read()?,
        document: read_document(row)?,
    })
}

/// While a job is unfinished its row states `pending`; the queue shows whether it is leased.
fn read_status(row: &mut Row) -> Result<JobStatus, Error> {
    let stored = JobStatus::read(&row.read::<String>()?)?;
    let queued: Option<uuid::Uuid> = row.read()?;
    let leased: Option<uuid::Uuid> = row.read()?;
    Ok(if queued.is_some() && leased.is_some() { JobStatus::Processing } else { stored })
}

fn read_event_result(row: &mut Row) -> Result<Option<(Codigo, String)>, Error> {
    let (codigo, xMotivo): (Option<String>, Option<String>) = (row.read()?, row.read()?);
    Ok(codigo.map(words::read_codigo).transpose()?.zip(xMotivo))
}

/// Reads the rest of the row; `None` when the left join found no document.
pub(super) fn read_document(mut row: Row) -> Result<Option<JobDocument>, Error> {
    let Some(state) = row.read::<Option<String>>()? else { return Ok(None) };
    Ok(Some(JobDocument {
        state: words::read_state(&state)?,
        counted: NumberedKind::read(&row.read::<String>()?)?,
        serie: words::read_serie(row.read()?)?,
        numero: row.read()?,
        codigo_aleatorio: row.read()?,
        asked_by: row.read()?,
        chave: row.read::<Option<String>>()?.map(words::read_chave).transpose()?,
        tipo_emissao: row.read()?,
        dhEmi: row.read()?,
        valor: row.read()?,
        destinatario: row.read()?,
        digest: row.read()?,
        nProt: row.read()?,
        dhRecbto: row.read()?,
        codigo: row.read::<Option<String>>()?.map(words::read_codigo).transpose()?,
        xMotivo: row.read()?,
        campo: row.read()?,
        contingencia: row.read::<Option<String>>()?.map(words::read_json).transpose()?,
        nRec: row.read()?,
        qrCode: row.read()?,
        numero_nota: row.read()?,
        valor_liquido: row.read()?,
        rejeicoes: row.read::<Option<String>>()?.map(words::read_json).transpose()?.unwrap_or_default(),
        substituida_por: row.read::<Option<String>>()?.map(words::read_chave).transpose()?,
        analise_fiscal: row.read()?,
        codigo_verificacao: row.read()?,
        numero_lote: row.read()?,
        last_sent_at: row.read()?,
        refusal: row.read()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::{BY_REFERENCE, JOB};
    use crate::migrate::MigrateDatabase;
    use crate::sqlite::SqliteTx;
    use crate::tx::{StoreOperation, poll_once};
    use rusqlite::Connection;

    /// Steps of SQLite's plan for a statement on an empty database, without statistics.
    fn plan(connection: &Connection, sql: &str) -> Vec<String> {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sql.replace('$', "?"))).unwrap();
        let rows = statement.raw_query().mapped(|row| row.get(3));
        rows.collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn every_question_about_jobs_is_answered_by_an_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        poll_once(MigrateDatabase.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
        for (question, index) in [
            (format!("{JOB} WHERE j.tenant_id = $1 AND j.id = $2"), "jobs_1 (tenant_id=? AND id=?)"),
            (format!("{JOB} {BY_REFERENCE}"), "jobs_by_referencia (tenant_id=? AND referencia=?)"),
            (format!("{JOB} WHERE d.tenant_id = $1 AND d.chave = $2"), "documents_by_chave (tenant_id=? AND chave=?)"),
        ] {
            let plan = plan(&connection, &question);
            assert!(plan.iter().any(|step| step.contains(index)), "{question}\n{}", plan.join("\n"));
            assert!(
                !plan.iter().any(|step| step.contains("SCAN") || step.contains("TEMP B-TREE")),
                "{}",
                plan.join("\n")
            );
        }
    }

    #[test]
    fn the_acts_on_a_document_are_found_by_an_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        poll_once(MigrateDatabase.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
        let plan = plan(&connection, &super::super::acts_on::question());
        assert!(
            plan.iter().any(|step| step.contains("jobs_by_target (tenant_id=? AND alvo=?)")),
            "{}",
            plan.join("\n")
        );
    }
}
