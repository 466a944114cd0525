//! Converts types to Rust statics. Equal declarations are written once, under the name of the type or of the path that
//! leads to it.
//!
//! Law: XML Schema 1.0 parts 1 and 2; the output has the types of `fiscal::layout::schema`.

mod simple;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};

use super::annotation_corrections::AnnotationCorrections;
use super::xsd::{QName, SchemaNode, SchemaSet};

/// Most meanings of one name: no name of the official packages has more meanings than there are packages.
const MAX_MEANINGS: usize = 20;

const XMLDSIG: &str = "http://www.w3.org/2000/09/xmldsig#";

/// All statics written so far.
#[derive(Default)]
pub(super) struct StaticTables {
    /// Name → (file, declaration without the name).
    known: BTreeMap<String, (&'static str, String)>,
    /// Declaration → name, of simple types and patterns.
    simples: BTreeMap<String, String>,
    /// The text of each generated file, and the files it imports from.
    pub(super) files: BTreeMap<&'static str, GeneratedFile>,
    pub(super) words: AnnotationCorrections,
}

impl StaticTables {
    /// Returns the files that a file must import: of those recorded as used, the ones it mentions. A used type may have
    /// been written to another file.
    pub(super) fn imported_files(&self, file: &GeneratedFile) -> Vec<&'static str> {
        let goes_on = |rest: &str| rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        let mentioned = |name: &str| {
            let reference = format!("&{name}");
            file.text.match_indices(&reference).any(|(at, _)| !goes_on(&file.text[at + reference.len()..]))
        };
        let named = |home: &str| self.known.iter().any(|(name, (at, _))| *at == home && mentioned(name));
        file.uses.iter().copied().filter(|home| named(home)).collect()
    }
}

/// A generated file in progress.
#[derive(Default)]
pub(super) struct GeneratedFile {
    pub(super) text: String,
    pub(super) uses: std::collections::BTreeSet<&'static str>,
}

/// Writer of the statics of one family, from one set of declarations.
pub(super) struct StaticEmitter<'a> {
    pub(super) tables: &'a mut StaticTables,
    pub(super) set: &'a SchemaSet,
    /// The generated file, without `.rs`.
    pub(super) file: &'static str,
}

impl StaticEmitter<'_> {
    /// Returns `Element { … }` of a declaration, for a root.
    pub(super) fn element(&mut self, node: &Rc<SchemaNode>, path: &str) -> Result<String> {
        let kind = self.kind(node, path, "Group")?;
        self.element_of(node, &kind)
    }

    fn element_of(&mut self, node: &SchemaNode, kind: &str) -> Result<String> {
        let name = node.required("name")?;
        let unique = match node.part("unique") {
            None => "None".to_owned(),
            Some(unique) => format!("Some({:?})", unique_attribute(unique)?),
        };
        let doc = self.tables.words.corrected(&node.doc());
        Ok(format!("Element {{ name: {name:?}, kind: {kind}, unique: {unique}, doc: {doc:?} }}"))
    }

    /// Returns `ContentModel::…` of an element declaration; `group` is the variant for a complex type.
    fn kind(&mut self, node: &Rc<SchemaNode>, path: &str, group: &str) -> Result<String> {
        for part in node.parts() {
            ensure!(
                matches!(part.name.as_str(), "simpleType" | "complexType" | "unique"),
                "<{}> in an element",
                part.name
            );
        }
        ensure!(node.attribute("nillable").is_none() && node.attribute("default").is_none());
        if let Some(fixed) = node.attribute("fixed") {
            let name = node.reference("type")?.with_context(|| format!("{path} is fixed and has no named type"))?;
            return Ok(format!("ContentModel::Leaf(&{})", self.fixed(&name, fixed, path)?));
        }
        if let Some(name) = node.reference("type")? {
            let complex = matches!(&name, QName::Declared(..)) && self.set.r#type(&name)?.name == "complexType";
            return Ok(if complex {
                format!("ContentModel::{group}(&{})", self.named_complex(&name)?)
            } else {
                format!("ContentModel::Leaf(&{})", self.simple_of(&name)?)
            });
        }
        if let Some(complex) = node.part("complexType") {
            return Ok(format!("ContentModel::{group}(&{})", self.complex(complex, path)?));
        }
        let simple = node.part("simpleType").with_context(|| format!("{path} has no type"))?;
        Ok(format!("ContentModel::Leaf(&{})", self.simple(simple, path)?))
    }

    /// Returns the static of a named complex type.
    pub(super) fn named_complex(&mut self, name: &QName) -> Result<String> {
        let QName::Declared(namespace, local) = name else { bail!("{name:?} is no complex type") };
        let node = Rc::clone(self.set.r#type(name)?);
        // the signature is a family of its own, because all others use it
        let outer = self.file;
        if namespace == XMLDSIG {
            self.file = "signature";
        }
        let written = self.complex(&node, local);
        self.file = outer;
        let written = written?;
        self.record_use(&written);
        Ok(written)
    }

    fn complex(&mut self, node: &Rc<SchemaNode>, path: &str) -> Result<String> {
        ensure!(
            node.attribute("mixed").is_none() && node.attribute("abstract").is_none(),
            "{path} is mixed or abstract"
        );
        let (mut content, mut text, mut any_attribute) = ("None".to_owned(), "None".to_owned(), false);
        let mut attributes = String::new();
        for part in node.parts() {
            match part.name.as_str() {
                "sequence" | "choice" => content = format!("Some({})", self.particle(part, path, 1)?),
                "attribute" => self.attribute(part, path, &mut attributes)?,
                "anyAttribute" => any_attribute = true,
                "simpleContent" => {
                    let extension = part.part("extension").context("simpleContent without extension")?;
                    text = format!(
                        "Some(&{})",
                        self.simple_of(&extension.reference("base")?.context("extension without base")?)?
                    );
                    for attribute in extension.parts() {
                        ensure!(attribute.name == "attribute", "<{}> in an extension", attribute.name);
                        self.attribute(attribute, path, &mut attributes)?;
                    }
                }
                other => bail!("{path}: <{other}> is not understood"),
            }
        }
        let attributes = if attributes.is_empty() { "&[]".to_owned() } else { format!("&[\n{attributes}    ]") };
        self.write(
            path,
            "Complex",
            &format!(
                "Complex {{\n    attributes: {attributes},\n    any_attribute: {any_attribute},\n    content: {content},\n    text: {text},\n}}"
            ),
        )
    }

    fn attribute(&mut self, node: &Rc<SchemaNode>, path: &str, attributes: &mut String) -> Result<()> {
        let name = node.required("name")?;
        let simple = match (node.reference("type")?, node.part("simpleType")) {
            (Some(name), _) => self.simple_of(&name)?,
            (None, Some(simple)) => self.simple(simple, &format!("{path}_{name}"))?,
            (None, None) => bail!("attribute {name} of {path} has no type"),
        };
        let required = node.attribute("use") == Some("required");
        let fixed = node.attribute("fixed");
        ensure!(node.attribute("default").is_none(), "attribute {name} of {path} has a default");
        writeln!(
            attributes,
            "        Attribute {{ name: {name:?}, required: {required}, fixed: {fixed:?}, simple: &{simple} }},"
        )?;
        Ok(())
    }

    fn particle(&mut self, node: &Rc<SchemaNode>, path: &str, depth: usize) -> Result<String> {
        let min = node.attribute("minOccurs").unwrap_or("1").parse::<u32>()?;
        let max = match node.attribute("maxOccurs").unwrap_or("1") {
            "unbounded" => "u32::MAX".to_owned(),
            number => number.parse::<u32>()?.to_string(),
        };
        let body = match node.name.as_str() {
            "element" => format!("Body::Element(&{})", self.local_element(node, path)?),
            // a repeated sequence of one element is that element, repeated
            "sequence" if let Some(only) = only_element(node) => {
                format!("Body::Element(&{})", self.local_element(only, path)?)
            }
            "sequence" => format!("Body::Sequence(&[{}])", self.particles(node, path, depth)?),
            "choice" => format!("Body::Choice(&[{}])", self.particles(node, path, depth)?),
            "any" => {
                ensure!(node.attribute("processContents") == Some("skip") && node.attribute("namespace").is_none());
                "Body::Any".to_owned()
            }
            other => bail!("{path}: <{other}> is not understood"),
        };
        Ok(format!("Particle {{ min: {min}, max: {max}, body: {body} }}"))
    }

    fn particles(&mut self, node: &Rc<SchemaNode>, path: &str, depth: usize) -> Result<String> {
        let mut lines = "\n".to_owned();
        for part in node.parts() {
            let particle = self.particle(part, path, depth + 1)?;
            writeln!(lines, "{}{particle},", "    ".repeat(depth + 1))?;
        }
        lines.push_str(&"    ".repeat(depth));
        Ok(lines)
    }

    fn local_element(&mut self, node: &Rc<SchemaNode>, path: &str) -> Result<String> {
        let Some(name) = node.reference("ref")? else {
            return self.element(node, &format!("{path}_{}", node.required("name")?));
        };
        let declared = Rc::clone(self.set.element(&name)?);
        let QName::Declared(namespace, local) = &name else { bail!("{name:?} is no element") };
        let group = if namespace == XMLDSIG { "Foreign" } else { "Group" };
        let kind = self.kind(&declared, local, group)?;
        self.element_of(&declared, &kind)
    }

    /// Writes a static once; returns its name. A second meaning of the name gets the family as suffix, a third one its
    /// count.
    fn write(&mut self, name: &str, r#type: &str, value: &str) -> Result<String> {
        // a name of ABRASF has an accent
        let name = &name.replace('í', "i");
        let declaration = format!(": {type} = {value};\n\n");
        let further = (3..MAX_MEANINGS).map(|count| format!("{name}_{}_{count}", self.file));
        for candidate in [name.to_owned(), format!("{name}_{}", self.file)].into_iter().chain(further) {
            match self.tables.known.get(&candidate) {
                Some((_, known)) if *known == declaration => {
                    self.record_use(&candidate);
                    return Ok(candidate);
                }
                Some(_) => {}
                None => {
                    let file = self.tables.files.entry(self.file).or_default();
                    write!(file.text, "pub(super) static {candidate}{declaration}")?;
                    self.tables.known.insert(candidate.clone(), (self.file, declaration));
                    return Ok(candidate);
                }
            }
        }
        bail!("{name} means too many things")
    }

    /// Records that this file uses a name of another one.
    fn record_use(&mut self, name: &str) {
        let Some((home, _)) = self.tables.known.get(name) else { return };
        if *home != self.file {
            self.tables.files.entry(self.file).or_default().uses.insert(home);
        }
    }
}

/// Returns the element of a repeated sequence with nothing else, when it occurs once.
fn only_element(sequence: &SchemaNode) -> Option<&Rc<SchemaNode>> {
    let mut parts = sequence.parts();
    let (only, None) = (parts.next()?, parts.next()) else { return None };
    let once = ["minOccurs", "maxOccurs"].iter().all(|bound| only.attribute(bound).is_none_or(|bound| bound == "1"));
    let repeated = sequence.attribute("maxOccurs").is_some_and(|most| most != "1");
    (once && repeated && only.name == "element").then_some(only)
}

/// Returns the attribute of an `xs:unique`. The official schemas use only "no two children with one value of an
/// attribute".
fn unique_attribute(unique: &SchemaNode) -> Result<&str> {
    let selector = unique.part("selector").context("unique without selector")?.required("xpath")?;
    let field = unique.part("field").context("unique without field")?.required("xpath")?;
    ensure!(selector == "./*", "selector {selector} is not understood");
    field.strip_prefix('@').with_context(|| format!("field {field} is not understood"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Returns the output for the root element `r` of a schema with these declarations.
    fn compile(name: &str, declarations: &str) -> Result<String> {
        let file = std::env::temp_dir().join(format!("carimbo-xsd-{}-{name}.xsd", std::process::id()));
        fs::write(
            &file,
            format!(
                r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:t" targetNamespace="urn:t"
                elementFormDefault="qualified">{declarations}</xs:schema>"#
            ),
        )?;
        let set = SchemaSet::load(&file);
        fs::remove_file(&file)?;
        let (set, mut tables) = (set?, StaticTables::default());
        let root = Rc::clone(set.element(&QName::Declared("urn:t".to_owned(), "r".to_owned()))?);
        let element = StaticEmitter { tables: &mut tables, set: &set, file: "x" }.element(&root, "r")?;
        let files: Vec<String> = tables.files.into_values().map(|file| file.text).collect();
        Ok(format!("{}{element}", files.join("")))
    }

    #[test]
    fn folds_a_chain_of_restrictions_and_keeps_a_pattern_per_step() {
        let text = compile(
            "chain",
            r#"<xs:simpleType name="A"><xs:restriction base="xs:string"><xs:whiteSpace value="collapse"/>
               <xs:pattern value="[a-z]+"/></xs:restriction></xs:simpleType>
               <xs:simpleType name="B"><xs:restriction base="A"><xs:maxLength value="3"/><xs:pattern value="a.*"/>
               <xs:pattern value="b.*"/></xs:restriction></xs:simpleType><xs:element name="r" type="B"/>"#,
        )
        .unwrap();
        assert!(text.contains(r#"A_pattern: Pattern = Pattern::new("[a-z]+")"#), "{text}");
        assert!(text.contains(r#"B_pattern: Pattern = Pattern::new("a.*|b.*")"#), "{text}");
        assert!(text.contains("WhiteSpace::Collapse,\n    patterns: &[&A_pattern, &B_pattern]"), "{text}");
        assert!(text.contains("max_length: Some(3)"), "{text}");
        assert!(
            text.ends_with(r#"Element { name: "r", kind: ContentModel::Leaf(&B), unique: None, doc: "" }"#),
            "{text}"
        );
    }

    #[test]
    fn a_restriction_by_nothing_is_its_base() {
        let text = compile(
            "nothing",
            r#"<xs:simpleType name="A"><xs:restriction base="xs:string"><xs:maxLength value="3"/></xs:restriction></xs:simpleType>
               <xs:element name="r"><xs:simpleType><xs:restriction base="A"/></xs:simpleType></xs:element>"#,
        )
        .unwrap();
        assert!(text.contains("name: \"A\""), "{text}");
        assert!(
            text.ends_with(r#"Element { name: "r", kind: ContentModel::Leaf(&A), unique: None, doc: "" }"#),
            "{text}"
        );
    }

    #[test]
    fn a_repeated_sequence_of_one_element_is_that_element_repeated() {
        let text = compile(
            "repeated",
            r#"<xs:element name="r"><xs:complexType><xs:sequence><xs:sequence minOccurs="0" maxOccurs="99">
               <xs:element name="a" type="xs:string"/></xs:sequence></xs:sequence></xs:complexType></xs:element>"#,
        )
        .unwrap();
        assert!(text.contains(r#"min: 0, max: 99, body: Body::Element(&Element { name: "a""#), "{text}");
    }

    #[test]
    fn a_fixed_element_says_its_value_or_is_empty() {
        let text = compile("fixed", r#"<xs:element name="r" type="xs:string" fixed="X"/>"#).unwrap();
        assert!(text.contains(r#"values: &["X", ""]"#), "{text}");
    }

    #[test]
    fn writes_what_is_the_same_once() {
        let anonymous = r#"<xs:simpleType><xs:restriction base="xs:string"><xs:length value="2"/></xs:restriction></xs:simpleType>"#;
        let text = compile(
            "same",
            &format!(
                r#"<xs:element name="r"><xs:complexType><xs:sequence><xs:element name="a">{anonymous}</xs:element>
                   <xs:element name="b" minOccurs="0" maxOccurs="unbounded">{anonymous}</xs:element></xs:sequence>
                   </xs:complexType></xs:element>"#
            ),
        )
        .unwrap();
        assert_eq!(text.matches("static").count(), 2, "{text}");
        assert!(
            text.contains(r#"max: u32::MAX, body: Body::Element(&Element { name: "b", kind: ContentModel::Leaf(&r_a)"#),
            "{text}"
        );
    }

    #[test]
    fn refuses_what_it_does_not_understand_instead_of_leaving_it_out() {
        for (name, declarations) in [
            ("all", r#"<xs:element name="r"><xs:complexType><xs:all/></xs:complexType></xs:element>"#),
            ("nil", r#"<xs:element name="r" type="xs:string" nillable="true"/>"#),
            ("base", r#"<xs:element name="r" type="xs:duration"/>"#),
            ("name", r#"<xs:element name="r" type="Nowhere"/>"#),
            ("mixed", r#"<xs:element name="r"><xs:complexType mixed="true"/></xs:element>"#),
            (
                "any",
                r#"<xs:element name="r"><xs:complexType><xs:sequence><xs:any processContents="lax"/></xs:sequence>
                   </xs:complexType></xs:element>"#,
            ),
        ] {
            assert!(compile(name, declarations).is_err(), "{name}");
        }
    }
}
