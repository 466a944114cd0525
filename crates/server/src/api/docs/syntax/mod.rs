//! Colours of code in HTML: every letter of the code is kept and escaped, and marked by `<i class>`.
//!
//! Classes: `c` comment, `s` text, `n` number, `k` word of the language, `m` name of a member, `v` variable.

mod grammar;
mod lexer;

use std::fmt::Write as _;

use maud::Escaper;

/// HTML of a code in a language; of an unknown language, without colours.
pub(crate) fn coloured(language: &str, code: &str) -> String {
    let mut out = ColouredCode::with_capacity(code.len());
    match grammar::find(language) {
        Some(grammar) => lexer::colour(&mut out, grammar, code),
        None => out.plain(code),
    }
    out.html
}

/// HTML of the code so far.
struct ColouredCode {
    html: String,
}

impl ColouredCode {
    fn with_capacity(letters: usize) -> ColouredCode {
        ColouredCode { html: String::with_capacity(letters * 2) }
    }

    fn plain(&mut self, text: &str) {
        // writing to a text cannot fail
        let _ = Escaper::new(&mut self.html).write_str(text);
    }

    fn marked(&mut self, class: char, text: &str) {
        if text.is_empty() {
            return;
        }
        self.html.push_str("<i class=\"");
        self.html.push(class);
        self.html.push_str("\">");
        self.plain(text);
        self.html.push_str("</i>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Removes the marks and the escapes.
    fn read_back(html: &str) -> String {
        let mut text = String::new();
        for (index, piece) in html.split('<').enumerate() {
            let shown = if index == 0 { piece } else { piece.split_once('>').unwrap().1 };
            text.push_str(shown);
        }
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    }

    const LANGUAGES: [&str; 11] =
        ["json", "sh", "toml", "python", "js", "php", "csharp", "java", "go", "yaml", "cobol"];

    #[test]
    fn every_letter_is_kept_and_no_markup_passes() {
        for code in [
            "<script>alert(\"1\")</script>",
            "'</code><script>x</script>",
            "\"aberto <b>",
            "# <i> & ",
            "/* <x",
            "<a b=\"c>d\" e='f'>&amp;</a><!-- <y> -->",
            "<a b=\"<script>",
            "GET /x<y HTTP/1.1\nA: <b>\n\n{\"a\": \"<c>\"}",
            "ção 'ç\\'ã' $ç ${é -é \"$á\"",
            "\\\"\\'\\",
            "\"\"\"x\"\"\" <<<'Y'\n-",
            "",
            "\r\n\t<",
        ] {
            for language in LANGUAGES {
                let html = coloured(language, code);
                assert_eq!(read_back(&html), code, "{language}: {html}");
                let tags = html.split('<').skip(1).map(|piece| piece.split('>').next().unwrap());
                for tag in tags {
                    assert!(tag == "/i" || (tag.starts_with("i class=\"") && tag.len() == 11), "{language}: {html}");
                }
            }
        }
    }

    #[test]
    fn every_example_of_the_guides_is_kept_to_the_letter() {
        let mut blocks = 0;
        for guide in crate::api::docs::guides::GUIDES {
            for block in guide.text.split("```").skip(1).step_by(2) {
                let (language, code) = block.split_once('\n').unwrap();
                assert_eq!(read_back(&coloured(language, code)), code, "{}: {language}", guide.page);
                blocks += 1;
            }
        }
        assert!(blocks > 100, "{blocks}");
    }

    #[test]
    fn json_tells_members_from_texts() {
        assert_eq!(
            coloured("json", "{ \"a\" : \"b\", \"c\": -1.5e3, \"d\": true }"),
            "{ <i class=\"m\">&quot;a&quot;</i> : <i class=\"s\">&quot;b&quot;</i>, <i class=\"m\">&quot;c&quot;</i>: <i class=\"n\">-1.5e3</i>, \
             <i class=\"m\">&quot;d&quot;</i>: <i class=\"k\">true</i> }"
        );
    }

    #[test]
    fn a_body_in_a_call_has_its_own_colours() {
        let html = coloured("sh", "curl \"$base/v1\" -d '{\"a\":1}' # fim");
        for part in [
            "<i class=\"k\">curl</i>",
            "<i class=\"v\">$base</i>",
            "<i class=\"m\">-d</i>",
            "<i class=\"m\">&quot;a&quot;</i>:<i class=\"n\">1</i>",
            "<i class=\"c\"># fim</i>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn a_section_and_a_setting_are_told_apart() {
        let toml = coloured("toml", "# nota\n[banco]\nurl = \"x\"\nn = 2");
        for part in [
            "<i class=\"c\"># nota</i>",
            "<i class=\"k\">[banco]</i>",
            "<i class=\"m\">url</i> =",
            "<i class=\"n\">2</i>",
        ] {
            assert!(toml.contains(part), "{part}: {toml}");
        }
    }
}
