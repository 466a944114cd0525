//! Command line tools that check our output, and a folder deleted after the test.

use crate::material::Chain;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary folder of one test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("carimbo-signing-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    pub fn path(&self) -> &Path {
        &self.0
    }
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a tool in the folder; `Err` holds its output.
pub fn run(folder: &Folder, tool: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(tool).args(arguments).current_dir(folder.path()).output();
    let output = output.unwrap_or_else(|error| {
        panic!("este teste precisa de `{tool}` instalado ({error}); `cargo xtask test` o instala")
    });
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(said) } else { Err(said) }
}

/// Result of xmlsec1 for a signed document whose signed element is `element`, trusting the root of this chain alone.
pub fn xmlsec1_verify(xml: &str, element: &str, chain: &Chain) -> Result<String, String> {
    let folder = Folder::new();
    folder.write("document.xml", xml.as_bytes());
    folder.write("root.pem", &chain.root.to_pem().unwrap());
    folder.write("intermediate.pem", &chain.intermediate.to_pem().unwrap());
    let trust = ["--trusted-pem", "root.pem", "--untrusted-pem", "intermediate.pem"];
    let arguments = [&["--verify"], &trust[..], &["--id-attr:Id", element, "document.xml"]].concat();
    run(&folder, "xmlsec1", &arguments)
}

/// Result of xmlsec1 for the signature at an XPath; any `Id` may be referred to.
pub fn xmlsec1_verify_at(xml: &str, signature: &str, chain: &Chain) -> Result<String, String> {
    let folder = Folder::new();
    folder.write("document.xml", xml.as_bytes());
    folder.write("root.pem", &chain.root.to_pem().unwrap());
    folder.write("intermediate.pem", &chain.intermediate.to_pem().unwrap());
    let trust = ["--trusted-pem", "root.pem", "--untrusted-pem", "intermediate.pem"];
    let ids = ["--id-attr:Id", "Inf", "--id-attr:Id", "Lote", "--node-xpath", signature, "document.xml"];
    run(&folder, "xmlsec1", &[&["--verify"], &trust[..], &ids[..]].concat())
}
