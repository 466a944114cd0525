//! Form of a registered event, drawn with its document: the texts common to all families, and the text and codes that
//! other programs read from it.

use crate::judges::Printed;
use render::form::{Dfe, ParsedDocument, event};

/// Key of a document.
pub(crate) fn chave(xml: &str) -> String {
    let document = ParsedDocument::read(xml.as_bytes()).unwrap();
    Dfe::of(&document).unwrap().chave().to_owned()
}

/// Text of the form, after a check of these texts, of its code and of its registration.
pub(crate) fn says(name: &str, event: &str, document: &str, told: &[&str], code: &str, registration: &str) -> String {
    let printed = Printed::new(name, &event::pdf(event.as_bytes(), Some(document.as_bytes())).unwrap());
    printed.is_sound();
    let text = printed.text();
    for told in told.iter().chain(&[registration]) {
        let squeezed: String = told.split_whitespace().collect();
        assert!(text.contains(&squeezed), "{name}: {told} is not in {text}");
    }
    assert_eq!(printed.codes(), [code]);
    assert_eq!(event::registration(event.as_bytes()).unwrap(), registration);
    text
}
