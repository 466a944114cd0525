//! libxml2 and xmlsec1, which validate the simulator's documents.

use simulator::pki::Pki;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed with its test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("carimbo-sefin-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    pub(crate) fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path
    }
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
pub(crate) fn run(folder: &Folder, tool: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(tool).args(arguments).current_dir(folder.path()).output();
    let output = output.unwrap_or_else(|error| panic!("este teste precisa de {tool}: {error}"));
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(said) } else { Err(said) }
}

/// Validates documents by an official schema, all in one run.
#[track_caller]
pub(crate) fn assert_all_valid(schema: &str, documents: &[(String, String)]) {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/schemas");
    let schemas = std::env::var_os("CARIMBO_SCHEMAS").map_or_else(|| PathBuf::from(workspace), PathBuf::from);
    let schema = schemas.join("nfse").join(schema);
    assert!(schema.is_file(), "{} não existe: rode `cargo xtask schemas`", schema.display());
    let folder = Folder::new();
    let names: Vec<String> = documents
        .iter()
        .map(|(name, xml)| folder.write(&format!("{name}.xml"), xml.as_bytes()).display().to_string())
        .collect();
    let schema = schema.display().to_string();
    let arguments: Vec<&str> =
        ["--nonet", "--noout", "--schema", &schema].into_iter().chain(names.iter().map(String::as_str)).collect();
    run(&folder, "xmllint", &arguments).unwrap_or_else(|said| panic!("{said}"));
}

/// xmlsec1's verdict on the signature at a path, trusting the simulator's root alone.
pub(crate) fn xmlsec1(pki: &Pki, xml: &str, element: &str, signature: &str) -> Result<String, String> {
    let folder = Folder::new();
    folder.write("document.xml", xml.as_bytes());
    folder.write("root.pem", pki.ca_pem());
    let arguments =
        ["--verify", "--trusted-pem", "root.pem", "--id-attr:Id", element, "--node-xpath", signature, "document.xml"];
    run(&folder, "xmlsec1", &arguments)
}

/// Path of the root's signature.
pub(crate) const OWN: &str = "/*/*[local-name()='Signature']";
/// Path of the DPS's signature in an NFS-e.
pub(crate) const OF_THE_DPS: &str = "//*[local-name()='DPS']/*[local-name()='Signature']";
