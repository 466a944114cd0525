//! Colours of an HTTP message: its first line, its headers, its body.

use super::ColouredCode;
use super::grammar::{self, is_json};
use super::lexer;

/// Writes a message with its colours.
pub(super) fn colour(out: &mut ColouredCode, code: &str) {
    let (head, body) = match code.find("\n\n") {
        Some(end) => code.split_at(end),
        None => (code, ""),
    };
    for (index, line) in head.split_inclusive('\n').enumerate() {
        let (mark, name) = if index == 0 { ('k', line.find(' ')) } else { ('m', line.find(':').map(|at| at + 1)) };
        let (name, value) = line.split_at(name.unwrap_or_default());
        out.marked(mark, name);
        out.plain(value);
    }
    match grammar::find("json").filter(|_| is_json(body)) {
        Some(json) => lexer::colour(out, json, body),
        None => out.plain(body),
    }
}
