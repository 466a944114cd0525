//! Parser of stored documents: a list of elements in one pass and without copies, since reading is most of a long
//! form's cost.
//!
//! Stored documents were parsed strictly on arrival (`fiscal::xml`); refused here is XML without a unique tree:
//! unmatched tags, unknown references, a DTD. Names are local names.
//!
//! Law: XML 1.0 (5th edition).
//! Must not know: any layout.

use fiscal::xml::MalformedXml;
use std::borrow::Cow;

/// A parsed document.
#[derive(Debug)]
pub struct ParsedDocument<'s> {
    parts: Vec<ElementEntry<'s>>,
}

/// An element; its descendants follow it in the list.
#[derive(Debug)]
struct ElementEntry<'s> {
    /// First bytes of the name, which distinguish nearly all names without a look at the text.
    key: u64,
    name: &'s str,
    /// Text before the first child, trimmed.
    text: Cow<'s, str>,
    /// Attributes as written.
    attributes: &'s str,
    /// Number of elements, itself and its descendants.
    size: usize,
}

#[derive(Clone, Copy, Debug)]
pub struct StoredElement<'x> {
    own: &'x ElementEntry<'x>,
    inside: &'x [ElementEntry<'x>],
}

impl<'s> ParsedDocument<'s> {
    /// Reads a whole document.
    pub fn read(xml: &'s [u8]) -> Result<ParsedDocument<'s>, MalformedXml> {
        let source =
            std::str::from_utf8(xml).or_else(|error| malformed(error.valid_up_to(), "os bytes não são UTF-8"))?;
        // in the official layouts an element takes 25 bytes or more
        let parts = Vec::with_capacity(source.len() / 24);
        let mut reading = DocumentParser { source, at: 0, parts, open: Vec::new() };
        if source.starts_with('\u{feff}') {
            reading.at = '\u{feff}'.len_utf8();
        }
        while reading.markup()? {}
        match reading.open.last() {
            Some((_, name)) => malformed(source.len(), format!("falta o fechamento de <{name}>")),
            None if reading.parts.is_empty() => malformed(source.len(), "não há elemento raiz"),
            None => Ok(ParsedDocument { parts: reading.parts }),
        }
    }

    /// The root element.
    pub fn root(&self) -> Option<StoredElement<'_>> {
        ChildElements { rest: &self.parts }.next()
    }
}

/// State of the parser.
struct DocumentParser<'s> {
    source: &'s str,
    at: usize,
    parts: Vec<ElementEntry<'s>>,
    /// Open elements from the root inwards: indexes in the list, and names as written.
    open: Vec<(usize, &'s str)>,
}

impl<'s> DocumentParser<'s> {
    /// Reads text and the markup after it; `false` at the end.
    fn markup(&mut self) -> Result<bool, MalformedXml> {
        let rest = &self.source[self.at..];
        let (text, plain) = upto_markup(rest);
        self.text(text, plain)?;
        self.at += text.len();
        let rest = &rest[text.len()..];
        if let Some(inside) = rest.strip_prefix("</") {
            self.end(inside)?;
        } else if let Some(inside) = rest.strip_prefix("<!--") {
            self.skip(inside, 4, "-->")?;
        } else if let Some(inside) = rest.strip_prefix("<![CDATA[") {
            let content = self.skip(inside, 9, "]]>")?;
            self.piece(Cow::Borrowed(content))?;
        } else if let Some(inside) = rest.strip_prefix("<?") {
            self.skip(inside, 2, "?>")?;
        } else if rest.starts_with("<!") {
            return malformed(self.at, "DTD (DOCTYPE) não é aceita");
        } else if let Some(inside) = rest.strip_prefix('<') {
            self.start(inside)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn start(&mut self, inside: &'s str) -> Result<(), MalformedXml> {
        let Some(end) = tag_end(inside) else {
            return malformed(self.at, "o documento termina dentro de uma marcação");
        };
        if self.open.is_empty() && !self.parts.is_empty() {
            return malformed(self.at, "há mais de um elemento raiz");
        }
        self.at += end + 2;
        let tag = &inside[..end];
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (qualified, name, attributes) = parts_of(tag);
        if name.is_empty() {
            return malformed(self.at, "elemento sem nome");
        }
        if !empty {
            self.open.push((self.parts.len(), qualified));
        }
        self.parts.push(ElementEntry { key: key(name), name, text: Cow::Borrowed(""), attributes, size: 1 });
        Ok(())
    }

    fn end(&mut self, inside: &'s str) -> Result<(), MalformedXml> {
        let end = inside.bytes().position(|byte| byte == b'>').unwrap_or(inside.len());
        let name = inside[..end].trim_ascii_end();
        match self.open.pop() {
            Some((place, open)) if open == name && end < inside.len() => {
                let size = self.parts.len() - place;
                if let Some(part) = self.parts.get_mut(place) {
                    part.size = size;
                    trim(&mut part.text);
                }
                self.at += end + 3;
                Ok(())
            }
            Some((_, open)) => malformed(self.at, format!("esperado o fechamento de <{open}>, encontrado </{name}>")),
            None => malformed(self.at, format!("</{name}> sem abertura")),
        }
    }

    /// Moves behind a mark; returns the text before it.
    fn skip(&mut self, inside: &'s str, opening: usize, mark: &str) -> Result<&'s str, MalformedXml> {
        match inside.find(mark) {
            Some(end) => {
                self.at += opening + end + mark.len();
                Ok(&inside[..end])
            }
            None => malformed(self.at, format!("falta {mark}")),
        }
    }

    fn text(&mut self, text: &'s str, plain: bool) -> Result<(), MalformedXml> {
        if text.is_empty() || (self.open.is_empty() && text.trim_ascii().is_empty()) {
            return Ok(());
        }
        let text = if plain { Cow::Borrowed(text) } else { unescaped(text).or_else(|why| malformed(self.at, why))? };
        self.piece(text)
    }

    /// Appends a piece of text: the pieces around CDATA and comments are one text.
    fn piece(&mut self, piece: Cow<'s, str>) -> Result<(), MalformedXml> {
        let Some((place, _)) = self.open.last() else { return malformed(self.at, "texto fora do elemento raiz") };
        if let [part] = self.parts.get_mut(*place..).unwrap_or_default() {
            if part.text.is_empty() {
                part.text = piece;
            } else {
                part.text.to_mut().push_str(&piece);
            }
        }
        Ok(())
    }
}

/// Text before the next markup; `true` when it needs no decoding.
fn upto_markup(text: &str) -> (&str, bool) {
    let mut plain = true;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' => return (&text[..at], plain),
            b'&' | b'\r' => plain = false,
            _ => {}
        }
    }
    (text, plain)
}

/// End of a tag: a `>` outside of quotes.
fn tag_end(inside: &str) -> Option<usize> {
    let mut quote = None;
    inside.bytes().position(|byte| match (quote, byte) {
        (None, b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (Some(open), _) if open == byte => {
            quote = None;
            false
        }
        _ => false,
    })
}

/// Name as written, local name, attributes.
fn parts_of(tag: &str) -> (&str, &str, &str) {
    let mut local = 0;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b':' => local = at + 1,
            b' ' | b'\t' | b'\n' | b'\r' => return (&tag[..at], &tag[local..at], &tag[at..]),
            _ => {}
        }
    }
    (tag, &tag[local..], "")
}

fn key(name: &str) -> u64 {
    name.bytes().take(8).fold(0, |key, byte| key << 8 | u64::from(byte))
}

fn trim(text: &mut Cow<'_, str>) {
    match text {
        Cow::Borrowed(text) => *text = text.trim(),
        Cow::Owned(text) if text.trim().len() < text.len() => *text = text.trim().to_owned(),
        Cow::Owned(_) => {}
    }
}

/// Decodes references and line ends.
fn unescaped(text: &str) -> Result<Cow<'_, str>, String> {
    if !text.contains(['&', '\r']) {
        return Ok(Cow::Borrowed(text));
    }
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, after) = part.split_once(';').ok_or("& sem ponto e vírgula")?;
        out.push(entity_letter(name).ok_or_else(|| format!("referência &{name}; inválida"))?);
        out.push_str(after);
    }
    Ok(Cow::Owned(out.replace("\r\n", "\n").replace('\r', "\n")))
}

fn entity_letter(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        "quot" => '"',
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    })
}

fn malformed<T>(at: usize, why: impl Into<String>) -> Result<T, MalformedXml> {
    Err(MalformedXml { at, why: why.into() })
}

/// Sibling elements.
#[derive(Clone)]
struct ChildElements<'x> {
    rest: &'x [ElementEntry<'x>],
}

impl<'x> Iterator for ChildElements<'x> {
    type Item = StoredElement<'x>;

    fn next(&mut self) -> Option<StoredElement<'x>> {
        let (own, after) = self.rest.split_first()?;
        let (inside, rest) = after.split_at_checked(own.size - 1)?;
        self.rest = rest;
        Some(StoredElement { own, inside })
    }
}

impl<'x> StoredElement<'x> {
    /// Local name.
    pub fn name(&self) -> &'x str {
        self.own.name
    }

    /// Text before the first child, trimmed.
    pub fn text(&self) -> &'x str {
        &self.own.text
    }

    /// Child elements.
    pub fn children(&self) -> impl Iterator<Item = StoredElement<'x>> + use<'x> {
        ChildElements { rest: self.inside }
    }

    /// First child of a name.
    pub fn child(&self, name: &str) -> Option<StoredElement<'x>> {
        let key = key(name);
        self.children().find(|child| child.own.key == key && child.own.name == name)
    }

    /// Descendant by a path such as `protNFe/infProt/cStat`.
    pub fn at(&self, path: &str) -> Option<StoredElement<'x>> {
        path.split('/').try_fold(*self, |element, name| element.child(name))
    }

    /// Text at a path.
    pub fn text_at(&self, path: &str) -> Option<&'x str> {
        self.at(path).map(|element| element.text())
    }

    /// Value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<Cow<'x, str>> {
        let mut rest = self.own.attributes;
        loop {
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_ascii_start();
            let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, behind) = after[1..].split_once(quote)?;
            if key.trim_ascii() == name {
                return unescaped(value).ok();
            }
            rest = behind;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(xml: &str) -> Result<String, MalformedXml> {
        let document = ParsedDocument::read(xml.as_bytes())?;
        fn tell(element: StoredElement<'_>) -> String {
            let children: String = element.children().map(tell).collect();
            format!("{}={}[{children}]", element.name(), element.text())
        }
        Ok(document.root().map(tell).unwrap_or_default())
    }

    #[test]
    fn reads_elements_texts_and_attributes() {
        let xml = "\u{feff}<?xml version=\"1.0\"?><!-- <x> --><n:a xmlns:n='u' Id=\"1 > 0\" b = 'c&amp;d'> \r\n<b>x &lt; &#x41;&#66;</b><c/><d>1<!-- -->2<![CDATA[<3]]></d></n:a>\n";
        assert_eq!(told(xml).unwrap(), "a=[b=x < AB[]c=[]d=12<3[]]");
        let document = ParsedDocument::read(xml.as_bytes()).unwrap();
        let root = document.root().unwrap();
        assert_eq!(root.attribute("Id").unwrap(), "1 > 0");
        assert_eq!(root.attribute("b").unwrap(), "c&d");
        assert_eq!(root.attribute("c"), None);
        assert_eq!(root.text_at("d"), Some("12<3"));
        assert_eq!(root.text_at("d/e"), None);
    }

    #[test]
    fn refuses_what_has_no_one_tree() {
        for xml in [
            "",
            " ",
            "x",
            "<a>",
            "</a>",
            "<a></b>",
            "<a/><b/>",
            "<a/>x",
            "<a",
            "<a b='>",
            "<>",
            "<a>&x;</a>",
            "<a>&amp</a>",
            "<a>&#xD800;</a>",
            "<!DOCTYPE a><a/>",
            "<a><!-- </a>",
            "<a></a",
            "<a><![CDATA[x]]</a>",
            "<a><b></a></b>",
            "<![CDATA[x]]><a/>",
        ] {
            assert!(ParsedDocument::read(xml.as_bytes()).is_err(), "{xml}");
        }
        assert!(ParsedDocument::read(b"<a>\xff</a>").is_err());
    }
}
