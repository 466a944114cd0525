//! Imports of public registers: files are read on a thread of their own, in batches of bounded size, and each batch is
//! written in one transaction with the place in its file, so that an import that was killed goes on where it was.

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
use store::lookups::{Batch, BulkTable, LoadFile, NewLoad, Register};
use tokio::sync::mpsc;

/// Why an import was refused or ended; Portuguese, for people.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The files are not what they should be.
    #[error("{0}")]
    Refused(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

fn refused(why: impl Into<String>) -> ImportError {
    ImportError::Refused(why.into())
}

/// How far an import is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// The file under way.
    pub file: String,
    /// Its place among all.
    pub nth: usize,
    /// How many there are.
    pub of: usize,
    /// Rows written, of all files, runs before included.
    pub rows: i64,
    /// Read of this file, in units of its reader.
    pub read: i64,
    /// The whole of this file in the same unit; 0 when unknown.
    pub size: i64,
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The edition.
    pub version: String,
    /// Rows now in use.
    pub rows: i64,
    /// It went on where another run ended.
    pub resumed: bool,
    /// Records that were left out, with the first of the reasons.
    pub left_out: u64,
    /// What the operator should know.
    pub notes: Vec<String>,
}

/// A file and how it is read.
struct File {
    name: String,
    /// Of the file, to know it again.
    size: i64,
    path: PathBuf,
    table: BulkTable,
    /// Reads from a place, on a thread of its own.
    read: fn(&File, i64, &Sender) -> Result<(), String>,
}

/// Some rows of a file and where they end.
struct Chunk {
    cells: Vec<String>,
    position: i64,
    /// The whole, in the unit of `position`; 0 when unknown.
    size: i64,
    done: bool,
    left_out: u64,
}

type Sender = mpsc::Sender<Chunk>;

/// Texts of one transaction, in bytes.
const CHUNK_BYTES: usize = 4 << 20;
/// Rows of one transaction.
const CHUNK_ROWS: usize = 20_000;
/// Chunks that wait to be written: with the one being read and the one being written, all the memory an import takes.
const WAITING: usize = 1;
/// More records left out than this and the file is another than we think.
const MOST_LEFT_OUT: u64 = 1_000;

/// Loads all files and puts them in use.
async fn load(
    store: &Store,
    new: NewLoad,
    files: Vec<File>,
    now: i64,
    mut progress: impl FnMut(&Progress),
) -> Result<Summary, ImportError> {
    let (register, version) = (new.register, new.version.clone());
    let load = store.begin_load(new, now).await?;
    let mut summary = Summary { version, resumed: load.resumed, ..Summary::default() };
    let mut told =
        Progress { of: files.len(), rows: load.files.iter().map(|file| file.rows).sum(), ..Progress::default() };
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
    file: File,
    known: &LoadFile,
    told: &mut Progress,
    progress: &mut impl FnMut(&Progress),
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
        store.load(Batch { load, file: name.clone(), from, position, done, table, cells: chunk.cells }).await?;
        from = position;
        progress(told);
    }
    let read = reading.await.map_err(|_| refused(format!("{name}: a leitura foi interrompida")))?;
    read.map_err(|why| refused(format!("{name}: {why}")))?;
    Ok(left_out)
}

/// Gathers rows into chunks.
struct Gathered<'s> {
    sender: &'s Sender,
    cells: Vec<String>,
    bytes: usize,
    rows: usize,
    size: i64,
    left_out: u64,
}

impl<'s> Gathered<'s> {
    fn new(sender: &'s Sender, size: i64) -> Gathered<'s> {
        Gathered { sender, cells: Vec::new(), bytes: 0, rows: 0, size, left_out: 0 }
    }

    /// Takes a row that ends at `position`. An error ends the reading: the writer is gone, and knows why.
    fn row(&mut self, cells: impl IntoIterator<Item = String>, position: i64) -> Result<(), String> {
        for cell in cells {
            self.bytes += cell.len();
            self.cells.push(cell);
        }
        self.rows += 1;
        if self.bytes >= CHUNK_BYTES || self.rows >= CHUNK_ROWS { self.send(position, false) } else { Ok(()) }
    }

    /// Leaves a record out.
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

    /// The end of the file.
    fn end(mut self, position: i64) -> Result<(), String> {
        self.send(position, true)
    }

    fn send(&mut self, position: i64, done: bool) -> Result<(), String> {
        let cells = std::mem::take(&mut self.cells);
        (self.bytes, self.rows) = (0, 0);
        let chunk = Chunk { cells, position, size: self.size, done, left_out: self.left_out };
        self.sender.blocking_send(chunk).map_err(|_| "a gravação parou".to_owned())
    }
}

/// How a register that is loaded in bulk begins.
fn new_load(register: Register, version: String, files: &[File], restart: bool) -> NewLoad {
    NewLoad { register, version, files: files.iter().map(|file| (file.name.clone(), file.size)).collect(), restart }
}

/// A text without control characters, which neither database nor our own separators can bear.
fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().trim().to_owned()
}
