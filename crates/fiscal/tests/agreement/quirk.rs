//! Where libxml2 departs from XML Schema 1.0, and we follow the recommendation.

/// The quirk that explains a difference, when one does: libxml2 takes the document, and all we refuse is covered by the quirk.
pub(crate) fn of_libxml2(verdict: bool, ours: &[String]) -> Option<&'static str> {
    if !verdict || ours.is_empty() {
        return None;
    }
    QUIRKS.iter().find(|(_, covers)| ours.iter().all(|fault| covers(fault))).map(|(quirk, _)| *quirk)
}

type Quirk = (&'static str, fn(&str) -> bool);

const QUIRKS: &[Quirk] = &[
    ("libxml2 skips characters that are not base64 (part 2, 3.2.16 has no such leave)", |fault| {
        fault.contains("esperado base64")
    }),
    ("libxml2 takes a blank after the time zone of a date and time, but not one before it or after a date", |fault| {
        fault
            .split_once("\" não aceito: esperado data e hora")
            .is_some_and(|(value, _)| value.ends_with(char::is_whitespace))
    }),
    ("libxml2 mixes up the counts of alternatives that begin alike (part 2, appendix F)", |fault| {
        COUNTED.iter().any(|pattern| fault.ends_with(&format!("o formato é {pattern}.")))
    }),
];

/// The official patterns with counted alternatives of the same characters: of `[0-9]{2}|[0-9]{8}` libxml2 takes nine digits too, and of
/// `[0-9]{0}|…` now and then twenty.
const COUNTED: &[&str] = &[
    "[0-9]{2}|[0-9]{8}",
    "[0-9]{15}|[0-9]{17}",
    "[0-9]{11}|[0-9]{13}|ISENTO",
    "[!-ÿ]{8}|[!-ÿ]{10}",
    "([!-ÿ]{8}|[!-ÿ]{10}|SEM CBENEF)?",
    "([!-ÿ]{0}|[!-ÿ]{5,20})?",
    "SEM GTIN|[0-9]{0}|[0-9]{8}|[0-9]{12,14}",
    "[0-9]{0}|[0-9A-Z]{12}[0-9]{2}",
];
