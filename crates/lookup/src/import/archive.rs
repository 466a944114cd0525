//! A file of records, plain or the one file inside a ZIP, read from a position on.
//!
//! Nothing is unpacked into the folder, so names and links inside a ZIP that point to other folders have no effect.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use store::os_errors;
use zip::ZipArchive;

/// Name of the file, or of the largest file inside a ZIP.
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

/// Calls `use_it` with a reader positioned at `from` and with the whole size.
pub(super) fn with_reader<T>(
    path: &Path,
    from: i64,
    use_it: impl FnOnce(&mut dyn BufRead, i64) -> Result<T, String>,
) -> Result<T, String> {
    let place = u64::try_from(from).unwrap_or_default();
    if !is_zip(path) {
        let mut file = File::open(path).map_err(|error| os_errors::io_error_text(&error))?;
        let size = file.metadata().map_err(|error| os_errors::io_error_text(&error))?.len();
        file.seek(SeekFrom::Start(place)).map_err(|error| error.to_string())?;
        return use_it(&mut BufReader::with_capacity(BUFFER, file), i64::try_from(size).unwrap_or_default());
    }
    let mut archive = open(path)?;
    let at = largest(&mut archive)?;
    let mut file = archive.by_index(at).map_err(|error| error.to_string())?;
    let declared = file.size();
    if declared > MOST_BYTES {
        return Err(format!("o ZIP diz conter {declared} bytes, mais do que qualquer base destas"));
    }
    let size = i64::try_from(declared).unwrap_or_default();
    // A deflated stream cannot seek: the bytes before `from` are unpacked and skipped.
    let passed = io::copy(&mut (&mut file).take(place), &mut io::sink()).map_err(|error| error.to_string())?;
    if passed != place {
        return Err("o arquivo é mais curto do que na execução anterior".to_owned());
    }
    use_it(&mut BufReader::with_capacity(BUFFER, file), size)
}

const BUFFER: usize = 256 << 10;
/// Most bytes unpacked of one ZIP. The library stops at the size that the ZIP states; the largest file of Receita
/// Federal holds some 6 GB.
const MOST_BYTES: u64 = 64 << 30;
/// Most files of a ZIP; those of Receita Federal hold one.
const MOST_FILES: usize = 1_000;

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| os_errors::io_error_text(&error))?;
    ZipArchive::new(BufReader::new(file)).map_err(|_| "não é um ZIP íntegro: baixe-o de novo".to_owned())
}

fn largest(archive: &mut ZipArchive<BufReader<File>>) -> Result<usize, String> {
    if archive.len() > MOST_FILES {
        return Err(format!("o ZIP tem {} arquivos, e deveria ter um", archive.len()));
    }
    let mut best = None;
    for at in 0..archive.len() {
        let size = archive.by_index_raw(at).map_err(|error| error.to_string())?.size();
        if best.is_none_or(|(most, _)| size > most) {
            best = Some((size, at));
        }
    }
    best.map(|(_, at)| at).ok_or_else(|| "o ZIP está vazio".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::path::PathBuf;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    /// A temporary folder, removed on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("carimbo-zip-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }
        fn zip(&self, fill: impl FnOnce(&mut ZipWriter<File>)) -> PathBuf {
            let path = self.0.join("dados.zip");
            let mut zip = ZipWriter::new(File::create(&path).unwrap());
            fill(&mut zip);
            zip.finish().unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn add(zip: &mut ZipWriter<File>, name: &str, content: &[u8]) {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }

    fn whole(path: &Path) -> Result<String, String> {
        with_reader(path, 0, |reader, _| {
            let mut text = String::new();
            reader.read_to_string(&mut text).map_err(|error| error.to_string())?;
            Ok(text)
        })
    }

    #[test]
    fn names_and_links_inside_of_a_zip_lead_nowhere() {
        let folder = Folder::new("nomes");
        for name in ["../../fora.EMPRECSV", "/etc/fora.EMPRECSV", "C:\\fora.EMPRECSV"] {
            let path = folder.zip(|zip| add(zip, name, b"linha"));
            assert!(inner_name(&path).unwrap().ends_with("fora.EMPRECSV"));
            assert_eq!(whole(&path).unwrap(), "linha");
        }
        let path =
            folder.zip(|zip| zip.add_symlink("a.EMPRECSV", "/etc/passwd", SimpleFileOptions::default()).unwrap());
        assert_eq!(whole(&path).unwrap(), "/etc/passwd", "where it leads is data, and not followed");
        assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1, "nothing was unpacked");
    }

    #[test]
    fn a_zip_has_so_many_files_and_unpacks_to_what_it_says() {
        let folder = Folder::new("medidas");
        let path = folder.zip(|zip| (0..1_001).for_each(|at| add(zip, &format!("{at}.EMPRECSV"), b"")));
        assert!(inner_name(&path).unwrap_err().contains("1001 arquivos"));
        // Ten megabytes declared as seven bytes, in both places where a ZIP states the size.
        let path = folder.zip(|zip| add(zip, "a.EMPRECSV", &vec![b'\n'; 10_000_000]));
        let mut bytes = std::fs::read(&path).unwrap();
        let said = 10_000_000_u32.to_le_bytes();
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..at + 4] == said).collect();
        assert!(!places.is_empty());
        for at in places {
            bytes[at..at + 4].copy_from_slice(&7_u32.to_le_bytes());
        }
        std::fs::write(&path, &bytes).unwrap();
        let refused = whole(&path).unwrap_err();
        assert!(refused.contains("declared uncompressed size"), "{refused}");
    }
}
