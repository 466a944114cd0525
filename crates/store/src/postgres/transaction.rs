//! The transaction interface on tokio-postgres. Statements are prepared once per connection; several at once are
//! pipelined.

use super::batch::sql::{columns, rewrite_over_rows, row_index};
use crate::Error;
use crate::dialect::SqlDialect;
use crate::os_errors;
use crate::row::{Params, Row, Value, unexpected};
use crate::tx::{SqlStep, Tx, steps_for_each};
use deadpool_postgres::Client;
use futures_util::future::{join_all, try_join};
use std::error::Error as StdError;
use std::future::Future;
use tokio_postgres::Statement;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

/// A transaction, or a connection for reading.
pub(crate) struct PostgresTx<'c> {
    client: &'c Client,
    /// Sent together with the first statement, so that the beginning costs no round trip.
    begin: Option<&'static str>,
    failed: bool,
    undone: bool,
    aborted_by_peer: bool,
}

impl<'c> PostgresTx<'c> {
    /// Runs statements without a transaction.
    pub(crate) fn reading(client: &'c Client) -> PostgresTx<'c> {
        PostgresTx { client, begin: None, failed: false, undone: false, aborted_by_peer: false }
    }

    /// Runs statements in a transaction that the caller ends.
    pub(crate) fn writing(client: &'c Client, begin: &'static str) -> PostgresTx<'c> {
        PostgresTx { begin: Some(begin), ..PostgresTx::reading(client) }
    }

    /// Runs statements in a transaction that the caller has begun and ends.
    pub(crate) fn within(client: &'c Client) -> PostgresTx<'c> {
        PostgresTx::reading(client)
    }

    /// `true` after a failed statement: the transaction can only be rolled back.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// `true` after a statement that failed without leaving anything behind; a retry may succeed.
    pub(crate) fn was_undone(&self) -> bool {
        self.undone
    }

    /// `true` if no statement of ours failed first, but one of another operation in the transaction.
    pub(crate) fn is_aborted_by_peer(&self) -> bool {
        self.aborted_by_peer
    }

    /// Records the failure of a statement that was sent for several operations.
    pub(crate) fn abort_by_peer(&mut self, undone: bool) -> Error {
        (self.aborted_by_peer, self.failed, self.undone) = (true, true, self.undone || undone);
        Error::Unavailable("PostgreSQL: a transação foi desfeita".to_owned())
    }

    fn failure(&mut self, cause: tokio_postgres::Error) -> Error {
        self.aborted_by_peer |= !self.failed && cause.code() == Some(&SqlState::IN_FAILED_SQL_TRANSACTION);
        self.failed = true;
        self.undone |= is_undone(&cause);
        error(cause)
    }

    async fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        // The text only: values never enter a log.
        tracing::trace!(target: "store::sql", sql);
        self.client.prepare_cached(sql).await.map_err(|cause| self.failure(cause))
    }

    /// Sends `BEGIN`, if not sent yet, right before the statements.
    async fn send<S: Future<Output = Result<R, tokio_postgres::Error>>, R>(
        &mut self,
        statements: S,
    ) -> Result<R, Error> {
        let sent = match self.begin.take() {
            // Polled in this order, so sent in this order; if the first is refused, so is the second.
            Some(begin) => try_join(self.client.batch_execute(begin), statements).await.map(|((), rows)| rows),
            None => statements.await,
        };
        sent.map_err(|cause| self.failure(cause))
    }
}

impl Tx for PostgresTx<'_> {
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Postgres
    }

    async fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Error> {
        let statement = self.prepare(sql).await?;
        let (client, params) = (self.client, bound(params));
        let rows = self.send(client.query(&statement, &params)).await?;
        rows.iter().map(row).collect()
    }

    async fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Error> {
        let statement = self.prepare(sql).await?;
        let (client, params) = (self.client, bound(params));
        self.send(client.execute(&statement, &params)).await
    }

    async fn query_all(&mut self, steps: &[SqlStep<'_>]) -> Result<Vec<Vec<Row>>, Error> {
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        let mut statements = Vec::with_capacity(steps.len());
        for step in steps {
            statements.push(self.prepare(step.sql).await?);
        }
        let client = self.client;
        // Polled together, so sent together: a single round trip for all. All are awaited: the first error is the cause
        // of the others.
        let queries = statements.iter().zip(steps).map(|(statement, step)| {
            let params = bound(&step.params);
            async move { client.query(statement, &params).await }
        });
        let all = async { join_all(queries).await.into_iter().collect::<Result<Vec<_>, _>>() };
        let found = self.send(all).await?;
        found.iter().map(|rows| rows.iter().map(row).collect()).collect()
    }

    async fn query_each(&mut self, sql: &str, params: Vec<Params>) -> Result<Vec<Vec<Row>>, Error> {
        let one = self.prepare(sql).await?;
        let many = if params.len() > 1 { rewrite_over_rows(sql, one.params()) } else { None };
        let Some(many) = many else { return self.query_all(&steps_for_each(sql, params)).await };
        let statement = self.prepare(&many).await?;
        let columns = columns(&params, one.params().len());
        let columns: Vec<_> = columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        let found = self.send(self.client.query(&statement, &columns)).await?;
        let mut answers = vec![Vec::new(); params.len()];
        for found in &found {
            let mut row = row(found)?;
            let answer = row_index(&mut row).and_then(|number| answers.get_mut(number));
            answer.ok_or_else(unexpected)?.push(row);
        }
        Ok(answers)
    }

    async fn script(&mut self, sql: &str) -> Result<(), Error> {
        let client = self.client;
        self.send(client.batch_execute(sql)).await
    }
}

fn bound(params: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

pub(crate) fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    let columns = (0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>();
    columns.map(Row::new).map_err(error)
}

type UnfitValue = Box<dyn StdError + Sync + Send>;

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, UnfitValue> {
        match self {
            Value::Null => return Ok(IsNull::Yes),
            // An integer takes the width of the statement's parameter.
            Value::Int(number) => match *ty {
                Type::INT2 => out.extend_from_slice(&i16::try_from(*number)?.to_be_bytes()),
                Type::INT4 => out.extend_from_slice(&i32::try_from(*number)?.to_be_bytes()),
                Type::INT8 => out.extend_from_slice(&number.to_be_bytes()),
                _ => return Err(unfit(ty)),
            },
            Value::Text(text) if <&str as ToSql>::accepts(ty) => out.extend_from_slice(text.as_bytes()),
            Value::Blob(bytes) if *ty == Type::BYTEA => out.extend_from_slice(bytes),
            Value::Uuid(id) if *ty == Type::UUID => out.extend_from_slice(id.as_bytes()),
            Value::Text(_) | Value::Blob(_) | Value::Uuid(_) => return Err(unfit(ty)),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for Value {
    fn from_sql(ty: &Type, raw: &'r [u8]) -> Result<Value, UnfitValue> {
        Ok(match *ty {
            Type::BOOL => Value::Int(i64::from(bool::from_sql(ty, raw)?)),
            Type::INT2 => Value::Int(i64::from(i16::from_sql(ty, raw)?)),
            Type::INT4 => Value::Int(i64::from(i32::from_sql(ty, raw)?)),
            Type::INT8 => Value::Int(i64::from_sql(ty, raw)?),
            Type::TEXT | Type::VARCHAR => Value::Text(String::from_sql(ty, raw)?),
            Type::BYTEA => Value::Blob(raw.to_vec()),
            Type::UUID => Value::Uuid(uuid::Uuid::from_slice(raw)?),
            _ => return Err(unfit(ty)),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Value, UnfitValue> {
        Ok(Value::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

fn unfit(ty: &Type) -> UnfitValue {
    format!("a value of another kind than {ty}").into()
}

/// `true` if PostgreSQL, or its end, rolled the transaction back: a retry may succeed.
pub(crate) fn is_undone(cause: &tokio_postgres::Error) -> bool {
    let again = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED, SqlState::ADMIN_SHUTDOWN];
    cause.is_closed() || cause.code().is_some_and(|code| again.contains(code))
}

/// Converts to an error that a caller can act on. The text names the cause, never the values.
pub(crate) fn error(cause: tokio_postgres::Error) -> Error {
    match cause.as_db_error() {
        Some(refused) if *refused.code() == SqlState::UNIQUE_VIOLATION => Error::Conflict("registro já existe"),
        Some(refused) => {
            let words = operator_text(refused.code()).unwrap_or_else(|| refused.message());
            Error::Unavailable(format!("PostgreSQL {}: {words}", refused.code().code()))
        }
        None => Error::Unavailable(format!("PostgreSQL: {}", with_causes(&cause))),
    }
}

/// Joins the whole chain of causes: "error performing TLS handshake" alone explains nothing.
fn with_causes(error: &dyn StdError) -> String {
    std::iter::successors(error.source(), |&cause| cause.source())
        .fold(error.to_string(), |text, cause| format!("{text}: {}", os_errors::error_text(cause)))
        .replace("error connecting to server", "o servidor não atende")
}

/// Portuguese texts for errors during the setup.
fn operator_text(code: &SqlState) -> Option<&'static str> {
    match *code {
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            Some("usuário ou senha recusados")
        }
        SqlState::INVALID_CATALOG_NAME => Some("este banco não existe no servidor: crie-o com createdb"),
        SqlState::INSUFFICIENT_PRIVILEGE => Some("o usuário não tem permissão neste banco"),
        SqlState::TOO_MANY_CONNECTIONS => Some("o servidor não aceita mais conexões"),
        _ => None,
    }
}
