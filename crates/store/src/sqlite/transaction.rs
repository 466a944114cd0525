//! The transaction interface on a rusqlite connection: every future is ready at once.

use crate::Error;
use crate::dialect::SqlDialect;
use crate::row::{Params, Row, Value};
use crate::tx::{SqlStep, Tx};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ErrorCode, ToSql};
use std::future::{Future, ready};

/// An open transaction of this connection.
pub(crate) struct SqliteTx<'c> {
    connection: &'c mut Connection,
}

impl<'c> SqliteTx<'c> {
    /// The caller has begun the transaction and ends it.
    pub(crate) fn new(connection: &'c mut Connection) -> SqliteTx<'c> {
        SqliteTx { connection }
    }

    /// Runs a statement around operations (`SAVEPOINT` …).
    pub(crate) fn control(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.prepare_cached(sql).and_then(|mut statement| statement.raw_execute()).map(drop).map_err(error)
    }

    /// `true` if SQLite has rolled the whole transaction back by itself (disk full, input/output error).
    pub(crate) fn is_lost(&self) -> bool {
        self.connection.is_autocommit()
    }

    fn bound(&mut self, sql: &str, params: &[Value]) -> rusqlite::Result<CachedStatement<'_>> {
        // The text only: values never enter a log.
        tracing::trace!(target: "store::sql", sql);
        let mut statement = self.connection.prepare_cached(&sqlite_text(sql))?;
        for (index, value) in (1..).zip(params) {
            statement.raw_bind_parameter::<usize, _>(index, value)?;
        }
        Ok(statement)
    }

    fn query_now(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Error> {
        let mut statement = self.bound(sql, params).map_err(error)?;
        let width = statement.column_count();
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(error)? {
            let columns = (0..width).map(|column| row.get_ref(column).map(value)).collect::<Result<_, _>>();
            found.push(Row::new(columns.map_err(error)?));
        }
        Ok(found)
    }

    fn execute_now(&mut self, sql: &str, params: &[Value]) -> Result<u64, Error> {
        let changed = self.bound(sql, params).and_then(|mut statement| statement.raw_execute()).map_err(error)?;
        Ok(changed as u64)
    }
}

/// Rewrites a statement for SQLite. `$1` would be a name there, numbered by first appearance; `?1` is the number
/// itself. And a failed statement fails its whole operation, which its runner rolls back: `OR FAIL` keeps SQLite from
/// copying every page that the statement changes to undo its part.
fn sqlite_text(sql: &str) -> String {
    let (verb, rest) = sql.split_at(sql.find(' ').unwrap_or(sql.len()));
    let or_fail = if matches!(verb, "INSERT" | "UPDATE") { " OR FAIL" } else { "" };
    let mut text = [verb, or_fail, rest].concat().into_bytes();
    for byte in &mut text {
        *byte = if *byte == b'$' { b'?' } else { *byte };
    }
    String::from_utf8(text).unwrap_or_else(|_| sql.to_owned())
}

impl Tx for SqliteTx<'_> {
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Sqlite
    }

    fn query(&mut self, sql: &str, params: &[Value]) -> impl Future<Output = Result<Vec<Row>, Error>> + Send {
        ready(self.query_now(sql, params))
    }

    fn execute(&mut self, sql: &str, params: &[Value]) -> impl Future<Output = Result<u64, Error>> + Send {
        ready(self.execute_now(sql, params))
    }

    fn query_all(&mut self, steps: &[SqlStep<'_>]) -> impl Future<Output = Result<Vec<Vec<Row>>, Error>> + Send {
        ready(steps.iter().map(|step| self.query_now(step.sql, &step.params)).collect())
    }

    fn query_each(
        &mut self,
        sql: &str,
        params: Vec<Params>,
    ) -> impl Future<Output = Result<Vec<Vec<Row>>, Error>> + Send {
        ready(params.iter().map(|params| self.query_now(sql, params)).collect())
    }

    fn script(&mut self, sql: &str) -> impl Future<Output = Result<(), Error>> + Send {
        ready(self.connection.execute_batch(sql).map_err(error))
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
            Value::Uuid(id) => ValueRef::Blob(id.as_bytes()),
        }))
    }
}

fn value(column: ValueRef<'_>) -> Value {
    match column {
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Text(text) => Value::Text(stored_text(text)),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        // No floating point numbers are stored.
        ValueRef::Null | ValueRef::Real(_) => Value::Null,
    }
}

/// Stored texts are UTF-8, and validation is several times faster than a lossy conversion.
fn stored_text(text: &[u8]) -> String {
    std::str::from_utf8(text).map_or_else(|_| String::from_utf8_lossy(text).into_owned(), str::to_owned)
}

/// Converts to an error that a caller can act on. The text names the cause, never the values.
pub(crate) fn error(failure: rusqlite::Error) -> Error {
    match failure {
        rusqlite::Error::SqliteFailure(code, _) if code.code == ErrorCode::ConstraintViolation => {
            Error::Conflict("registro já existe")
        }
        failure => Error::Unavailable(format!("SQLite: {}", operator_text_of(&failure))),
    }
}

/// Portuguese texts for errors that an operator meets; SQLite's own for the others.
fn operator_text_of(failure: &rusqlite::Error) -> String {
    let words = match failure.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "o arquivo não é um banco SQLite",
        Some(ErrorCode::DatabaseCorrupt) => "o arquivo está danificado: restaure a última cópia",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "outro programa segura o banco",
        Some(ErrorCode::ReadOnly) => "o arquivo, ou a pasta dele, só pode ser lido",
        Some(ErrorCode::DiskFull) => "o disco está cheio",
        Some(ErrorCode::CannotOpen) => "o arquivo não pôde ser aberto",
        Some(ErrorCode::SystemIoFailure) => "o disco falhou ao ler ou gravar",
        _ => return failure.to_string(),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::sqlite_text;

    #[test]
    fn a_statement_is_spelled_for_sqlite() {
        assert_eq!(sqlite_text("UPDATE t SET a = $2 WHERE id = $1"), "UPDATE OR FAIL t SET a = ?2 WHERE id = ?1");
        assert_eq!(sqlite_text("INSERT INTO t (a) VALUES ($1)"), "INSERT OR FAIL INTO t (a) VALUES (?1)");
        assert_eq!(sqlite_text("SELECT 'ação' FROM t WHERE id = $1"), "SELECT 'ação' FROM t WHERE id = ?1");
        assert_eq!(sqlite_text("ROLLBACK"), "ROLLBACK");
    }
}
