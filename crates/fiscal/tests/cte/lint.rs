//! The other validator: `xmllint` with the official schemas of the CT-e as published.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Temporary folder of files to validate; removed on drop.
pub(crate) struct Desk(PathBuf);

impl Desk {
    pub(crate) fn new(name: &str) -> Desk {
        let folder = env::temp_dir().join(format!("carimbo-cte-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Desk(folder)
    }

    pub(crate) fn file(&self, name: &str, xml: &str) -> PathBuf {
        let file = self.0.join(name).with_extension("xml");
        fs::write(&file, xml).unwrap();
        file
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Requires that every file is accepted.
pub(crate) fn accepted(schema: &str, files: &[PathBuf]) {
    assert!(!files.is_empty(), "{schema}");
    let schemas = env::var_os("CARIMBO_SCHEMAS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/schemas"), PathBuf::from);
    let schema = schemas.join("cte").join(schema);
    assert!(schema.exists(), "{} is missing: run `cargo xtask schemas`", schema.display());
    let output = Command::new("xmllint").arg("--noout").arg("--schema").arg(&schema).args(files).output();
    let output = output.expect("xmllint (package libxml2-utils) must be installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
