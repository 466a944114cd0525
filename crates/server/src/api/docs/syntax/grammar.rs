//! The languages of the examples. A new language is a row.

/// Parts of a language that its colours need.
pub(super) struct LanguageGrammar {
    names: &'static [&'static str],
    /// Openings of a comment that ends with its line.
    pub(super) comments: &'static [&'static str],
    /// True when `/* … */` is a comment.
    pub(super) block_comments: bool,
    pub(super) quotes: &'static [char],
    /// True when a text may span lines.
    pub(super) long_texts: bool,
    pub(super) words: &'static [&'static str],
    pub(super) member: MemberMark,
    /// True when `$` begins a variable.
    pub(super) variables: bool,
    /// True for the languages of the command line: flags, variables in texts, bodies between single quotes.
    pub(super) shell: bool,
}

/// Mark behind the name of a member.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberMark {
    None,
    /// `name:`, also behind a text.
    Colon,
    /// `name =` at the start of a line, below a `[section]`.
    Equals,
}

/// The grammar of a language.
pub(super) fn find(language: &str) -> Option<&'static LanguageGrammar> {
    GRAMMARS.iter().find(|grammar| grammar.names.contains(&language))
}

/// True when a text begins as an object or a list of JSON does.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// A language with texts between double quotes, and nothing else.
const PLAIN: LanguageGrammar = LanguageGrammar {
    names: &[],
    comments: &[],
    block_comments: false,
    quotes: &['"'],
    long_texts: false,
    words: &[],
    member: MemberMark::None,
    variables: false,
    shell: false,
};

const JSON: LanguageGrammar =
    LanguageGrammar { names: &["json"], words: &["true", "false", "null"], member: MemberMark::Colon, ..PLAIN };

static GRAMMARS: &[LanguageGrammar] = &[
    JSON,
    LanguageGrammar {
        names: &["sh", "bash", "curl", "console"],
        comments: &["#"],
        quotes: &['"', '\''],
        long_texts: true,
        words: &[
            "curl",
            "carimbo",
            "sed",
            "jq",
            "docker",
            "podman",
            "cp",
            "cat",
            "export",
            "npm",
            "npx",
            "pip",
            "python3",
            "openssl",
            "psql",
            "pg_dump",
            "systemctl",
            "sudo",
            "if",
            "then",
            "else",
            "fi",
            "for",
            "in",
            "do",
            "done",
            "while",
            "echo",
            "mkdir",
            "rm",
            "tar",
        ],
        variables: true,
        shell: true,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["toml", "ini", "conf"],
        comments: &["#", ";"],
        quotes: &['"', '\''],
        words: &["true", "false"],
        member: MemberMark::Equals,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["yaml", "yml"],
        comments: &["#"],
        quotes: &['"', '\''],
        words: &["true", "false", "null"],
        member: MemberMark::Colon,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["dockerfile"],
        comments: &["#"],
        words: &["FROM", "COPY", "RUN", "ENV", "ENTRYPOINT", "CMD", "USER", "VOLUME", "EXPOSE", "WORKDIR", "ADD", "AS"],
        variables: true,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["python", "py"],
        comments: &["#"],
        quotes: &['"', '\''],
        words: &[
            "import", "from", "as", "def", "return", "if", "else", "elif", "for", "in", "not", "and", "or", "with",
            "None", "True", "False", "raise", "try", "except", "print", "class", "while", "lambda",
        ],
        member: MemberMark::Colon,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["js", "javascript", "ts", "typescript"],
        comments: &["//"],
        block_comments: true,
        quotes: &['"', '\'', '`'],
        long_texts: true,
        words: &[
            "import", "from", "export", "const", "let", "function", "return", "if", "else", "for", "of", "await",
            "async", "new", "throw", "true", "false", "null", "class", "try", "catch", "while",
        ],
        member: MemberMark::Colon,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["php"],
        comments: &["//", "#"],
        block_comments: true,
        quotes: &['"', '\''],
        long_texts: true,
        words: &[
            "function", "return", "if", "else", "foreach", "as", "new", "throw", "true", "false", "null", "echo",
            "use", "string", "bool", "array", "class", "public",
        ],
        variables: true,
        ..PLAIN
    },
    LanguageGrammar {
        names: &["csharp", "cs", "java"],
        comments: &["//"],
        block_comments: true,
        quotes: &['"', '\''],
        long_texts: true,
        words: &[
            "using", "import", "class", "static", "async", "await", "new", "var", "return", "if", "else", "public",
            "final", "void", "throws", "throw", "try", "catch", "byte", "String", "boolean", "int", "true", "false",
            "null", "private", "package", "for",
        ],
        ..PLAIN
    },
    LanguageGrammar {
        names: &["go"],
        comments: &["//"],
        block_comments: true,
        quotes: &['"', '`'],
        long_texts: true,
        words: &[
            "import", "package", "func", "return", "if", "else", "for", "range", "var", "string", "byte", "bool",
            "true", "false", "nil", "type", "struct",
        ],
        ..PLAIN
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_grammar() {
        let mut names: Vec<&str> = GRAMMARS.iter().flat_map(|grammar| grammar.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
