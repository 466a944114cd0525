//! Contents of `xs:any`: the schemas leave the modal of a CT-e open and publish its layout in separate files.
//!
//! Law: MOC CT-e 4.00, visão geral (the generic part and the modal are checked one after the other: 215, then 580). The
//! official files stay unchanged, for the tests that validate with libxml2 in two passes. A copy beside them replaces
//! each `xs:any` by its possible contents, so that layout, checker and writer see one whole document. Must not know:
//! the content of a modal.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// An `xs:any` and its possible contents.
struct FilledWildcard {
    /// File below the folder of the whole schemas.
    file: &'static str,
    /// The complex type that contains the `xs:any`.
    within: &'static str,
    /// Elements declared in other files; one of them is present, once.
    elements: &'static [&'static str],
    /// Files to include for them.
    declared_in: &'static [&'static str],
}

const WILDCARDS: &[FilledWildcard] = &[
    FilledWildcard {
        file: "cteTiposBasico_v4.00.xsd",
        within: "TCTe",
        elements: &["rodo", "aereo", "aquav", "ferrov", "duto", "multimodal"],
        declared_in: &[
            "cteModalRodoviario_v4.00.xsd",
            "cteModalAereo_v4.00.xsd",
            "cteModalAquaviario_v4.00.xsd",
            "cteModalFerroviario_v4.00.xsd",
            "cteModalDutoviario_v4.00.xsd",
            "cteMultiModal_v4.00.xsd",
        ],
    },
    FilledWildcard {
        file: "cteTiposBasico_v4.00.xsd",
        within: "TCTeOS",
        elements: &["rodoOS"],
        declared_in: &["cteModalRodoviarioOS_v4.00.xsd"],
    },
];

const ANY: &str = "<xs:any";
const END: &str = "</xs:any>";

/// Replaces each `xs:any` in the schemas of a folder.
pub(super) fn fill_wildcards(folder: &Path) -> Result<()> {
    for wildcard in WILDCARDS {
        let path = folder.join(wildcard.file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let filled =
            with_contents(&text, wildcard).with_context(|| format!("{} in {}", wildcard.within, path.display()))?;
        fs::write(&path, filled)?;
    }
    Ok(())
}

fn with_contents(text: &str, wildcard: &FilledWildcard) -> Result<String> {
    let named = |name: &str| format!("<xs:complexType name=\"{name}\">");
    let begin = text.find(&named(wildcard.within)).context("no such type")?;
    let after = begin + named(wildcard.within).len();
    // a named type is a top-level definition, so the next one ends this one
    let end = text[after..].find("<xs:complexType name=").map_or(text.len(), |at| after + at);
    let body = &text[begin..end];
    ensure!(body.matches(ANY).count() == 1, "not exactly one xs:any");
    let from = begin + body.find(ANY).context("no xs:any")?;
    let to = from + text[from..].find(END).context("an xs:any without end")? + END.len();
    let elements: String = wildcard.elements.iter().map(|name| format!("<xs:element ref=\"{name}\"/>")).collect();
    let includes: String =
        wildcard.declared_in.iter().map(|file| format!("<xs:include schemaLocation=\"{file}\"/>\n\t")).collect();
    let first = text.find("<xs:include").context("nothing is included")?;
    ensure!(first < from, "the includes come first");
    Ok(format!("{}{includes}{}<xs:choice>{elements}</xs:choice>{}", &text[..first], &text[first..from], &text[to..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODAL: FilledWildcard =
        FilledWildcard { file: "", within: "B", elements: &["x", "y"], declared_in: &["x.xsd"] };

    fn schema(within_b: &str) -> String {
        format!(
            "<xs:schema><xs:include schemaLocation=\"a.xsd\"/><xs:complexType name=\"A\"><xs:any></xs:any></xs:complexType>\
             <xs:complexType name=\"B\">{within_b}</xs:complexType></xs:schema>"
        )
    }

    #[test]
    fn the_wildcard_of_the_type_is_filled_and_no_other() {
        let text = with_contents(&schema("<xs:any processContents=\"skip\"><note/></xs:any>"), &MODAL).unwrap();
        assert!(text.contains("name=\"A\"><xs:any></xs:any>"), "{text}");
        assert!(
            text.contains("name=\"B\"><xs:choice><xs:element ref=\"x\"/><xs:element ref=\"y\"/></xs:choice><"),
            "{text}"
        );
        assert!(
            text.contains("<xs:include schemaLocation=\"x.xsd\"/>\n\t<xs:include schemaLocation=\"a.xsd\"/>"),
            "{text}"
        );
    }

    #[test]
    fn a_type_that_changed_is_noticed() {
        for changed in ["", "<xs:any></xs:any><xs:any></xs:any>"] {
            assert!(with_contents(&schema(changed), &MODAL).is_err(), "{changed}");
        }
    }
}
