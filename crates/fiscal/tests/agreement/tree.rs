//! A document that can be changed, and its text.

use crate::random::Random;

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) nodes: Vec<Item>,
}

/// Content of an element.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Tree(Tree),
    Text(String),
    /// Written unchanged: comments, instructions, references.
    Raw(String),
}

impl Tree {
    /// Returns the path from the root to every element.
    pub(crate) fn places(&self) -> Vec<Vec<usize>> {
        let mut places = vec![Vec::new()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Item::Tree(child) = node {
                places.extend(child.places().into_iter().map(|place| [&[at], place.as_slice()].concat()));
            }
        }
        places
    }

    pub(crate) fn at(&mut self, place: &[usize]) -> &mut Tree {
        match place.split_first() {
            None => self,
            Some((first, rest)) => match &mut self.nodes[*first] {
                Item::Tree(child) => child.at(rest),
                other => panic!("{other:?} is no element"),
            },
        }
    }

    pub(crate) fn is_leaf(&self) -> bool {
        !self.nodes.iter().any(|node| matches!(node, Item::Tree(_)))
    }

    /// The text of a leaf.
    pub(crate) fn value(&self) -> String {
        self.nodes.iter().map(|node| if let Item::Text(text) = node { text.as_str() } else { "" }).collect()
    }

    pub(crate) fn set_value(&mut self, value: &str) {
        self.nodes = vec![Item::Text(value.to_owned())];
    }

    /// Returns the XML, in a random one of its equivalent spellings.
    pub(crate) fn text(&self, random: &mut Random) -> String {
        let mut text = match random.below(4) {
            0 => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
            1 => "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned(),
            _ => String::new(),
        };
        self.write(&mut text, random);
        if random.chance(10) {
            text.push_str("\n<!-- fim -->\n");
        }
        text
    }

    fn write(&self, text: &mut String, random: &mut Random) {
        text.push_str(&format!("<{}", self.name));
        for (name, value) in &self.attributes {
            let quote = if random.chance(10) { '\'' } else { '"' };
            // our reader rejects references in a namespace declaration
            let value = if name.starts_with("xmlns") { value.clone() } else { escaped(value, true, random) };
            text.push_str(&format!(" {name}={quote}{value}{quote}"));
        }
        if self.nodes.is_empty() && random.chance(50) {
            return text.push_str("/>");
        }
        text.push('>');
        for node in &self.nodes {
            match node {
                Item::Tree(child) => child.write(text, random),
                Item::Text(value) => text.push_str(&escaped(value, false, random)),
                Item::Raw(raw) => text.push_str(raw),
            }
        }
        text.push_str(&format!("</{}>", self.name));
    }
}

fn escaped(value: &str, attribute: bool, random: &mut Random) -> String {
    let mut text = String::new();
    for character in value.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&apos;"),
            '\r' | '\t' | '\n' if attribute || character == '\r' => {
                text.push_str(&format!("&#{};", u32::from(character)))
            }
            _ if random.below(500) == 0 => text.push_str(&format!("&#x{:X};", u32::from(character))),
            _ => text.push(character),
        }
    }
    text
}
