//! A job as one row: the list of its columns, from which it is read, registered and copied.

use super::document::JobDocument;
use super::job::{Job, JobStatus};
use super::new_job::NewJob;
use super::operation::Operacao;
use super::packed::LongText;
use crate::numbers::numbered_kind::NumberedKind;
use crate::row::{Params, Row, params};
use crate::tx::{SqlStep, Tx, query_step};
use crate::{Error, words};
use fiscal::value::Codigo;
use std::sync::LazyLock;

/// Makes the reading, the insertion and the copy of a row of `jobs` out of one list of columns.
///
/// `column = value => reading, "sql";`: the value is bound in a new row, and the reading fills the member of `Job` with
/// the column's name. `as "sql"` in place of `= value` is the SQL of a new row; with neither, it begins with the
/// column's default. The last SQL is selected in place of `j.column`. A member of several columns stands in `combined`,
/// and columns without a member in `unread`.
macro_rules! job_columns {
    (
        ($row:ident, $job:ident, $now:ident)
        read { $($column:ident $(as $new:literal)? $(= $bound:expr)? => $read:expr $(, $selected:literal)?;)+ }
        combined { $($member:ident($($part:ident),+) => $read_parts:expr;)+ }
        unread { $($unread:ident $(= $unread_bound:expr)?;)+ }
    ) => {
        /// Selected columns in the order of `read_job`, each followed by a comma.
        macro_rules! selected_columns {
            () => {
                concat!(
                    $(selected!($column $(, $selected)?), ", ",)+
                    $($(selected!($part), ", ",)+)+
                )
            };
        }

        /// Names of the columns of `jobs`.
        pub(super) const COLUMNS: &[&str] =
            &[$(stringify!($column),)+ $($(stringify!($part),)+)+ $(stringify!($unread)),+];

        /// Columns that a new row sets, with their SQL; `None` when the value is bound.
        const NEW_COLUMNS: &[(&str, Option<&str>)] = &[
            $($((stringify!($column), Some($new)),)? $((stringify!($column), bound!($bound)),)?)+
            $($((stringify!($unread), bound!($unread_bound)),)?)+
        ];

        /// Parameters of [`INSERT`].
        pub(super) fn new_row($job: &NewJob, $now: i64) -> Result<Params, Error> {
            Ok(params![$($($bound,)?)+ $($($unread_bound,)?)+])
        }

        /// Reads a row of [`JOB`] or [`listed`].
        pub(crate) fn read_job(mut $row: Row) -> Result<Job, Error> {
            Ok(Job {
                $($column: $read,)+
                $($member: $read_parts,)+
                payload: LongText::from_columns($row.read()?, $row.read()?)?,
                event_xml: $row.read()?,
                document: read_document($row)?,
            })
        }
    };
}

/// Selected SQL of a column.
macro_rules! selected {
    ($column:ident) => {
        concat!("j.", stringify!($column))
    };
    ($column:ident, $sql:literal) => {
        $sql
    };
}

/// A bound column has no SQL of its own.
macro_rules! bound {
    ($value:expr) => {
        None
    };
}

job_columns! {
    (row, job, now)
    read {
        tenant_id = job.tenant_id => row.read()?;
        id = job.id => row.read()?;
        tipo = job.tipo.word() => words::read_tipo(&row.read::<String>()?)?;
        operacao = job.operacao.word() => Operacao::read(&row.read::<String>()?)?;
        cpf_cnpj = job.cpf_cnpj.as_str() => words::read_cpf_cnpj(row.read()?)?;
        ambiente = words::ambiente(job.ambiente) => words::read_ambiente(row.read()?)?;
        referencia = job.referencia.as_ref() => row.read()?;
        status as "'pending'" => read_status(&mut row)?, "j.status, q.job_id, q.token";
        tentativas as "0" => row.read()?, "COALESCE(q.tentativas, j.tentativas)";
        webhook_url = job.webhook_url.as_ref() => row.read()?;
        notices = words::json(&job.notices)? => words::read_json(row.read()?)?;
        alvo = job.alvo => row.read()?;
        authority = &job.authority => row.read()?;
        erro => row.read::<Option<String>>()?.map(words::read_json).transpose()?;
        criado_em = now => row.read()?;
        atualizado_em = now => row.read()?,
            "CASE WHEN q.changed_at > j.atualizado_em THEN q.changed_at ELSE j.atualizado_em END";
        concluido_em => row.read()?;
        act => row.read::<Option<String>>()?.map(words::read_json).transpose()?;
        request_id = job.request_id.as_ref() => row.read()?;
        is_copied => row.read::<i64>()? != 0;
    }
    combined {
        event_result(event_codigo, event_xMotivo) => read_event_result(&mut row)?;
    }
    unread {
        destinatario = job.destinatario.as_ref();
        valor = job.valor.as_ref();
        ordered_by = job.author.as_ref().and_then(|author| author.kind.id());
        erro_codigo;
    }
}

/// Makes the reading of a row of `documents d` out of one list of columns, each a member of `JobDocument`.
macro_rules! document_columns {
    (($row:ident) $($column:ident => $read:expr;)+) => {
        macro_rules! selected_document {
            () => { concat!("d.state", $(", d.", stringify!($column)),+) };
        }

        /// Reads the rest of the row; `None` when the left join found no document.
        pub(super) fn read_document(mut $row: Row) -> Result<Option<JobDocument>, Error> {
            let Some(state) = $row.read::<Option<String>>()? else { return Ok(None) };
            Ok(Some(JobDocument { state: words::read_state(&state)?, $($column: $read,)+ }))
        }
    };
}

document_columns! {
    (row)
    counted => NumberedKind::read(&row.read::<String>()?)?;
    serie => words::read_serie(row.read()?)?;
    numero => row.read()?;
    codigo_aleatorio => row.read()?;
    asked_by => row.read()?;
    chave => row.read::<Option<String>>()?.map(words::read_chave).transpose()?;
    tipo_emissao => row.read()?;
    dhEmi => row.read()?;
    valor => row.read()?;
    destinatario => row.read()?;
    digest => row.read()?;
    nProt => row.read()?;
    dhRecbto => row.read()?;
    codigo => row.read::<Option<String>>()?.map(words::read_codigo).transpose()?;
    xMotivo => row.read()?;
    campo => row.read()?;
    contingencia => row.read::<Option<String>>()?.map(words::read_json).transpose()?;
    nRec => row.read()?;
    qrCode => row.read()?;
    numero_nota => row.read()?;
    valor_liquido => row.read()?;
    rejeicoes => row.read::<Option<String>>()?.map(words::read_json).transpose()?.unwrap_or_default();
    substituida_por => row.read::<Option<String>>()?.map(words::read_chave).transpose()?;
    analise_fiscal => row.read()?;
    codigo_verificacao => row.read()?;
    numero_lote => row.read()?;
    last_sent_at => row.read()?;
    refusal => row.read()?;
}

/// Inserts a new row with the parameters of [`new_row`]; returns its id unless its reference is used.
pub(super) static INSERT: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<&str> = NEW_COLUMNS.iter().map(|(name, _)| *name).collect();
    let mut places = 1..;
    let mut place = || format!("${}", places.next().unwrap_or_default());
    let values: Vec<String> = NEW_COLUMNS.iter().map(|(_, sql)| sql.map_or_else(&mut place, str::to_owned)).collect();
    let (names, values) = (names.join(", "), values.join(", "));
    format!("INSERT INTO jobs ({names}) VALUES ({values}) ON CONFLICT DO NOTHING RETURNING id")
});

/// Statement that copies the row `$1`, `$2` (tenant, job), except for the columns given with their SQL.
pub(super) fn copy_sql(differences: &[(&str, &'static str)]) -> String {
    let value = |column: &&'static str| {
        let difference = differences.iter().find(|(name, _)| name == column);
        difference.map_or(*column, |(_, sql)| *sql)
    };
    let values: Vec<&str> = COLUMNS.iter().map(value).collect();
    let (names, values) = (COLUMNS.join(", "), values.join(", "));
    format!("INSERT INTO jobs ({names}) SELECT {values} FROM jobs WHERE tenant_id = $1 AND id = $2")
}

/// Finds the job of a reference before the other tables are joined: PostgreSQL, without statistics of a new table,
/// otherwise scanned all jobs of a tenant.
pub(super) const BY_REFERENCE: &str =
    "WHERE j.tenant_id = $1 AND j.id = (SELECT r.id FROM jobs r WHERE r.tenant_id = $1 AND r.referencia = $2)";

/// Selects a whole job; append a `WHERE` on `j`.
pub(super) const JOB: &str = concat!(
    "SELECT ",
    selected_columns!(),
    "p.payload, p.packed, e.content, ",
    selected_document!(),
    " FROM jobs j
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

const LISTED: &str = concat!("SELECT ", selected_columns!(), "'', NULL, CAST(NULL AS TEXT), ", selected_document!());
const BESIDE: &str = "LEFT JOIN queue q ON q.tenant_id = j.tenant_id AND q.job_id = j.id
    LEFT JOIN documents d ON d.tenant_id = j.tenant_id AND d.job_id = COALESCE(j.alvo, j.id)";

/// Columns of the table `documents d`.
pub(super) const DOCUMENT_COLUMNS: &str = selected_document!();

/// Selects the document alone; append a `WHERE`.
pub(super) const DOCUMENT: &str = concat!("SELECT ", selected_document!(), " FROM documents d");

/// Reads the one job of a condition.
pub(super) async fn find<T: Tx>(tx: &mut T, condition: &str, params: Params) -> Result<Job, Error> {
    let rows = query_step(tx, SqlStep::per_row(&format!("{JOB} {condition}"), params)).await?;
    read_job(crate::row::only(rows)?)
}

/// Reads a job inside another operation's transaction.
pub(crate) async fn find_job<T: Tx>(tx: &mut T, tenant: uuid::Uuid, id: uuid::Uuid) -> Result<Job, Error> {
    find(tx, "WHERE j.tenant_id = $1 AND j.id = $2", params![tenant, id]).await
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

#[cfg(test)]
mod tests {
    use super::{BY_REFERENCE, COLUMNS, JOB};
    use crate::sqlite::plans::{database, steps};
    use std::collections::BTreeSet;

    #[test]
    fn the_list_names_every_column_of_the_table() {
        let connection = database();
        let mut statement = connection.prepare("SELECT name FROM pragma_table_info('jobs')").unwrap();
        let names = statement.raw_query().mapped(|row| row.get::<_, String>(0));
        let table: BTreeSet<String> = names.collect::<Result<_, _>>().unwrap();
        assert_eq!(table, COLUMNS.iter().map(|name| (*name).to_owned()).collect());
    }

    #[test]
    fn every_question_about_jobs_is_answered_by_an_index() {
        let connection = database();
        for (question, index) in [
            (format!("{JOB} WHERE j.tenant_id = $1 AND j.id = $2"), "jobs_1 (tenant_id=? AND id=?)"),
            (format!("{JOB} {BY_REFERENCE}"), "jobs_by_referencia (tenant_id=? AND referencia=?)"),
            (format!("{JOB} WHERE d.tenant_id = $1 AND d.chave = $2"), "documents_by_chave (tenant_id=? AND chave=?)"),
        ] {
            let plan = steps(&connection, &question);
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
        let connection = database();
        let plan = steps(&connection, &super::super::acts_on::question());
        assert!(
            plan.iter().any(|step| step.contains("jobs_by_target (tenant_id=? AND alvo=?)")),
            "{}",
            plan.join("\n")
        );
    }
}
