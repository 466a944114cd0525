//! Generated files: texts as they are, large tables deflated. Comparison is by content: another version of the
//! compressor may give other bytes for equal rows.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// Writes a generated text; with `check` fails unless the file has it already.
pub(super) fn write_or_check(path: &Path, content: &[u8], check: bool) -> Result<()> {
    if check {
        let same = fs::read(path).with_context(|| path.display().to_string())? == content;
        ensure!(same, "{} is not what `cargo xtask tables` writes", path.display());
        return Ok(());
    }
    fs::write(path, content).with_context(|| path.display().to_string())
}

/// Writes or checks a deflated table.
pub(super) fn write_or_check_packed(path: &Path, text: &str, check: bool) -> Result<()> {
    if check {
        ensure!(read_packed(path)? == text, "{} is not what `cargo xtask tables` writes", path.display());
        return Ok(());
    }
    write_or_check(path, &miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 10), false)
}

/// Returns the text of a deflated table.
pub(super) fn read_packed(path: &Path) -> Result<String> {
    let packed = fs::read(path).with_context(|| path.display().to_string())?;
    let bytes = miniz_oxide::inflate::decompress_to_vec(&packed)
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    Ok(String::from_utf8(bytes)?)
}
