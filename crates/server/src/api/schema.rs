//! Objects of the interface as constants: one line per member, turned into JSON Schema 2020-12 for the document.
//!
//! Must not know: any route or member. The objects themselves stand beside the operations that use them.

use fiscal::value::Uf;
use serde_json::{Map, Value, json};

/// The type of a value.
#[derive(Clone, Copy)]
pub(crate) enum Type {
    /// Any text.
    Text,
    /// A text of a minimum and a maximum length in characters.
    TextOf(u32, u32),
    /// A text of a minimum and a maximum length; blanks around it and doubled ones are not counted.
    Reason(u32, u32),
    /// A text that matches this pattern.
    Form(&'static str),
    /// Any of these words.
    Words(&'static [&'static str]),
    /// A UUID.
    Uuid,
    /// A CNPJ or CPF with valid check digits, masked or not.
    CpfCnpj,
    /// An access key.
    Chave,
    /// An https address.
    Url,
    /// Bytes: a part of a form, or a download.
    File,
    /// A line of at most this many characters.
    Line(u32),
    /// A line of at most this many characters that is not blank.
    Name(u32),
    /// At most this many letters and digits, with or without mask.
    Masked(u32),
    /// A line of at most this many characters, or a number of its digits.
    LineOrNumber(u32),
    /// Exactly this many digits, as text with or without mask, or as a number.
    Digits(u32),
    /// Exactly this many digits, or a word of the list.
    DigitsOr(u32, &'static [&'static str]),
    /// 8 digits, with or without a leading zero, or a word of the list.
    Rntrc(&'static [&'static str]),
    /// A whole number in this range, also as a text of digits.
    Numeral(u64, u64),
    /// A whole number in this range, also as a text with no more characters than the upper bound has.
    ShortNumeral(u64, u64),
    /// A series: a whole number from 1 on, or up to five letters and digits.
    Series(u64),
    /// Any of these whole numbers, in ascending order, also as a text of digits.
    Among(&'static [u64]),
    /// The two letters of a state.
    Uf,
    /// RFC 3339 with offset.
    Instant,
    /// `AAAA-MM-DD`.
    Date,
    /// A whole number.
    Integer,
    /// Code of an authority: an integer where its authorities use numbers, a text where they may use letters.
    Code,
    /// A whole number in this range.
    Within(i64, i64),
    /// A JSON number with the decimals of the document.
    Number,
    /// `true` or `false`.
    Bool,
    /// Any JSON value.
    Any,
    /// An object with members that are not part of the contract.
    Free,
    /// A reference to a named object.
    Ref(&'static str),
    /// A list.
    List(&'static Type),
    /// A list of at most this many entries.
    ListUpTo(&'static Type, u32),
    /// A list of a minimum and a maximum number of entries.
    ListWithin(&'static Type, u32, u32),
    /// An object described in place.
    Group(&'static [SchemaField]),
    /// A value of any of these types.
    Either(&'static [Type]),
}

/// A text that is not blank.
pub(crate) const FILLED: Type = Type::Form(r"\S");
/// The caller's reference.
pub(crate) const REFERENCIA: Type = Type::Form("^[A-Za-z0-9]{1,120}$");

/// A member of an object.
#[derive(Clone, Copy)]
pub(crate) struct SchemaField {
    pub(crate) name: &'static str,
    pub(crate) kind: Type,
    pub(crate) doc: &'static str,
    pub(crate) required: bool,
    pub(crate) nullable: bool,
}

/// A named object.
pub(crate) struct Schema {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) fields: &'static [SchemaField],
    /// Example of the object, as an answer shows it.
    pub(crate) example: Option<fn() -> Value>,
    /// Alternatives by name, in place of own fields.
    pub(crate) either: &'static [&'static str],
}

/// A named object of these fields.
pub(crate) const fn schema(name: &'static str, doc: &'static str, fields: &'static [SchemaField]) -> Schema {
    Schema { name, doc, fields, example: None, either: &[] }
}

/// A named object that is one of several others.
pub(crate) const fn either(name: &'static str, doc: &'static str, either: &'static [&'static str]) -> Schema {
    Schema { name, doc, fields: &[], example: None, either }
}

/// A required member.
pub(crate) const fn must(name: &'static str, kind: Type, doc: &'static str) -> SchemaField {
    SchemaField { name, kind, doc, required: true, nullable: false }
}

/// An optional member; null counts as absent.
pub(crate) const fn may(name: &'static str, kind: Type, doc: &'static str) -> SchemaField {
    SchemaField { name, kind, doc, required: false, nullable: true }
}

/// An optional member that is never null.
pub(crate) const fn perhaps(name: &'static str, kind: Type, doc: &'static str) -> SchemaField {
    SchemaField { name, kind, doc, required: false, nullable: false }
}

/// A required member that may be null.
pub(crate) const fn or_null(name: &'static str, kind: Type, doc: &'static str) -> SchemaField {
    SchemaField { name, kind, doc, required: true, nullable: true }
}

impl Schema {
    /// Adds an example.
    pub(crate) const fn like(mut self, example: fn() -> Value) -> Schema {
        self.example = Some(example);
        self
    }

    /// Converts to JSON Schema.
    pub(crate) fn json(&self) -> Value {
        let mut schema = match self.either {
            [] => object(self.fields),
            names => {
                let kinds: Vec<Value> = names.iter().map(|name| reference(name)).collect();
                Map::from_iter([("anyOf".to_owned(), json!(kinds))])
            }
        };
        schema.insert("title".to_owned(), json!(self.name));
        schema.insert("description".to_owned(), json!(self.doc));
        if let Some(example) = self.example {
            schema.insert("examples".to_owned(), json!([example()]));
        }
        Value::Object(schema)
    }
}

/// Schema of an object with these members; others are allowed beside them.
fn object(fields: &[SchemaField]) -> Map<String, Value> {
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

impl SchemaField {
    fn json(&self) -> Value {
        let mut schema = if self.nullable { nullable(self.kind.json()) } else { self.kind.json() };
        if let Some(members) = schema.as_object_mut().filter(|_| !self.doc.is_empty()) {
            members.insert("description".to_owned(), json!(self.doc));
        }
        schema
    }
}

/// Allows null beside the schema's own values.
pub(crate) fn nullable(mut schema: Value) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    match schema.get("type").cloned() {
        Some(Value::String(one)) => {
            schema["type"] = json!([one, "null"]);
            schema
        }
        Some(Value::Array(mut several)) => {
            several.push(json!("null"));
            schema["type"] = json!(several);
            schema
        }
        _ if schema.get("anyOf").is_some() => {
            if let Some(Value::Array(kinds)) = schema.get_mut("anyOf") {
                kinds.push(json!({ "type": "null" }));
            }
            schema
        }
        // a schema without a type allows null already
        None if schema.get("$ref").is_none() => schema,
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

impl Type {
    /// Converts to JSON Schema.
    pub(crate) fn json(self) -> Value {
        match self {
            Type::Text => json!({ "type": "string" }),
            Type::TextOf(min, max) => json!({ "type": "string", "minLength": min, "maxLength": max }),
            Type::Reason(min, max) => {
                json!({ "type": "string", "minLength": min, "maxLength": max, "pattern": r"\S" })
            }
            Type::Form(pattern) => json!({ "type": "string", "pattern": pattern }),
            Type::Words(words) => json!({ "type": "string", "enum": words }),
            Type::Uuid => json!({ "type": "string", "format": "uuid" }),
            Type::CpfCnpj => json!({ "type": "string", "format": "cpf-cnpj" }),
            Type::Chave => json!({ "type": "string", "format": "chave-acesso" }),
            Type::Url => json!({ "type": "string", "format": "uri", "pattern": "^https?://" }),
            Type::File => json!({ "type": "string", "format": "binary" }),
            Type::Line(most) => json!({ "type": "string", "maxLength": most, "pattern": LINE }),
            Type::Name(most) => json!({ "type": "string", "maxLength": most, "pattern": NAME }),
            Type::Masked(most) => {
                let pattern = format!("^[ ./()+-]*(?:[0-9A-Za-z][ ./()+-]*){{0,{most}}}$");
                json!({ "type": ["string", "integer"], "pattern": pattern, "minimum": 0, "maximum": 99_999_999_999_999_u64 })
            }
            Type::LineOrNumber(most) => {
                json!({ "type": ["string", "integer"], "maxLength": most, "pattern": LINE, "minimum": 0, "maximum": 999_999_999 })
            }
            Type::Digits(count) => {
                let pattern = format!("^(?:[ ./()+-]*[0-9]){{{count}}}[ ./()+-]*$");
                let least = 10_u64.saturating_pow(count.saturating_sub(1));
                json!({ "type": ["string", "integer"], "maxLength": 30, "pattern": pattern, "minimum": least, "maximum": least * 10 - 1 })
            }
            Type::Numeral(min, max) => numeral(min, max),
            Type::ShortNumeral(min, max) => short_numeral(min, max),
            Type::Series(most) => series(most),
            Type::DigitsOr(count, words) => {
                json!({ "anyOf": [Type::Digits(count).json(), Type::Words(words).json()] })
            }
            Type::Rntrc(words) => rntrc(words),
            Type::Among(numbers) => among(numbers),
            Type::Uf => json!({ "type": "string", "enum": Uf::ALL.map(Uf::sigla) }),
            Type::Instant => json!({ "type": "string", "format": "date-time" }),
            Type::Date => json!({ "type": "string", "format": "date" }),
            Type::Integer => json!({ "type": "integer" }),
            Type::Code => json!({ "type": ["integer", "string"] }),
            Type::Within(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Type::Number => json!({ "type": "number" }),
            Type::Bool => json!({ "type": "boolean" }),
            Type::Any => json!({}),
            Type::Free => json!({ "type": "object", "additionalProperties": true }),
            Type::Ref(name) => reference(name),
            Type::List(kind) => json!({ "type": "array", "items": kind.json() }),
            Type::ListWithin(kind, least, most) => {
                json!({ "type": "array", "items": kind.json(), "minItems": least, "maxItems": most })
            }
            Type::ListUpTo(kind, most) => json!({ "type": "array", "items": kind.json(), "maxItems": most }),
            Type::Group(fields) => Value::Object(object(fields)),
            Type::Either(kinds) => {
                let kinds: Vec<Value> = kinds.iter().map(|kind| kind.json()).collect();
                json!({ "anyOf": kinds })
            }
        }
    }

    /// A word or two in Portuguese, for the page.
    pub(crate) fn words(self) -> String {
        match self {
            Type::Text | Type::Form(_) => "texto".to_owned(),
            Type::TextOf(min, max) | Type::Reason(min, max) => format!("texto de {min} a {max} caracteres"),
            Type::Words(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
            Type::Uuid => "UUID".to_owned(),
            Type::CpfCnpj => "CNPJ ou CPF, com ou sem máscara".to_owned(),
            Type::Chave => "chave de acesso, 44 posições".to_owned(),
            Type::Url => "endereço https".to_owned(),
            Type::File => "arquivo".to_owned(),
            Type::Line(most) | Type::Name(most) => format!("texto de até {most} caracteres"),
            Type::Masked(most) => format!("até {most} letras e dígitos, com ou sem máscara"),
            Type::LineOrNumber(most) => format!("texto de até {most} caracteres, ou número"),
            Type::Digits(count) => format!("{count} dígitos, texto com ou sem máscara, ou número"),
            Type::Numeral(min, max) => format!("inteiro de {min} a {max}, número ou texto"),
            Type::ShortNumeral(min, max) => {
                format!("{}, em até {} caracteres", Type::Numeral(min, max).words(), max.to_string().len())
            }
            Type::Series(most) => format!("{}, ou até 5 letras e algarismos", Type::Numeral(1, most).words()),
            Type::DigitsOr(count, words) => {
                format!("{} ou {}", Type::Digits(count).words(), Type::Words(words).words())
            }
            Type::Rntrc(words) => {
                format!("{}, com ou sem um zero à esquerda, ou {}", Type::Digits(8).words(), Type::Words(words).words())
            }
            Type::Among(numbers) => ranges(numbers).map(Type::words).collect::<Vec<_>>().join(" ou "),
            Type::Uf => "sigla de um estado".to_owned(),
            Type::Instant => "data e hora".to_owned(),
            Type::Date => "data (AAAA-MM-DD)".to_owned(),
            Type::Integer => "inteiro".to_owned(),
            Type::Code => "inteiro; texto na NFS-e".to_owned(),
            Type::Within(min, max) => format!("inteiro de {min} a {max}"),
            Type::Number => "número".to_owned(),
            Type::Bool => "booleano".to_owned(),
            Type::Any => "qualquer valor".to_owned(),
            Type::Free | Type::Group(_) => "objeto".to_owned(),
            Type::Ref(name) => format!("[{name}](/docs/guia/api#objeto-{name})"),
            Type::List(kind) => format!("lista de {}", kind.words()),
            Type::ListWithin(kind, least, most) => format!("lista de {least} a {most} {}", kind.words()),
            Type::ListUpTo(kind, most) => format!("lista de até {most} {}", kind.words()),
            Type::Either(kinds) => kinds.iter().map(|kind| kind.words()).collect::<Vec<_>>().join(" ou "),
        }
    }
}

/// Merges consecutive numbers into ranges.
fn ranges(numbers: &[u64]) -> impl Iterator<Item = Type> + use<'_> {
    let beside = |one: &u64, next: &u64| one + 1 == *next;
    numbers.chunk_by(beside).map(|range| Type::Numeral(range[0], range[range.len() - 1]))
}

fn among(numbers: &'static [u64]) -> Value {
    let mut ranges: Vec<Value> = ranges(numbers).map(Type::json).collect();
    if ranges.len() == 1 { ranges.remove(0) } else { json!({ "anyOf": ranges }) }
}

fn rntrc(words: &'static [&'static str]) -> Value {
    let pattern = "^[ ./()+-]*0(?:[ ./()+-]*[0-9]){8}[ ./()+-]*$";
    let padded = json!({ "type": "string", "maxLength": 30, "pattern": pattern });
    json!({ "anyOf": [Type::Digits(8).json(), padded, Type::Words(words).json()] })
}

fn numeral(min: u64, max: u64) -> Value {
    let pattern = format!("^ *(?:{}) *$", numerals(min, max));
    json!({ "type": ["integer", "string"], "minimum": min, "maximum": max, "pattern": pattern })
}

fn short_numeral(min: u64, max: u64) -> Value {
    let mut short = numeral(min, max);
    short["maxLength"] = json!(max.to_string().len());
    short
}

/// A number, or a text with a letter in it.
fn series(most: u64) -> Value {
    let lettered = json!({ "type": "string", "maxLength": 5, "pattern": "^[0-9]*[A-Za-z][0-9A-Za-z]*$" });
    json!({ "anyOf": [numeral(1, most), lettered] })
}

const NAME: &str = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$";
/// No control characters.
const LINE: &str = r"^[^\x00-\x1f\x7f-\x9f]*$";

/// Pattern of the whole numbers in a range, with or without leading zeros.
fn numerals(min: u64, max: u64) -> String {
    const FEW: u64 = 100;
    let digits = max.to_string();
    if max - min < FEW {
        return format!("0*(?:{})", (min..=max).map(|number| number.to_string()).collect::<Vec<_>>().join("|"));
    }
    // from here on the lower bound is 0 or 1
    let first = if min == 0 { "[0-9]" } else { "[1-9]" };
    if digits.bytes().all(|digit| digit == b'9') {
        return format!("0*{first}[0-9]{{0,{}}}", digits.len() - 1);
    }
    let mut kinds = vec![format!("{first}[0-9]{{0,{}}}", digits.len() - 2)];
    for (at, digit) in digits.bytes().enumerate() {
        let least = if at == 0 { b'1' } else { b'0' };
        if digit > least {
            let (below, rest) = (char::from(digit - 1), digits.len() - at - 1);
            kinds.push(format!("{}[{}-{below}][0-9]{{{rest}}}", &digits[..at], char::from(least)));
        }
    }
    kinds.push(digits);
    format!("0*(?:{})", kinds.join("|"))
}

/// A reference to a named object.
pub(crate) fn reference(name: &str) -> Value {
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

    #[test]
    fn numerals_are_exactly_those_between_the_bounds() {
        assert_eq!(numerals(1, 999), "0*[1-9][0-9]{0,2}");
        assert_eq!(
            numerals(0, 49_999),
            "0*(?:[0-9][0-9]{0,3}|[1-3][0-9]{4}|4[0-8][0-9]{3}|49[0-8][0-9]{2}|499[0-8][0-9]{1}|4999[0-8][0-9]{0}|49999)"
        );
        assert_eq!((numerals(2, 3).as_str(), numerals(9, 9).as_str()), ("0*(?:2|3)", "0*(?:9)"));
    }
}
