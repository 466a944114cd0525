//! Values that both databases know: parameters `$n`, and result columns read in the order of the `SELECT`.
//!
//! Five kinds are enough (integer, text, bytes, UUID, null); money and instants are text or seconds.
//! Must not know: tables.

use crate::Error;
use std::hash::{Hash, Hasher};
use uuid::Uuid;

/// A parameter or a column.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(String),
    Blob(Vec<u8>),
    Uuid(Uuid),
}

/// Prints the kind only: the content may be a secret or a caller's document.
impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Value::Null => "Null",
            Value::Int(_) => "Int",
            Value::Text(_) => "Text",
            Value::Blob(_) => "Blob",
            Value::Uuid(_) => "Uuid",
        })
    }
}

/// Parameters of one statement.
pub(crate) type Params = Vec<Value>;

/// `params![a, b]`: the values of `$1`, `$2`.
macro_rules! params {
    ($($value:expr),* $(,)?) => { $crate::row::Params::from([$($crate::row::Value::from($value)),*]) };
}
pub(crate) use params;

/// A result row, read from left to right.
#[derive(Clone)]
pub(crate) struct Row {
    columns: std::vec::IntoIter<Value>,
}

impl Row {
    pub(crate) fn new(columns: Vec<Value>) -> Row {
        Row { columns: columns.into_iter() }
    }

    /// Consumes the next column.
    pub(crate) fn read<T: FromValue>(&mut self) -> Result<T, Error> {
        self.columns.next().and_then(T::from_value).ok_or_else(unexpected)
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.columns.as_slice() == other.columns.as_slice()
    }
}

impl Eq for Row {}

impl Hash for Row {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.columns.as_slice().hash(state);
    }
}

/// Returns the first column of the first row, if any.
pub(crate) fn first<T: FromValue>(rows: Vec<Row>) -> Result<Option<T>, Error> {
    rows.into_iter().next().map(|mut row| row.read()).transpose()
}

/// Returns the one row of a key.
pub(crate) fn only(rows: Vec<Row>) -> Result<Row, Error> {
    rows.into_iter().next().ok_or(Error::NotFound)
}

/// Error for a column value that our own SQL cannot produce: the database was changed from outside.
pub(crate) fn unexpected() -> Error {
    Error::Corrupt("o banco devolveu um valor inesperado")
}

/// Types that a column can be read as.
pub(crate) trait FromValue: Sized {
    fn from_value(value: Value) -> Option<Self>;
}

impl FromValue for i64 {
    fn from_value(value: Value) -> Option<i64> {
        match value {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Option<String> {
        match value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value) -> Option<Vec<u8>> {
        match value {
            Value::Blob(bytes) => Some(bytes),
            _ => None,
        }
    }
}

impl FromValue for Uuid {
    fn from_value(value: Value) -> Option<Uuid> {
        match value {
            Value::Uuid(id) => Some(id),
            // SQLite has no UUID type. It stores the 16 bytes, which sort as PostgreSQL sorts UUIDs.
            Value::Blob(bytes) => Uuid::from_slice(&bytes).ok(),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Option<Option<T>> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

macro_rules! small_integers {
    ($($integer:ty),*) => {$(
        impl FromValue for $integer {
            fn from_value(value: Value) -> Option<$integer> {
                i64::from_value(value)?.try_into().ok()
            }
        }
        impl From<$integer> for Value {
            fn from(number: $integer) -> Value {
                Value::Int(i64::from(number))
            }
        }
    )*};
}
small_integers!(u8, u16, u32);

impl FromValue for u64 {
    fn from_value(value: Value) -> Option<u64> {
        i64::from_value(value)?.try_into().ok()
    }
}

/// Numbers of documents; none comes near the limit of a column.
impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

macro_rules! conversions {
    ($($from:ty => $variant:ident),* $(,)?) => {$(
        impl From<$from> for Value {
            fn from(value: $from) -> Value {
                Value::$variant(value.into())
            }
        }
    )*};
}
conversions!(i64 => Int, &str => Text, String => Text, &String => Text, Vec<u8> => Blob, &[u8; 32] => Blob, Uuid => Uuid);

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}
