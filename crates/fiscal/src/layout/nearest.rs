//! The known name nearest to a misspelled one.
//!
//! Must not know the source of the names.

/// The candidate most like `name`, unless none is near enough. Case and the accent of a letter count as one change.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // the comparison costs the product of the lengths
    if name.len() > LONGEST {
        return None;
    }
    let folded = name.to_lowercase();
    let allowed = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        length => length / 3,
    };
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Longest name that is compared, in bytes; no known name is near it.
const LONGEST: usize = 80;

#[cfg(test)]
mod tests {
    use super::nearest;

    const TAGS: [&str; 5] = ["CNPJ", "CPF", "xNome", "xFant", "enderEmit"];

    #[test]
    fn suggests_what_was_meant_and_nothing_when_nothing_is_alike() {
        assert_eq!(nearest("cnpj", TAGS), Some("CNPJ"));
        assert_eq!(nearest("xNmoe", TAGS), Some("xNome"));
        assert_eq!(nearest("endereEmit", TAGS), Some("enderEmit"));
        assert_eq!(nearest("valorTotal", TAGS), None);
        assert_eq!(nearest("", ["a"]), Some("a"));
    }
}
