//! Bulk imports: rows into a table without indexes, with the position in their file, and at the end one exchange of the
//! tables.

use super::PublicRegister;
use crate::dialect::SqlDialect;
use crate::row::{Row, Value, first, only, params, unexpected};
use crate::tx::{StoreOperation, Tx};
use crate::{Error, Store};

/// A table that is loaded in bulk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BulkTable {
    Ceps,
    Establishments,
    Companies,
    Simples,
    Partners,
    Domains,
}

/// Name, columns, and the columns of each index.
struct TableShape {
    name: &'static str,
    columns: &'static [&'static str],
    indexes: &'static [&'static str],
}

impl BulkTable {
    fn shape(self) -> TableShape {
        let (name, columns, indexes): (_, &[&str], &[&str]) = match self {
            BulkTable::Ceps => (
                "ceps",
                &[
                    "cep",
                    "uf",
                    "municipio",
                    "cidade",
                    "bairro",
                    "logradouro",
                    "complemento",
                    "cidade_folded",
                    "bairro_folded",
                    "logradouro_folded",
                ],
                &["cep", "uf, cidade_folded"],
            ),
            BulkTable::Establishments => ("cnpj_establishments", &["cnpj", "fields"], &["cnpj"]),
            BulkTable::Companies => ("cnpj_companies", &["root", "fields"], &["root"]),
            BulkTable::Simples => ("cnpj_simples", &["root", "fields"], &["root"]),
            BulkTable::Partners => ("cnpj_partners", &["root", "fields"], &["root"]),
            BulkTable::Domains => ("cnpj_domains", &["code", "text"], &["code"]),
        };
        TableShape { name, columns, indexes }
    }

    /// Number of columns.
    pub fn width(self) -> usize {
        self.shape().columns.len()
    }
}

/// An import to begin, or to resume.
#[derive(Debug, Clone)]
pub struct NewLoad {
    pub register: PublicRegister,
    /// Edition, as its source names it.
    pub version: String,
    /// Name and size of each file.
    pub files: Vec<(String, i64)>,
    /// Discards an interrupted import of the same files.
    pub restart: bool,
}

/// An import under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadProgress {
    /// Number of the import.
    pub id: i64,
    /// `true` if it resumes an interrupted run.
    pub resumed: bool,
    /// Progress of each file.
    pub files: Vec<LoadFile>,
}

/// Progress of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadFile {
    pub name: String,
    /// Position as reported by its reader.
    pub position: i64,
    /// Rows written.
    pub rows: i64,
    /// `true` when read to the end.
    pub done: bool,
}

/// Rows of a file to write.
#[derive(Debug)]
pub struct RowBatch {
    /// Number of the import.
    pub load: i64,
    /// Name of the file.
    pub file: String,
    /// Position of the reader before these rows; it reveals another process with the same import.
    pub from: i64,
    /// Position of the reader after these rows.
    pub position: i64,
    /// `true` for the last rows of the file.
    pub done: bool,
    pub table: BulkTable,
    /// Rows of `table.width()` texts, one after the other.
    pub cells: Vec<String>,
}

/// Record of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadRecord {
    pub register: PublicRegister,
    /// Edition.
    pub version: String,
    pub state: LoadState,
    /// Seconds since 1970.
    pub started_at: i64,
    /// Seconds since 1970.
    pub finished_at: Option<i64>,
    /// Rows written.
    pub rows: i64,
}

/// State of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadState {
    /// Not finished; not visible yet.
    Loading,
    /// In use.
    Active,
}

impl Store {
    /// Begins an import, or resumes an interrupted one of the same files.
    pub async fn begin_load(&self, new: NewLoad, now: i64) -> Result<LoadProgress, Error> {
        self.write(BeginLoad { new, now }).await
    }
    /// Writes rows and their end position, together.
    pub async fn write_rows(&self, batch: RowBatch) -> Result<(), Error> {
        self.write(batch).await
    }
    /// Creates the indexes and replaces the old tables by the new ones, in one transaction.
    pub async fn finish_load(&self, register: PublicRegister, load: i64, now: i64) -> Result<i64, Error> {
        self.write(FinishLoad { register, load, now }).await
    }
    /// Replaces the nomenclature in one transaction; returns the number of the edition.
    pub async fn replace_ncm(&self, version: String, content: String, rows: i64, now: i64) -> Result<i64, Error> {
        self.write(ReplaceNcm { version, content, rows, now }).await
    }
    /// Lists imports in use and under way.
    pub async fn loads(&self) -> Result<Vec<LoadRecord>, Error> {
        self.read(ListLoads).await
    }
    /// Returns number and edition of the register in use, when one was imported.
    pub async fn active_load(&self, register: PublicRegister) -> Result<Option<(i64, String)>, Error> {
        self.read(ReadActiveLoad(register)).await
    }
    /// Returns the imported nomenclature of that number.
    pub async fn ncm_content(&self, load: i64) -> Result<String, Error> {
        self.read(NcmContent(load)).await
    }
}

struct BeginLoad {
    new: NewLoad,
    now: i64,
}

impl StoreOperation for BeginLoad {
    type Output = LoadProgress;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<LoadProgress, Error> {
        let register = self.new.register;
        let found = tx
            .query(
                "SELECT id, version FROM reference_loads WHERE kind = $1 AND state = 'loading'",
                &params![register.word()],
            )
            .await?;
        if let Some(mut row) = found.into_iter().next() {
            let (id, version): (i64, String) = (row.read()?, row.read()?);
            let files = files(tx, id).await?;
            let same = version == self.new.version && same_files(&files, &self.new.files);
            if same && !self.new.restart {
                return Ok(LoadProgress {
                    id,
                    resumed: true,
                    files: files.into_iter().map(|(file, _)| file).collect(),
                });
            }
            discard_load(tx, id).await?;
        }
        let id = next_id(tx).await?;
        tx.execute(
            "INSERT INTO reference_loads (id, kind, version, state, started_at, rows_loaded) VALUES ($1, $2, $3, 'loading', $4, 0)",
            &params![id, register.word(), &self.new.version, self.now],
        )
        .await?;
        for (name, size) in &self.new.files {
            tx.execute(
                "INSERT INTO reference_files (load_id, name, size, position, rows_loaded, done) VALUES ($1, $2, $3, 0, 0, 0)",
                &params![id, name, *size],
            )
            .await?;
        }
        let spelled: Vec<String> =
            register.tables().iter().map(|table| loading_table_sql(*table, tx.dialect())).collect();
        tx.script(&spelled.concat()).await?;
        let files = files(tx, id).await?.into_iter().map(|(file, _)| file).collect();
        Ok(LoadProgress { id, resumed: false, files })
    }
}

/// An empty table of the same shape, without indexes.
fn loading_table_sql(table: BulkTable, dialect: SqlDialect) -> String {
    let TableShape { name, columns, .. } = table.shape();
    let columns: Vec<String> = columns
        .iter()
        .map(|column| format!("{column} TEXT{}", if *column == NULLABLE { "" } else { " NOT NULL" }))
        .collect();
    let columns = columns.join(", ");
    dialect.expand_migration(&format!(
        "DROP TABLE IF EXISTS {name}_loading; CREATE TABLE {name}_loading ({columns}) {{heap}};\n"
    ))
}

/// The only nullable column of the bulk tables; an empty text becomes NULL.
const NULLABLE: &str = "municipio";

fn same_files(known: &[(LoadFile, i64)], given: &[(String, i64)]) -> bool {
    known.len() == given.len()
        && given.iter().all(|(name, size)| known.iter().any(|(file, known)| file.name == *name && known == size))
}

async fn files<T: Tx>(tx: &mut T, load: i64) -> Result<Vec<(LoadFile, i64)>, Error> {
    let rows = tx
        .query(
            "SELECT name, position, rows_loaded, done, size FROM reference_files WHERE load_id = $1 ORDER BY name",
            &params![load],
        )
        .await?;
    let file = |mut row: Row| {
        let file =
            LoadFile { name: row.read()?, position: row.read()?, rows: row.read()?, done: row.read::<i64>()? == 1 };
        Ok((file, row.read()?))
    };
    rows.into_iter().map(file).collect()
}

async fn next_id<T: Tx>(tx: &mut T) -> Result<i64, Error> {
    let last: Option<i64> = first(tx.query("SELECT COALESCE(MAX(id), 0) FROM reference_loads", &[]).await?)?;
    Ok(last.unwrap_or_default() + 1)
}

async fn discard_load<T: Tx>(tx: &mut T, load: i64) -> Result<(), Error> {
    tx.execute("DELETE FROM reference_files WHERE load_id = $1", &params![load]).await?;
    tx.execute("DELETE FROM reference_loads WHERE id = $1", &params![load]).await.map(drop)
}

impl StoreOperation for RowBatch {
    type Output = ();

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let rows = self.cells.len() / self.table.width();
        let count = i64::try_from(rows).map_err(|_| unexpected())?;
        let moved = tx
            .execute(
                "UPDATE reference_files SET position = $1, rows_loaded = rows_loaded + $2, done = $3 \
                 WHERE load_id = $4 AND name = $5 AND position = $6 AND done = 0",
                &params![self.position, count, i64::from(self.done), self.load, &self.file, self.from],
            )
            .await?;
        if moved != 1 {
            return Err(Error::Conflict("outro processo está importando os mesmos arquivos"));
        }
        tx.execute(
            "UPDATE reference_loads SET rows_loaded = rows_loaded + $1 WHERE id = $2 AND state = 'loading'",
            &params![count, self.load],
        )
        .await?;
        match tx.dialect() {
            SqlDialect::Sqlite => self.insert_each(tx).await,
            SqlDialect::Postgres => self.insert_arrays(tx).await,
        }
    }
}

impl RowBatch {
    async fn insert_each<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let TableShape { name, columns, .. } = self.table.shape();
        let places: Vec<String> =
            columns.iter().zip(1..).map(|(column, n)| nullable(column, &format!("${n}"))).collect();
        let sql = format!("INSERT INTO {name}_loading ({}) VALUES ({})", columns.join(", "), places.join(", "));
        for row in self.cells.chunks_exact(columns.len()) {
            let params: Vec<Value> = row.iter().map(Value::from).collect();
            tx.execute(&sql, &params).await?;
        }
        Ok(())
    }

    /// Passes each column as one parameter with separated texts: much faster than a statement per row, without another
    /// protocol.
    async fn insert_arrays<T: Tx>(&self, tx: &mut T) -> Result<(), Error> {
        let TableShape { name, columns, .. } = self.table.shape();
        if self.cells.is_empty() {
            return Ok(());
        }
        let lists: Vec<String> = (1..=columns.len()).map(|n| format!("string_to_array(${n}, chr(30))")).collect();
        // A list of one empty text splits into an empty array, and its column is then NULL.
        let picked: Vec<String> =
            columns.iter().map(|column| nullable(column, &format!("COALESCE({column}, '')"))).collect();
        let sql = format!(
            "INSERT INTO {name}_loading ({columns}) SELECT {} FROM unnest({}) AS rows ({columns})",
            picked.join(", "),
            lists.join(", "),
            columns = columns.join(", "),
        );
        let mut params: Vec<Value> = Vec::with_capacity(columns.len());
        for column in 0..columns.len() {
            let texts: Vec<&str> = self.cells.iter().skip(column).step_by(columns.len()).map(String::as_str).collect();
            params.push(Value::Text(texts.join("\u{1e}")));
        }
        tx.execute(&sql, &params).await.map(drop)
    }
}

fn nullable(column: &str, value: &str) -> String {
    if column == NULLABLE { format!("NULLIF({value}, '')") } else { value.to_owned() }
}

struct FinishLoad {
    register: PublicRegister,
    load: i64,
    now: i64,
}

impl StoreOperation for FinishLoad {
    type Output = i64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
        let open: Option<i64> = first(
            tx.query("SELECT COUNT(*) FROM reference_files WHERE load_id = $1 AND done = 0", &params![self.load])
                .await?,
        )?;
        if open != Some(0) {
            return Err(Error::Conflict("a importação ainda tem arquivos por ler"));
        }
        activate(tx, self.register, self.load, self.now).await?;
        for table in self.register.tables() {
            let TableShape { name, indexes, .. } = table.shape();
            let mut script = format!("DROP TABLE {name}; ALTER TABLE {name}_loading RENAME TO {name};\n");
            for (columns, n) in indexes.iter().zip(1..) {
                script += &format!("CREATE INDEX {name}_{}_{n} ON {name} ({columns});\n", self.load);
            }
            if tx.dialect() == SqlDialect::Postgres {
                script += &format!("ANALYZE {name};\n");
            }
            tx.script(&script).await?;
        }
        let sql = "SELECT rows_loaded FROM reference_loads WHERE id = $1";
        only(tx.query(sql, &params![self.load]).await?)?.read()
    }
}

/// Marks the former import as replaced and this one as active.
async fn activate<T: Tx>(tx: &mut T, register: PublicRegister, load: i64, now: i64) -> Result<(), Error> {
    let before = "UPDATE reference_loads SET state = 'replaced' WHERE kind = $1 AND state = 'active'";
    tx.execute(before, &params![register.word()]).await?;
    let this = "UPDATE reference_loads SET state = 'active', finished_at = $1 WHERE id = $2 AND state = 'loading'";
    match tx.execute(this, &params![now, load]).await? {
        1 => Ok(()),
        _ => Err(Error::Conflict("a importação já terminou")),
    }
}

struct ReplaceNcm {
    version: String,
    content: String,
    rows: i64,
    now: i64,
}

impl StoreOperation for ReplaceNcm {
    type Output = i64;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<i64, Error> {
        let id = next_id(tx).await?;
        tx.execute(
            "INSERT INTO reference_loads (id, kind, version, state, started_at, rows_loaded) VALUES ($1, 'ncm', $2, 'loading', $3, $4)",
            &params![id, &self.version, self.now, self.rows],
        )
        .await?;
        tx.execute("DELETE FROM ncm_tables", &[]).await?;
        tx.execute("INSERT INTO ncm_tables (load_id, content) VALUES ($1, $2)", &params![id, &self.content]).await?;
        activate(tx, PublicRegister::Ncm, id, self.now).await?;
        Ok(id)
    }
}

struct ListLoads;

impl StoreOperation for ListLoads {
    type Output = Vec<LoadRecord>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Vec<LoadRecord>, Error> {
        let rows = tx
            .query(
                "SELECT kind, version, state, started_at, finished_at, rows_loaded FROM reference_loads \
                 WHERE state <> 'replaced' ORDER BY kind, id",
                &[],
            )
            .await?;
        rows.into_iter().map(record).collect()
    }
}

fn record(mut row: Row) -> Result<LoadRecord, Error> {
    let register = PublicRegister::from_word(&row.read::<String>()?).ok_or_else(unexpected)?;
    let version = row.read()?;
    let state = match row.read::<String>()?.as_str() {
        "loading" => LoadState::Loading,
        _ => LoadState::Active,
    };
    Ok(LoadRecord { register, version, state, started_at: row.read()?, finished_at: row.read()?, rows: row.read()? })
}

struct ReadActiveLoad(PublicRegister);

impl StoreOperation for ReadActiveLoad {
    type Output = Option<(i64, String)>;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<Option<(i64, String)>, Error> {
        let sql = "SELECT id, version FROM reference_loads WHERE kind = $1 AND state = 'active'";
        let found = tx.query(sql, &params![self.0.word()]).await?.into_iter().next();
        found.map(|mut row| Ok((row.read()?, row.read()?))).transpose()
    }
}

struct NcmContent(i64);

impl StoreOperation for NcmContent {
    type Output = String;

    async fn run<T: Tx>(&self, tx: &mut T) -> Result<String, Error> {
        only(tx.query("SELECT content FROM ncm_tables WHERE load_id = $1", &params![self.0]).await?)?.read()
    }
}

crate::dyn_operation::erasable!(BeginLoad, RowBatch, FinishLoad, ReplaceNcm, ListLoads, ReadActiveLoad, NcmContent);
