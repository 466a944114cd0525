//! The XSDs of ABRASF, as the PyPI package `nfselib-legacy` has them in its folders of providers. The layout of
//! GovDigital is the official one with some definitions replaced by ours.
//!
//! Law: ABRASF, XSDs of 1.00 to 2.04. Must not know the content of the schemas.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::package::{self, PypiPackage};
use super::xsd::{SchemaNode, SchemaSet};

pub(super) const PACKAGE: PypiPackage = PypiPackage {
    name: "nfselib-legacy",
    version: "1.0.0",
    sha256: "ad094b98830878f446a90c5d095f23e4baf3c326a71b2cd538dc76df3d685086",
};

/// Folders below `target/schemas`: the schemas for libxml2, and their copies with our schema of the signature, from
/// which the tables are made.
pub(super) const FOLDER: &str = "abrasf";
pub(super) const WHOLE: &str = "abrasf-inteiro";

/// A version and its file, which equals ABRASF's own but for blanks and remarks.
struct AbrasfSource {
    version: &'static str,
    file: &'static str,
    /// Corrections of the file: a text that occurs once, and its replacement.
    text_corrections: &'static [(&'static str, &'static str)],
    /// Definitions in which the corrections differ from ABRASF's own file too.
    corrected_definitions: &'static [(&'static str, &'static str)],
    /// Our definitions, which replace those of the same names.
    replacement_schema: Option<&'static str>,
}

const fn source(version: &'static str, file: &'static str) -> AbrasfSource {
    AbrasfSource { version, file, text_corrections: &[], corrected_definitions: &[], replacement_schema: None }
}

const SOURCES: [AbrasfSource; 7] = [
    source("1.00", "DSF/SJCSP/nfse.xsd"),
    AbrasfSource {
        text_corrections: &[
            // the provider allows any version in a lot
            (
                "<xsd:simpleType name=\"tsVersao\">\r\n\t\t<xsd:restriction base=\"xsd:token\">\r\n",
                "<xsd:simpleType name=\"tsVersao\">\r\n\t\t<xsd:restriction base=\"xsd:token\">\r\n\t\t\t<xsd:pattern value=\"[1-9]{1}[0-9]{0,1}\\.[0-9]{2}\" />\r\n",
            ),
            // 2.00 requires a signature of the declaration but declares no Id to refer to. 2.01 corrects this, and
            // systems of 2.00 write the Id
            (
                "<xsd:element name=\"IncentivoFiscal\" type=\"tsSimNao\"\r\n\t\t\t\tminOccurs=\"1\" maxOccurs=\"1\" />\r\n\t\t</xsd:sequence>\r\n",
                "<xsd:element name=\"IncentivoFiscal\" type=\"tsSimNao\"\r\n\t\t\t\tminOccurs=\"1\" maxOccurs=\"1\" />\r\n\t\t</xsd:sequence>\r\n\t\t<xsd:attribute name=\"Id\" type=\"tsIdTag\" />\r\n",
            ),
        ],
        corrected_definitions: &[("complexType", "tcInfDeclaracaoPrestacaoServico")],
        ..source("2.00", "ISSONLINE4R/nfsev20.xsd")
    },
    source("2.01", "ABRASF/nfse_v2_01.xsd"),
    source("2.02", "ABRASF/nfse_v2_02.xsd"),
    source("2.03", "DESENVOLVECIDADE/nfsev203.xsd"),
    source("2.04", "ISSNET/nfse_v2-04.xsd"),
    AbrasfSource {
        replacement_schema: Some(include_str!("written/govdigital.xsd")),
        ..source("govdigital-2.01", "ABRASF/nfse_v2_01.xsd")
    },
];

/// The signature as the W3C published it, and the name by which the schemas import it.
const SIGNATURE: &str = "ABRASF/xmldsig-core-schema20020212.xsd";
const IMPORTED: &str = "xmldsig-core-schema20020212.xsd";
/// Name of each version's schema in its folder.
pub(super) const FILE: &str = "nfse.xsd";

/// Returns the names of the versions.
pub(super) fn versions() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|source| source.version)
}

/// Writes the schemas below a folder.
pub(super) fn lay_out(to: &Path) -> Result<()> {
    let schemas = package::fetch(&PACKAGE)?.join("schemas/NFSe");
    let signature = schemas.join(SIGNATURE);
    for source in &SOURCES {
        let path = schemas.join(source.file);
        let mut text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        for (from, right) in source.text_corrections {
            ensure!(text.matches(*from).count() == 1, "{} has not exactly one {from:?}", path.display());
            text = text.replace(*from, right);
        }
        if let Some(written) = source.replacement_schema {
            text = replace_definitions(&text, written)?;
        }
        for (folder, own_signature) in [(FOLDER, None), (WHOLE, Some(package::NFSE_SIGNATURE))] {
            let folder = to.join(folder).join(source.version);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(FILE), &text)?;
            match own_signature {
                Some(own) => fs::write(folder.join(IMPORTED), own)?,
                None => drop(fs::copy(&signature, folder.join(IMPORTED))?),
            }
        }
    }
    Ok(())
}

/// Replaces the definitions of a schema by those of the same names in `written`, and appends the others.
fn replace_definitions(schema: &str, written: &str) -> Result<String> {
    let mut schema = schema.to_owned();
    let mut added = String::new();
    for definition in definitions(written)? {
        let head = definition.split_inclusive('"').take(2).collect::<String>();
        let kind = definition[1..].split(' ').next().unwrap_or_default();
        match schema.match_indices(&head).map(|(at, _)| at).collect::<Vec<_>>()[..] {
            [] => added.extend([definition, "\n"]),
            [at] => {
                let end = format!("</{kind}>");
                let length = schema[at..].find(&end).with_context(|| format!("{head} has no end"))? + end.len();
                schema.replace_range(at..at + length, definition);
            }
            _ => bail!("{head} stands twice"),
        }
    }
    let end = schema.rfind("</xsd:schema>").context("the schema has no end")?;
    schema.insert_str(end, &added);
    Ok(schema)
}

/// Returns the definitions of one of our schemas: each begins and ends at the start of a line.
fn definitions(written: &str) -> Result<Vec<&str>> {
    let mut found = Vec::new();
    for kind in ["xsd:simpleType", "xsd:complexType", "xsd:element"] {
        let (begin, end) = (format!("\n<{kind} "), format!("\n</{kind}>"));
        for (at, _) in written.match_indices(&begin) {
            let length = written[at..].find(&end).with_context(|| format!("<{kind}> without end"))? + end.len();
            found.push(&written[at + 1..at + length]);
        }
    }
    ensure!(!found.is_empty(), "nothing is written");
    Ok(found)
}

/// Prints the differences between our schemas and the official files below a folder (`ABRASF/<versão>/*.xsd`,
/// `NFeCidades/2.01/*.xsd`). Compares definitions, regardless of order, remarks and blanks. Fails when other
/// definitions differ than the corrected ones.
pub(super) fn compare(laid_out: &Path, official: &Path) -> Result<()> {
    let mut differences = 0;
    for AbrasfSource { version, corrected_definitions: amended, .. } in &SOURCES {
        let ours = laid_out.join(FOLDER).join(version).join(FILE);
        let theirs = match version.strip_prefix("govdigital-") {
            Some(number) => official.join("NFeCidades").join(number),
            None => official.join("ABRASF").join(version),
        };
        let theirs = official_file(&theirs)?;
        let (ours, theirs) = (SchemaSet::single_file(&ours)?, SchemaSet::single_file(&theirs)?);
        let (ours, theirs) = (ours.definitions(), theirs.definitions());
        let names: std::collections::BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
        let shape = |node: Option<&&std::rc::Rc<SchemaNode>>| node.map(|node| node.shape());
        let different: Vec<_> =
            names.iter().filter(|name| shape(ours.get(**name)) != shape(theirs.get(**name))).collect();
        println!(
            "{version}: {} definitions, {} differ {different:?}, amended {amended:?}",
            names.len(),
            different.len()
        );
        // corrected definitions must differ, and no others may
        differences += different.iter().filter(|name| !amended.contains(**name)).count();
        differences += amended.iter().filter(|name| !different.iter().any(|found| **found == *name)).count();
    }
    ensure!(differences == 0, "{differences} definitions differ");
    Ok(())
}

/// Returns the schema of a folder, not that of the signature.
fn official_file(folder: &Path) -> Result<PathBuf> {
    let found = package::xsds(folder)?
        .into_iter()
        .find(|file| file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("nfse")));
    found.with_context(|| format!("{} has no nfse*.xsd", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_takes_the_place_of_its_namesake_or_is_added() {
        let schema = "<xsd:schema>\n\t<xsd:simpleType name=\"a\">\n\t\t1\n\t</xsd:simpleType>\n</xsd:schema>";
        let written = "\n<xsd:simpleType name=\"a\">\n  2\n</xsd:simpleType>\n<xsd:simpleType name=\"b\">\n  3\n</xsd:simpleType>\n";
        assert_eq!(
            replace_definitions(schema, written).unwrap(),
            "<xsd:schema>\n\t<xsd:simpleType name=\"a\">\n  2\n</xsd:simpleType>\n<xsd:simpleType name=\"b\">\n  3\n</xsd:simpleType>\n</xsd:schema>"
        );
        assert!(replace_definitions(schema, "").is_err());
        assert!(replace_definitions(&format!("{schema}{schema}"), written).is_err());
    }
}
