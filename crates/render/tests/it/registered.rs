//! The form of an event that was registered, drawn with the document it is about: what every family's says, and what
//! another program reads from it.

use crate::judges::Printed;
use render::form::{Dfe, Document, event};

/// The key of a document.
pub(crate) fn chave(xml: &str) -> String {
    let document = Document::read(xml.as_bytes()).unwrap();
    Dfe::of(&document).unwrap().chave().to_owned()
}

/// Its text, after all of this was found in it, and its one code and its registration were read.
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
