//! Imports of public registers. A thread of its own reads the files in batches of bounded size; each batch is written
//! in one transaction with its position in the file, so that a killed import resumes there.

mod archive;
mod cep;
mod cnpj;
mod ncm;
mod records;

pub use cep::import_cep;
pub use cnpj::import_cnpj;
pub use ncm::import_ncm;

use std::path::PathBuf;
use store::Store;
use store::lookups::{BulkTable, LoadFile, NewLoad, PublicRegister, RowBatch};
use tokio::sync::mpsc;

/// Error of an import, in Portuguese.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The files are not of the expected format.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

fn refused(why: impl Into<String>) -> ImportError {
    ImportError::Refused(why.into())
}

/// Progress of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadingProgress {
    /// File under way.
    pub file: String,
    /// Position of the file among all, from 1.
    pub nth: usize,
    /// Number of files.
    pub of: usize,
    /// Rows written, of all files, earlier runs included.
    pub rows: i64,
    /// Amount read of this file, in units of its reader.
    pub read: i64,
    /// Size of this file in the same unit; 0 when unknown.
    pub size: i64,
}

/// Result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// Edition of the data.
    pub version: String,
    /// Rows now in use.
    pub rows: i64,
    /// `true` when the import resumed an earlier run.
    pub resumed: bool,
    /// Records that were left out; the log has the reason of the first of each file.
    pub left_out: u64,
    /// Remarks for the operator.
    pub notes: Vec<String>,
}

/// A file with its reader.
struct ImportFile {
    name: String,
    /// Recognises the file when an import resumes.
    size: i64,
    path: PathBuf,
    table: BulkTable,
    /// Reads from a position, on a thread of its own.
    read: fn(&ImportFile, i64, &ChunkSender) -> Result<(), String>,
}

/// Rows of a file and the position where they end.
struct RowChunk {
    cells: Vec<String>,
    position: i64,
    /// Size of the whole file, in the unit of `position`; 0 when unknown.
    size: i64,
    done: bool,
    left_out: u64,
}

type ChunkSender = mpsc::Sender<RowChunk>;

/// Bytes of text at which a chunk, and so a transaction, ends.
const CHUNK_BYTES: usize = 4 << 20;
/// Rows at which a chunk, and so a transaction, ends.
const CHUNK_ROWS: usize = 20_000;
/// Chunks that wait to be written. With the chunk being read and the one being written, they are all the memory of an
/// import.
const WAITING: usize = 1;
/// Left-out records of a file at which its import is refused: the format must be another one.
const MOST_LEFT_OUT: u64 = 1_000;

/// Loads all files and activates them.
async fn load(
    store: &Store,
    new: NewLoad,
    files: Vec<ImportFile>,
    now: i64,
    mut progress: impl FnMut(&ReadingProgress),
) -> Result<ImportSummary, ImportError> {
    let (register, version) = (new.register, new.version.clone());
    let load = store.begin_load(new, now).await?;
    let mut summary = ImportSummary { version, resumed: load.resumed, ..ImportSummary::default() };
    let mut told = ReadingProgress {
        of: files.len(),
        rows: load.files.iter().map(|file| file.rows).sum(),
        ..ReadingProgress::default()
    };
    for (file, nth) in files.into_iter().zip(1..) {
        let Some(known) = load.files.iter().find(|known| known.name == file.name) else { continue };
        (told.file, told.nth, told.read, told.size) = (file.name.clone(), nth, known.position, 0);
        if !known.done {
            summary.left_out += load_file(store, load.id, file, known, &mut told, &mut progress).await?;
        }
    }
    summary.rows = store.finish_load(register, load.id, now).await?;
    Ok(summary)
}

async fn load_file(
    store: &Store,
    load: i64,
    file: ImportFile,
    known: &LoadFile,
    told: &mut ReadingProgress,
    progress: &mut impl FnMut(&ReadingProgress),
) -> Result<u64, ImportError> {
    let (sender, mut chunks) = mpsc::channel(WAITING);
    let (name, table, mut from) = (file.name.clone(), file.table, known.position);
    let reading = tokio::task::spawn_blocking(move || (file.read)(&file, from, &sender));
    let mut left_out = 0;
    while let Some(chunk) = chunks.recv().await {
        left_out = chunk.left_out;
        told.rows += i64::try_from(chunk.cells.len() / table.width()).unwrap_or_default();
        (told.read, told.size) = (chunk.position, chunk.size);
        let (position, done) = (chunk.position, chunk.done);
        store
            .write_rows(RowBatch { load, file: name.clone(), from, position, done, table, cells: chunk.cells })
            .await?;
        from = position;
        progress(told);
    }
    let read = reading.await.map_err(|_| refused(format!("{name}: a leitura foi interrompida")))?;
    read.map_err(|why| refused(format!("{name}: {why}")))?;
    Ok(left_out)
}

/// Collects rows into chunks.
struct ChunkBuilder<'s> {
    sender: &'s ChunkSender,
    cells: Vec<String>,
    bytes: usize,
    rows: usize,
    size: i64,
    left_out: u64,
}

impl<'s> ChunkBuilder<'s> {
    fn new(sender: &'s ChunkSender, size: i64) -> ChunkBuilder<'s> {
        ChunkBuilder { sender, cells: Vec::new(), bytes: 0, rows: 0, size, left_out: 0 }
    }

    /// Adds a row that ends at `position`. An error ends the reading: the writer has stopped, and reports the cause.
    fn row(&mut self, cells: impl IntoIterator<Item = String>, position: i64) -> Result<(), String> {
        for cell in cells {
            self.bytes += cell.len();
            self.cells.push(cell);
        }
        self.rows += 1;
        if self.bytes >= CHUNK_BYTES || self.rows >= CHUNK_ROWS { self.send(position, false) } else { Ok(()) }
    }

    /// Counts a record that is left out.
    fn leave_out(&mut self, at: i64, why: &str) -> Result<(), String> {
        self.left_out += 1;
        match self.left_out {
            MOST_LEFT_OUT.. => {
                Err(format!("mais de {MOST_LEFT_OUT} registros fora do formato; o último, na posição {at}: {why}"))
            }
            1 => {
                tracing::warn!(position = at, why, "a record was left out");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Sends the last chunk of the file.
    fn end(mut self, position: i64) -> Result<(), String> {
        self.send(position, true)
    }

    fn send(&mut self, position: i64, done: bool) -> Result<(), String> {
        let cells = std::mem::take(&mut self.cells);
        (self.bytes, self.rows) = (0, 0);
        let chunk = RowChunk { cells, position, size: self.size, done, left_out: self.left_out };
        self.sender.blocking_send(chunk).map_err(|_| "a gravação parou".to_owned())
    }
}

/// The record of a register's bulk load.
fn new_load(register: PublicRegister, version: String, files: &[ImportFile], restart: bool) -> NewLoad {
    NewLoad { register, version, files: files.iter().map(|file| (file.name.clone(), file.size)).collect(), restart }
}

/// Removes control characters, which neither database nor our own separators accept.
fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().trim().to_owned()
}
