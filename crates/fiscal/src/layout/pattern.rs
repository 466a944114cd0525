//! Matching a whole text against a pattern: by a table of states, one step for each byte, without the cache that a `Regex` lends to one thread at a
//! time. A document has a hundred short values to match, on whatever thread it comes.

use regex::Regex;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, util::start};

/// A pattern ready to match.
pub(super) enum Matcher {
    Table {
        states: Box<dense::DFA<Vec<u32>>>,
        start: StateID,
    },
    /// One whose table would be too large.
    Regex(Regex),
}

impl Matcher {
    /// `None` of what is no pattern; it begins with `\A` and ends with `\z`.
    pub(super) fn of(pattern: &str) -> Option<Matcher> {
        Matcher::table(pattern).or_else(|| Regex::new(pattern).ok().map(Matcher::Regex))
    }

    fn table(pattern: &str) -> Option<Matcher> {
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .accelerate(false)
            .dfa_size_limit(Some(LARGEST))
            .determinize_size_limit(Some(4 * LARGEST));
        let states = dense::Builder::new().configure(config).build(pattern).ok()?;
        let start = states.start_state(&start::Config::new().anchored(Anchored::Yes)).ok()?;
        Some(Matcher::Table { states: Box::new(states), start })
    }

    /// Whether the whole text matches.
    pub(super) fn takes(&self, text: &str) -> bool {
        match self {
            Matcher::Table { states, start } => {
                let mut state = *start;
                for byte in text.bytes() {
                    state = states.next_state(state, byte);
                    if states.is_dead_state(state) {
                        return false;
                    }
                }
                states.is_match_state(states.next_eoi_state(state))
            }
            Matcher::Regex(regex) => regex.is_match(text),
        }
    }
}

/// Bytes of a table; nearly all take less than a tenth of it.
const LARGEST: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    /// Both say the same of a text.
    fn check(pattern: &str, texts: &[&str]) {
        let pattern = format!("\\A(?:{pattern})\\z");
        let (table, regex) = (Matcher::table(&pattern).unwrap(), Regex::new(&pattern).unwrap());
        for text in texts {
            assert_eq!(table.takes(text), regex.is_match(text), "{pattern} {text:?}");
        }
    }

    #[test]
    fn a_table_takes_what_a_regex_takes() {
        let texts = [
            "",
            "0",
            "1",
            "12",
            "1.50",
            "1.5",
            "é",
            "a b",
            " a",
            "a ",
            "a\n",
            "\u{20ac}",
            "ÿ",
            "12345678",
            "123456789",
            "0.00",
        ];
        for pattern in [
            "[0-9]{0}|[0-9]{2}",
            "0|0\\.[0-9]{2}|[1-9]{1}[0-9]{0,12}(\\.[0-9]{2})?",
            "[!-ÿ]{1}[ -ÿ]{0,}[!-ÿ]{1}|[!-ÿ]{1}",
            "[0-9]{8}",
            "[\\s\\S]*[^\\s][\\s\\S]*",
            "[^\\n\\r]{1,3}",
            "",
        ] {
            check(pattern, &texts);
        }
    }

    #[test]
    fn what_has_no_table_of_bearable_size_is_matched_by_a_regex() {
        assert!(matches!(Matcher::of("\\A(?:[ -ÿ]{1,60000})\\z"), Some(Matcher::Regex(_)) | None));
        assert!(Matcher::of("\\A(?:[)\\z").is_none());
    }
}
