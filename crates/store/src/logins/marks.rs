//! Marks of logins: a recent right password of a pair or an address, and a bound that was reached recently.

use crate::Error;
use crate::row::{first, params};
use crate::tx::Tx;

/// Kinds of marks. The numbers are stored in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// An e-mail logged in from an address.
    KnownPair,
    /// Any e-mail logged in from an address.
    KnownAddress,
    /// A bound was reached.
    BoundReached,
}

impl MarkKind {
    fn number(self) -> i64 {
        match self {
            MarkKind::KnownPair => 1,
            MarkKind::KnownAddress => 2,
            MarkKind::BoundReached => 3,
        }
    }
}

/// `true` if the mark was made after an instant.
pub(super) async fn is_marked<T: Tx>(tx: &mut T, kind: MarkKind, digest: &[u8; 32], after: i64) -> Result<bool, Error> {
    let sql = "SELECT em FROM login_marks WHERE kind = $1 AND digest = $2 AND em > $3";
    let found: Option<i64> = first(tx.query(sql, &params![kind.number(), digest, after]).await?)?;
    Ok(found.is_some())
}

/// Makes or renews a mark; deletes marks that are too old for any use.
pub(super) async fn mark<T: Tx>(tx: &mut T, kind: MarkKind, digest: &[u8; 32], now: i64) -> Result<(), Error> {
    let sql = "INSERT INTO login_marks (kind, digest, em) VALUES ($1, $2, $3)
               ON CONFLICT (kind, digest) DO UPDATE SET em = excluded.em";
    tx.execute(sql, &params![kind.number(), digest, now]).await?;
    tx.execute("DELETE FROM login_marks WHERE em <= $1", &params![now - KNOWN_S]).await.map(drop)
}

/// Period in which a pair or address is known after its last login, seconds.
pub(super) const KNOWN_S: i64 = 30 * 86_400;
