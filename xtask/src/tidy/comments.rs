//! Comments of a Rust file, as blocks of lines.

use super::sources::{Source, comment_starts};

/// Consecutive comment lines with one marker.
pub(crate) struct Comment<'s> {
    /// Number of the first line, from 1.
    pub(crate) line: usize,
    /// `///` or `//!`.
    pub(crate) is_doc: bool,
    /// Text without marker and indentation.
    pub(crate) lines: Vec<&'s str>,
    /// Columns of the longest line, indentation and marker included.
    pub(crate) width: usize,
}

/// The blocks of lines that hold nothing but a comment. A comment behind code is not one of them.
pub(crate) fn blocks(file: &Source) -> Vec<Comment<'_>> {
    let starts = comment_starts(&file.text);
    let mut blocks: Vec<Comment<'_>> = Vec::new();
    let mut last = None;
    for (number, line) in file.text.lines().enumerate() {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let Some((marker, text)) = split(trimmed).filter(|_| starts.contains(&(number, indent))) else { continue };
        let width = line.chars().count();
        match blocks.last_mut().filter(|_| last == Some((number.wrapping_sub(1), indent, marker))) {
            Some(block) => {
                block.lines.push(text);
                block.width = block.width.max(width);
            }
            None => blocks.push(Comment { line: number + 1, is_doc: marker != "//", lines: vec![text], width }),
        }
        last = Some((number, indent, marker));
    }
    blocks
}

fn split(line: &str) -> Option<(&'static str, &str)> {
    if line.starts_with("////") {
        return None;
    }
    ["///", "//!", "//"].into_iter().find_map(|marker| Some((marker, line.strip_prefix(marker)?.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_consecutive_lines_with_one_marker() {
        let text =
            "//! A.\n//! B.\n\n/// C.\n// D.\nfn e() {} // no block\n    /// F.\nlet g = \"\n// no comment\n\";\n";
        let file = Source::new("crates/a/src/b.rs".into(), text.into());
        let found: Vec<_> = blocks(&file).iter().map(|it| (it.line, it.is_doc, it.lines.join(" "))).collect();
        let expected = [(1, true, "A. B."), (4, true, "C."), (5, false, "D."), (7, true, "F.")];
        assert_eq!(found, expected.map(|(line, is_doc, text)| (line, is_doc, text.to_owned())));
    }
}
