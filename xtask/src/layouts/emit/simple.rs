//! Simple types: the chain of restrictions folded into one value.

use std::fmt::Write as _;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};

use super::StaticEmitter;
use crate::layouts::xsd::{QName, SchemaNode};

/// File of all simple types, whatever family uses them.
const FILE: &str = "simple";

/// A simple type with the facets of its bases.
#[derive(Clone, Default)]
struct FoldedType {
    base: &'static str,
    white_space: String,
    /// Names of the pattern statics, one per derivation step.
    patterns: Vec<String>,
    values: Vec<String>,
    min_length: Option<u32>,
    max_length: Option<u32>,
    min_inclusive: Option<String>,
    max_inclusive: Option<String>,
    total_digits: Option<u32>,
    fraction_digits: Option<u32>,
}

impl StaticEmitter<'_> {
    /// Returns the static of a named simple type.
    pub(super) fn simple_of(&mut self, name: &QName) -> Result<String> {
        let (path, folded) = match name {
            QName::BuiltIn(local) => (format!("xs_{local}"), built_in(local)?),
            QName::Declared(_, local) => (local.clone(), self.folded(name)?),
        };
        self.write_simple(&path, &path, &folded)
    }

    /// Returns the static of an anonymous simple type. A restriction without facets is its base type.
    pub(super) fn simple(&mut self, node: &Rc<SchemaNode>, path: &str) -> Result<String> {
        let restriction = node.part("restriction").with_context(|| format!("{path} is no restriction"))?;
        if restriction.parts().next().is_none() {
            return self.simple_of(&restriction.reference("base")?.with_context(|| format!("{path} has no base"))?);
        }
        let folded = self.restricted(node, path)?;
        self.write_simple(path, "", &folded)
    }

    /// Returns the static of an element with a fixed value: its text is that value, or empty, which means it (XML
    /// Schema 1.0 part 1, 3.3.4).
    pub(super) fn fixed(&mut self, name: &QName, fixed: &str, path: &str) -> Result<String> {
        let FoldedType { base, white_space, .. } = self.folded(name)?;
        let values = vec![fixed.to_owned(), String::new()];
        self.write_simple(path, "", &FoldedType { base, white_space, values, ..FoldedType::default() })
    }

    fn folded(&mut self, name: &QName) -> Result<FoldedType> {
        match name {
            QName::BuiltIn(local) => built_in(local),
            QName::Declared(_, local) => {
                let node = Rc::clone(self.set.r#type(name)?);
                ensure!(node.name == "simpleType", "{local} is no simple type");
                self.restricted(&node, local)
            }
        }
    }

    fn restricted(&mut self, node: &Rc<SchemaNode>, path: &str) -> Result<FoldedType> {
        let restriction = node.part("restriction").with_context(|| format!("{path} is no restriction"))?;
        let base = restriction.reference("base")?.with_context(|| format!("{path} has no base"))?;
        let mut folded = self.folded(&base)?;
        let (mut patterns, mut values) = (Vec::new(), Vec::new());
        for facet in restriction.parts() {
            let value = facet.required("value")?;
            match facet.name.as_str() {
                "whiteSpace" => folded.white_space = value.to_owned(),
                "pattern" => patterns.push(value.to_owned()),
                "enumeration" => values.push(value.to_owned()),
                "length" => (folded.min_length, folded.max_length) = (Some(value.parse()?), Some(value.parse()?)),
                "minLength" => folded.min_length = Some(value.parse()?),
                "maxLength" => folded.max_length = Some(value.parse()?),
                "minInclusive" => folded.min_inclusive = Some(value.to_owned()),
                "maxInclusive" => folded.max_inclusive = Some(value.to_owned()),
                "totalDigits" => folded.total_digits = Some(value.parse()?),
                "fractionDigits" => folded.fraction_digits = Some(value.parse()?),
                other => bail!("{path}: facet {other} is not understood"),
            }
        }
        if !patterns.is_empty() {
            folded.patterns.push(self.pattern(path, &patterns.join("|"))?);
        }
        if !values.is_empty() {
            folded.values = values;
        }
        Ok(folded)
    }

    /// Writes a pattern once, however many types use it.
    fn pattern(&mut self, path: &str, source: &str) -> Result<String> {
        self.in_simple(|emitter| {
            emitter.write_once(&format!("{path}_pattern"), "Pattern", &format!("Pattern::new({source:?})"))
        })
    }

    fn write_simple(&mut self, path: &str, name: &str, folded: &FoldedType) -> Result<String> {
        let white_space = match folded.white_space.as_str() {
            "preserve" => "Preserve",
            "replace" => "Replace",
            "collapse" => "Collapse",
            other => bail!("whiteSpace {other}"),
        };
        let patterns: Vec<String> = folded.patterns.iter().map(|pattern| format!("&{pattern}")).collect();
        let mut value = "Simple {\n".to_owned();
        writeln!(value, "    name: {name:?}, base: Base::{}, white_space: WhiteSpace::{white_space},", folded.base)?;
        writeln!(value, "    patterns: &[{}], values: &{:?},", patterns.join(", "), folded.values)?;
        writeln!(value, "    min_length: {:?}, max_length: {:?},", folded.min_length, folded.max_length)?;
        writeln!(value, "    min_inclusive: {:?}, max_inclusive: {:?},", folded.min_inclusive, folded.max_inclusive)?;
        write!(
            value,
            "    total_digits: {:?}, fraction_digits: {:?},\n}}",
            folded.total_digits, folded.fraction_digits
        )?;
        let written = self.in_simple(|emitter| emitter.write_once(path, "Simple", &value))?;
        self.record_use(&written);
        Ok(written)
    }

    fn in_simple(&mut self, write: impl FnOnce(&mut Self) -> Result<String>) -> Result<String> {
        let outer = std::mem::replace(&mut self.file, FILE);
        let written = write(self);
        self.file = outer;
        written
    }

    /// Writes equal anonymous types and patterns as one static, under the first name.
    fn write_once(&mut self, name: &str, r#type: &str, value: &str) -> Result<String> {
        let key = format!("{type}: {value}");
        if let Some(first) = self.tables.simples.get(&key) {
            return Ok(first.clone());
        }
        let written = self.write(name, r#type, value)?;
        self.tables.simples.insert(key, written.clone());
        Ok(written)
    }
}

fn built_in(name: &str) -> Result<FoldedType> {
    let base = match name {
        "string" => "String",
        "token" => "Token",
        "ID" => "Id",
        "anyURI" => "AnyUri",
        "base64Binary" => "Base64Binary",
        "dateTime" => "DateTime",
        "date" => "Date",
        "gYear" => "GYear",
        "gYearMonth" => "GYearMonth",
        "decimal" => "Decimal",
        "integer" => "Integer",
        "nonNegativeInteger" => "NonNegativeInteger",
        "positiveInteger" => "PositiveInteger",
        "unsignedShort" => "UnsignedShort",
        "byte" => "Byte",
        "int" => "Int",
        "boolean" => "Boolean",
        other => bail!("xs:{other} is not understood"),
    };
    let white_space = if name == "string" { "preserve" } else { "collapse" };
    Ok(FoldedType { base, white_space: white_space.to_owned(), ..FoldedType::default() })
}
