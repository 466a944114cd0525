//! Operations with erased types: below this module the two databases see one kind of operation, and each operation one
//! kind of transaction.
//!
//! There are some two hundred operations. Without erasure the path of each through writer, readers and pool would be
//! compiled separately, and its statements once per database: a third of the first build, against a few allocations per
//! transaction (docs/decisions/store.md).

use crate::Error;
use crate::dialect::SqlDialect;
use crate::row::{Params, Row, Value};
use crate::tx::{Lane, SqlStep, StoreOperation, Tx};
use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A boxed future of a result.
pub(crate) type ResultFuture<'f, R> = Pin<Box<dyn Future<Output = Result<R, Error>> + Send + 'f>>;

/// Any operation. Cheap to clone.
#[derive(Clone)]
pub(crate) struct DynOperation(Arc<dyn AnyOperation>);

/// Output of any operation; `DynOperation::output` restores its type.
pub(crate) type AnyOutput = Box<dyn Any + Send>;

/// An operation that can be type-erased; implemented by [`erasable`].
pub(crate) trait IntoDynOperation: StoreOperation {
    fn into_dyn(self) -> DynOperation;
}

/// Implements `IntoDynOperation` for each type. A generic implementation would be compiled at every use, with
/// everything that the operation does.
macro_rules! erasable {
    ($($operation:ty),+ $(,)?) => {
        $(
            impl $crate::dyn_operation::IntoDynOperation for $operation {
                fn into_dyn(self) -> $crate::dyn_operation::DynOperation {
                    $crate::dyn_operation::DynOperation::new(self)
                }
            }
        )+
    };
}
pub(crate) use erasable;

impl DynOperation {
    pub(crate) fn new(operation: impl StoreOperation) -> DynOperation {
        DynOperation(Arc::new(operation))
    }

    /// Restores the type of an operation's output.
    pub(crate) fn output<O: StoreOperation>(output: AnyOutput) -> Result<O::Output, Error> {
        output.downcast().map(|output| *output).map_err(|_| Error::Corrupt("a resposta é de outra operação"))
    }

    pub(crate) fn lane(&self) -> Lane {
        self.0.lane()
    }

    pub(crate) fn is_durable(&self) -> bool {
        self.0.is_durable()
    }

    pub(crate) fn is_small(&self) -> bool {
        self.0.is_small()
    }

    pub(crate) fn lock_order(&self) -> Option<String> {
        self.0.lock_order()
    }

    pub(crate) async fn run(&self, tx: &mut impl Tx) -> Result<AnyOutput, Error> {
        self.0.run(&mut DynTx(tx)).await
    }
}

/// An operation as a trait object.
trait AnyOperation: Send + Sync {
    fn lane(&self) -> Lane;
    fn is_durable(&self) -> bool;
    fn is_small(&self) -> bool;
    fn lock_order(&self) -> Option<String>;
    fn run<'r>(&'r self, tx: &'r mut DynTx<'_>) -> ResultFuture<'r, AnyOutput>;
}

impl<O: StoreOperation> AnyOperation for O {
    fn lane(&self) -> Lane {
        StoreOperation::lane(self)
    }

    fn is_durable(&self) -> bool {
        StoreOperation::is_durable(self)
    }

    fn is_small(&self) -> bool {
        StoreOperation::is_small(self)
    }

    fn lock_order(&self) -> Option<String> {
        StoreOperation::lock_order(self)
    }

    fn run<'r>(&'r self, tx: &'r mut DynTx<'_>) -> ResultFuture<'r, AnyOutput> {
        Box::pin(async move { StoreOperation::run(self, tx).await.map(|output| Box::new(output) as AnyOutput) })
    }
}

/// Any transaction, as the operation's `Tx`.
struct DynTx<'t>(&'t mut dyn AnyTx);

/// A transaction as a trait object.
trait AnyTx: Send {
    fn dialect(&self) -> SqlDialect;
    fn query<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> ResultFuture<'f, Vec<Row>>;
    fn execute<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> ResultFuture<'f, u64>;
    fn query_all<'f>(&'f mut self, steps: &'f [SqlStep<'f>]) -> ResultFuture<'f, Vec<Vec<Row>>>;
    fn query_each<'f>(&'f mut self, sql: &'f str, params: Vec<Params>) -> ResultFuture<'f, Vec<Vec<Row>>>;
    fn script<'f>(&'f mut self, sql: &'f str) -> ResultFuture<'f, ()>;
}

impl<T: Tx> AnyTx for T {
    fn dialect(&self) -> SqlDialect {
        Tx::dialect(self)
    }

    fn query<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> ResultFuture<'f, Vec<Row>> {
        Box::pin(Tx::query(self, sql, params))
    }

    fn execute<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> ResultFuture<'f, u64> {
        Box::pin(Tx::execute(self, sql, params))
    }

    fn query_all<'f>(&'f mut self, steps: &'f [SqlStep<'f>]) -> ResultFuture<'f, Vec<Vec<Row>>> {
        Box::pin(Tx::query_all(self, steps))
    }

    fn query_each<'f>(&'f mut self, sql: &'f str, params: Vec<Params>) -> ResultFuture<'f, Vec<Vec<Row>>> {
        Box::pin(Tx::query_each(self, sql, params))
    }

    fn script<'f>(&'f mut self, sql: &'f str) -> ResultFuture<'f, ()> {
        Box::pin(Tx::script(self, sql))
    }
}

impl Tx for DynTx<'_> {
    fn dialect(&self) -> SqlDialect {
        self.0.dialect()
    }

    async fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Error> {
        self.0.query(sql, params).await
    }

    async fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Error> {
        self.0.execute(sql, params).await
    }

    async fn query_all(&mut self, steps: &[SqlStep<'_>]) -> Result<Vec<Vec<Row>>, Error> {
        self.0.query_all(steps).await
    }

    async fn query_each(&mut self, sql: &str, params: Vec<Params>) -> Result<Vec<Vec<Row>>, Error> {
        self.0.query_each(sql, params).await
    }

    async fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.0.script(sql).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::SqliteTx;
    use crate::tx::poll_once;

    struct Counted;

    impl StoreOperation for Counted {
        type Output = usize;
        const LANE: Lane = Lane::Urgent;
        const DURABLE: bool = false;
        const IS_SMALL: bool = true;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<usize, Error> {
            tx.script("CREATE TABLE t (a)").await?;
            let (first, second) = (SqlStep::new("SELECT a FROM t", Vec::new()), SqlStep::new("SELECT 1", Vec::new()));
            let changed = tx.execute("INSERT INTO t VALUES ($1)", &[Value::Int(7)]).await?;
            let rows = tx.query_all(&[first, second]).await?;
            assert_eq!((changed, rows.len(), tx.dialect()), (1, 2, SqlDialect::Sqlite));
            Ok(tx.query("SELECT a FROM t", &[]).await?.len())
        }
    }

    #[test]
    fn an_operation_without_its_type_is_the_same_operation() {
        let erased = DynOperation::new(Counted);
        assert_eq!((erased.lane(), erased.is_durable(), erased.is_small()), (Lane::Urgent, false, true));
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        let output = poll_once(erased.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
        assert_eq!(DynOperation::output::<Counted>(output).unwrap(), 1);
        let other: AnyOutput = Box::new("text");
        assert!(matches!(DynOperation::output::<Counted>(other), Err(Error::Corrupt(_))));
    }
}
