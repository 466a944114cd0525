//! Text compared without regard to case, accents and kinds of blanks, as in searches and in lists of cities.

/// The text in lower case, without accents, each blank a space.
pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(plain).collect()
}

/// Folded, with a single space for every run of characters that are no letters or digits: for names with and without
/// hyphens.
pub fn fold_words(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ẽ' => 'e',
        'í' | 'ì' | 'î' | 'ï' | 'ĩ' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' | 'ũ' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        'ý' | 'ÿ' => 'y',
        // the micro sign in capitals is the Greek letter's
        'μ' => 'µ',
        letter if letter.is_whitespace() => ' ',
        letter => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_kinds_of_blanks_do_not_count() {
        assert_eq!(fold("Águas MINERAIS\u{a0}gaseificadas"), "aguas minerais gaseificadas");
        assert_eq!(fold_words("Olho-d'Água  do Borges"), "olho d agua do borges");
    }
}
