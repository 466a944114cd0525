//! Differences between documents stand in one folder of the engine, `family`: nothing else there compares models, or
//! uses the words of one family.

use super::sources::{Source, Sources};
use anyhow::Result;

/// The folder, and files of one family alone.
const ROOMS: &[(&str, &str)] = &[
    ("crates/engine/src/family/mod.rs", "the rows"),
    ("crates/engine/src/family/matrix.rs", "the rows side by side"),
    ("crates/engine/src/family/nfe.rs", "the rows"),
    ("crates/engine/src/family/nfce.rs", "the rows"),
    ("crates/engine/src/family/cte.rs", "the rows"),
    ("crates/engine/src/family/nfse.rs", "the rows"),
    ("crates/engine/src/family/qr.rs", "the QR code of retail"),
    ("crates/engine/src/family/event/", "events of each family"),
    ("crates/engine/src/order/act", "acts that only one family has"),
    ("crates/engine/src/acceptance/event/payer.rs", "events of a transport's payer"),
    ("crates/engine/src/acceptance/event/picture.rs", "proof of a transport's delivery"),
    ("crates/engine/src/authorities/municipality.rs", "conventions of municípios"),
    ("crates/engine/src/authorities/note_events.rs", "what others registered of an NFS-e"),
    ("crates/engine/src/queries/nfse.rs", "what the Sefin has of a note"),
    ("crates/engine/src/received/", "received notes and manifestation"),
    ("crates/engine/src/order/void.rs", "voided numbers"),
    ("crates/engine/src/acceptance/void.rs", "voided numbers"),
    ("crates/engine/src/steps/void.rs", "voided numbers"),
    ("crates/engine/src/steps/announce.rs", "EPEC"),
    ("crates/engine/src/acceptance/assisted/", "assisted emission"),
    ("crates/engine/src/queries/municipality.rs", "who takes the notes of a município in"),
    ("crates/engine/src/queries/rps.rs", "what a city hall has of an RPS"),
    ("crates/engine/src/queries/consult.rs", "the states' register"),
    ("crates/engine/src/acceptance/rps_admission.rs", "who takes an RPS in, by the convention of its município"),
    ("crates/engine/src/acceptance/provider.rs", "who takes a service in, by its município"),
];

/// Words of one family.
const WORDS: &[&str] = &["sefaz::", "nfe::", "cte::", "nfse::", "nfse_nacional::", "nNF", "cNF", "nCT", "cCT", "nDPS"];
/// Models.
const MODELS: &[&str] = &["55", "65", "57", "67"];

/// Finds other files that know a family.
pub(crate) fn check(sources: &Sources) -> Result<Vec<String>> {
    Ok(sources.files.iter().flat_map(find).collect())
}

fn find(file: &Source) -> Vec<String> {
    let exempt = !file.path.starts_with("crates/engine/src/")
        || file.is_test()
        || ROOMS.iter().any(|(room, _)| file.path.starts_with(room));
    if exempt {
        return Vec::new();
    }
    let lines = file.code.lines().take(file.lines_without_tests()).enumerate();
    let known = lines.filter_map(|(index, line)| Some((index, word_of_a_family(line)?)));
    known
        .map(|(index, word)| {
            format!("{}:{}: `{word}` is one family's: ask its row (`engine/src/family`)", file.path, index + 1)
        })
        .collect()
}

fn word_of_a_family(line: &str) -> Option<&str> {
    let tokens = line.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let number = tokens.into_iter().find(|token| MODELS.contains(token));
    number.or_else(|| WORDS.iter().find(|word| line.contains(**word)).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        find(&Source::new(path.into(), text.into())).len()
    }

    #[test]
    fn finds_models_and_words_of_one_family_outside_of_their_room() {
        let text = "if modelo == 65 {}\nlet x = sefaz::query();\nlet nNF = 1;\n";
        assert_eq!(found("crates/engine/src/steps/send.rs", text), 3);
        assert_eq!(found("crates/engine/src/family/nfe.rs", text), 0);
        assert_eq!(found("crates/engine/src/acceptance/void.rs", text), 0);
        assert_eq!(found("crates/fiscal/src/nfe/mod.rs", text), 0);
    }

    #[test]
    fn comments_texts_tests_and_longer_numbers_are_none() {
        let text =
            "// model 65, nNF\nlet a = \"nNF 55\";\nlet b = 1_655;\n#[cfg(test)]\nmod tests { const M: u8 = 55; }\n";
        assert_eq!(found("crates/engine/src/acceptance/issue.rs", text), 0);
    }
}
