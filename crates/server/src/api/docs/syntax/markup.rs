//! Colours of XML.

use super::ColouredCode;

/// Writes XML with its colours.
pub(super) fn colour(out: &mut ColouredCode, code: &str) {
    let mut rest = code;
    while let Some(start) = rest.find('<') {
        let (text, from) = rest.split_at(start);
        out.plain(text);
        let closed =
            if from.starts_with("<!--") { from.find("-->").map(|at| at + 3) } else { from.find('>').map(|at| at + 1) };
        let (element, after) = from.split_at(closed.unwrap_or(from.len()));
        if element.starts_with("<!") {
            out.marked('c', element);
        } else {
            tag(out, element);
        }
        rest = after;
    }
    out.plain(rest);
}

/// A tag: its name, its attributes, its end.
fn tag(out: &mut ColouredCode, element: &str) {
    let inside = element.strip_suffix('>').unwrap_or(element);
    let inside = inside.strip_suffix(['/', '?']).unwrap_or(inside);
    let name_end = inside.find(char::is_whitespace).unwrap_or(inside.len());
    let (name, mut rest) = inside.split_at(name_end);
    out.marked('k', name);
    while let Some(start) = rest.find('"') {
        let (name, from) = rest.split_at(start);
        attribute_name(out, name);
        let end = from.char_indices().skip(1).find(|(_, letter)| *letter == '"').map_or(from.len(), |(at, _)| at + 1);
        let (value, after) = from.split_at(end);
        out.marked('s', value);
        rest = after;
    }
    out.plain(rest);
    out.marked('k', element.get(inside.len()..).unwrap_or_default());
}

/// Blanks, the name of an attribute, and its `=`.
fn attribute_name(out: &mut ColouredCode, text: &str) {
    let blanks = text.len() - text.trim_start().len();
    let (blanks, name) = text.split_at(blanks);
    let (name, mark) = name.split_at(name.find('=').unwrap_or(name.len()));
    out.plain(blanks);
    out.marked('m', name);
    out.plain(mark);
}
