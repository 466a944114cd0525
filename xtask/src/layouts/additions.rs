//! Fields of technical notes whose package is not yet available, added to the schemas of NF-e and NFC-e:
//! `crates/fiscal/src/layout/additions.tsv`.
//!
//! Law: the source of each row. A row that the package contains fails, so that the official declaration replaces it.
//! Must not know: the day from which a field is valid.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};

use super::package;
use super::xsd::{SchemaNode, SchemaSet};

/// Folder of the schemas with the additions; those of the package stay unchanged beside it.
const FOLDER: &str = "nfe-acrescido";
const TABLE: &str = include_str!("../../../crates/fiscal/src/layout/additions.tsv");
/// Schema of a note, which includes the others.
const MAIN: &str = "nfe_v4.00.xsd";
/// Type of the root element; a path of the table begins below it.
const ROOT_TYPE: &str = "TNFe";
/// Marks a sequence of elements that are present together or not at all.
const SEQUENCE_MARK: &str = "-x-";

/// A row of the table.
#[derive(Debug, Clone, Copy)]
struct Addition<'t> {
    parent: &'t str,
    element: &'t str,
    after: &'t str,
    r#type: &'t str,
    occurrence: (&'t str, &'t str),
    /// First day in homologação and in production.
    since: (&'t str, &'t str),
    annotation: &'t str,
}

/// Copies the schemas of the package and adds every row of the table.
pub(super) fn lay_out(folder: &Path) -> Result<()> {
    let target = folder.join(FOLDER);
    for file in package::xsds(&folder.join("nfe"))? {
        package::copy_into(&file, &target)?;
    }
    add(&target, &rows(TABLE)?)
}

fn rows(table: &str) -> Result<Vec<Addition<'_>>> {
    table.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn row(line: &str) -> Result<Addition<'_>> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [parent, element, after, r#type, occurrence, homologacao, producao, _, annotation] = columns[..] else {
        bail!("{line} has not nine columns");
    };
    let occurrence = occurrence.split_once('-').with_context(|| format!("occurrence of {line}"))?;
    Ok(Addition { parent, element, after, r#type, occurrence, since: (homologacao, producao), annotation })
}

fn add(folder: &Path, rows: &[Addition<'_>]) -> Result<()> {
    let is_member = |row: &Addition<'_>| rows.iter().any(|group| row.parent == path(group));
    for row in rows.iter().filter(|row| !is_member(row)) {
        // an addition shifts the bytes behind it
        let (file, at) = position(folder, row).with_context(|| path(row))?;
        let mut text = fs::read_to_string(&file)?;
        text.insert_str(at, &declaration(rows, row, true));
        fs::write(&file, text)?;
    }
    Ok(())
}

fn path(row: &Addition<'_>) -> String {
    format!("{}/{}", row.parent, row.element)
}

/// Returns the file and the byte position of a row's declaration.
fn position(folder: &Path, row: &Addition<'_>) -> Result<(Rc<Path>, usize)> {
    let set = SchemaSet::load(&folder.join(MAIN))?;
    let mut complex = r#type(&set, ROOT_TYPE)?;
    for step in row.parent.split('/') {
        let element = element(complex, step).with_context(|| format!("{step} is not there"))?;
        complex = match (element.part("complexType"), element.attribute("type")) {
            (Some(complex), _) => complex,
            (None, Some(name)) => r#type(&set, name)?,
            (None, None) => bail!("{step} has no type"),
        };
    }
    let taken = element(complex, row.element).is_some();
    ensure!(!taken, "the package has it now: take its row, and those of its members, out of additions.tsv");
    let content = complex.parts().next().context("the group is empty")?;
    let at = if row.after == "-" {
        content.inside
    } else {
        let holds = |part: &&Rc<SchemaNode>| is_named(part, row.after) || element(part, row.after).is_some();
        content.parts().find(holds).with_context(|| format!("{} is not there", row.after))?.behind
    };
    Ok((Rc::clone(&content.file), at))
}

fn r#type<'s>(set: &'s SchemaSet, name: &str) -> Result<&'s Rc<SchemaNode>> {
    let definition = set.definitions().get(&("complexType", name)).copied();
    definition.with_context(|| format!("type {name} is not declared"))
}

/// Finds an element of a content model, through nested compositors but not inside other elements.
fn element<'n>(node: &'n SchemaNode, name: &str) -> Option<&'n Rc<SchemaNode>> {
    let inside = |part: &'n Rc<SchemaNode>| match part.name.as_str() {
        "sequence" | "choice" => element(part, name),
        _ => is_named(part, name).then_some(part),
    };
    node.parts().find_map(inside)
}

fn is_named(node: &SchemaNode, name: &str) -> bool {
    node.name == "element" && node.attribute("name") == Some(name)
}

/// Returns the declaration of a row with its members. Only the outermost one has the days.
fn declaration(rows: &[Addition<'_>], row: &Addition<'_>, is_dated: bool) -> String {
    let own = path(row);
    let members = rows.iter().filter(|member| member.parent == own);
    let goes_on = is_dated && row.element == SEQUENCE_MARK;
    let members: String = members.map(|member| declaration(rows, member, goes_on)).collect();
    let (least, most) = row.occurrence;
    let occurs = format!("minOccurs=\"{least}\" maxOccurs=\"{most}\"");
    if row.element == SEQUENCE_MARK {
        return format!("<xs:sequence {occurs}>{members}</xs:sequence>");
    }
    let mut text = format!("<xs:element name=\"{}\" {occurs}", row.element);
    let pattern = row.r#type.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
    let content = match pattern {
        Some(pattern) => format!(
            "<xs:simpleType><xs:restriction base=\"xs:string\"><xs:whiteSpace value=\"preserve\"/><xs:pattern value=\"{pattern}\"/>\
             </xs:restriction></xs:simpleType>"
        ),
        None if row.r#type == "-" => {
            format!("<xs:complexType><xs:sequence>{members}</xs:sequence></xs:complexType>")
        }
        None => {
            // writing into a text does not fail
            let _written = write!(text, " type=\"{}\"", row.r#type);
            String::new()
        }
    };
    let (homologacao, producao) = row.since;
    let since = if is_dated { format!(" (homologação {homologacao}, produção {producao})") } else { String::new() };
    let annotation = row.annotation;
    format!(
        "{text}><xs:annotation><xs:documentation>{annotation}{since}</xs:documentation></xs:annotation>{content}</xs:element>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = concat!(
        r#"<xs:schema xmlns="u" xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="u" elementFormDefault="qualified">"#,
        r#"<xs:complexType name="TNFe"><xs:sequence><xs:element name="a" type="TA"/></xs:sequence></xs:complexType>"#,
        r#"<xs:complexType name="TA"><xs:sequence><xs:choice><xs:element name="b" type="T"/><xs:element name="c" type="T"/>"#,
        "</xs:choice></xs:sequence></xs:complexType></xs:schema>"
    );

    fn with(table: &str, name: &str) -> Result<String> {
        let folder = std::env::temp_dir().join(format!("carimbo-additions-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(MAIN);
        fs::write(&file, BEFORE).unwrap();
        let added = add(&folder, &rows(table)?);
        let text = fs::read_to_string(&file).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        added.map(|()| text)
    }

    #[test]
    fn a_field_goes_behind_the_choice_that_holds_its_sibling() {
        let text =
            with("a\tg\tb\t-\t0-1\t-\t-\tNT\tgrupo\na/g\th\t-\t/[0-9]/\t1-1\t-\t-\tNT\tfolha", "behind").unwrap();
        let added = "</xs:choice><xs:element name=\"g\" minOccurs=\"0\" maxOccurs=\"1\">";
        assert!(text.contains(added), "{text}");
        assert!(text.contains("<xs:element name=\"h\" minOccurs=\"1\" maxOccurs=\"1\">"), "{text}");
    }

    #[test]
    fn a_field_that_the_package_has_is_noticed() {
        let error = with("a\tc\tb\tT\t0-1\t-\t-\tNT\tfolha", "taken").unwrap_err();
        assert!(format!("{error:#}").contains("the package has it now"), "{error:#}");
    }

    #[test]
    fn a_sibling_that_is_not_there_is_noticed() {
        assert!(with("a\tg\tz\tT\t0-1\t-\t-\tNT\tfolha", "sibling").is_err());
        assert!(with("z\tg\t-\tT\t0-1\t-\t-\tNT\tfolha", "parent").is_err());
    }
}
