//! Documents drawn at random from a layout: every choice, occurrence and value within its limits.

use std::collections::BTreeSet;

use fiscal::layout::{Base, Body, Complex, ContentModel, Element, Layout, Particle, Simple, XMLDSIG, check_value};

use crate::pattern::{matching, matching_up_to};
use crate::random::Random;
use crate::tree::{Item, Tree};

/// Numbers of elements after which optional parts are left out, so that a document stays short. A document uses one of
/// them.
const PLENTY: [usize; 4] = [40, 150, 250, 700];

/// Most digits of a drawn integer: libxml2 does not accept longer ones as numbers (part 2 requires 18 of a processor).
const MOST_DIGITS: u32 = 20;

/// Element declarations by address: a static is one declaration wherever it is used.
pub(crate) type Seen = BTreeSet<*const Element>;

pub(crate) fn document(layout: &Layout, random: &mut Random, seen: &mut Seen) -> Tree {
    let plenty = *random.pick(&PLENTY);
    let mut root = Drawing { random, seen, plenty, one_more: true, elements: 0, ids: 0 }.element(layout.root);
    root.attributes.insert(0, ("xmlns".to_owned(), layout.namespace.to_owned()));
    root
}

/// Draws an element and its content, never more often than it may occur.
pub(crate) fn element(declared: &'static Element, random: &mut Random, seen: &mut Seen) -> Tree {
    let plenty = *random.pick(&PLENTY[1..]);
    Drawing { random, seen, plenty, one_more: false, elements: 0, ids: 0 }.element(declared)
}

struct Drawing<'r> {
    random: &'r mut Random,
    seen: &'r mut Seen,
    plenty: usize,
    /// Sometimes draws a repeated element once too often.
    one_more: bool,
    elements: usize,
    ids: usize,
}

impl Drawing<'_> {
    fn element(&mut self, declared: &'static Element) -> Tree {
        self.elements += 1;
        self.seen.insert(declared);
        let mut tree = Tree { name: declared.name.to_owned(), attributes: Vec::new(), nodes: Vec::new() };
        match declared.kind {
            ContentModel::Leaf(simple) => tree.set_value(&self.value(simple)),
            ContentModel::Group(complex) => self.complex(complex, &mut tree),
            ContentModel::Foreign(complex) => {
                tree.attributes.push(("xmlns".to_owned(), XMLDSIG.to_owned()));
                self.complex(complex, &mut tree);
            }
        }
        if let Some(attribute) = declared.unique {
            self.make_unique(&mut tree, attribute);
        }
        tree
    }

    fn complex(&mut self, complex: &'static Complex, tree: &mut Tree) {
        for attribute in complex.attributes {
            if attribute.required || self.random.chance(20) {
                let value = attribute.fixed.map_or_else(|| self.value(attribute.simple), str::to_owned);
                tree.attributes.push((attribute.name.to_owned(), value));
            }
        }
        if let Some(content) = &complex.content {
            self.particle(content, &mut tree.nodes);
        }
        if let Some(simple) = complex.text {
            tree.set_value(&self.value(simple));
        }
    }

    fn particle(&mut self, particle: &'static Particle, nodes: &mut Vec<Item>) {
        for _ in 0..self.occurrences(particle) {
            match particle.body {
                Body::Element(declared) => nodes.push(Item::Tree(self.element(declared))),
                Body::Sequence(parts) => parts.iter().for_each(|part| self.particle(part, nodes)),
                Body::Choice(alternatives) => {
                    let alternative = self.random.pick(alternatives);
                    self.particle(alternative, nodes);
                }
                Body::Any => nodes.push(Item::Tree(Tree {
                    name: "qualquer".to_owned(),
                    attributes: vec![("a".to_owned(), "1".to_owned())],
                    nodes: vec![Item::Text("x".to_owned())],
                })),
            }
        }
    }

    fn occurrences(&mut self, particle: &Particle) -> usize {
        let min = usize::try_from(particle.min).unwrap();
        let max = usize::try_from(particle.max).unwrap().min(min + 3);
        match particle.max {
            _ if self.elements > self.plenty => min,
            max if max == particle.min => min,
            // sometimes exactly the maximum, or one more (which a mutation could not reach)
            most @ 2..=120 if self.random.below(400) == 0 => {
                usize::try_from(most).unwrap() + self.random.below(1 + usize::from(self.one_more))
            }
            _ if self.random.chance(50) => min,
            _ => self.random.between(min, max),
        }
    }

    fn value(&mut self, simple: &'static Simple) -> String {
        for _ in 0..2_000 {
            let value = self.candidate(simple);
            if check_value(simple, &value).is_ok() {
                return value;
            }
        }
        panic!(
            "no value found for {} {:?}",
            simple.name,
            simple.patterns.iter().map(|pattern| pattern.source).collect::<Vec<_>>()
        );
    }

    fn candidate(&mut self, simple: &'static Simple) -> String {
        if !simple.values.is_empty() {
            return (*self.random.pick(simple.values)).to_owned();
        }
        let min = usize::try_from(simple.min_length.unwrap_or(0)).unwrap();
        let max = usize::try_from(simple.max_length.unwrap_or(simple.min_length.unwrap_or(0) + 20)).unwrap();
        let length = match self.random.below(6) {
            0 => min,
            1 if max < 3_000 => max,
            _ => self.random.between(min, max.min(min + 30)),
        };
        match (simple.base, simple.patterns) {
            (Base::Id, []) => {
                self.ids += 1;
                format!("id-{}", self.ids)
            }
            (Base::Base64Binary, _) => self.base64(length),
            (Base::DateTime, _) => matching(
                "20[0-4][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9])T(0[0-9]|1[0-9])(:[0-5][0-9]){2}(\\.[0-9]{1,4})?(Z|[+-]0[0-9]:00)?",
                self.random,
            ),
            (Base::Date, []) => matching("20[0-4][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9])(Z|-03:00)?", self.random),
            (Base::Decimal, []) => self.number(simple, simple.fraction_digits.unwrap_or(2)),
            (Base::Int | Base::Byte | Base::Integer | Base::NonNegativeInteger | Base::PositiveInteger, []) => {
                self.number(simple, 0)
            }
            (Base::Boolean, []) => (*self.random.pick(&["true", "false", "0", "1"])).to_owned(),
            (Base::GYearMonth, _) => matching("20[2-4][0-9]-(0[1-9]|1[0-2])(Z|-03:00)?", self.random),
            (Base::AnyUri, _) => matching("#[A-Za-z0-9]{1,50}|http://www[.]w3[.]org/[a-z]{1,5}", self.random),
            (_, patterns) => match patterns.last() {
                // a free text: the length facets define its length, the pattern its characters
                Some(pattern) if is_free(pattern.source) && max > 0 => self.free_text(length),
                Some(pattern) => matching_up_to(pattern.source, max, self.random),
                None => self.free_text(length),
            },
        }
    }

    /// Draws a number of as many digits as the type allows, some of them decimals.
    fn number(&mut self, simple: &'static Simple, most_decimals: u32) -> String {
        // as many as the narrowest built-in type without a digit count of its own allows
        let digits = simple.total_digits.unwrap_or(2).saturating_sub(most_decimals).clamp(1, MOST_DIGITS);
        let whole = matching(&format!("0|[1-9][0-9]{{0,{}}}", digits - 1), self.random);
        if most_decimals == 0 || self.random.chance(30) {
            return whole;
        }
        whole + &matching(&format!("[.][0-9]{{1,{most_decimals}}}"), self.random)
    }

    /// Draws characters of Latin-1, with blanks only inside.
    fn free_text(&mut self, length: usize) -> String {
        let mut text = String::new();
        for at in 0..length {
            let blank = at > 0 && at + 1 < length && self.random.chance(10);
            let latin = self.random.chance(10);
            let (first, last) = if latin { ('¡', 'ÿ') } else { ('!', '~') };
            let drawn = u32::from(first)
                + u32::try_from(self.random.below(usize::try_from(u32::from(last) - u32::from(first) + 1).unwrap()))
                    .unwrap();
            text.push(if blank { ' ' } else { char::from_u32(drawn).unwrap() });
        }
        text
    }

    fn base64(&mut self, length: usize) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for at in 0..length.div_ceil(3) {
            let rest = (length - at * 3).min(3);
            let mut digit = |mask: usize| text.push(char::from(ALPHABET[self.random.below(64) & mask]));
            digit(63);
            digit(if rest == 1 { 0x30 } else { 63 });
            match rest {
                1 => text.push_str("=="),
                2 => {
                    digit(0x3C);
                    text.push('=');
                }
                _ => (0..2).for_each(|_| digit(63)),
            }
        }
        text
    }

    /// Numbers children with equal random values. Values that cannot be numbered are replaced by other valid ones.
    fn make_unique(&mut self, tree: &mut Tree, attribute: &str) {
        let mut seen = BTreeSet::new();
        for (at, node) in tree.nodes.iter_mut().enumerate() {
            let Item::Tree(child) = node else { continue };
            let Some((_, value)) = child.attributes.iter_mut().find(|(name, _)| name == attribute) else { continue };
            if attribute == "Algorithm" && seen.contains(value) {
                let first = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
                let other = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
                *value = if value == first { other.to_owned() } else { first.to_owned() };
            } else if attribute != "Algorithm" {
                *value = (at + 1).to_string();
            }
            seen.insert(value.clone());
        }
    }
}

/// Returns every element declaration below an element, itself included.
pub(crate) fn declarations(element: &'static Element) -> Vec<&'static Element> {
    let below = match element.kind {
        ContentModel::Leaf(_) => None,
        ContentModel::Group(complex) | ContentModel::Foreign(complex) => complex.content.as_ref(),
    };
    std::iter::once(element).chain(below.into_iter().flat_map(declarations_in)).collect()
}

fn declarations_in(particle: &'static Particle) -> Vec<&'static Element> {
    match particle.body {
        Body::Element(declared) => declarations(declared),
        Body::Sequence(parts) | Body::Choice(parts) => parts.iter().flat_map(declarations_in).collect(),
        Body::Any => Vec::new(),
    }
}

/// Returns the simple types of an element's text and attributes.
pub(crate) fn simples(element: &'static Element) -> Vec<&'static Simple> {
    match element.kind {
        ContentModel::Leaf(simple) => vec![simple],
        ContentModel::Group(complex) | ContentModel::Foreign(complex) => {
            complex.attributes.iter().map(|attribute| attribute.simple).chain(complex.text).collect()
        }
    }
}

/// True when a pattern only limits the characters of a text; an address with a key in it is more specific.
fn is_free(pattern: &str) -> bool {
    pattern.contains(" -ÿ]{0,}") && !pattern.contains("://")
}
