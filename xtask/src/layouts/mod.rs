//! `cargo xtask layouts` and `cargo xtask schemas`: the official XSDs, as files for libxml2 and compiled into our
//! tables.
//!
//! Law: the XSD packages of the portals of NF-e, CT-e and NFS-e, from the PyPI package `nfelib`; those of ABRASF from
//! `nfselib-legacy`. Must not know: how a document is checked.

mod abrasf;
mod additions;
mod amendments;
mod annotation_corrections;
mod emit;
mod family;
mod nt009;
mod package;
mod schema_folder;
mod wildcard;
mod xsd;

use std::fs;
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell;

/// `cargo xtask layouts [--check]`: rewrites `crates/fiscal/src/layout/*` or fails when the committed tables differ.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("usage: cargo xtask layouts [--check]"),
    };
    let folder = schema_folder::lay_out()?;
    let target = shell::root().join("crates/fiscal/src/layout");
    let mut stale = Vec::new();
    for (name, text) in family::generate(&folder)? {
        let path = target.join(&name);
        if fs::read_to_string(&path).is_ok_and(|committed| committed == text) {
            continue;
        }
        if check {
            stale.push(name);
        } else {
            println!("{} ({} lines)", path.display(), text.lines().count());
            fs::write(&path, text)?;
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        bail!("run `cargo xtask layouts`: {} differ from the package", stale.join(", "))
    }
}

/// `cargo xtask schemas`: fetches the XSDs and writes them to `target/schemas/{nfe,evento,cte,nfse,abrasf}/…` for the
/// tests that use libxml2. `--official PATH` prints the differences between those of ABRASF and the files that ABRASF
/// and GovDigital published.
pub(crate) fn schemas(args: &[String]) -> Result<()> {
    let official = match args {
        [] => None,
        [flag, path] if flag == "--official" => Some(path),
        _ => bail!("usage: cargo xtask schemas [--official PATH]"),
    };
    let laid_out = schema_folder::lay_out()?;
    println!("{}", laid_out.display());
    if let Some(official) = official {
        abrasf::compare(&laid_out, official.as_ref())?;
    }
    shell::capture_success(Command::new("xmllint").arg("--version")).map(drop)
}
