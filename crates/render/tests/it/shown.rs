//! How values of a document are shown on its form, for the lists of fields of a form.

/// From the value of the document to what the form says.
pub(crate) type Shown = fn(&str) -> String;

pub(crate) fn plain(text: &str) -> String {
    text.to_owned()
}

/// The words of a code, by its place among them.
pub(crate) fn code(text: &str, words: &[&str]) -> String {
    words[text.parse::<usize>().unwrap()].to_owned()
}
