//! The differences between the SQL of the two databases. All other SQL is written once.

use std::sync::OnceLock;

/// SQL dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SqlDialect {
    Sqlite,
    Postgres,
}

impl SqlDialect {
    /// Locks the selected rows until the commit. Empty for SQLite, which has one writer.
    pub(crate) fn for_update(self) -> &'static str {
        match self {
            SqlDialect::Sqlite => "",
            SqlDialect::Postgres => "FOR UPDATE",
        }
    }

    /// Locks the rows of one of the joined tables only.
    pub(crate) fn for_update_of(self, table: &str) -> String {
        match self {
            SqlDialect::Sqlite => String::new(),
            SqlDialect::Postgres => format!("FOR UPDATE OF {table}"),
        }
    }

    /// Locks the selected rows and skips those that another transaction holds.
    pub(crate) fn skip_locked(self) -> &'static str {
        match self {
            SqlDialect::Sqlite => "",
            SqlDialect::Postgres => "FOR UPDATE SKIP LOCKED",
        }
    }

    /// Chooses the shard row in which a statement counts: a clause to put before the statement and the expression of
    /// the shard. PostgreSQL uses the first row that no other transaction holds, or else `own`; SQLite has one writer
    /// and one shard.
    pub(crate) fn free_shard(self, rows: &str, own: &str) -> (String, String) {
        match self {
            // Every bound parameter must stand in the statement.
            SqlDialect::Sqlite => (String::new(), format!("0 * {own}")),
            SqlDialect::Postgres => (
                format!(
                    "WITH free AS MATERIALIZED (SELECT shard FROM {rows} ORDER BY shard LIMIT 1 FOR UPDATE SKIP LOCKED)"
                ),
                format!("COALESCE((SELECT shard FROM free), {own})"),
            ),
        }
    }

    /// Returns the column to select in `WITH due` and the condition that finds the selected rows again. PostgreSQL uses
    /// the row address (`ctid`), so that no planner can choose a longer way.
    pub(crate) fn selected_rows(self, id: &str) -> (String, String) {
        match self {
            SqlDialect::Sqlite => (id.to_owned(), format!("tenant_id = $1 AND {id} IN (SELECT {id} FROM due)")),
            SqlDialect::Postgres => ("ctid".to_owned(), "ctid = ANY (ARRAY(SELECT ctid FROM due))".to_owned()),
        }
    }

    /// Names the index of a list query. SQLite has no statistics and would guess; PostgreSQL has them and plans.
    pub(crate) fn index_hint(self, index: &str) -> String {
        match self {
            SqlDialect::Sqlite => format!("INDEXED BY {index}"),
            SqlDialect::Postgres => String::new(),
        }
    }

    /// The greatest UUID of a group, which is the newest.
    pub(crate) fn newest(self, column: &str) -> String {
        match self {
            SqlDialect::Sqlite => format!("MAX({column})"),
            // The text of a UUID sorts like the UUID.
            SqlDialect::Postgres => format!("CAST(MAX(CAST({column} AS TEXT)) AS UUID)"),
        }
    }

    /// Expands a list into rows with a `value`. The list is one parameter, a JSON text; otherwise each length would
    /// need its own prepared statement.
    pub(crate) fn values_in(self, list: &str) -> String {
        match self {
            SqlDialect::Sqlite => format!("json_each({list})"),
            SqlDialect::Postgres => format!("json_array_elements_text(CAST(CAST({list} AS TEXT) AS json))"),
        }
    }

    /// Expands a list of ids into rows with a `job_id`.
    pub(crate) fn ids_in(self, list: &str) -> String {
        let id = match self {
            SqlDialect::Sqlite => "unhex(value)",
            SqlDialect::Postgres => "CAST(value AS UUID)",
        };
        format!("SELECT {id} AS job_id FROM {}", self.values_in(list))
    }

    /// Takes a shared lock on the name `$1` until the commit.
    pub(crate) fn shared_lock(self) -> Option<&'static str> {
        match self {
            SqlDialect::Sqlite => None,
            SqlDialect::Postgres => Some("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0)) IS NULL"),
        }
    }

    /// Takes an exclusive lock on the name `$1` until the commit; waits for its holders.
    pub(crate) fn exclusive_lock(self) -> Option<&'static str> {
        match self {
            SqlDialect::Sqlite => None,
            SqlDialect::Postgres => Some("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL"),
        }
    }

    /// Takes an exclusive lock on the name `$1` and a shared one on `$2` until the commit, without waiting; returns 1
    /// or 0.
    pub(crate) fn try_exclusive_lock(self) -> &'static str {
        match self {
            SqlDialect::Sqlite => "SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN 0 ELSE 1 END",
            SqlDialect::Postgres => {
                "SELECT CAST(CASE WHEN pg_try_advisory_xact_lock(hashtextextended($1, 0))
                     AND pg_try_advisory_xact_lock_shared(hashtextextended($2, 0)) THEN 1 ELSE 0 END AS BIGINT)"
            }
        }
    }

    /// Lets one process at a time migrate. In SQLite the transaction itself is that lock.
    pub(crate) fn lock_migrations(self) -> &'static str {
        match self {
            SqlDialect::Sqlite => "",
            SqlDialect::Postgres => "SELECT pg_advisory_xact_lock(7264511000003301)",
        }
    }

    /// Replaces the placeholders of a migration with this database's spelling.
    pub(crate) fn expand_migration(self, migration: &str) -> String {
        let words: [(&str, &str); 13] = match self {
            SqlDialect::Sqlite => [
                ("{int}", "INTEGER"),
                ("{uuid}", "BLOB"),
                ("{blob}", "BLOB"),
                ("{clustered}", "STRICT, WITHOUT ROWID"),
                ("{heap}", "STRICT"),
                ("{erro_codigo}", "json_extract(erro, '$.codigo')"),
                ("{job_ms}", JOB_MS_OF_SQLITE),
                ("{files_inline}", ""),
                ("{jobs_in_place}", ""),
                ("{bytewise}", "TEXT"),
                ("{addressee_words}", ADDRESSEE_WORDS_OF_SQLITE),
                ("{issuer_words}", ISSUER_WORDS_OF_SQLITE),
                ("{dhRecbto_s}", "CAST(STRFTIME('%s', dhRecbto) AS INTEGER)"),
            ],
            SqlDialect::Postgres => [
                ("{int}", "BIGINT"),
                ("{uuid}", "UUID"),
                ("{blob}", "BYTEA"),
                // `fillfactor` leaves room to update a row in its page; the queue tables change all the time.
                ("{clustered}", "WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)"),
                ("{heap}", ""),
                ("{erro_codigo}", "CAST(erro AS json) ->> 'codigo'"),
                (
                    "{job_ms}",
                    "CAST(CAST('x' || LEFT(REPLACE(CAST(job_id AS TEXT), '-', ''), 12) AS BIT(48)) AS BIGINT)",
                ),
                ("{files_inline}", FILES_INLINE_OF_POSTGRES),
                // Room in each page for its own jobs, which are updated when they end.
                ("{jobs_in_place}", "ALTER TABLE jobs SET (fillfactor = 75);"),
                // A range of beginnings is one of bytes, whatever the collation of the database.
                ("{bytewise}", "TEXT COLLATE \"C\""),
                ("{addressee_words}", ADDRESSEE_WORDS_OF_POSTGRES),
                ("{issuer_words}", ISSUER_WORDS_OF_POSTGRES),
                ("{dhRecbto_s}", RECEIPT_OF_POSTGRES),
            ],
        };
        words.iter().fold(migration.to_owned(), |text, (word, spelling)| text.replace(word, spelling))
    }
}

/// Prefixes each column with a table alias.
pub(crate) fn of(alias: &str, columns: &str) -> String {
    columns.split(", ").map(|column| format!("{alias}.{column}")).collect::<Vec<_>>().join(", ")
}

/// Statements used for every document, built once per database.
pub(crate) struct PerDialect<T> {
    sqlite: OnceLock<T>,
    postgres: OnceLock<T>,
}

impl<T> PerDialect<T> {
    pub(crate) const fn new() -> PerDialect<T> {
        PerDialect { sqlite: OnceLock::new(), postgres: OnceLock::new() }
    }

    /// Returns the statements for a dialect; builds them at the first use.
    pub(crate) fn of(&self, dialect: SqlDialect, spell: impl FnOnce(SqlDialect) -> T) -> &T {
        let spelled = match dialect {
            SqlDialect::Sqlite => &self.sqlite,
            SqlDialect::Postgres => &self.postgres,
        };
        spelled.get_or_init(|| spell(dialect))
    }
}

/// The milliseconds of a UUID v7: its first twelve hexadecimal digits. SQLite cannot parse them, so the digits are
/// added up one by one.
const JOB_MS_OF_SQLITE: &str =
    "(WITH RECURSIVE digits(place) AS (VALUES (1) UNION ALL SELECT place + 1 FROM digits WHERE place < 12)
    SELECT SUM((INSTR('0123456789ABCDEF', SUBSTR(HEX(job_id), place, 1)) - 1) << (48 - 4 * place)) FROM digits)";

/// A document of a few items stays in its row if it is below `toast_tuple_target`. LZ4 takes an eighth of the time for
/// the same size; a server built without it keeps its own method.
const FILES_INLINE_OF_POSTGRES: &str = "ALTER TABLE files SET (toast_tuple_target = 4080);
    DO $$ BEGIN
        EXECUTE 'ALTER TABLE files ALTER COLUMN content SET COMPRESSION lz4';
    EXCEPTION WHEN OTHERS THEN
        RAISE NOTICE 'no lz4: %', SQLERRM;
    END $$;";

/// `nome` in lower case without accents, its words parted by blanks, on SQLite.
macro_rules! folded_name {
    () => {
        "REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(LOWER(nome),'á','a'),'à','a'),'â','a'),'ã','a'),'ä','a'),'å','a'),'é','e'),'è','e'),'ê','e'),'ë','e'),'í','i'),'ì','i'),'î','i'),'ï','i'),'ó','o'),'ò','o'),'ô','o'),'õ','o'),'ö','o'),'ú','u'),'ù','u'),'û','u'),'ü','u'),'ç','c'),'ñ','n'),'ý','y'),'Á','a'),'À','a'),'Â','a'),'Ã','a'),'Ä','a'),'Å','a'),'É','e'),'È','e'),'Ê','e'),'Ë','e'),'Í','i'),'Ì','i'),'Î','i'),'Ï','i'),'Ó','o'),'Ò','o'),'Ô','o'),'Õ','o'),'Ö','o'),'Ú','u'),'Ù','u'),'Û','u'),'Ü','u'),'Ç','c'),'Ñ','n'),'Ý','y'),'.',' '),',',' '),'-',' '),'/',' '),'&',' '),'(',' '),')',' '),'''',' ')"
    };
}

/// Words of the newest addressees' names. SQLite lowers only the letters of ASCII and splits no text, so accents are
/// replaced one by one, and a recursion takes word after word.
const ADDRESSEE_WORDS_OF_SQLITE: &str = concat!(
    "INSERT OR IGNORE INTO addressee_words (tenant_id, ambiente, word, destinatario)
    WITH RECURSIVE newest AS (
        SELECT tenant_id, ambiente, destinatario, MAX(id) AS id FROM jobs
        WHERE destinatario IS NOT NULL AND operacao = 'emissao' GROUP BY tenant_id, ambiente, destinatario),
    named AS (
        SELECT n.tenant_id, n.ambiente, n.destinatario,
            COALESCE(json_extract(p.payload, '$.nota.destinatario.xNome'), json_extract(p.payload, '$.nota.dest.xNome'),
                json_extract(p.payload, '$.nota.tomador.xNome'), json_extract(p.payload, '$.nota.toma.xNome'),
                json_extract(p.payload, '$.nota.tomador.razao_social')) AS nome
        FROM newest n JOIN payloads p ON p.tenant_id = n.tenant_id AND p.job_id = n.id WHERE json_valid(p.payload)),
    split(tenant_id, ambiente, destinatario, word, rest) AS (
        SELECT tenant_id, ambiente, destinatario, '', ",
    folded_name!(),
    " || ' ' FROM named WHERE nome IS NOT NULL
        UNION ALL
        SELECT tenant_id, ambiente, destinatario, SUBSTR(rest, 1, INSTR(rest, ' ') - 1), SUBSTR(rest, INSTR(rest, ' ') + 1)
        FROM split WHERE rest <> '')
    SELECT tenant_id, ambiente, SUBSTR(word, 1, 40), destinatario FROM split WHERE word <> '';"
);

/// Words of the names of issuers of received documents.
const ISSUER_WORDS_OF_SQLITE: &str = concat!(
    "INSERT OR IGNORE INTO issuer_words (tenant_id, ambiente, word, emitente)
    WITH RECURSIVE named AS (SELECT DISTINCT tenant_id, ambiente, emitente, nome FROM received_notes),
    split(tenant_id, ambiente, emitente, word, rest) AS (
        SELECT tenant_id, ambiente, emitente, '', ",
    folded_name!(),
    " || ' ' FROM named
        UNION ALL
        SELECT tenant_id, ambiente, emitente, SUBSTR(rest, 1, INSTR(rest, ' ') - 1), SUBSTR(rest, INSTR(rest, ' ') + 1)
        FROM split WHERE rest <> '')
    SELECT tenant_id, ambiente, SUBSTR(word, 1, 40), emitente FROM split WHERE word <> '';"
);

const ISSUER_WORDS_OF_POSTGRES: &str = "INSERT INTO issuer_words (tenant_id, ambiente, word, emitente)
    SELECT DISTINCT tenant_id, ambiente, SUBSTR(word, 1, 40), emitente
    FROM (SELECT DISTINCT tenant_id, ambiente, emitente, nome FROM received_notes) AS named CROSS JOIN LATERAL
        REGEXP_SPLIT_TO_TABLE(TRANSLATE(LOWER(nome),
            'áàâãäåéèêëíìîïóòôõöúùûüçñýÁÀÂÃÄÅÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑÝ', 'aaaaaaeeeeiiiiooooouuuucnyaaaaaaeeeeiiiiooooouuuucny'), '[[:space:].,/&()''-]+') AS word
    WHERE word <> '' ON CONFLICT DO NOTHING;";

/// Seconds of `dhRecbto`, where it is an instant.
const RECEIPT_OF_POSTGRES: &str =
    "CASE WHEN dhRecbto ~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]'
    THEN CAST(FLOOR(EXTRACT(EPOCH FROM CAST(dhRecbto AS TIMESTAMPTZ))) AS BIGINT) END";

const ADDRESSEE_WORDS_OF_POSTGRES: &str = "INSERT INTO addressee_words (tenant_id, ambiente, word, destinatario)
    WITH newest AS (
        SELECT DISTINCT ON (tenant_id, ambiente, destinatario) tenant_id, ambiente, destinatario, id FROM jobs
        WHERE destinatario IS NOT NULL AND operacao = 'emissao' ORDER BY tenant_id, ambiente, destinatario, id DESC),
    named AS (
        SELECT n.tenant_id, n.ambiente, n.destinatario, CAST(p.payload AS json) -> 'nota' AS nota
        FROM newest n JOIN payloads p ON p.tenant_id = n.tenant_id AND p.job_id = n.id WHERE p.payload LIKE '{%}'
            AND STRPOS(p.payload, '\\u0000') = 0)
    SELECT DISTINCT tenant_id, ambiente, SUBSTR(word, 1, 40), destinatario FROM named CROSS JOIN LATERAL
        REGEXP_SPLIT_TO_TABLE(TRANSLATE(LOWER(COALESCE(nota #>> '{destinatario,xNome}', nota #>> '{dest,xNome}',
            nota #>> '{tomador,xNome}', nota #>> '{toma,xNome}', nota #>> '{tomador,razao_social}')),
            'áàâãäåéèêëíìîïóòôõöúùûüçñýÁÀÂÃÄÅÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑÝ', 'aaaaaaeeeeiiiiooooouuuucnyaaaaaaeeeeiiiiooooouuuucny'), '[[:space:].,/&()''-]+') AS word
    WHERE word <> '' ON CONFLICT DO NOTHING;";
