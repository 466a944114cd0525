//! Fields of an address.

use store::emissions::PageCursor;
use uuid::Uuid;

/// Characters of a field that are read.
const LONGEST: usize = 200;

/// First value of a field, trimmed and bounded; `None` when empty.
pub(in crate::painel) fn value(query: &str, name: &str) -> Option<String> {
    let (_, text) = form_urlencoded::parse(query.as_bytes()).find(|(field, _)| field == name)?;
    Some(text.trim().chars().take(LONGEST).collect()).filter(|text: &String| !text.is_empty())
}

/// Address of a list with these fields.
pub(in crate::painel) fn list_address(path: &str, fields: &[(&str, String)]) -> String {
    if fields.is_empty() {
        return path.to_owned();
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    format!("{path}?{query}")
}

/// Place in the list that an address names; a wrong one is the first page.
pub(in crate::painel) fn cursor_of(query: &str) -> PageCursor {
    let id = |name: &str| -> Option<Uuid> { value(query, name)?.parse().ok() };
    match (id("antes"), id("depois")) {
        (Some(id), _) => PageCursor::OlderThan(id),
        (None, Some(id)) => PageCursor::NewerThan(id),
        (None, None) => PageCursor::Newest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_fields() {
        let fields = [("nome", "João & Filhos".to_owned()), ("estado", "erro".to_owned())];
        assert_eq!(list_address("/lista", &fields), "/lista?nome=Jo%C3%A3o+%26+Filhos&estado=erro");
        assert_eq!(value("nome=+x+&nome=y", "nome").as_deref(), Some("x"));
        assert_eq!(cursor_of("antes=x"), PageCursor::Newest);
    }
}
