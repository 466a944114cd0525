//! Search of the answer inside of a reply.
//!
//! Authorities agree on the answer, not on its surroundings: any prefix, `nfeResultMsg`, `cteRecepcaoResult` or another
//! wrapper, white space, XML declarations in the middle, the answer as text or CDATA, ISO-8859-1. The answer is found
//! by the name of its root alone.

use super::UnreadableReply;
use crate::call::AuthorityReply;
use fiscal::xml::{Element, Node};

/// An answer and the text that its spans point into.
pub(super) struct ReplyPayload {
    text: String,
    root: Element,
    name: &'static str,
}

impl ReplyPayload {
    /// Finds the answer with this root.
    pub(super) fn find(reply: &AuthorityReply, name: &'static str) -> Result<ReplyPayload, UnreadableReply> {
        // a Fault has status 500 and holds more detail than the status
        if reply.status != http::StatusCode::OK {
            return Err(UnreadableReply::Status { status: reply.status, explanation: explain_error_page(&reply.body) });
        }
        let text = without_declarations(&decoded(&reply.body));
        if text.is_empty() {
            return Err(UnreadableReply::Content("a resposta veio vazia".to_owned()));
        }
        ReplyPayload::find_in(text, name, NESTED_TEXTS)
    }

    fn find_in(text: String, name: &'static str, nested: u8) -> Result<ReplyPayload, UnreadableReply> {
        let root = match fiscal::xml::read(text.as_bytes()) {
            Ok(root) => root,
            Err(malformed) => return Err(UnreadableReply::Content(why_malformed(&text, &malformed))),
        };
        if path(&root, name).is_some() {
            return Ok(ReplyPayload { text, root, name });
        }
        match text_with(&root, name) {
            Some(inner) if nested > 0 => ReplyPayload::find_in(without_declarations(inner), name, nested - 1),
            _ => Err(UnreadableReply::Content(why_absent(&root, name))),
        }
    }

    /// Root of the answer.
    pub(super) fn element(&self) -> &Element {
        path(&self.root, self.name).and_then(|path| path.last().copied()).unwrap_or(&self.root)
    }

    /// An element of the answer as received. Namespaces inherited from outer elements are declared on it, so that it
    /// keeps its meaning anywhere. It is stored for years, so one larger than any message is refused.
    pub(super) fn verbatim(&self, element: &Element) -> Result<String, UnreadableReply> {
        if element.span.len() > LARGEST {
            return Err(UnreadableReply::Content(format!("{} tem {} bytes", element.name, element.span.len())));
        }
        let source = &self.text[element.span.clone()];
        let own = declarations(start_tag(source));
        let mut added = String::new();
        for (attribute, value) in self.inherited(element) {
            let used = match attribute.strip_prefix("xmlns:") {
                Some(prefix) => source.contains(&format!("{prefix}:")),
                None => has_unprefixed(element),
            };
            if used && own.iter().all(|(name, _)| *name != attribute) {
                added.push_str(&format!(" {attribute}={value}"));
            }
        }
        let name = source.find([' ', '>', '/', '\t', '\r', '\n']).unwrap_or(source.len());
        Ok(format!("{}{added}{}", &source[..name], &source[name..]))
    }

    /// Namespace declarations in force around an element, the innermost of each prefix, values with their quotes.
    fn inherited(&self, element: &Element) -> Vec<(&str, &str)> {
        let mut found: Vec<(&str, &str)> = Vec::new();
        let mut around = Some(&self.root);
        while let Some(outer) = around.filter(|outer| outer.span != element.span) {
            for declaration in declarations(start_tag(&self.text[outer.span.clone()])) {
                found.retain(|(attribute, _)| *attribute != declaration.0);
                found.push(declaration);
            }
            around = outer.children().find(|child| contains(child, element));
        }
        found
    }
}

/// Text of a reply with an error status: its Fault, the title of its page or its first line.
pub(crate) fn explain_error_page(body: &[u8]) -> String {
    let text = without_declarations(&decoded(body));
    match fiscal::xml::read(text.as_bytes()) {
        Ok(root) => why_absent(&root, "uma resposta"),
        Err(_) if looks_like_html(&text) => format!("uma página HTML{}", title(&text)),
        Err(_) if text.is_empty() => "sem texto".to_owned(),
        Err(_) => beginning(&text),
    }
}

/// True when the default namespace applies to an element inside.
fn has_unprefixed(element: &Element) -> bool {
    element.prefix.is_empty() || element.children().any(has_unprefixed)
}

fn contains(outer: &Element, inner: &Element) -> bool {
    outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
}

/// Path from the root to the first element of this local name.
fn path<'e>(element: &'e Element, name: &str) -> Option<Vec<&'e Element>> {
    if element.name == name {
        return Some(vec![element]);
    }
    element.children().find_map(|child| {
        let mut rest = path(child, name)?;
        rest.insert(0, element);
        Some(rest)
    })
}

/// Text node (CDATA or escaped) that holds the answer as markup.
fn text_with<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    element.nodes.iter().find_map(|node| match node {
        Node::Text(text) => (text.trim_start().starts_with('<') && text.contains(name)).then_some(text.as_str()),
        Node::Element(child) => text_with(child, name),
    })
}

/// Decodes UTF-8, else Latin-1, the only other encoding of the authorities.
pub(crate) fn decoded(reply: &[u8]) -> String {
    match std::str::from_utf8(reply) {
        Ok(text) => text.to_owned(),
        Err(_) => reply.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Removes byte order marks, surrounding white space and all XML declarations: some authorities put the answer's own
/// declaration inside the envelope, which no parser accepts.
pub(crate) fn without_declarations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<?xml ") {
        kept.push_str(before);
        rest = after.split_once("?>").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}' || c == '\0').to_owned()
}

fn start_tag(source: &str) -> &str {
    let mut quote = None;
    let end = source.bytes().position(|byte| {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
        byte == b'>' && quote.is_none()
    });
    end.map_or(source, |end| &source[..end])
}

/// `xmlns` attributes of a start tag, values with their quotes.
fn declarations(tag: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = tag;
    while let Some(at) = rest.find("xmlns") {
        let starts_name = rest[..at].ends_with(|c: char| c.is_whitespace());
        let declaration = &rest[at..];
        rest = &declaration["xmlns".len()..];
        let Some((attribute, value)) = declaration.split_once('=') else { break };
        let value = value.trim_start();
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
        if let (true, Some(length)) = (starts_name, value[1..].find(quote)) {
            found.push((attribute.trim_end(), &value[..length + 2]));
            rest = &value[length + 2..];
        }
    }
    found
}

pub(crate) fn why_malformed(text: &str, malformed: &fiscal::xml::MalformedXml) -> String {
    if looks_like_html(text) {
        return format!("o servidor respondeu uma página HTML{}", title(text));
    }
    if !text.starts_with('<') {
        return format!("o servidor respondeu um texto que não é XML: {}", beginning(text));
    }
    format!("{malformed} (resposta de {} bytes, talvez cortada)", text.len())
}

pub(crate) fn why_absent(root: &Element, name: &str) -> String {
    if let Some(fault) = path(root, "Fault").and_then(|path| path.last().copied()) {
        return format!("o servidor respondeu SOAP Fault: {}", beginning(&fault_text(fault)));
    }
    if root.name.eq_ignore_ascii_case("html") {
        let title =
            path(root, "title").and_then(|path| path.last().map(|title| format!(" ({})", beginning(title.text()))));
        return format!("o servidor respondeu uma página HTML{}", title.unwrap_or_default());
    }
    format!("esperava-se {name}, veio {}", innermost(root))
}

/// Reason of a Fault: `Reason/Text` in SOAP 1.2, `faultstring` in 1.1.
fn fault_text(fault: &Element) -> String {
    let reason = fault.text_at("Reason/Text").or_else(|| fault.text_at("faultstring")).unwrap_or("sem motivo");
    let detail = fault.child("Detail").or_else(|| fault.child("detail")).map(all_text).filter(|text| !text.is_empty());
    detail.map_or_else(|| reason.to_owned(), |detail| format!("{reason} ({detail})"))
}

fn all_text(element: &Element) -> String {
    let texts = element.nodes.iter().map(|node| match node {
        Node::Text(text) => text.trim().to_owned(),
        Node::Element(child) => all_text(child),
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Name of the first element below the envelope, for the error message.
fn innermost(root: &Element) -> String {
    let wrapper =
        matches!(root.name.as_str(), "Envelope" | "Body") || WRAPPERS.iter().any(|end| root.name.ends_with(end));
    match root.children().find(|child| child.name != "Header") {
        Some(child) if wrapper => innermost(child),
        None if wrapper => format!("{} sem conteúdo", root.name),
        _ => root.name.to_string(),
    }
}

fn looks_like_html(text: &str) -> bool {
    let start: String = text.chars().take(1000).collect::<String>().to_ascii_lowercase();
    start.contains("<html") || start.contains("<!doctype html")
}

fn title(text: &str) -> String {
    let title = text.split_once("<title>").and_then(|(_, after)| after.split_once("</title>"));
    title.map(|(title, _)| format!(" ({})", beginning(title))).unwrap_or_default()
}

/// Beginning of a text, white space folded.
fn beginning(text: &str) -> String {
    // reads more than is kept, since blanks are folded, but never the whole text
    let near: String = text.chars().take(4 * LINE).collect();
    let folded = near.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = folded.chars().take(LINE).collect();
    if cut.len() < folded.len() || near.len() < text.len() { format!("{cut}…") } else { cut }
}

/// Suffixes of the elements around an answer: `nfeResultMsg`, `cteConsultaCTResult`.
const WRAPPERS: [&str; 2] = ["ResultMsg", "Result"];
/// Characters of a first line.
const LINE: usize = 200;
/// Bytes of an authority's largest message (MOC 7.0, visão geral, 3.4).
const LARGEST: usize = 500 << 10;

/// Deepest nesting of an answer within text nodes.
const NESTED_TEXTS: u8 = 2;
