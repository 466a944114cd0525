//! Formats of values on a form, for the lists of fields.

/// Formats a value of the document for the form.
pub(crate) type Shown = fn(&str) -> String;

pub(crate) fn plain(text: &str) -> String {
    text.to_owned()
}

/// Text of a code, by its index.
pub(crate) fn code(text: &str, words: &[&str]) -> String {
    words[text.parse::<usize>().unwrap()].to_owned()
}
