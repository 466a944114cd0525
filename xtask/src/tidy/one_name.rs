//! Names of types: a noun of its own for each.

use super::budget::{self, Measure};
use super::sources::{Source, Sources};
use anyhow::Result;
use std::collections::BTreeMap;

/// Lone words that are no noun, beside what ends like a participle.
const NO_NOUNS: &str = "Told Left Kept Taken Sent Known Found Seen Heard Said Gone Written Read Held Given Shown Drawn \
    Lost Spent Made Done Bound Built Hidden Broken Begun Met Won Set Put Shut Cut Laid Lent Bought Brought Caught Sold \
    Thrown Torn Worn Grown Fallen Risen Chosen Spoken Driven Beaten Forgotten Foretold Stood Understood Meant Felt \
    Dealt Paid Led Fed Become Come Split Spread Untold Gotten Overlaid Rung \
    By At Around Beside After Before Again Elsewhere Over Under Up Down Out In On Off Away Back Beyond Behind Between \
    Within Without Through Here There Then Now Once Twice Ever Never Else Also Only Both Either Neither Each Every All \
    Any None Some Other Others Same Such Apart Aside Ahead Ago Along Across Against Among Near Far Since Until Till \
    Yet Still Too Very Anew Inside Outside Upon Toward Of As For To From With \
    What Who Whose Whom Which Why How When Where Whether";
/// Nouns that only look like participles.
const NOUNS: &str = "String Bed Feed Seed Speed Need Thing Ring Spring Wing Heading Building Setting Binding Listing \
    Meaning Timing Warning Finding Padding Encoding Spacing Rounding Mapping Posting Filing Spelling Shipping Mailing \
    Opening Ceiling Drawing Printing Rendering Ordering Routing Batching";
/// Types that may share a name.
const MOST_SHARING: usize = 2;

/// Counts lone participles, particles and question words, names that three types or more share, and one-word names.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    budget::compare(sources, "one-name", &measures(&declared(&sources.files)))
}

/// A type of the product.
struct TypeDeclaration<'s> {
    place: String,
    name: &'s str,
}

fn measures(types: &[TypeDeclaration<'_>]) -> Vec<Measure> {
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    types.iter().for_each(|it| *by_name.entry(it.name).or_default() += 1);
    let places = |is: &dyn Fn(&TypeDeclaration<'_>) -> bool| {
        types.iter().filter(|it| is(it)).map(|it| format!("{}: `{}`", it.place, it.name)).collect::<Vec<_>>()
    };
    vec![
        Measure::of_places("no_noun", places(&|it| is_no_noun(it.name)), types.len()),
        Measure::of_places("shared", places(&|it| by_name[it.name] > MOST_SHARING), types.len()),
        Measure::of_places("one_word", places(&|it| words(it.name) == 1), types.len()),
    ]
}

fn declared(files: &[Source]) -> Vec<TypeDeclaration<'_>> {
    let product = files.iter().filter(|it| it.path.starts_with("crates/") && !it.is_test() && !it.is_generated());
    let lines = product.flat_map(|file| {
        let code = file.code.lines().take(file.lines_without_tests()).enumerate();
        code.filter_map(|(index, line)| Some((format!("{}:{}", file.path, index + 1), name(line)?)))
    });
    lines.map(|(place, name)| TypeDeclaration { place, name }).collect()
}

/// The type that a line declares. A `type` that is indented belongs to a trait and is none of its own.
fn name(line: &str) -> Option<&str> {
    let inner = line.trim_start();
    let is_indented = inner.len() < line.len();
    let rest = inner.strip_prefix("pub").map_or(inner, |rest| match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')').map_or(rest, |(_, behind)| behind),
        None => rest,
    });
    let (keyword, rest) = rest.trim_start().split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait" | "union") || (keyword == "type" && !is_indented);
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    Some(&rest[..end]).filter(|name| is_type && name.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Words of a name in capitals and small letters; an abbreviation is one (`XmlName` 2, `NFe` 2, `CST` 1).
fn words(name: &str) -> usize {
    let letters: Vec<char> = name.chars().collect();
    let begins = |at: usize| {
        let (here, before, after) = (letters[at], letters[at - 1], letters.get(at + 1));
        here.is_uppercase() && (!before.is_uppercase() || after.is_some_and(|c| c.is_lowercase()))
    };
    1 + (1..letters.len()).filter(|at| begins(*at)).count()
}

fn is_no_noun(name: &str) -> bool {
    let listed = |list: &str| list.split_whitespace().any(|word| word == name);
    let ends_like_one = name.len() > 4 && (name.ends_with("ed") || name.ends_with("ing"));
    words(name) == 1 && (listed(NO_NOUNS) || (ends_like_one && !listed(NOUNS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Vec<usize> {
        let file = Source::new("crates/a/src/b.rs".into(), text.into());
        measures(&declared(&[file])).iter().map(|measure| measure.count).collect()
    }

    #[test]
    fn counts_what_is_no_noun_shared_or_one_word() {
        assert_eq!(counts("pub(crate) struct Told;\nenum Around {}\nstruct Batching;"), [2, 0, 3]);
        assert_eq!(counts("struct Row;\nmod a {\n    struct Row;\n}\npub struct Row<'a>(&'a str);"), [0, 3, 3]);
        assert_eq!(counts("trait CompanyQueue {}\ntype Seen = u8;\ntrait A {\n    type Sent;\n}"), [1, 0, 2]);
    }

    #[test]
    fn counts_words_by_capitals() {
        assert_eq!(["Queue", "CompanyQueue", "CST", "XmlName", "ICMS40"].map(words), [1, 2, 1, 2, 1]);
    }
}
