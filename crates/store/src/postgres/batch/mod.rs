//! Batches: several operations in one transaction or one round trip, and their equal statements as one.
//!
//! Bottom up: `sql` rewrites a statement over many rows, `sql_cache` keeps the texts, `statements` merges what the
//! operations of a batch send, `transaction` is what each operation sees. `leader_queue` gathers operations;
//! `group_commit` runs writes and `small_reads` reads.
//! Must not know: the meaning of the operations.

pub(super) mod group_commit;
mod leader_queue;
pub(super) mod small_reads;
pub(super) mod sql;
pub(super) mod sql_cache;
mod statements;
mod transaction;
