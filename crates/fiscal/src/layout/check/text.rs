//! Parts of the messages, in Portuguese.

/// Most alternatives named in one message.
const NAMED: usize = 15;
/// Most characters of a value quoted in a message.
const REPEATED: usize = 60;

/// `a, b ou c`.
pub(super) fn either(names: &[&str]) -> String {
    match names {
        [] => "outro elemento".to_owned(),
        [name] => (*name).to_owned(),
        [first @ .., last] if names.len() <= NAMED => format!("{} ou {last}", first.join(", ")),
        _ => format!("{}… ({} ao todo)", names[..NAMED].join(", "), names.len()),
    }
}

/// A value between quotes, shortened.
pub(super) fn quoted(value: &str) -> String {
    match value.char_indices().nth(REPEATED) {
        Some((end, _)) => format!("\"{}…\"", &value[..end]),
        None => format!("\"{value}\""),
    }
}

pub(super) fn suggestion(meant: Option<&str>) -> String {
    meant.map(|meant| format!("; o nome certo é {meant}?")).unwrap_or_default()
}
