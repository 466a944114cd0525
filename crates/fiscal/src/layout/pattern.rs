//! Matching of a whole text against a pattern by a table of states, one step a byte. A document has a hundred short
//! values to match, on any thread, and the table is read-only.

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::{Anchored, util::start};

/// A pattern ready to match.
pub(super) struct PatternMatcher {
    states: Box<dense::DFA<Vec<u32>>>,
    start: StateID,
}

impl PatternMatcher {
    /// `None` for an invalid pattern, or one whose table is too large. The pattern begins with `\A` and ends with `\z`.
    pub(super) fn of(pattern: &str) -> Option<PatternMatcher> {
        let config = dense::Config::new()
            .start_kind(StartKind::Anchored)
            .accelerate(false)
            .dfa_size_limit(Some(LARGEST))
            .determinize_size_limit(Some(4 * LARGEST));
        let states = dense::Builder::new().configure(config).build(pattern).ok()?;
        let start = states.start_state(&start::Config::new().anchored(Anchored::Yes)).ok()?;
        Some(PatternMatcher { states: Box::new(states), start })
    }

    /// True when the whole text matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut state = self.start;
        for byte in text.bytes() {
            state = self.states.next_state(state, byte);
            if self.states.is_dead_state(state) {
                return false;
            }
        }
        self.states.is_match_state(self.states.next_eoi_state(state))
    }
}

/// Largest table in bytes. The address of an NFC-e's QR code takes 342 KB, an instant 77 KB (`\d` is a digit of any
/// script), most others less than 10 KB.
const LARGEST: usize = 512 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// Compares the table with a regex.
    fn check(pattern: &str, texts: &[&str]) {
        let pattern = format!("\\A(?:{pattern})\\z");
        let (table, regex) = (PatternMatcher::of(&pattern).unwrap(), Regex::new(&pattern).unwrap());
        for text in texts {
            assert_eq!(table.is_match(text), regex.is_match(text), "{pattern} {text:?}");
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
    fn what_has_no_table_of_bearable_size_is_no_pattern_of_ours() {
        assert!(PatternMatcher::of("\\A(?:[ -ÿ]{1,60000})\\z").is_none());
        assert!(PatternMatcher::of("\\A(?:[)\\z").is_none());
    }
}
