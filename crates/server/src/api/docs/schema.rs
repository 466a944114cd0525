//! Objects of the interface as constants: one line per member, turned into JSON Schema 2020-12 for the document.
//!
//! Must not know: any route or member. The objects themselves stand beside the operations that use them.

use serde_json::{Map, Value, json};

/// The type of a value.
#[derive(Clone, Copy)]
pub(super) enum Type {
    /// Any text.
    Text,
    /// A text of so many characters.
    TextOf(u32, u32),
    /// A text of this form.
    Form(&'static str),
    /// One of these words.
    Words(&'static [&'static str]),
    /// A UUID.
    Uuid,
    /// RFC 3339 with offset.
    Instant,
    /// `AAAA-MM-DD`.
    Date,
    /// A whole number.
    Integer,
    /// A whole number between these.
    Within(i64, i64),
    /// A JSON number with the decimals of the document.
    Number,
    /// `true` or `false`.
    Bool,
    /// Any JSON value.
    Any,
    /// An object with members we do not promise.
    Free,
    /// An object described elsewhere.
    Ref(&'static str),
    /// A list.
    List(&'static Type),
    /// A list of at most so many.
    ListUpTo(&'static Type, u32),
    /// An object described in place.
    Group(&'static [Field]),
    /// Either.
    Either(&'static [Type]),
}

/// A text that is not blank.
pub(super) const FILLED: Type = Type::Form(r"\S");

/// One member.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Type,
    pub(super) doc: &'static str,
    pub(super) required: bool,
    pub(super) nullable: bool,
}

/// An object with a name.
pub(super) struct Schema {
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
    pub(super) fields: &'static [Field],
    /// One such object, as an answer shows it.
    pub(super) example: Option<fn() -> Value>,
}

/// A named object.
pub(super) const fn schema(name: &'static str, doc: &'static str, fields: &'static [Field]) -> Schema {
    Schema { name, doc, fields, example: None }
}

/// A member that is always there.
pub(super) const fn must(name: &'static str, kind: Type, doc: &'static str) -> Field {
    Field { name, kind, doc, required: true, nullable: false }
}

/// A member that may be absent; null is the same as absent.
pub(super) const fn may(name: &'static str, kind: Type, doc: &'static str) -> Field {
    Field { name, kind, doc, required: false, nullable: true }
}

/// A member that is always there and may be null.
pub(super) const fn or_null(name: &'static str, kind: Type, doc: &'static str) -> Field {
    Field { name, kind, doc, required: true, nullable: true }
}

impl Schema {
    /// With an example.
    pub(super) const fn like(mut self, example: fn() -> Value) -> Schema {
        self.example = Some(example);
        self
    }

    /// As JSON Schema.
    pub(super) fn json(&self) -> Value {
        let mut schema = object(self.fields);
        schema.insert("title".to_owned(), json!(self.name));
        schema.insert("description".to_owned(), json!(self.doc));
        if let Some(example) = self.example {
            schema.insert("examples".to_owned(), json!([example()]));
        }
        Value::Object(schema)
    }
}

/// An object of these members; others may stand beside them.
fn object(fields: &[Field]) -> Map<String, Value> {
    let properties: Map<String, Value> = fields.iter().map(|field| (field.name.to_owned(), field.json())).collect();
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

impl Field {
    fn json(&self) -> Value {
        let mut schema = if self.nullable { nullable(self.kind.json()) } else { self.kind.json() };
        if let Some(members) = schema.as_object_mut().filter(|_| !self.doc.is_empty()) {
            members.insert("description".to_owned(), json!(self.doc));
        }
        schema
    }
}

/// The same, or null.
fn nullable(mut schema: Value) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    match schema.get("type").cloned() {
        Some(Value::String(one)) => {
            schema["type"] = json!([one, "null"]);
            schema
        }
        _ if schema.get("anyOf").is_some() => {
            if let Some(Value::Array(kinds)) = schema.get_mut("anyOf") {
                kinds.push(json!({ "type": "null" }));
            }
            schema
        }
        // no type at all takes null already
        None if schema.get("$ref").is_none() => schema,
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

impl Type {
    /// As JSON Schema.
    pub(super) fn json(self) -> Value {
        match self {
            Type::Text => json!({ "type": "string" }),
            Type::TextOf(min, max) => json!({ "type": "string", "minLength": min, "maxLength": max }),
            Type::Form(pattern) => json!({ "type": "string", "pattern": pattern }),
            Type::Words(words) => json!({ "type": "string", "enum": words }),
            Type::Uuid => json!({ "type": "string", "format": "uuid" }),
            Type::Instant => json!({ "type": "string", "format": "date-time" }),
            Type::Date => json!({ "type": "string", "format": "date" }),
            Type::Integer => json!({ "type": "integer" }),
            Type::Within(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Type::Number => json!({ "type": "number" }),
            Type::Bool => json!({ "type": "boolean" }),
            Type::Any => json!({}),
            Type::Free => json!({ "type": "object", "additionalProperties": true }),
            Type::Ref(name) => reference(name),
            Type::List(kind) => json!({ "type": "array", "items": kind.json() }),
            Type::ListUpTo(kind, most) => json!({ "type": "array", "items": kind.json(), "maxItems": most }),
            Type::Group(fields) => Value::Object(object(fields)),
            Type::Either(kinds) => {
                let kinds: Vec<Value> = kinds.iter().map(|kind| kind.json()).collect();
                json!({ "anyOf": kinds })
            }
        }
    }

    /// In a word or two, for the page.
    pub(super) fn words(self) -> String {
        match self {
            Type::Text | Type::Form(_) => "texto".to_owned(),
            Type::TextOf(min, max) => format!("texto de {min} a {max} caracteres"),
            Type::Words(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
            Type::Uuid => "UUID".to_owned(),
            Type::Instant => "data e hora".to_owned(),
            Type::Date => "data (AAAA-MM-DD)".to_owned(),
            Type::Integer => "inteiro".to_owned(),
            Type::Within(min, max) => format!("inteiro de {min} a {max}"),
            Type::Number => "número".to_owned(),
            Type::Bool => "booleano".to_owned(),
            Type::Any => "qualquer valor".to_owned(),
            Type::Free | Type::Group(_) => "objeto".to_owned(),
            Type::Ref(name) => format!("[{name}](#objeto-{name})"),
            Type::List(kind) => format!("lista de {}", kind.words()),
            Type::ListUpTo(kind, most) => format!("lista de até {most} {}", kind.words()),
            Type::Either(kinds) => kinds.iter().map(|kind| kind.words()).collect::<Vec<_>>().join(" ou "),
        }
    }
}

/// A reference to a named object.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_added_to_every_kind_of_type() {
        assert_eq!(may("a", Type::Text, "").json(), json!({ "type": ["string", "null"] }));
        let words = may("a", Type::Words(&["x"]), "").json();
        assert_eq!(words, json!({ "type": ["string", "null"], "enum": ["x", null] }));
        let other = or_null("a", Type::Ref("B"), "").json();
        assert_eq!(other["anyOf"][1], json!({ "type": "null" }));
        assert_eq!(may("a", Type::Any, "").json(), json!({}));
    }
}
