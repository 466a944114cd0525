//! Colours a code by its grammar, from left to right, without going back.

use super::ColouredCode;
use super::grammar::{self, LanguageGrammar, MemberMark};

/// Writes a code with the colours of a grammar.
pub(super) fn colour(out: &mut ColouredCode, grammar: &LanguageGrammar, code: &str) {
    let mut lexer = CodeLexer { grammar, code, at: 0, unmarked_from: 0 };
    while lexer.at < code.len() {
        lexer.step(out);
    }
    lexer.flush(out);
}

struct CodeLexer<'a> {
    grammar: &'a LanguageGrammar,
    code: &'a str,
    at: usize,
    /// Start of the letters before `at` that have no colour and are not written yet.
    unmarked_from: usize,
}

impl<'a> CodeLexer<'a> {
    fn rest(&self) -> &'a str {
        self.code.get(self.at..).unwrap_or_default()
    }

    fn previous(&self) -> Option<char> {
        self.code.get(..self.at)?.chars().next_back()
    }

    /// True at the first letter of a line, blanks aside.
    fn begins_line(&self) -> bool {
        let before = self.code.get(..self.at).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).chars().next_back().is_none_or(|letter| letter == '\n')
    }

    fn flush(&mut self, out: &mut ColouredCode) {
        out.plain(self.code.get(self.unmarked_from..self.at).unwrap_or_default());
        self.unmarked_from = self.at;
    }

    /// Writes the next bytes in a colour.
    fn mark(&mut self, out: &mut ColouredCode, class: char, length: usize) {
        self.flush(out);
        out.marked(class, self.rest().get(..length).unwrap_or_default());
        self.at += length;
        self.unmarked_from = self.at;
    }

    fn step(&mut self, out: &mut ColouredCode) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        let is_apart = self.previous().is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_'));
        if let Some(length) = self.comment(rest) {
            self.mark(out, 'c', length);
        } else if self.grammar.quotes.contains(&first) {
            self.text(out, first);
        } else if self.grammar.variables && variable(rest) > 1 {
            self.mark(out, 'v', variable(rest));
        } else if self.is_flag(rest) {
            self.mark(out, 'm', length_while(rest, |letter| letter.is_ascii_alphanumeric() || letter == '-'));
        } else if self.grammar.member == MemberMark::Equals && first == '[' && self.begins_line() {
            self.mark(out, 'k', line(rest).trim_end().len());
        } else if is_apart && number(rest) > 0 {
            self.mark(out, 'n', number(rest));
        } else if first.is_alphabetic() || first == '_' {
            self.word(out, rest);
        } else {
            self.at += first.len_utf8();
        }
    }

    fn comment(&self, rest: &str) -> Option<usize> {
        let opened = self.grammar.comments.iter().any(|opening| rest.starts_with(opening));
        // `#` within a word, and `//` of an address, begin no comment
        if opened && self.previous().is_none_or(char::is_whitespace) {
            return Some(line(rest).len());
        }
        let inside = rest.strip_prefix("/*").filter(|_| self.grammar.block_comments)?;
        Some(inside.find("*/").map_or(rest.len(), |end| end + 4))
    }

    fn is_flag(&self, rest: &str) -> bool {
        let letter = |letter: char| letter.is_ascii_alphabetic();
        let dashes = rest.strip_prefix("--").or_else(|| rest.strip_prefix('-'));
        self.grammar.shell
            && dashes.is_some_and(|name| name.starts_with(letter))
            && self.previous().is_none_or(char::is_whitespace)
    }

    fn word(&mut self, out: &mut ColouredCode, rest: &str) {
        let length = length_while(rest, |letter| letter.is_alphanumeric() || letter == '_');
        let (word, after) = rest.split_at(length);
        let is_member = match self.grammar.member {
            MemberMark::None => false,
            MemberMark::Colon => after.starts_with(':') && !after.starts_with("::"),
            MemberMark::Equals => self.begins_line() && after.trim_start_matches([' ', '.', '-']).starts_with('='),
        };
        if is_member {
            self.mark(out, 'm', length);
        } else if self.grammar.words.contains(&word) {
            self.mark(out, 'k', length);
        } else {
            self.at += length;
        }
    }

    fn text(&mut self, out: &mut ColouredCode, quote: char) {
        let rest = self.rest();
        let length = self.text_length(rest, quote);
        let text = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        if self.grammar.member == MemberMark::Colon && after.trim_start().starts_with(':') {
            self.mark(out, 'm', length);
        } else if self.grammar.shell && quote == '\'' && grammar::is_json(text.trim_matches('\'')) {
            self.body(out, length);
        } else if self.grammar.shell && quote == '"' {
            self.text_with_variables(out, length);
        } else {
            self.mark(out, 's', length);
        }
    }

    /// Length of the text at the start, to its closing quote or to the end of what it may span.
    fn text_length(&self, rest: &str, quote: char) -> usize {
        let has_escapes = !(self.grammar.shell && quote == '\'');
        let mut is_escaped = false;
        for (at, letter) in rest.char_indices().skip(1) {
            match letter {
                '\n' if !self.grammar.long_texts => return at,
                _ if is_escaped => is_escaped = false,
                '\\' if has_escapes => is_escaped = true,
                _ if letter == quote => return at + letter.len_utf8(),
                _ => {}
            }
        }
        rest.len()
    }

    /// A JSON body between single quotes.
    fn body(&mut self, out: &mut ColouredCode, length: usize) {
        let text = self.rest().get(..length).unwrap_or_default();
        let inner = text.strip_prefix('\'').unwrap_or(text);
        let closed = inner.strip_suffix('\'');
        self.mark(out, 's', 1);
        let inner = closed.unwrap_or(inner);
        if let Some(json) = grammar::find("json") {
            colour(out, json, inner);
        }
        self.at += inner.len();
        self.unmarked_from = self.at;
        if closed.is_some() {
            self.mark(out, 's', 1);
        }
    }

    fn text_with_variables(&mut self, out: &mut ColouredCode, length: usize) {
        let end = self.at + length;
        let mut from = self.at;
        self.flush(out);
        while self.at < end {
            let inside = self.code.get(self.at..end).unwrap_or_default();
            let variable = variable(inside);
            if variable > 1 {
                out.marked('s', self.code.get(from..self.at).unwrap_or_default());
                self.unmarked_from = self.at;
                self.mark(out, 'v', variable);
                from = self.at;
            } else {
                self.at += inside.chars().next().map_or(1, char::len_utf8);
            }
        }
        out.marked('s', self.code.get(from..end).unwrap_or_default());
        self.at = end;
        self.unmarked_from = end;
    }
}

/// Length of the variable at the start: `$name` or `${…}`; at most 1 without one.
fn variable(rest: &str) -> usize {
    let Some(after) = rest.strip_prefix('$') else { return 0 };
    if let Some(inside) = after.strip_prefix('{') {
        let end = inside.find(['}', '\n', '"']);
        return end.filter(|end| inside.as_bytes().get(*end) == Some(&b'}')).map_or(1, |end| end + 3);
    }
    1 + length_while(after, |letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Length of the number at the start.
fn number(rest: &str) -> usize {
    let unsigned = rest.strip_prefix('-').unwrap_or(rest);
    if !unsigned.starts_with(|letter: char| letter.is_ascii_digit()) {
        return 0;
    }
    let length = length_while(unsigned, |letter| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E'));
    let number = unsigned.get(..length).unwrap_or_default().trim_end_matches(['.', 'e', 'E']);
    rest.len() - unsigned.len() + number.len()
}

fn line(rest: &str) -> &str {
    rest.split('\n').next().unwrap_or(rest)
}

fn length_while(rest: &str, belongs: impl Fn(char) -> bool) -> usize {
    rest.find(|letter| !belongs(letter)).unwrap_or(rest.len())
}
