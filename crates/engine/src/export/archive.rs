//! A ZIP as a stream: each entry is deflated and given away, its row of the directory stays.
//!
//! rawzip writes ZIP64 where an archive has more than 65,535 entries or 4 GB. Reason for this library:
//! docs/decisions/dependencies.md.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The archive could not be written: its destination is memory, so this is a bug of ours.
#[derive(Debug, thiserror::Error)]
#[error("o ZIP não pôde ser escrito: {0}")]
pub struct ArchiveError(String);

impl From<rawzip::Error> for ArchiveError {
    fn from(error: rawzip::Error) -> ArchiveError {
        ArchiveError(error.to_string())
    }
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> ArchiveError {
        ArchiveError(error.to_string())
    }
}

/// Bytes that were written and not yet taken.
#[derive(Debug, Clone, Default)]
struct WrittenBytes(Arc<Mutex<Vec<u8>>>);

impl WrittenBytes {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for WrittenBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An archive being written.
pub(super) struct ZipStream {
    archive: ZipArchiveWriter<WrittenBytes>,
    written: WrittenBytes,
    written_at: UtcDateTime,
}

impl ZipStream {
    /// Begins an archive whose entries carry this instant.
    pub(super) fn new(now_s: i64) -> ZipStream {
        let written = WrittenBytes::default();
        let archive = ZipArchiveWriter::new(written.clone());
        ZipStream { archive, written, written_at: UtcDateTime::from_unix(now_s) }
    }

    /// Adds a file.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> Result<(), ArchiveError> {
        let file = self.archive.new_file(name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.last_modified(self.written_at).start()?;
        let mut data = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        data.write_all(content)?;
        let (encoder, described) = data.finish()?;
        encoder.finish()?;
        entry.finish(described)?;
        Ok(())
    }

    /// Bytes written since the last call.
    pub(super) fn take(&self) -> Vec<u8> {
        self.written.take()
    }

    /// Writes the directory; returns the last bytes.
    pub(super) fn finish(self) -> Result<Vec<u8>, ArchiveError> {
        self.archive.finish()?;
        Ok(self.written.take())
    }
}
