//! Converts our Markdown to HTML: headings with anchors, paragraphs, lists, tables, pictures, code, `code`, **strong**,
//! links to our own pages.
//!
//! Everything is escaped first; a link leads to a path of ours or to an anchor on the page, never to another host.

use std::fmt::Write as _;

use super::account_values::marked;
use super::syntax::coloured;

/// HTML of a page.
pub(crate) fn to_html(page: &str) -> String {
    let mut writer = HtmlWriter::default();
    for line in page.lines() {
        writer.line(line);
    }
    writer.open(OpenBlock::None);
    writer.out
}

/// Kind of the open block.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum OpenBlock {
    #[default]
    None,
    Paragraph,
    List,
    Steps,
    Table,
    Code,
}

#[derive(Default)]
struct HtmlWriter {
    out: String,
    block: OpenBlock,
    /// Text of the open paragraph, item or code.
    pending: String,
    /// Language of the open code.
    language: String,
}

impl HtmlWriter {
    fn line(&mut self, line: &str) {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            return self.fence(language.trim());
        }
        if self.block == OpenBlock::Code {
            self.pending.push_str(line);
            self.pending.push('\n');
            return;
        }
        let text = line.trim();
        if text.is_empty() {
            self.flush();
            if !matches!(self.block, OpenBlock::List | OpenBlock::Steps) {
                self.open(OpenBlock::None);
            }
        } else if let Some((level, heading)) = heading(text) {
            self.open(OpenBlock::None);
            let id = anchor(heading);
            let _ = write!(self.out, "<h{level} id=\"{id}\"><a href=\"#{id}\">{}</a></h{level}>", inline(heading));
        } else if let Some(cells) = text.strip_prefix('|') {
            self.row(cells.trim_end_matches('|'));
        } else if let Some((words, source)) = picture(text) {
            self.open(OpenBlock::None);
            let _ =
                write!(self.out, "<figure><img src=\"{source}\" alt=\"{}\" loading=\"lazy\"></figure>", escaped(words));
        } else if let Some(item) = text.strip_prefix("- ") {
            self.open(OpenBlock::List);
            self.item(item);
        } else if let Some(item) = numbered(text) {
            self.open(OpenBlock::Steps);
            self.item(item);
        } else {
            self.prose(line, text);
        }
    }

    /// A paragraph, or a continued line of an item.
    fn prose(&mut self, line: &str, text: &str) {
        let inside = matches!(self.block, OpenBlock::List | OpenBlock::Steps) && line.starts_with(' ');
        if !inside {
            self.open(OpenBlock::Paragraph);
        }
        if !self.pending.is_empty() {
            self.pending.push(' ');
        }
        self.pending.push_str(text);
    }

    fn item(&mut self, text: &str) {
        self.flush();
        self.pending.push_str(text);
    }

    fn row(&mut self, cells: &str) {
        let first = self.block != OpenBlock::Table;
        self.open(OpenBlock::Table);
        if cells.chars().all(|c| matches!(c, '-' | ':' | '|' | ' ')) {
            return;
        }
        let kind = if first { "th" } else { "td" };
        self.out.push_str("<tr>");
        for cell in cells.split('|') {
            let _ = write!(self.out, "<{kind}>{}</{kind}>", inline(cell.trim()));
        }
        self.out.push_str("</tr>");
    }

    fn fence(&mut self, language: &str) {
        if self.block == OpenBlock::Code {
            return self.open(OpenBlock::None);
        }
        self.open(OpenBlock::None);
        let _ = write!(self.out, "<pre data-linguagem=\"{}\"><code>", escaped(language));
        language.clone_into(&mut self.language);
        self.block = OpenBlock::Code;
    }

    /// Writes the pending text.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        if self.block == OpenBlock::Code {
            self.out.push_str(&marked(&coloured(&self.language, &text)));
            return;
        }
        if text.is_empty() {
            return;
        }
        let tag = if self.block == OpenBlock::Paragraph { "p" } else { "li" };
        let _ = write!(self.out, "<{tag}>{}</{tag}>", inline(&text));
    }

    /// Closes the open block and opens another, unless it is of this kind already.
    fn open(&mut self, block: OpenBlock) {
        if self.block == block {
            return;
        }
        self.flush();
        self.out.push_str(match self.block {
            OpenBlock::None | OpenBlock::Paragraph => "",
            OpenBlock::List => "</ul>",
            OpenBlock::Steps => "</ol>",
            OpenBlock::Table => "</table></div>",
            OpenBlock::Code => "</code></pre>",
        });
        self.out.push_str(match block {
            OpenBlock::None | OpenBlock::Paragraph | OpenBlock::Code => "",
            OpenBlock::List => "<ul>",
            OpenBlock::Steps => "<ol>",
            OpenBlock::Table => "<div class=\"tabela\"><table>",
        });
        self.block = block;
    }
}

fn heading(text: &str) -> Option<(usize, &str)> {
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let rest = text.get(level..)?.strip_prefix(' ')?;
    (1..=4).contains(&level).then_some((level, rest))
}

/// `![words](imagens/file)`, on a line of its own.
fn picture(text: &str) -> Option<(&str, String)> {
    let (words, file) = text.strip_prefix("![")?.strip_suffix(')')?.split_once("](imagens/")?;
    Some((words, format!("/docs/recursos/{}", escaped(file))))
}

/// `1. text`.
fn numbered(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 { None } else { text.get(digits..)?.strip_prefix(". ") }
}

/// Anchor of a heading.
pub(super) fn anchor(heading: &str) -> String {
    let plain: String = heading.chars().filter(|c| !matches!(c, '`' | '*')).collect();
    let words: String = plain
        .chars()
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' })
        .collect();
    words.split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// Headings of a page, with their levels and anchors.
pub(super) fn headings(page: &str) -> Vec<(usize, String, String)> {
    let mut in_code = false;
    let mut found = Vec::new();
    for line in page.lines() {
        in_code ^= line.trim_start().starts_with("```");
        if let (false, Some((level, text))) = (in_code, heading(line)) {
            found.push((level, text.replace(['`', '*'], ""), anchor(text)));
        }
    }
    found
}

/// First sentence of a page, joined over its wrapped lines.
pub(super) fn lead(page: &str) -> String {
    let after_title = page.lines().skip_while(|line| line.is_empty() || heading(line).is_some());
    let paragraph: Vec<&str> = after_title.take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    let sentence = paragraph.get(..end).unwrap_or(&paragraph);
    // a colon that introduces a list becomes a full stop
    sentence.strip_suffix(':').map_or_else(|| sentence.to_owned(), |words| format!("{words}."))
}

/// Converts `code`, **strong** and links of a line.
pub(crate) fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in escaped(text).split('`').enumerate() {
        // odd parts are between two back-quotes
        let piece = if index % 2 == 1 { format!("<code>{part}</code>") } else { emphasis(part) };
        out.push_str(&piece);
    }
    links(&out)
}

fn emphasis(text: &str) -> String {
    let strong = alternate(text, "**", "strong");
    alternate(&strong, "*", "em")
}

/// Wraps the odd parts between marks in an element; an unpaired mark stays.
fn alternate(text: &str, mark: &str, tag: &str) -> String {
    let parts: Vec<&str> = text.split(mark).collect();
    if parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let piece = |(index, part): (usize, &&str)| {
        if index % 2 == 1 { format!("<{tag}>{part}</{tag}>") } else { (*part).to_owned() }
    };
    parts.iter().enumerate().map(piece).collect()
}

/// `[text](target)`, for targets of ours.
fn links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        let link = after.split_once("](").and_then(|(label, tail)| Some((label, tail.split_once(')')?)));
        match link.and_then(|(label, (to, tail))| Some((label, target(to)?, tail))) {
            Some((label, to, tail)) => {
                let _ = write!(out, "<a href=\"{to}\">{label}</a>");
                rest = tail;
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Target of a link of ours: a path, an anchor on the page, another guide, a file beside a guide.
fn target(to: &str) -> Option<String> {
    let own = to.starts_with('#') || (to.starts_with('/') && !to.starts_with("//"));
    if own {
        return Some(to.to_owned());
    }
    if to.contains([':', '/']) {
        return None;
    }
    let (file, place) = to.split_once('#').map_or((to, String::new()), |(file, place)| (file, format!("#{place}")));
    match file.strip_suffix(".md") {
        Some(guide) => Some(format!("/docs/guia/{guide}{place}")),
        None => Some(format!("/docs/recursos/{file}")),
    }
}

/// Escapes text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_links_stay_ours() {
        let page = "# T\n\n- veja [`a`](/docs/erros/a) **já**\n\n<script> [x](http://fora) [y](//fora) [z](javascript:alert)\n";
        let html = to_html(page);
        assert!(html.contains("<a href=\"/docs/erros/a\"><code>a</code></a> <strong>já</strong></li></ul>"), "{html}");
        assert!(html.contains("&lt;script&gt; [x](http://fora) [y](//fora) [z](javascript:alert)"), "{html}");
    }

    #[test]
    fn the_lead_is_the_first_sentence_to_its_end() {
        assert_eq!(lead("# T\n\num `a.b`,\ndois. três\nquatro.\n\ncinco"), "um `a.b`, dois.");
        assert_eq!(lead("# T\n\nHá duas:\n\n- a"), "Há duas.");
    }

    #[test]
    fn lines_of_a_paragraph_and_of_an_item_belong_together() {
        let html = to_html("um\ndois\n\n- a\n  b\n- c\n\n1. x\n2. y\n");
        assert_eq!(html, "<p>um dois</p><ul><li>a b</li><li>c</li></ul><ol><li>x</li><li>y</li></ol>");
    }

    #[test]
    fn tables_code_and_anchors() {
        let html = to_html("## Olá, `mundo`\n| a | b |\n|---|---|\n| 1 | 2 |\n```sh\na < b\n```\nfim");
        assert!(
            html.starts_with("<h2 id=\"olá-mundo\"><a href=\"#olá-mundo\">Olá, <code>mundo</code></a></h2>"),
            "{html}"
        );
        assert!(
            html.contains("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></div>"),
            "{html}"
        );
        assert!(html.ends_with("<pre data-linguagem=\"sh\"><code>a &lt; b\n</code></pre><p>fim</p>"), "{html}");
        assert_eq!(
            headings("# A\n```\n# não\n```\n## B c"),
            [(1, "A".into(), "a".into()), (2, "B c".into(), "b-c".into())]
        );
    }

    #[test]
    fn a_picture_is_a_file_beside_the_guides() {
        let shown =
            "<figure><img src=\"/docs/recursos/inicio.png\" alt=\"O &lt;início&gt;\" loading=\"lazy\"></figure>";
        assert_eq!(to_html("a\n\n![O <início>](imagens/inicio.png)\n"), format!("<p>a</p>{shown}"));
        assert!(!to_html("![x](http://fora/imagens/x.png)").contains("<img"));
    }

    #[test]
    fn a_guide_links_to_a_guide_as_files_and_as_pages_do() {
        assert!(to_html("[x](webhooks.md#segredo)").contains("href=\"/docs/guia/webhooks#segredo\""));
        assert!(to_html("[x](nota.json)").contains("href=\"/docs/recursos/nota.json\""));
    }
}
