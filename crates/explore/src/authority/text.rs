//! Texts cut out of messages. The messages are our engine's own, so that a search for a tag is enough.

/// The text between two others; empty when there is none.
pub(crate) fn between<'t>(text: &'t str, open: &str, close: &str) -> &'t str {
    let after = text.split_once(open).map(|(_, after)| after);
    after.and_then(|after| after.split_once(close)).map_or("", |(inside, _)| inside)
}

/// The text of the first element of this name without attributes.
pub(crate) fn element<'t>(text: &'t str, name: &str) -> &'t str {
    between(text, &format!("<{name}>"), &format!("</{name}>"))
}

/// The first element of this name, whole, with or without attributes.
pub(crate) fn whole<'t>(text: &'t str, name: &str) -> &'t str {
    let close = format!("</{name}>");
    let begin = text.find(&format!("<{name} ")).or_else(|| text.find(&format!("<{name}>")));
    let Some(begin) = begin else { return "" };
    let end = text[begin..].find(&close).map(|end| begin + end + close.len());
    end.map_or("", |end| &text[begin..end])
}
