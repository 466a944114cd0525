//! Everything in which the two databases' SQL differs. The rest of the SQL is written once.

use std::sync::OnceLock;

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// Keeps the rows of a `SELECT` still until the commit. SQLite has one writer: they are.
    pub(crate) fn for_update(self) -> &'static str {
        match self {
            Dialect::Sqlite => "",
            Dialect::Postgres => "FOR UPDATE",
        }
    }

    /// The rows of one of the tables that a `SELECT` joins.
    pub(crate) fn for_update_of(self, table: &str) -> String {
        match self {
            Dialect::Sqlite => String::new(),
            Dialect::Postgres => format!("FOR UPDATE OF {table}"),
        }
    }

    /// Those that no other transaction holds.
    pub(crate) fn skip_locked(self) -> &'static str {
        match self {
            Dialect::Sqlite => "",
            Dialect::Postgres => "FOR UPDATE SKIP LOCKED",
        }
    }

    /// In which of these rows a statement counts, as what goes before it and what stands for the shard: the first that
    /// no other transaction holds, or else `own`. SQLite has one writer, and counts in one row.
    pub(crate) fn free_shard(self, rows: &str, own: &str) -> (String, String) {
        match self {
            // what is bound must stand in the statement
            Dialect::Sqlite => (String::new(), format!("0 * {own}")),
            Dialect::Postgres => (
                format!(
                    "WITH free AS MATERIALIZED (SELECT shard FROM {rows} ORDER BY shard LIMIT 1 FOR UPDATE SKIP LOCKED)"
                ),
                format!("COALESCE((SELECT shard FROM free), {own})"),
            ),
        }
    }

    /// How a statement finds again the rows that its `WITH due` has chosen and holds: the column that it chooses, and
    /// the condition. PostgreSQL goes to their places, where no planner can take a longer way.
    pub(crate) fn chosen(self, id: &str) -> (String, String) {
        match self {
            Dialect::Sqlite => (id.to_owned(), format!("tenant_id = $1 AND {id} IN (SELECT {id} FROM due)")),
            Dialect::Postgres => ("ctid".to_owned(), "ctid = ANY (ARRAY(SELECT ctid FROM due))".to_owned()),
        }
    }

    /// Says which index a list goes along. SQLite keeps no figures about the data and would guess; PostgreSQL does and
    /// plans.
    pub(crate) fn along(self, index: &str) -> String {
        match self {
            Dialect::Sqlite => format!("INDEXED BY {index}"),
            Dialect::Postgres => String::new(),
        }
    }

    /// The greatest UUID of a group, which is the newest.
    pub(crate) fn newest(self, column: &str) -> String {
        match self {
            Dialect::Sqlite => format!("MAX({column})"),
            // the text of a UUID sorts as the UUID
            Dialect::Postgres => format!("CAST(MAX(CAST({column} AS TEXT)) AS UUID)"),
        }
    }

    /// The texts of a list as rows with a `value`. The list is one parameter, a JSON text: a statement per length would
    /// have to be prepared otherwise.
    pub(crate) fn values_in(self, list: &str) -> String {
        match self {
            Dialect::Sqlite => format!("json_each({list})"),
            Dialect::Postgres => format!("json_array_elements_text(CAST(CAST({list} AS TEXT) AS json))"),
        }
    }

    /// The same for ids, as rows with a `job_id`.
    pub(crate) fn ids_in(self, list: &str) -> String {
        let id = match self {
            Dialect::Sqlite => "unhex(value)",
            Dialect::Postgres => "CAST(value AS UUID)",
        };
        format!("SELECT {id} AS job_id FROM {}", self.values_in(list))
    }

    /// Takes a shared lock on the name `$1` until the commit: many may hold it, none while one holds it alone.
    pub(crate) fn share(self) -> Option<&'static str> {
        match self {
            Dialect::Sqlite => None,
            Dialect::Postgres => Some("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0)) IS NULL"),
        }
    }

    /// Takes the lock on the name `$1` alone until the commit, waiting for whoever has it.
    pub(crate) fn alone(self) -> Option<&'static str> {
        match self {
            Dialect::Sqlite => None,
            Dialect::Postgres => Some("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL"),
        }
    }

    /// Takes the lock on the name `$1` alone and the one on `$2` shared until the commit if that needs no waiting;
    /// answers 1 or 0.
    pub(crate) fn try_alone(self) -> &'static str {
        match self {
            Dialect::Sqlite => "SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN 0 ELSE 1 END",
            Dialect::Postgres => {
                "SELECT CAST(CASE WHEN pg_try_advisory_xact_lock(hashtextextended($1, 0))
                     AND pg_try_advisory_xact_lock_shared(hashtextextended($2, 0)) THEN 1 ELSE 0 END AS BIGINT)"
            }
        }
    }

    /// Lets one process at a time migrate. SQLite: the transaction itself is that lock.
    pub(crate) fn lock_migrations(self) -> &'static str {
        match self {
            Dialect::Sqlite => "",
            Dialect::Postgres => "SELECT pg_advisory_xact_lock(7264511000003301)",
        }
    }

    /// Puts this database's words into the text of a migration.
    pub(crate) fn spell(self, migration: &str) -> String {
        let words: [(&str, &str); 9] = match self {
            Dialect::Sqlite => [
                ("{int}", "INTEGER"),
                ("{uuid}", "BLOB"),
                ("{blob}", "BLOB"),
                ("{clustered}", "STRICT, WITHOUT ROWID"),
                ("{heap}", "STRICT"),
                ("{erro_codigo}", "json_extract(erro, '$.codigo')"),
                ("{job_ms}", JOB_MS_OF_SQLITE),
                ("{files_inline}", ""),
                ("{jobs_in_place}", ""),
            ],
            Dialect::Postgres => [
                ("{int}", "BIGINT"),
                ("{uuid}", "UUID"),
                ("{blob}", "BYTEA"),
                // fillfactor leaves room to update a row in its page; the queue's tables change all the time
                ("{clustered}", "WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)"),
                ("{heap}", ""),
                ("{erro_codigo}", "CAST(erro AS json) ->> 'codigo'"),
                (
                    "{job_ms}",
                    "CAST(CAST('x' || LEFT(REPLACE(CAST(job_id AS TEXT), '-', ''), 12) AS BIT(48)) AS BIGINT)",
                ),
                ("{files_inline}", FILES_INLINE_OF_POSTGRES),
                // room in each page for the jobs of it that are about to end
                ("{jobs_in_place}", "ALTER TABLE jobs SET (fillfactor = 75);"),
            ],
        };
        words.iter().fold(migration.to_owned(), |text, (word, spelling)| text.replace(word, spelling))
    }
}

/// Columns, as those of one of the tables that a statement names.
pub(crate) fn of(alias: &str, columns: &str) -> String {
    columns.split(", ").map(|column| format!("{alias}.{column}")).collect::<Vec<_>>().join(", ")
}

/// Statements that every document asks, written once for each database.
pub(crate) struct Spelled<T> {
    sqlite: OnceLock<T>,
    postgres: OnceLock<T>,
}

impl<T> Spelled<T> {
    pub(crate) const fn new() -> Spelled<T> {
        Spelled { sqlite: OnceLock::new(), postgres: OnceLock::new() }
    }

    /// As this database spells them.
    pub(crate) fn of(&self, dialect: Dialect, spell: impl FnOnce(Dialect) -> T) -> &T {
        let spelled = match dialect {
            Dialect::Sqlite => &self.sqlite,
            Dialect::Postgres => &self.postgres,
        };
        spelled.get_or_init(|| spell(dialect))
    }
}

/// The milliseconds of a UUID v7: its first twelve hexadecimal digits. SQLite reads none, so they are added up one by
/// one.
const JOB_MS_OF_SQLITE: &str =
    "(WITH RECURSIVE digits(place) AS (VALUES (1) UNION ALL SELECT place + 1 FROM digits WHERE place < 12)
    SELECT SUM((INSTR('0123456789ABCDEF', SUBSTR(HEX(job_id), place, 1)) - 1) << (48 - 4 * place)) FROM digits)";

/// A document of a few items stays in its row, for which it must come below the target, and is compressed by the method
/// that takes an eighth of the time for the same size; a server built without it keeps its own.
const FILES_INLINE_OF_POSTGRES: &str = "ALTER TABLE files SET (toast_tuple_target = 4080);
    DO $$ BEGIN
        EXECUTE 'ALTER TABLE files ALTER COLUMN content SET COMPRESSION lz4';
    EXCEPTION WHEN OTHERS THEN
        RAISE NOTICE 'no lz4: %', SQLERRM;
    END $$;";
