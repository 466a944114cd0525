//! A file of records as it lies there: plain, or the one file inside a ZIP; read from a place on.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use zip::ZipArchive;

/// The name of what is inside: the file's own, or that of the largest file of a ZIP.
pub(super) fn inner_name(path: &Path) -> Result<String, String> {
    let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !is_zip(path) {
        return Ok(own);
    }
    let mut archive = open(path)?;
    let at = largest(&mut archive)?;
    let file = archive.by_index(at).map_err(|error| error.to_string())?;
    file.name().map(std::borrow::Cow::into_owned).map_err(|error| error.to_string())
}

/// Calls `use_it` with a reader that stands at `from` and the whole size.
pub(super) fn with_reader<T>(
    path: &Path,
    from: i64,
    use_it: impl FnOnce(&mut dyn BufRead, i64) -> Result<T, String>,
) -> Result<T, String> {
    let place = u64::try_from(from).unwrap_or_default();
    if !is_zip(path) {
        let mut file = File::open(path).map_err(|error| error.to_string())?;
        let size = file.metadata().map_err(|error| error.to_string())?.len();
        file.seek(SeekFrom::Start(place)).map_err(|error| error.to_string())?;
        return use_it(&mut BufReader::with_capacity(BUFFER, file), i64::try_from(size).unwrap_or_default());
    }
    let mut archive = open(path)?;
    let at = largest(&mut archive)?;
    let mut file = archive.by_index(at).map_err(|error| error.to_string())?;
    let size = i64::try_from(file.size()).unwrap_or_default();
    // what is deflated has no places to go to: it is unpacked and passed over
    let passed = io::copy(&mut (&mut file).take(place), &mut io::sink()).map_err(|error| error.to_string())?;
    if passed != place {
        return Err("o arquivo é mais curto do que na execução anterior".to_owned());
    }
    use_it(&mut BufReader::with_capacity(BUFFER, file), size)
}

const BUFFER: usize = 256 << 10;

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    ZipArchive::new(BufReader::new(file)).map_err(|error| format!("não é um ZIP íntegro: {error}"))
}

fn largest(archive: &mut ZipArchive<BufReader<File>>) -> Result<usize, String> {
    let mut best = None;
    for at in 0..archive.len() {
        let size = archive.by_index_raw(at).map_err(|error| error.to_string())?.size();
        if best.is_none_or(|(most, _)| size > most) {
            best = Some((size, at));
        }
    }
    best.map(|(_, at)| at).ok_or_else(|| "o ZIP está vazio".to_owned())
}
