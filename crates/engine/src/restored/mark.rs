//! Mark of an installation in a small file beside its database.
//!
//! One line: the installation, the mark, its instant.
//! Must not know: the meaning of a mark.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use store::installation::{Installation, SeenMark};
use uuid::Uuid;

/// Location of the mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkPlace {
    /// In this file.
    File(PathBuf),
    /// In a file of this folder, named after the installation.
    Folder(PathBuf),
}

impl MarkPlace {
    fn file(&self, installation: Uuid) -> PathBuf {
        match self {
            MarkPlace::File(path) => path.clone(),
            MarkPlace::Folder(folder) => folder.join(format!("carimbo-{installation}.marca")),
        }
    }
}

/// The mark beside the database, as this process last wrote it.
pub(super) struct MarkFile {
    place: Option<MarkPlace>,
    written: Option<SeenMark>,
    is_troubled: bool,
}

impl MarkFile {
    pub(super) fn new(place: Option<MarkPlace>) -> MarkFile {
        MarkFile { place, written: None, is_troubled: false }
    }

    /// Returns the highest mark seen of an installation.
    pub(super) async fn highest_mark(&mut self, installation: Uuid) -> Option<SeenMark> {
        let file = self.place.as_ref().map(|place| place.file(installation));
        let read = match file {
            Some(file) => self.run_blocking(move || read(&file)).await.flatten(),
            None => None,
        };
        let of_it = |seen: &SeenMark| seen.id == installation;
        read.filter(of_it).into_iter().chain(self.written.filter(of_it)).max_by_key(|seen| seen.mark)
    }

    /// Writes the mark; a failure is logged once and leaves the file as it was.
    pub(super) async fn write_mark(&mut self, installation: &Installation) {
        let (id, mark) = (installation.id, installation.mark);
        self.written = Some(SeenMark { id, mark });
        let Some(file) = self.place.as_ref().map(|place| place.file(id)) else { return };
        let line = format!("{id} {mark} {}\n", installation.marked_at);
        if self.run_blocking(move || write(&file, &line)).await.is_some() {
            self.is_troubled = false;
        }
    }

    async fn run_blocking<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Option<T> {
        let done = tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(io::Error::other(error)));
        done.map_err(|error| self.log_failure(&error)).ok()
    }

    fn log_failure(&mut self, error: &io::Error) {
        if !std::mem::replace(&mut self.is_troubled, true) {
            tracing::warn!(
                error.cause = %error,
                "the mark beside the database cannot be kept: a copy that is put back will not be noticed"
            );
        }
    }
}

fn read(file: &Path) -> io::Result<Option<SeenMark>> {
    match fs::read_to_string(file) {
        Ok(text) => parsed(&text).map(Some).ok_or_else(|| io::Error::other("o arquivo da marca é ilegível")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn parsed(text: &str) -> Option<SeenMark> {
    let mut words = text.split_ascii_whitespace();
    Some(SeenMark { id: words.next()?.parse().ok()?, mark: words.next()?.parse().ok()? })
}

/// Replaces the file atomically: the old or the new one stands there, never a part.
fn write(file: &Path, line: &str) -> io::Result<()> {
    let mut name = file.as_os_str().to_owned();
    name.push(".nova");
    let fresh = PathBuf::from(name);
    let mut opened = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    opened.write_all(line.as_bytes())?;
    opened.sync_all()?;
    fs::rename(&fresh, file)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn installation(mark: i64) -> Installation {
        Installation { id: Uuid::from_u128(7), mark, marked_at: 1_795_000_000, restored: None }
    }

    #[tokio::test]
    async fn another_process_finds_the_mark_that_was_kept() {
        let folder = std::env::temp_dir().join(format!("carimbo-marca-{}", Uuid::now_v7()));
        fs::create_dir_all(&folder).unwrap();
        for place in [MarkPlace::File(folder.join("carimbo.db.marca")), MarkPlace::Folder(folder.clone())] {
            let mut first = MarkFile::new(Some(place.clone()));
            assert_eq!(first.highest_mark(Uuid::from_u128(7)).await, None);
            first.write_mark(&installation(41)).await;
            first.write_mark(&installation(42)).await;
            let mut second = MarkFile::new(Some(place.clone()));
            let seen = second.highest_mark(Uuid::from_u128(7)).await;
            assert_eq!(seen, Some(SeenMark { id: Uuid::from_u128(7), mark: 42 }));
            assert_eq!(second.highest_mark(Uuid::from_u128(8)).await, None);
            let file = place.file(Uuid::from_u128(7));
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            fs::write(&file, "ilegível").unwrap();
            assert_eq!(second.highest_mark(Uuid::from_u128(7)).await, None);
            assert_eq!(first.highest_mark(Uuid::from_u128(7)).await.map(|seen| seen.mark), Some(42));
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
