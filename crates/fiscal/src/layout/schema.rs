//! Types of a layout: an XSD as constants.

use super::pattern::PatternMatcher;
use std::sync::OnceLock;

/// Namespace of the signature.
pub const XMLDSIG: &str = "http://www.w3.org/2000/09/xmldsig#";

/// A document or message: its root and its namespace.
pub struct Layout {
    /// Root element.
    pub root: &'static Element,
    /// Namespace of every element, unless another one is declared.
    pub namespace: &'static str,
}

impl Layout {
    /// Listed values of a leaf directly below the root; empty without a list.
    pub fn enumeration(&self, tag: &str) -> &'static [&'static str] {
        self.root.child(tag).and_then(Element::text).map(|text| text.values).unwrap_or_default()
    }
}

/// An element declaration where it is used (occurrence belongs to the use).
pub struct Element {
    /// Official tag.
    pub name: &'static str,
    /// Leaf or group.
    pub kind: ContentModel,
    /// `xs:unique`: the attribute whose value no two children may share.
    pub unique: Option<&'static str>,
    /// The annotation of the schema, shortened to one line.
    pub doc: &'static str,
}

impl Element {
    /// A child by its tag.
    pub fn child(&self, tag: &str) -> Option<&'static Element> {
        let ContentModel::Group(complex) = self.kind else { return None };
        complex.content.as_ref()?.element(tag)
    }

    /// Type of its text; `None` for a group.
    pub fn text(&self) -> Option<&'static Simple> {
        match self.kind {
            ContentModel::Leaf(simple) => Some(simple),
            ContentModel::Group(_) | ContentModel::Foreign(_) => None,
        }
    }
}

impl Particle {
    /// The element of this name, here or in the groups here.
    fn element(&self, tag: &str) -> Option<&'static Element> {
        match &self.body {
            Body::Element(element) => Some(*element).filter(|element| element.name == tag),
            Body::Sequence(parts) | Body::Choice(parts) => parts.iter().find_map(|part| part.element(tag)),
            Body::Any => None,
        }
    }
}

/// Content of an element.
pub enum ContentModel {
    /// Text only, no attributes.
    Leaf(&'static Simple),
    /// Children and attributes (or text with attributes).
    Group(&'static Complex),
    /// `ds:Signature`: this element and all below it are in [`XMLDSIG`].
    Foreign(&'static Complex),
}

/// A complex type.
pub struct Complex {
    /// Attributes, in the order of the schema.
    pub attributes: &'static [Attribute],
    /// `xs:anyAttribute`: undeclared attributes are accepted.
    pub any_attribute: bool,
    /// Children; `None` for simple content or an empty element.
    pub content: Option<Particle>,
    /// Text of simple content.
    pub text: Option<&'static Simple>,
}

/// An attribute use.
pub struct Attribute {
    pub name: &'static str,
    /// `use="required"`.
    pub required: bool,
    /// `fixed="…"`.
    pub fixed: Option<&'static str>,
    pub simple: &'static Simple,
}

/// A part of a content model with its occurrence.
pub struct Particle {
    /// `minOccurs`.
    pub min: u32,
    /// `maxOccurs`; `u32::MAX` when unbounded.
    pub max: u32,
    pub body: Body,
}

/// The three compositors, and elements.
pub enum Body {
    /// An element.
    Element(&'static Element),
    /// All parts, in order.
    Sequence(&'static [Particle]),
    /// Exactly one part.
    Choice(&'static [Particle]),
    /// `xs:any`.
    Any,
}

/// A simple type with its facets (those of its bases folded in).
pub struct Simple {
    /// Name of the type in the schema; empty when anonymous.
    pub name: &'static str,
    /// Built-in ancestor.
    pub base: Base,
    /// `whiteSpace`.
    pub white_space: WhiteSpace,
    /// Patterns that must all match (one per derivation step; alternatives of one step are joined by `|`).
    pub patterns: &'static [&'static Pattern],
    /// Allowed values; empty when open.
    pub values: &'static [&'static str],
    /// `minLength` / `length`.
    pub min_length: Option<u32>,
    /// `maxLength` / `length`.
    pub max_length: Option<u32>,
    /// `minInclusive`.
    pub min_inclusive: Option<&'static str>,
    /// `maxInclusive`.
    pub max_inclusive: Option<&'static str>,
    /// `totalDigits`.
    pub total_digits: Option<u32>,
    /// `fractionDigits`.
    pub fraction_digits: Option<u32>,
}

/// Built-in types the official schemas derive from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    String,
    Token,
    Decimal,
    Integer,
    NonNegativeInteger,
    PositiveInteger,
    UnsignedShort,
    Byte,
    Int,
    Date,
    DateTime,
    GYear,
    GYearMonth,
    Base64Binary,
    AnyUri,
    Id,
    Boolean,
}

/// `whiteSpace` facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhiteSpace {
    Preserve,
    Replace,
    Collapse,
}

/// A pattern, compiled at its first use.
pub struct Pattern {
    /// As written in the schema.
    pub source: &'static str,
    /// `None` when the source cannot be compiled, which a test over all tables excludes.
    compiled: OnceLock<Option<PatternMatcher>>,
}

impl Pattern {
    /// Constructor for the generated tables.
    pub const fn new(source: &'static str) -> Pattern {
        Pattern { source, compiled: OnceLock::new() }
    }

    /// True when the whole text matches.
    pub fn is_match(&self, text: &str) -> bool {
        self.matcher().is_some_and(|matcher| matcher.is_match(text))
    }

    /// True when the source can be compiled; tests check it for every table.
    pub fn compiles(&self) -> bool {
        self.matcher().is_some()
    }

    fn matcher(&self) -> Option<&PatternMatcher> {
        self.compiled.get_or_init(|| PatternMatcher::of(&translate(self.source))).as_ref()
    }
}

/// An XSD pattern in the syntax of the `regex` crate. XSD has no anchors, so `^` (except first in a class) and `$` are
/// literal, and its classes have no `&&`, `~~`, `--` or `[`. XSD's `.` excludes the carriage return too, and its blanks
/// (`\s`) are four.
fn translate(source: &str) -> String {
    let mut translated = String::with_capacity(source.len() + 16);
    translated.push_str(r"\A(?:");
    let (mut in_class, mut first_in_class, mut escaped) = (false, false, false);
    for character in source.chars() {
        let first = std::mem::take(&mut first_in_class);
        match character {
            _ if escaped => {
                escaped = false;
                match character {
                    's' if in_class => translated.push_str(BLANKS),
                    's' => translated.extend(["[", BLANKS, "]"]),
                    'S' => translated.extend(["[^", BLANKS, "]"]),
                    _ => translated.extend(['\\', character]),
                }
                continue;
            }
            '\\' => {
                escaped = true;
                continue;
            }
            '[' if in_class => translated.push('\\'),
            '[' => (in_class, first_in_class) = (true, true),
            ']' => in_class = false,
            '^' if !first => translated.push('\\'),
            '$' | '&' | '~' | '#' => translated.push('\\'),
            '.' if !in_class => {
                translated.push_str(r"[^\n\r]");
                continue;
            }
            _ => {}
        }
        translated.push(character);
    }
    translated.push_str(r")\z");
    translated
}

/// Blanks of XSD.
const BLANKS: &str = r" \t\n\r";

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &'static str, takes: &[&str], refuses: &[&str]) {
        let pattern = Pattern::new(pattern);
        for text in takes {
            assert!(pattern.is_match(text), "{} must take {text:?}", pattern.source);
        }
        for text in refuses {
            assert!(!pattern.is_match(text), "{} must refuse {text:?}", pattern.source);
        }
    }

    #[test]
    fn patterns_mean_what_xsd_says() {
        check("[0-9]{0}|[0-9]{2}", &["", "12"], &["1", "123"]);
        check("[!-ÿ]{1}[ -ÿ]{0,}[!-ÿ]{1}|[!-ÿ]{1}", &["a", "a b", "é&~^$"], &["", " a", "a ", "a\nb", "€"]);
        check("a.b", &["axb", "a\tb"], &["a\nb", "a\rb", "ab"]);
        check("^a$", &["^a$"], &["a"]);
        check("[^0-9]", &["a", "^"], &["1"]);
        check(r"[\d^]\.", &["1.", "^."], &["a.", "1x"]);
        check("[a&&b~~c]", &["&", "~", "a", "b", "c"], &["d"]);
        check("[a[]", &["a", "["], &["]"]);
        check(r"[\s\S]*[^\s][\s\S]*", &["a", " \u{a0}\n", "\u{2028}"], &["", " \t\r\n"]);
        check(r"\s\S", &[" a", "\n\u{a0}"], &["\u{a0}a", "  "]);
    }
}
