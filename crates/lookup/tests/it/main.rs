//! Imports of public registers and the lookups that follow, on SQLite and on PostgreSQL.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod bench;
mod cep;
mod cnpj;
mod ncm;
mod receita_files;
