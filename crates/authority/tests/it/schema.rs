//! Validation by libxml2 with the official XSDs.

use crate::folder::Folder;
use std::path::PathBuf;
use std::process::Command;

/// Checks a message by this schema, e.g. `nfe/enviNFe_v4.00.xsd`.
pub fn assert_valid(xml: &str, schema: &str) {
    let said = judged(xml, schema);
    assert!(said.is_ok(), "{}\n{xml}", said.unwrap_err());
}

/// Errors of a message by this schema.
pub fn judged(xml: &str, schema: &str) -> Result<(), String> {
    let schema = schemas().join(schema);
    assert!(schema.exists(), "falta {}: rode `cargo xtask schemas`", schema.display());
    let folder = Folder::new();
    let document = folder.write("document.xml", xml);
    let mut command = Command::new("xmllint");
    let output = command.args(["--nonet", "--noout", "--schema"]).arg(&schema).arg(&document).output();
    let output = output
        .unwrap_or_else(|error| panic!("este teste precisa de `xmllint` ({error}); `cargo xtask test` o instala"));
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn schemas() -> PathBuf {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/schemas");
    std::env::var_os("CARIMBO_SCHEMAS").map_or_else(|| PathBuf::from(default), PathBuf::from)
}
