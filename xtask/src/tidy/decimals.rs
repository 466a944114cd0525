//! Numbers of documents are read in one place, which bounds them: a `Decimal` from anywhere else may be so large that
//! adding two of them stops the request. What is bounded can be added and multiplied without a check at every sign.

use super::sources::{Source, Sources};
use anyhow::Result;

/// Files in which a text becomes a `Decimal`, each with its reason.
const READERS: &[(&str, &str)] = &[
    ("crates/fiscal/src/value/amount.rs", "the place"),
    ("crates/fiscal/src/map/decimal.rs", "writes what the caller gave, digit for digit, and adds nothing"),
    ("crates/fiscal/src/map/plan_writer.rs", "asks whether two texts are the same number"),
];

/// Ways of reading that name the type.
const NAMED: &[&str] = &[
    "parse::<Decimal>",
    "parse::<rust_decimal::Decimal>",
    "Decimal::from_str",
    "Decimal::from_scientific",
    "Decimal::from_str_exact",
    "Decimal::from_str_radix",
];

/// Ways that leave it to the compiler: suspect where decimals are at hand.
const UNNAMED: &[&str] = &[".parse().unwrap_or_default()", ".parse().unwrap_or(Decimal"];

/// Finds other files that read a `Decimal`.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    Ok(sources.files.iter().flat_map(find).collect())
}

fn find(file: &Source) -> Vec<String> {
    let exempt = !file.path.starts_with("crates/")
        || file.is_test()
        || file.path.contains("/examples/")
        || READERS.iter().any(|(path, _)| *path == file.path);
    if exempt {
        return Vec::new();
    }
    let at_hand = file.code.contains("Decimal");
    let suspect = |line: &&str| {
        NAMED.iter().any(|way| line.contains(way)) || (at_hand && UNNAMED.iter().any(|way| line.contains(way)))
    };
    let lines = file.code.lines().take(file.lines_without_tests()).enumerate();
    lines
        .filter(|(_, line)| suspect(line))
        .map(|(index, _)| format!("{}:{}: read it by `fiscal::value::amount`, which bounds it", file.path, index + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        find(&Source::new(path.into(), text.into())).len()
    }

    #[test]
    fn finds_numbers_that_are_read_elsewhere() {
        let text = "use rust_decimal::Decimal;\nlet a = x.parse::<Decimal>();\nlet b: Decimal = x.parse().unwrap_or_default();";
        assert_eq!(found("crates/a/src/b.rs", text), 2);
        assert_eq!(found("crates/a/src/b.rs", "let a = rust_decimal::Decimal::from_str(x);"), 1);
    }

    #[test]
    fn leaves_tests_other_types_and_the_place_itself_alone() {
        let text = "let a = x.parse::<Decimal>();";
        assert_eq!(found("crates/a/tests/b.rs", text), 0);
        assert_eq!(found("crates/fiscal/src/value/amount.rs", text), 0);
        assert_eq!(found("crates/a/src/b.rs", "#[cfg(test)]\nmod tests {\n let a = x.parse::<Decimal>();\n}"), 0);
        assert_eq!(found("crates/a/src/b.rs", "let n: u32 = x.parse().unwrap_or_default();"), 0);
    }
}
