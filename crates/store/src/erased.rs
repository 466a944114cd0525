//! Operations with erased types: below this module the two databases see one kind of operation, and each operation one
//! kind of transaction.
//!
//! There are some two hundred operations. Without erasure the path of each through writer, readers and pool would be
//! compiled separately, and its statements once per database: a third of the first build, against a few allocations per
//! transaction (docs/decisions.md).

use crate::Error;
use crate::dialect::Dialect;
use crate::row::{Params, Row, Value};
use crate::tx::{Lane, Operation, Step, Tx};
use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A boxed future of a result.
pub(crate) type Soon<'f, R> = Pin<Box<dyn Future<Output = Result<R, Error>> + Send + 'f>>;

/// Any operation. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Erased(Arc<dyn Run>);

/// Output of any operation; `DynOperation::output` restores its type.
pub(crate) type Output = Box<dyn Any + Send>;

/// An operation that can be type-erased; implemented by [`erasable`].
pub(crate) trait Erasable: Operation {
    fn erased(self) -> Erased;
}

/// Implements `IntoDynOperation` for each type. A generic implementation would be compiled at every use, with
/// everything that the operation does.
macro_rules! erasable {
    ($($operation:ty),+ $(,)?) => {
        $(
            impl $crate::erased::Erasable for $operation {
                fn erased(self) -> $crate::erased::Erased {
                    $crate::erased::Erased::new(self)
                }
            }
        )+
    };
}
pub(crate) use erasable;

impl Erased {
    pub(crate) fn new(operation: impl Operation) -> Erased {
        Erased(Arc::new(operation))
    }

    /// Restores the type of an operation's output.
    pub(crate) fn output<O: Operation>(output: Output) -> Result<O::Output, Error> {
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

    pub(crate) fn beside(&self) -> Option<String> {
        self.0.beside()
    }

    pub(crate) async fn run(&self, tx: &mut impl Tx) -> Result<Output, Error> {
        self.0.run(&mut Through(tx)).await
    }
}

/// An operation as a trait object.
trait Run: Send + Sync {
    fn lane(&self) -> Lane;
    fn is_durable(&self) -> bool;
    fn is_small(&self) -> bool;
    fn beside(&self) -> Option<String>;
    fn run<'r>(&'r self, tx: &'r mut Through<'_>) -> Soon<'r, Output>;
}

impl<O: Operation> Run for O {
    fn lane(&self) -> Lane {
        Operation::lane(self)
    }

    fn is_durable(&self) -> bool {
        Operation::is_durable(self)
    }

    fn is_small(&self) -> bool {
        Operation::is_small(self)
    }

    fn beside(&self) -> Option<String> {
        Operation::beside(self)
    }

    fn run<'r>(&'r self, tx: &'r mut Through<'_>) -> Soon<'r, Output> {
        Box::pin(async move { Operation::run(self, tx).await.map(|output| Box::new(output) as Output) })
    }
}

/// Any transaction, as the operation's `Tx`.
struct Through<'t>(&'t mut dyn AnyTx);

/// A transaction as a trait object.
trait AnyTx: Send {
    fn dialect(&self) -> Dialect;
    fn query<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> Soon<'f, Vec<Row>>;
    fn execute<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> Soon<'f, u64>;
    fn query_all<'f>(&'f mut self, steps: &'f [Step<'f>]) -> Soon<'f, Vec<Vec<Row>>>;
    fn query_each<'f>(&'f mut self, sql: &'f str, params: Vec<Params>) -> Soon<'f, Vec<Vec<Row>>>;
    fn script<'f>(&'f mut self, sql: &'f str) -> Soon<'f, ()>;
}

impl<T: Tx> AnyTx for T {
    fn dialect(&self) -> Dialect {
        Tx::dialect(self)
    }

    fn query<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> Soon<'f, Vec<Row>> {
        Box::pin(Tx::query(self, sql, params))
    }

    fn execute<'f>(&'f mut self, sql: &'f str, params: &'f [Value]) -> Soon<'f, u64> {
        Box::pin(Tx::execute(self, sql, params))
    }

    fn query_all<'f>(&'f mut self, steps: &'f [Step<'f>]) -> Soon<'f, Vec<Vec<Row>>> {
        Box::pin(Tx::query_all(self, steps))
    }

    fn query_each<'f>(&'f mut self, sql: &'f str, params: Vec<Params>) -> Soon<'f, Vec<Vec<Row>>> {
        Box::pin(Tx::query_each(self, sql, params))
    }

    fn script<'f>(&'f mut self, sql: &'f str) -> Soon<'f, ()> {
        Box::pin(Tx::script(self, sql))
    }
}

impl Tx for Through<'_> {
    fn dialect(&self) -> Dialect {
        self.0.dialect()
    }

    async fn query(&mut self, sql: &str, params: &[Value]) -> Result<Vec<Row>, Error> {
        self.0.query(sql, params).await
    }

    async fn execute(&mut self, sql: &str, params: &[Value]) -> Result<u64, Error> {
        self.0.execute(sql, params).await
    }

    async fn query_all(&mut self, steps: &[Step<'_>]) -> Result<Vec<Vec<Row>>, Error> {
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
    use crate::tx::at_once;

    struct Counted;

    impl Operation for Counted {
        type Output = usize;
        const LANE: Lane = Lane::Urgent;
        const DURABLE: bool = false;
        const IS_SMALL: bool = true;

        async fn run<T: Tx>(&self, tx: &mut T) -> Result<usize, Error> {
            tx.script("CREATE TABLE t (a)").await?;
            let (first, second) = (Step::new("SELECT a FROM t", Vec::new()), Step::new("SELECT 1", Vec::new()));
            let changed = tx.execute("INSERT INTO t VALUES ($1)", &[Value::Int(7)]).await?;
            let rows = tx.query_all(&[first, second]).await?;
            assert_eq!((changed, rows.len(), tx.dialect()), (1, 2, Dialect::Sqlite));
            Ok(tx.query("SELECT a FROM t", &[]).await?.len())
        }
    }

    #[test]
    fn an_operation_without_its_type_is_the_same_operation() {
        let erased = Erased::new(Counted);
        assert_eq!((erased.lane(), erased.is_durable(), erased.is_small()), (Lane::Urgent, false, true));
        let mut connection = rusqlite::Connection::open_in_memory().unwrap();
        let output = at_once(erased.run(&mut SqliteTx::new(&mut connection))).unwrap().unwrap();
        assert_eq!(Erased::output::<Counted>(output).unwrap(), 1);
        let other: Output = Box::new("text");
        assert!(matches!(Erased::output::<Counted>(other), Err(Error::Corrupt(_))));
    }
}
